"""Taps: how studies read what a model computes on the way, and how an edit changes it.

A tap is called with the name and the value of an intermediate result; what it returns takes the
result's place. The names, with n counted from 1 and (B, T, D) unless another shape is given:

    source.embedding, target.embedding      the embedding, scaled where the model scales it
    source.sum, target.sum                  with positions added
    encoder.n.self, encoder.n.feed_forward, decoder.n.self, .cross and .feed_forward, each with
        .read                               what the sub-layer reads
        .made                               its output
        .passed                             what leaves the residual connection around it
      and those of attention also with
        .scores                             (B, H, Q, K), before the mask
        .weights                            (B, H, Q, K), before dropout
        .dropped                            (B, H, Q, K), the weights after dropout
        .values                             (B, H, K, E)
        .heads                              (B, H, Q, E), the weighted sum of the values
      and feed_forward also with
        .hidden                             (B, T, F), its units after the activation
    encoder.memory                          what cross-attention reads
    decoder.output                          what the logits are made of
"""

from collections.abc import Callable, Collection

from torch import Tensor

from model_core.values.trace import ROWS, STACKS, Site

Tap = Callable[[str, Tensor], Tensor]


def untapped(name: str, value: Tensor) -> Tensor:
    """The value as it is."""
    return value


def inside(tap: Tap, part: str) -> Tap:
    """The tap for what a part computes: it is called with the part's name before each name."""
    return tap if tap is untapped else lambda name, value: tap(f"{part}.{name}", value)


def sublayer_of(site: Site, layer: int) -> str:
    """What taps call the attention of a site in a layer, from 0: "decoder.2.cross"."""
    return f"{STACKS[ROWS[site]]}.{layer + 1}.{'cross' if site == 'cross' else 'self'}"


def chained(*taps: Tap) -> Tap:
    """A tap that hands each value through all of these, in their order."""
    used = [tap for tap in taps if tap is not untapped]
    if len(used) < 2:
        return used[0] if used else untapped

    def tap(name: str, value: Tensor) -> Tensor:
        for each in used:
            value = each(name, value)
        return value

    return tap


def keeping(values: dict[str, Tensor], names: Collection[str] | None = None) -> Tap:
    """A tap that changes nothing and keeps every value, or those named, under its name."""

    def tap(name: str, value: Tensor) -> Tensor:
        if names is None or name in names:
            values[name] = value
        return value

    return tap
