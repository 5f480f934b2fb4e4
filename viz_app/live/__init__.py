"""The whole app in the visitor's own browser: this very Python there, and no server.

`arrays` stands in for torch over NumPy, `tokens` for the library tokenizers, `weights` for
safetensors; `inside` answers there as a server does here. `pieces` is what a browser fetches, and
`worker.js` runs it in the page.
"""
