"""Checkpoints of other from-scratch code, turned into ours.

Read layout, which says how a table of names becomes a configuration and weights; the tables stand
in a file per layout. Beside them: reading (a file's tensors, the only place that loads a `.pt`),
vocabularies (tokenizers and special tokens) and importing (all of it together). The app's loading
path does not lead here: what is imported is saved as one of our folders first.
"""
