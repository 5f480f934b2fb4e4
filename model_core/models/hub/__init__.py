"""Models of the Hugging Face library `transformers`, behind the protocol.

`families` is the table of what can be opened; `folder` checks a folder before anything of it is
loaded; `loading` loads it; `attention` is the one function through which all of them attend, and
which records; `caching` keeps keys and values without ever changing an earlier state; `model` is
the whole behind the protocol. `families` and `folder` need no `transformers`.
"""
