"""The words of the room Positions, in English."""

from viz_app.rooms.written import written

EN = written("""
room_positions: Positions
room_positions_hint: How the model knows where a token stands, and what order does
positions_view_table: table
positions_view_table_hint: What is added at each position, as waves
positions_view_sum: sum
positions_view_sum_hint: Embedding + position for your sentence
positions_view_order: order
positions_view_order_hint: Move words, and see what changes and what cannot
positions_view_rotary: turn q and k
positions_view_rotary_hint: Turning queries and keys instead of adding
positions_lead_table_sinusoidal: Each row is what one [position|position] adds: sines, then cosines,
  from fast waves to slow ones. A shift turns each pair like a hand of a clock.
positions_lead_table_learned: Each row is what one [position|position] adds. Training chose every
  number, and there is no row beyond the last.
positions_lead_table_rotary: Nothing is added. Each row has the cosines and sines of the angles by
  which one [position|position] turns the pairs of a [query|query] and a [key|key].
positions_lead_table_relative: Each row is a distance from [query|query] to [key|key], each column a
  [head|head]: what is added to the [score|score]. Far distances share one number.
positions_lead_sum: What enters [encoder|encoder] and [decoder|decoder] is [embedding|embedding] +
  [position|position], number by number. Click any cell to check the sum.
positions_lead_order: Two words have changed places. Swap others or move one word’s position, then
  switch positions off and see what is left.
positions_lead_rotary: Rotary positions add nothing: they turn each pair of numbers of a
  [query|query] and a [key|key]. Choose a later token and watch the dials.
positions_axis_position: position
positions_axis_dimension: dimension
positions_axis_query: position of the query
positions_axis_key: position of the key
# table
positions_kind: Kind of positions
positions_kind_sinusoidal: sinusoidal
positions_kind_sinusoidal_hint: Sines and cosines, fixed
positions_kind_learned: learned
positions_kind_learned_hint: One trained row per position
positions_kind_rotary: rotary
positions_kind_rotary_hint: Queries and keys are turned; nothing is added
positions_kind_relative: relative
positions_kind_relative_hint: Scores get a bias by distance; nothing is added
positions_note_relative: Nothing is added to embeddings. A bias is added to each score, between
  score and softmax: each head has its own for each distance of query and key, and all layers share
  it.
positions_note_sinusoidal_halves: PE(p, i) = sin(p / 10000^(i/({steps}))), PE(p, D/2 + i) = cos(p /
  10000^(i/({steps}))), the first p is {first}: sines in the first half of the dimensions, cosines
  in the second. · {positions} positions × {dimensions} dimensions
positions_axis_distance: distance: key − query
positions_axis_head: head
positions_table_bias: Bias: distance × head
positions_chip_head: head {head}
positions_reading_bias: Where the key stands {distance} from its query, head {head} adds {value} to
  the score. Bucket {bucket}: distances {from} to {upto} have the same bias.
positions_table_side: Whose table
positions_sum_norm: In this model a norm follows before the sum enters the first layer.
positions_kind_none: none
positions_kind_none_hint: The model is told no order
positions_beside: beside it: {kind}
positions_own: this model’s own: {kind}
positions_own_kind: this model’s own
positions_not_own: for comparison; this model uses: {kind}
positions_note_sinusoidal: PE(p, 2i) = sin(p / 10000^(2i/D)), PE(p, 2i+1) = cos(p / 10000^(2i/D)) ·
  {positions} positions × {dimensions} dimensions
positions_note_sinusoidal_foreign: What a sinusoidal model of this size would add. This one does
  not. · {positions} positions × {dimensions} dimensions
positions_note_learned: Every number here was learned in training. · {positions} positions ×
  {dimensions} dimensions
positions_note_learned_foreign: What a learned table of this size starts from: small random numbers,
  which training then shapes. · {positions} positions × {dimensions} dimensions
positions_note_rotary: cos and sin of the angle by which each pair of dimensions is turned ·
  {positions} positions × {dimensions} dimensions of a head
positions_note_rotary_foreign: What a rotary model of this size would turn by: cos and sin of each
  angle. This one does not. · {positions} positions × {dimensions} dimensions of a head
positions_note_none: This model is told nothing about order, except by the causal mask.
positions_note_none_foreign: Nothing is added.
positions_cut: drawn: the first {rows} × {columns}
positions_none_added: Nothing is added. Such an encoder cannot tell one order of the words from
  another: see “order”.
positions_columns: Which dimensions
positions_columns_waves: by wavelength
positions_columns_waves_hint: Sines, then cosines, each wavelength longer than the last by the same
  factor
positions_columns_all: all dimensions
positions_columns_all_hint: Every dimension in its own place, as the model holds them
positions_sines: sines: wavelength
positions_cosines: cosines: wavelength
positions_picked: {drawn} of {pairs} pairs
positions_picked_hint: Picked evenly by the logarithm of the wavelength; waves that hardly change
  over so few positions are left out
positions_table: Position × dimension
positions_table_label: Table of {rows} positions by {columns} dimensions. Arrow keys move the
  selection.
positions_curves: Curves
positions_curves_label: Selected dimensions as curves over the positions
positions_keep: keep this curve
positions_keep_hint: Keep the curve of this dimension, or drop it (Shift+click)
positions_drop: drop this curve
positions_chip: {dimension} · λ {length}
positions_sine_wave: a sine
positions_cosine_wave: a cosine
positions_wavelength: Dimension {dimension} is {wave} with wavelength {length}: it repeats after
  that many positions.
positions_no_wavelength: Dimension {dimension} has no wavelength: it follows no wave.
positions_alike: How alike (cosine)
positions_two: Two positions
positions_place: position {name}
positions_apart: apart
positions_apart_hint: How many positions lie between a and b
positions_product: dot product
positions_product_hint: The dot product of the rows of a and b
positions_cosine: cosine
positions_cosine_hint: The dot product over the lengths of both rows
positions_length: distance
positions_length_hint: The length of the difference of the two rows
positions_turn: Why sines? A shift is a rotation: {k} positions on, dimensions {a} and {b} turn by
  {k} × {frequency} = {radians} rad = {degrees}°, wherever they start.
positions_turn_learned: A learned table has no waves: nothing makes a shift of positions a rotation.
positions_alike_label: Cosine between the rows of {rows} positions. Arrow keys move the selection.
positions_reading_added: Position {row} adds {value} to dimension {column}.
positions_reading_turned: At position {row}, column {column} holds {value}.
positions_reading_alike: From position {a} to position {b}, {distance} apart, the vector turns by
  {degrees}°: the cosine is {cosine}.
# sum
positions_side: Which tokens
positions_side_source_hint: What enters the encoder
positions_side_target_hint: What enters the decoder
positions_embedding: Embedding × {scale}
positions_position: Position
positions_sum: Sum
positions_tokens_source: source
positions_tokens_target: target, fed in
positions_sum_label: {part}: {rows} tokens by {columns} dimensions. Arrow keys move the selection.
positions_sum_unchanged: This model adds no positions: the sum is the embedding.
positions_reading_sum: “{token}”, position {row}, dimension {column}: {embedding} + {position} =
  {sum}
positions_lengths: Lengths for “{token}”: embedding {embedding}, position {position}, sum {sum}
# order
positions_words: Words in their order; press two to swap them
positions_word: {word}, position {row}
positions_press_two: Press two words to swap them.
positions_of_word: “{word}” has position {row}; press another word, or move the position:
positions_earlier: One position earlier
positions_later: One position later
positions_shuffle: Shuffle
positions_shuffle_hint: Put the words in a random order
positions_reverse: Reverse
positions_reverse_hint: Turn the order of the words around
positions_restore: As typed
positions_restore_hint: Put every word and every position back
positions_look_off: Nothing to look into: the room Inside shows the model with its positions
positions_look_rows: Nothing to look into: the room Inside gives every word its own position
positions_look_text: Nothing to look into: typed in this order, the words are split into other
  tokens
positions_look_changed: See this cell of the changed sentence, which then replaces the one above
positions_example_hint: The tutorials’ “You hit me” and “I hit you”, as one swap
positions_mode: Positions in the model
positions_on: with positions
positions_on_hint: The model as it is
positions_off: without
positions_off_hint: The same weights with positions switched off
positions_map_before: as typed
positions_map_after: in the new order
positions_map_difference: difference, words back in place
positions_order_label: Attention weights, {part}. Arrow keys move from cell to cell.
positions_verdict_on: With words back in place, the {stack}’s weights still differ by up to
  {largest}: order matters.
positions_verdict_causal: With words back in place, the {stack}’s weights still differ by up to
  {largest}: the causal mask alone tells this model an order.
positions_verdict_pairs: With words back in place, the {stack}’s weights still differ by up to
  {largest}: what is added for the first and the second sentence does not move with the words.
positions_verdict_same: Nothing is changed, or this model has no positions: {largest}.
positions_verdict_off: With words back in place, the {stack}’s weights differ by {largest} at most:
  the same attention, moved along with its words.
positions_verdict_tied: With words back in place, the encoder’s weights differ by up to {largest}.
  Without positions equal tokens get equal scores, and hard attention takes the first of the
  highest.
positions_reading_order_hint: Point at a cell. In the third map every token is back in its old
  place.
positions_reading_order_before: As typed, “{query}” looks at “{key}” with weight {value} · layer
  {layer}, head {head}
positions_reading_order_after: In the new order, “{query}” looks at “{key}” with weight {value} ·
  layer {layer}, head {head}
positions_reading_order_difference: The weight of “{query}” on “{key}” changes by {value} · layer
  {layer}, head {head}
positions_changes: Largest difference, words back in place
positions_prediction: next token
positions_sure: Provably the same, whatever the weights are; what is left is rounding
positions_same: ≡ {value}
positions_next: Next token after
positions_after: After which target token
positions_after_change: changed
positions_prediction_at: at its token
positions_next_at: Prediction at
positions_follows: What follows
positions_translations: Translation
positions_proof: Computed again in float64: {double}.
positions_sure_mark: ≡ the same whatever the weights are; digits: rounding
# rotary
positions_rotary_own: This is how this model turns its queries and keys. Dotted: before. Solid:
  after.
positions_rotary_foreign: What rotary positions would do to this model’s own queries and keys. The
  model itself does not turn them. Dotted: before. Solid: after.
positions_dials: Pairs of dimensions: ● query, ○ key
positions_dials_label: Pairs of dimensions as dials, before and after turning. Arrow keys move from
  pair to pair.
positions_dial: Dimensions {a} and {b}: query “{query}” turned by {turned}°, key “{key}” by {other}°
positions_placed: Score of the two, placed anywhere
positions_placed_label: Scores for {rows} positions of the query by as many of the key. Arrow keys
  move from cell to cell.
positions_by_distance: Score by distance (query − key)
positions_spread: Pairs of equal distance differ by {spread} at most, which is rounding: the score
  depends on the distance alone.
positions_spread_other: Pairs of equal distance differ by up to {spread}: with this similarity
  ({similarity}) the score does not depend on the distance alone.
positions_reading_placed: “{query}” at position {row} and “{key}” at position {column}, distance
  {distance}: score {score}
positions_reading_pair: Dimensions {a} and {b} of “{token}” at position {row} turn by {radians} rad
  = {degrees}°.
positions_reading_score: Score of “{query}” and “{key}”: {before} before, {after} after turning.
# files and pictures
figure_value: value
figure_cosine: cosine
figure_wavelength: wavelength
figure_sines: sines
figure_cosines: cosines
figure_dimension_plain: dimension {d}
figure_dimension_of: dimension {d}, wavelength {wavelength}
figure_positions: The table of positions: {kind}
figure_similarity: How alike positions are: {kind}
figure_curves: Positions by dimension: {kind}
figure_head_plain: head {h}
figure_sum: What enters the first layer
figure_order: {site}, layer {layer}, head {head}: another order of the tokens
figure_rotary: {site}, layer {layer}, head {head}: rotary positions
figure_unturned: scores before turning
figure_turned: scores after turning
figure_placed: “{query}” and “{key}” anywhere
export_what_positions: the table of positions
export_what_curves: the curves
export_what_similarity: how alike positions are
export_what_sum: embedding + position
export_what_order: attention before and after
export_what_rotary: the rotation
""")
