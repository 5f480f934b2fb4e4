"""Models on disk: configuration, tokenizers, weights and card. Nothing is ever unpickled."""
