"""Models of the Hugging Face library `transformers`, behind the protocol.

`families` is the table of what can be opened; `folder` checks a folder before anything of it is
loaded; neither needs `transformers`. `loading` loads it; `model` is the whole behind the protocol.
"""
