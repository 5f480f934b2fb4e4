"""All that trains and measures models: data, the loop, guidance, evaluation, and their commands.

Nothing else of the program imports it.
"""
