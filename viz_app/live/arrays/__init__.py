"""What model_core asks of torch, over NumPy: an array namespace and modules.

There is no mathematics of a model here, nothing is differentiated, and whatever model_core does
not use is missing: asking for it raises an error that names it.
"""
