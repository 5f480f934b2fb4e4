"""The words of the room Heads, in English."""

from viz_app.rooms.written import written

EN = written("""
room_heads: Heads
room_heads_hint: Every head measured: what it looks at, and what is lost without it
heads_views: How the heads are shown
heads_view_grid: grid
heads_view_grid_hint: Layers down, heads across, in the colour of one measure
heads_view_scatter: scatter
heads_view_scatter_hint: Every head by two measures
heads_view_table: table
heads_view_table_hint: Every head with every measure; a column sorts it
heads_measure: measure
heads_across: across
heads_next: Pick a head to read what it does.
heads_on: Measured on {n} sentences ({corpus}): {source} source tokens, {target} to write; loss
  {loss}, a share of {exact} exactly right. One head is off at a time and the others make up for it:
  no change is the normal result (Voita et al. 2019).
heads_on_plain: Measured on {n} sentences ({corpus}): {source} source tokens, {target} to write. No
  head was switched off: the model writes nothing, or allows no edit. Where one is off, others often
  make up for it (Voita et al. 2019).
heads_corpus_sentences: our own sentences
heads_corpus_strings: our own strings, reversed
heads_place: {site} · layer {layer} · head {head}
heads_reads: {place}: {measure} {number}
heads_row: {site} · L{layer}
heads_brief: {site} · layer {layer} · head {head}
heads_pile: The heads at this place
heads_more: " · {n} more here: press to list them"
heads_grid_label: {measure} of every head, {rows} layer{rows|s} by {columns} head{columns|s}
heads_none: no such head
heads_open: View in Translate
heads_open_hint: This head on your sentence
heads_off: What if it is off
heads_off_hint: Switch this head off in your translation; its chip takes it back
heads_like: Most like it
heads_like_cosine: cosine of their weights {number}
heads_does_diagonal: On average it moves through the source at the pace of the target, along the
  [habit_diagonal|diagonal], with {number} of its weight.
heads_does_previous: On average it looks at the [habit_previous|previous] token, with {number} of
  its weight.
heads_does_itself: On average it looks at the token [habit_itself|itself], with {number} of its
  weight.
heads_does_next: On average it looks at the [habit_next|next] token, with {number} of its weight.
heads_does_first: On average it looks at the [habit_first|first] token, with {number} of its weight.
heads_does_start: On average it looks at the [habit_start|start] token, with {number} of its weight.
heads_does_end: On average it looks at the [habit_end|end] token, with {number} of its weight.
heads_does_marks: On average it looks at [habit_marks|punctuation], with {number} of its weight.
heads_does_sharp: It is [habit_sharp|sharp]: each row picks out one token, at no fixed place. The
  largest weight is {number} on average.
heads_does_spread: It is [habit_spread|spread]: it looks at many tokens at once, with {number} bits
  of entropy on average.
heads_lost: What is lost without it
heads_lost_with: with it
heads_lost_with_hint: The model as it is
heads_lost_zero: off
heads_lost_zero_hint: The change where its output is 0
heads_lost_mean: its mean
heads_lost_mean_hint: The change where its output is always its mean
heads_lost_loss: loss, {n} sentence{n|s}
heads_lost_exact: share exactly right
heads_lost_here: loss, this sentence
heads_here_most: Without it “{token}” changes most here: {before} → {after}
heads_here_alone: Its worth on this sentence needs the model. Open the app to see it.
heads_here_none: Step the translation on to see what this head is worth here.
heads_sentences: Sentences with most of its weight {place}
heads_sentences_sharp: Sentences where it is sharpest: mean largest weight
heads_sentences_spread: Sentences where it is most spread: entropy in bits
heads_sentence_hint: Translate this sentence with this head in view
heads_distances: How far it looks
heads_distances_axis: distance in tokens; the ends hold the rest
heads_share: share of its attention
heads_tokens: What attracts it
heads_token_hint: {share} of its attention; looking at all alike would give {even}
heads_find: Find heads by pattern
habit_own: own map
heads_pattern_hint: The heads whose weights on the whole sentence have the largest cosine with this
heads_drawn: Your map: rows are queries, columns keys; press cells
heads_cell: Row {row}, column {column}
heads_clear: Clear
heads_draw: Press cells of the map: it is stretched to sentences of any length.
heads_find_none: No head can look there: a mask hides it, or the text has no such token.
heads_find_long: Find compares every row of every head. Of a text this long the page holds only
  small pictures of the heads, so it finds nothing; shorten the text.
heads_found_hint: "Most like it on your sentence: the cosine of their weights, 1 at most"
heads_found: {place}, cosine {number}
heads_head: head
heads_measure_entropy: entropy
heads_measure_largest: largest weight
heads_measure_previous: on the previous token
heads_measure_itself: on itself
heads_measure_next: on the next token
heads_measure_first: on the first token
heads_measure_start: on the start token
heads_measure_end: on the end token
heads_measure_marks: on punctuation
heads_measure_diagonal: on the diagonal
heads_measure_pads: on pads
heads_measure_distance: mean distance
heads_measure_reach: spread of distances
heads_measure_coverage: coverage
heads_measure_likeness: likeness
heads_measure_links: agreement with links by hand
heads_measure_aligner: agreement with the aligner
heads_measure_loss_zero: loss when off
heads_measure_loss_mean: loss when replaced by its mean
heads_measure_exact_zero: exactly right when off
heads_measure_exact_mean: exactly right when replaced by its mean
heads_about_entropy: Bits, mean over all rows.
heads_about_largest: Mean largest weight of a row.
heads_about_share: Mean share of its attention, over the rows that have such a token.
heads_about_diagonal: Mean weight within one token of the straight line.
heads_about_pads: Share of four pads behind the source; a pad mask makes it exactly 0.
heads_about_distance: Tokens from the row to what it looks at, mean over its attention.
heads_about_reach: Tokens, standard deviation of these distances.
heads_about_coverage: Share of the text tokens that some row looks at most.
heads_about_likeness: Largest cosine of its weights with another head of this attention.
heads_about_links: Share of the linked tokens whose largest weight is on the right word, where they
  are written.
heads_about_aligner: The same with a statistical word aligner; a head that it taught agrees in a
  circle.
heads_about_loss: What is added to the loss, in nats per token; below 0 the model is better
  without it.
heads_about_exact: Change in the share of outputs that are right to the last token.
figure_heads_every: Every head · {measure}
export_what_measures: every head, by one measure
export_what_scatter: every head, by two measures
export_what_distances: how far this head looks
figure_heads_on: Measured on {n} sentences ({corpus}).
""")
