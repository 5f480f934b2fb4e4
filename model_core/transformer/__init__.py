"""The model in the order and the words of Vaswani et al. 2017.

Read masks, positions, attention, layers, transformer. Beside them stand key_values (the cache of
one attention), passes (what a call returns), taps (how what happens on the way is read and
changed), variants (models with other positions), evaluating (asking a model in training) and
fast_steps (what makes one step fast).
"""
