"""A Transformer that reads like the paper and hides nothing.

Reading order: config, masks, attention, transformer, decoding, trace. Importing this package
imports no torch.
"""
