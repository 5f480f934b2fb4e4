"""A Transformer that reads like the paper and hides nothing.

Reading order: config, masks, layers, positions, attention, transformer, decoding, trace. Importing
this package imports no torch.
"""
