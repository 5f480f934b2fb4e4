"""Makes what the live app needs beside our own code: the interpreter and NumPy, cut down."""
