"""The words of the stage and of the Translate room, in English.

"[key|keys]" is the word "keys", which explains the term `key` of glossary.py where the place can
show it; elsewhere it reads "keys".
"""

from viz_app.rooms.written import written

# The same in every language.
SIGNS = written("""
top_k: [top_k|top-k]
top_p: [top_p|top-p]
head_short: H{n}
layer_short: L{n}
list_item: “{label}” {weight}
key_step: ← →
key_head: ↑ ↓
key_first: Enter
key_others: 1 … 9
key_play: Space
key_ends: Home End
key_cells: ↑ ↓ ← →
key_grid: ↑ ↓ ← →
key_translate: Enter Shift+Enter
key_undo: Ctrl+Z
key_off: x
key_list: ?
""")
EN = SIGNS | written("""
# first line
title: Attention Visualiser
tagline: See what a Transformer looks at while it translates, token by token.
rooms: Rooms
room_translate: Translate
room_translate_hint: Step the translation out and see every head
room_awaited: The model is computing this for your sentence.
views_of_room: What the room shows
model: model
language_switch: 中
language_switch_hint: 用中文显示
language_en: English
language_fr: French
language_de: German
language_es: Spanish
kind_pre: pre-norm
kind_post: post-norm
kind_scaled_dot: scaled dot product
kind_dot: dot product
kind_additive: additive similarity
kind_bilinear: bilinear similarity
kind_soft: soft attention
kind_hard: hard attention
kind_sinusoidal: sinusoidal positions
kind_learned: learned positions
kind_rotary: rotary positions
kind_none: no positions
language_zh: Chinese
language_text: text
language_reversed: reversed
scheme: Switch between light and dark
large: One large map, for a projector
jumps: Parts of this page
skip: Skip to the map
close: Close
api_link: Use via API
# source
source: Sentence to translate
source_placeholder: Type a sentence of at most {limit} characters and press Enter
examples: examples
translate: Translate
translate_hint: Translate to the end (Enter)
translate_decoder: Continue
translate_decoder_hint: Write on to the end (Enter)
translate_encoder: Read
translate_encoder_hint: Read the text (Enter)
stepwise: Step by step
stepwise_hint: Begin with the start token only (Shift+Enter)
count: {n} of {limit}
pads: pads
pads_word: [pad|pads]
pads_hint: Add pad tokens after the sentence. They get no weight and change no number.
pads_fewer: Remove a pad
pads_more: Add a pad
# errors
error_network: The server did not answer. What you see is still complete; try again in a moment.
error_answer: The server's answer could not be read. Reload the page, then try again.
error_no_models: There is no model yet. Put one into checkpoints/, then start the app again.
error_characters: This page takes at most {limit} characters; yours has {n}. Please shorten it.
error_checkpoint: The files of this model cannot be used. {message}
error_place: There is no such place in this sentence and model. Reload the page, then try again.
error_request: The page asked for something this program does not know. Reload the page, then try
  again.
error_token: There is no token {token}; this model has {limit}.
# what a room lacks
error_lacks_own_weights: This room takes the model's own weights apart; of this model the program
  sees only what attention does. Choose another model.
error_no_steps: Nothing is written here, so there are no steps and no candidates.
error_lacks_no_model: This room runs a model, and these weights came without theirs. Open the model
  itself.
error_lacks_site_encoder: This room needs an encoder, and this model has none.
error_lacks_site_decoder: This room needs a decoder, and this model has none.
error_lacks_site_cross: This room needs cross-attention, and this model has none.
error_other: {message}
# tokens
sentences: Source and target tokens
strip_source: source
strip_target: target
token_start: start
token_end: end
token_pad: pad
token_unknown: unknown
title_piece: piece: {piece}
title_byte: one byte of a character that the vocabulary has no token for
title_greedy: the most probable token, {probability}
title_sampled: sampled, probability {probability}
title_beam: found by the beam search, probability {probability}
title_forced: your choice, probability {probability}
title_given: given, not chosen; probability {probability}
title_pending: The next token is not chosen yet
spelling: How tokens are written
spelling_plain: text
spelling_plain_hint: Tokens as plain text
spelling_pieces: pieces
spelling_pieces_hint: Tokens as the tokenizer spells them
# candidates
candidates: Most probable next tokens
candidate: take {token}, probability {probability}
candidate_chosen: {token}, probability {probability}, chosen here
candidate_seen: {token}, probability {probability}
title_take: click to take it; what follows is dropped
title_chosen: chosen at this step
title_cannot_take: cannot be taken here
next_given: Reads “{after}”; given: “{token}” · {probability}
next_open: Reads “{after}”, may write:
next_limit: Reads “{after}”: the limit of {limit} tokens is reached
next_greedy: Reads “{after}”, writes “{token}” · greedy · {probability}
next_sampled: Reads “{after}”, writes “{token}” · sampled · {probability}
next_beam: Reads “{after}”, writes “{token}” · beam · {probability}
next_forced: Reads “{after}”; you chose “{token}” · {probability}
# moving
playback: Steps
move_reset: Start over
move_reset_hint: Back to the start token; Undo brings the dropped tokens back
move_back: Back
move_back_hint: One step back (Left)
move_step: Step
move_step_hint: One step on (Right)
move_play: Play
move_pause: Pause
move_play_hint: Play the steps one after the other (Space)
move_end: End
move_end_hint: Run to the end
slider: Step
move_undo: Undo
move_undo_hint: Bring back the tokens dropped last (Ctrl+Z)
step_of: step {n} of {m}
step_open: step {n} of …
strategy: How the next token is chosen
strategy_about: The next [token|token] comes from the [softmax|softmax] of the [logit|logits]:
  [greedy|greedy] takes the best, [sampling|sample] draws, beam searches for the best translation.
strategy_greedy: greedy
strategy_greedy_hint: Always take the most probable token
strategy_sample: sample
strategy_sample_hint: Draw the token at random by its probability
strategy_sample_at: sample, T {temperature}
strategy_beam: beam
strategy_beam_hint: Search several translations at once and take the best
strategy_beam_at: beam of {width}
width: width of the beam
width_hint: {least} to {most} translations at once; 1 is greedy
temperature: [temperature|temperature]
temperature_hint: {least} to {most}; below 1 is sharper
top_k_hint: keep the k best; 0 keeps all
top_p_hint: keep the best that reach p
seed: [seed|seed]
seed_hint: same seed, same draw
# heads
sites: Attention
site_encoder: encoder
site_decoder: decoder
site_cross: cross
site_encoder_long: encoder self-attention
site_decoder_long: decoder self-attention
site_cross_long: cross-attention
site_encoder_about: [self_attention|Self-attention]: source tokens (rows, [query|queries]) look at
  source tokens (columns, [key|keys]).
site_decoder_about_whole: [self_attention|Self-attention]: target tokens (rows, [query|queries])
  look at target tokens (columns, [key|keys]).
site_cross_about_whole: [cross_attention|Cross-attention]: target tokens (rows, [query|queries])
  look at source tokens (columns, [key|keys]).
site_decoder_about: [self_attention|Self-attention]: a row is a [shift|step] ([query|query]); it
  looks at target tokens [causal_mask|up to its own] ([key|keys]).
site_cross_about: [cross_attention|Cross-attention]: a row is a [shift|step] ([query|query]); it
  looks at source tokens (columns, [key|keys]).
pick: Which head
pick_layer: Layer
pick_head: Head
pick_layer_word: [layer|layer]
pick_head_word: [head|head]
order: sort [head|heads] by
order_place: layer
order_entropy: focus
order_scale: focused → spread, in bits
heads: All heads; point to preview, click to lock
head_label: layer {layer}, head {head}: mean entropy {bits} bits
# large map
map_role: attention map
map_title: {site} · [layer|layer] {layer} · [head|head] {head}
map_label: {title}: {rows} row{rows|s} by {columns} column{columns|s}. Arrow keys move from cell to
  cell.
entropy_bits: [entropy|entropy] {bits} bits
view: View
view_heat: heat
view_heat_hint: One cell for each weight
view_lines: lines
view_lines_hint: One line for each weight, wider when larger
view_table: table
view_table_hint: All weights as numbers
axis_rows_source: queries: source
axis_rows_whole: queries: target
axis_rows_fed: queries: target, fed in
axis_rows_step: queries: reads → writes
axis_rows_step_short: queries: writes
axis_columns_source: keys: source
axis_columns_target: keys: target, fed in
axis_columns_whole: keys: target
masked: masked
# the sentence under the map
reading_hint: Point at a cell to read it (arrow keys work too).
reading_hint_lines: Point at a token to see its lines alone.
reading_source: “{query}” looks at “{key}” with weight {weight} · layer {layer}, head {head}
reading_step: The step that reads “{from}” and writes “{query}” looks at “{key}” with weight
  {weight} · layer {layer}, head {head}
reading_pending: The step that reads “{from}” looks at “{key}” with weight {weight}; what it writes
  is not chosen yet · layer {layer}, head {head}
reading_masked_future: “{from}” cannot look at “{key}”: it comes later · layer {layer}, head {head}
reading_masked_pad: “{from}” cannot look at a pad: its weight is exactly 0 · layer {layer}, head
  {head}
reading_masked_hidden: “{from}” cannot look at “{key}”: an edit hides it · layer {layer}, head
  {head}
reading_masked_window: “{from}” cannot look at “{key}”: it lies too far back, outside the model’s
  window · layer {layer}, head {head}
reading_row_source: “{query}” looks mostly at {list}
reading_row_step: The step that reads “{from}” and writes “{query}” looks mostly at {list}
reading_row_pending: The step that reads “{from}” looks mostly at {list}; what it writes is not
  chosen yet
reading_column: “{key}” gets most attention from {list}
reading_column_none: Nothing looks at “{key}”
list_between: ", "
parts_between: "; "
# help
help: Help
help_cells: A row is a token that looks, a column a token that is looked at. The stronger the colour
  of a cell, the more of the row’s attention it gets; a row adds up to 1.
help_steps: In the decoder a row is a step, which reads one token and writes the next. “Step” takes
  the next one; press a written token to go back to the step that wrote it.
help_own: Type a sentence of your own, take another candidate, switch heads off, open other models.
help_words: A word with dots under it explains itself when you press it.
keys: Keys
key_step_does: one step back, one step on
key_head_does: the head before, the head after
key_first_does: take the most probable next token
key_others_does: take that candidate
key_play_does: play or pause
key_ends_does: first step, last step
key_cells_does: on the map: from cell to cell; Esc leaves
key_grid_does: among the heads: from head to head
key_translate_does: in the sentence: translate, step by step
shortcuts: Shortcuts of a single character
key_undo_does: bring back the tokens dropped last
key_off_does: switch the head off or on; on a source token: hide it or show it
key_list_does: this help
# a page without a server
made_of_weights: Made by Attention Visualiser {version} from weights that came without their model:
  nothing can be stepped, predicted or taken apart here. No server is asked.
made_with: Made by Attention Visualiser {version} with the model {model}. Everything is in this
  page; no server is asked.
alone: Greyed-out controls need the running app.
alone_asks: This needs the model. Open the app to use it.
error_alone: This page holds only what was exported. Open the app for anything else.
# a site of such pages
site_all: All sentences
site_all_hint: Every model and sentence of this site
site_live: Open live
site_live_hint: This sentence in the running app, where it can be changed: {live}
error_alone_live: Greyed-out controls need the model, which answers at {live}
needs_script: This page needs JavaScript. Allow it, then open the page again.
""")
