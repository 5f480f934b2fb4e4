"""The words of the room Masks, in English."""

from viz_app.rooms.written import written

EN = written("""
room_masks: Masks
room_masks_hint: What a batch hides, and what leaks when a mask is broken
masks_view_masks: masks
masks_view_masks_hint: A padded batch under its masks, and what breaks them
masks_view_passes: one pass / many steps
masks_view_passes_hint: Teacher forcing beside decoding step by step
masks_see_encoder: No token looks at a [pad|pad]: their columns are hidden in every row. Set the pad
  mask to “off” and see what leaks.
masks_see_decoder: No token may look at a [pad|pad] or at a later token; each row sees one token
  more than the row above. Set the causal mask to “off”.
masks_see_cross: The translation looks at the whole source at once, except its [pad|pads]. Set the
  pad mask to “off” and watch the [weight|weights] move.
masks_see_passes: The same matrix twice: all rows in [teacher_forcing|one pass], as in training, and
  one row per step, as when translating. Move the slider.
# batch
masks_batch: Batch
masks_batch_about_source: source, padded to {n} tokens
masks_batch_about_fed: fed in, padded to {n} tokens
masks_batch_about_one: 1 sentence; alone it needs no pads
masks_opened_none: Sentence {n} is shown: it has pads, yours has none.
masks_opened_both: Sentence {n} is shown: it has pads in source and target, yours in one only.
masks_show: Show sentence {n}
masks_fed: fed in
masks_first: This is the sentence in the line above; change it there.
masks_edit: Sentence {n}; press Enter to read it
masks_add: Add a sentence
masks_full: A batch has {n} sentences at most
masks_change: Change sentence {n}
masks_remove: Remove sentence {n}
masks_lesson: tutorial batch
masks_lesson_hint: The tutorials’ batch: three song titles of uneven length
masks_unfold: draw all pads
masks_fold: count the pads
masks_look_pad_row: Nothing to look into: this row or column is a pad of the batch
masks_look_many_pads: Nothing to look into: one sentence alone takes {limit} pads at most
masks_look_broken_hint: See the numbers of this cell under the model’s own masks
# breaks
masks_breaks: Break a mask
masks_restore: Restore
masks_restore_hint: Restore the model’s masks
masks_causal: [causal_mask|causal mask]
masks_causal_intact: correct
masks_causal_intact_hint: A target token looks at itself and at what came before
masks_causal_none: off
masks_causal_none_hint: Every target token looks at the whole target
masks_causal_ahead: shifted +1
masks_causal_ahead_hint: Every token also looks at the next one, which it should predict
masks_causal_behind: shifted −1
masks_causal_behind_hint: No token looks at itself, and the first looks at nothing at all
masks_pads: [pad|pad] [mask|mask]
masks_pads_intact: correct
masks_pads_intact_hint: The columns of pads are hidden
masks_pads_none: off
masks_pads_none_hint: Pads are treated like any other token
masks_pads_rows: rows, not columns
masks_pads_rows_hint: The rows of pads are hidden instead of their columns
masks_lacking_causal: This model has no causal mask and takes no steps: it reads the whole text at
  once.
masks_fill: hidden [score|scores] become
masks_fill_infinite: −∞
masks_fill_infinite_hint: A hidden score becomes minus infinity
masks_fill_finite: −1e9
masks_fill_finite_hint: A hidden score becomes −1,000,000,000, as many tutorials write
# maps
masks_map_pad: pad mask
masks_map_causal: causal mask
masks_map_combined: both together
masks_map_scores: [score|scores] before mask
masks_map_masked: scores after [mask|mask]
masks_map_weights: [weight|weights] after [softmax|softmax]
masks_map_weights_hard: [weight|weights]
masks_map_once: one pass
masks_map_stepped: {n} of {m} steps
masks_map_difference: difference
masks_sign_causal: ∧
masks_sign_combined: =
masks_sign_masked: + mask =
masks_sign_weights: softmax →
masks_sign_weights_hard: →
masks_sign_stepped: −
masks_sign_difference: =
masks_maps: The maps, as an equation
masks_before: Previous map
masks_next: Next map
masks_open: 1 visible
masks_hidden: 0 hidden
masks_no_causal_encoder: No causal mask here: the whole source is known from the start, so every
  token may look at those after it.
masks_no_causal_cross: No causal mask here: the rows are target tokens, the columns source tokens,
  and the whole source is known.
masks_axes: {site} · layer {layer} · head {head} · {rows} · {columns}
masks_map_label: {title}: {rows} row{rows|s} by {columns} column{columns|s}. Arrow keys move from
  cell to cell.
masks_rows_source: rows: source (queries)
masks_rows_fed: rows: target, fed in (queries)
masks_columns_source: columns: source (keys)
masks_columns_fed: columns: target, fed in (keys)
# the sentence under the maps
masks_reading_hint: Point at a cell of any map to follow it through the others.
masks_reading_broken: Dots: cells that should be hidden. Crosses: cells that should not. Point at
  one.
masks_reading_open: “{query}” may look at “{key}”: score {score}, kept by the mask, weight {weight}
masks_reading_opened: “{query}” looks at “{key}” though it should not: score {score}, weight
  {weight}
masks_reading_hidden: “{query}” may not look at “{key}”, {why}: score {score} becomes {fill}, weight
  {weight}
masks_reading_once: “{query}” → “{key}”: one pass {once}, in steps {stepped}, difference
  {difference}
masks_reading_later: “{query}” → “{key}”: one pass {once}; this step is still to come
masks_why_pad: a pad
masks_why_future: which comes later
masks_why_row: because its row is hidden
masks_why_window: which lies too far back, outside the model’s window
masks_why_itself: itself, because the mask is shifted −1
# the checker
masks_check: What leaked
masks_check_nothing: Nothing leaks: pads and the future get exactly 0
masks_check_pads: {mean} of all attention goes to pads
masks_check_future: {mean} of all attention goes to the future
masks_check_pads_brief: mean {mean} to pads
masks_check_future_brief: mean {mean} to the future
masks_check_here: "mean of all heads; {here} in this one, "
masks_check_most: most in layer {layer}, head {head}: {most}
masks_check_most_hint: Show that head
masks_check_pads_none: No pads here
masks_check_pads_none_more: choose a shorter sentence
masks_check_pads_after: Pads still get exactly 0
masks_check_pads_after_more: they stand last, so the causal mask hides them from every real token
masks_check_pads_zero: Pads get exactly 0
masks_check_empty: Empty: {rows}
masks_check_empty_more: may look at nothing; all weights are 0, where softmax alone would divide 0
  by 0
masks_check_empty_brief: all weights are 0
masks_check_uniform: Uniform: {rows}
masks_check_uniform_more: may look at nothing, yet −1e9 spreads {part} on each of {keys} keys,
  hidden ones included
masks_check_uniform_brief: −1e9: {part} on each of {keys} keys
masks_check_fill: −1e9 gives the very same weights as −∞ here
masks_check_fill_more: no row is empty; shift the causal mask by −1, or hide rows, to see them
  differ
masks_check_rows_one: row “{label}”
masks_check_rows_many: {n} rows ({labels})
masks_check_rows_count: {n} rows
masks_check_same: no prediction changes
masks_check_no_predictions: this model predicts nothing, so only its weights tell
masks_check_changed: {changed} of {positions} tokens change
masks_check_changed_one: 1 of {positions} tokens changes
masks_check_change: predictions move by up to {most}
masks_check_change_more: {mean} on average; 0 = same prediction, 1 = nothing in common
masks_check_change_brief: mean {mean}; 1 = nothing in common
masks_check_others: other sentences: {changed} of {positions}, up to {most}
# predictions
masks_predictions: Best next token
masks_predictions_at: Best token at each position
masks_after: after
masks_at: at
masks_own_best: correct masks
masks_broken_best: broken
masks_distance: change
# passes
masks_apart: Largest difference anywhere, all layers and heads of decoder and cross: weights
  {weights}, scores {scores}, log-probabilities {log_probabilities} nats. That is the rounding of
  float32; in float64 it all but vanishes.
masks_counts: Training runs the decoder once for {rows} rows: the whole target is known. Translating
  runs it {rows} times: each token must be chosen before it can be fed in.
masks_shift_title: The [shift|shift by one]
masks_shift: The decoder is fed the start token and the target. It must predict the same target
  shifted left by one, ending with the end token. Row {n} has seen everything up to “{fed}” and
  should predict “{predicted}”, which is fed to the next row. With the causal mask shifted by +1 it
  would see its own answer.
masks_shift_last: The decoder is fed the start token and the target. It must predict the same target
  shifted left by one. Row {n} has seen everything up to “{fed}” and should predict “{predicted}”.
  Nothing is fed in after it.
masks_position: row
masks_predicted: predicted
masks_p_once: p, one pass
masks_p_stepped: p, steps
masks_step: Steps done
masks_limit: limit
# errors
error_sentence_characters: Sentence {number} of the batch has {n} characters; {limit} are read.
  Shorten it.
error_sentence_half_character: Sentence {number} of the batch has half of a character. Type it
  again.
error_batch: The batch has {n} sentences; it takes 1 to {limit}. Add or remove some.
# files and pictures
figure_masks: Masks of {site}
figure_marks: + opened by the break · × closed by it
figure_scores: {site}, layer {layer}, head {head}: from scores to weights
figure_passes: {site}, layer {layer}, head {head}: one pass and many steps
figure_broken: What a broken mask does to the predictions · {change}
figure_intact: nothing is broken
figure_distance: total variation distance
figure_best: best token, and its probability
figure_sentence: sentence {n} of {m}
export_what_masks: the masks
export_what_scores: scores before, scores after, weights
export_what_broken: how far the predictions changed
export_what_passes: one pass and many steps
""")
