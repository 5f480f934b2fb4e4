"""The words of the room Beam, in English."""

from viz_app.rooms.written import written

EN = written("""
room_beam: Beam
room_beam_hint: A beam search as a tree: what it keeps, what it prunes, and why
beam_see: See the tree
beam_see_hint: Every step of the search, in the room Beam
# controls
beam_controls: The search
beam_width: width
beam_width_hint: How many hypotheses go on at every step; 1 is greedy decoding
beam_alpha: length penalty α
beam_alpha_hint: A score is the log-probability over a length penalty: α = 0 takes it as it is, and
  a larger α favours longer translations
beam_formula_wu: score = log p ÷ ((5 + length) / 6)^{alpha}
beam_formula_power: score = log p ÷ length^{alpha}
beam_begin: Where the search begins
beam_begin_start: from the start
beam_begin_start_hint: The whole translation is searched
beam_begin_forced: after “{token}”
beam_begin_forced_hint: What you forced stays; the search goes on from there
beam_shown: How the search is shown
beam_shown_tree: tree
beam_shown_tree_hint: Hypotheses from left to right, the best of each step at the top
beam_shown_table: table
beam_shown_table_hint: The candidates of one step with all their numbers
beam_steps: The steps of the search
beam_reset: To the first step
beam_back: One step back
beam_step: One step on
beam_play: Play the steps
beam_end: To the last step
# why greedy and beam differ
beam_says_same: Greedy decoding and the beam write the same here: score {score} ({total} nats over
  {penalty}).
beam_says_total: At step {step} greedy takes {greedy_token} ({greedy_p}), which is likelier at once
  than {beam_token} ({beam_p}). In the end its sum of log-probabilities, {greedy_total} nats, loses
  to {beam_total}: the score is {greedy_score} against {beam_score}.
beam_says_penalty: At step {step} greedy takes {greedy_token} ({greedy_p}) and the beam {beam_token}
  ({beam_p}). The beam’s is the less likely whole ({beam_total} against {greedy_total} nats) and
  wins by the length penalty: the score is {beam_score} against {greedy_score}.
beam_says_worse: At step {step} greedy takes {greedy_token} ({greedy_p}) and the beam {beam_token}
  ({beam_p}). Greedy’s would have scored better, {greedy_score} against {beam_score}: the beam
  dropped it on the way, or stopped too early.
beam_says_unended: At step {step} greedy takes {greedy_token} ({greedy_p}), likelier than
  {beam_token} ({beam_p}), and never ends: it reaches the limit. The beam ends with {beam_total}
  nats in all.
beam_dropped: Greedy’s hypothesis leaves the beam at step {step}.
beam_stayed: Greedy’s hypothesis stays in the beam and comes in behind.
# a node
beam_node: The chosen hypothesis
beam_node_says: {text}: {total} nats in all, over {penalty} is {score}; {token} alone {probability}
beam_fate_kept: kept, rank {rank} of the step’s {considered} candidates
beam_fate_pruned: pruned, rank {rank} of the step’s {considered} candidates
beam_fate_finished: finished, rank {rank} of the step’s {considered} candidates
beam_died: dies at step {step}
beam_lives: lives on to the end
beam_won: the best of all
beam_look: Look at it in Translate
beam_look_hint: Show this hypothesis and its attention at the step that wrote its last token
beam_take: Take it as a branch
beam_take_hint: Go on from this hypothesis with the strategy at hand; what is on the screen becomes
  a branch
beam_map: {site}, layer {layer}, head {head}: what each token looked at when it was written
beam_map_rows: written
beam_map_alone: The attention of other hypotheses needs the model. Open the app to see it.
beam_tree_label: The search as a tree. Arrow keys go to the parent, the best child, and along a
  step.
beam_start: start
# tables
beam_found: What was found
beam_found_measure: The score is the model’s own measure, not a judgement of the translation: a
  better score can be a worse translation.
beam_found_none: nothing ended; these reached the limit
beam_column_rank: rank
beam_column_text: hypothesis
beam_column_probability: p of the token
beam_column_total: nats
beam_column_penalty: ÷ penalty
beam_column_score: score
beam_column_fate: what became of it
beam_finished: finished
beam_key_kept: kept
beam_key_won: the best (thick line)
beam_key_finished: finished
beam_key_pruned: pruned
beam_key_greedy: greedy’s way
beam_key_dead: grey: dies later
beam_key_twice: The same word twice comes from two different beginnings.
beam_ending_enough: {width} hypothes{width|is|es} {width|is|are} finished: the search is over.
beam_ending_best: Nothing that lives can become better than the best: the search is over.
beam_ending_likely: {width} hypothes{width|is|es} {width|is|are} finished, and none that lives would
  be better if it ended now: the search is over, as in generate of transformers.
beam_ending_bound: {width} hypothes{width|is|es} {width|is|are} finished, and none that lives can
  become better: the search is over.
beam_ending_limit: The limit of {limit} tokens ends the search.
beam_ending_nothing: No hypothesis lives: the search is over.
# files and pictures
figure_beam: Beam search of width {width}, length penalty {alpha}
export_what_beam: the tree of the beam search
""")
