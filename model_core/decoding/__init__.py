"""From a text to a `Decoding`, step by pure step: greedy, sampled, forced or by beam search."""
