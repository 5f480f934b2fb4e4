"""The words of the room Compare, in English."""

from viz_app.rooms.written import written

EN = written("""
room_compare: Compare
room_compare_hint: Two runs side by side: models, sentences, strategies, edits
# the two runs
compare_runs: The two runs
compare_pick: What B is
compare_sentence: B’s sentence; press Enter to read it
compare_same: A’s sentence
compare_same_hint: B reads the sentence of A
compare_keep: Keep A as B
compare_keep_hint: A stays beside whatever you do next, until you change B
compare_swap: Swap
compare_swap_hint: A becomes B, and B becomes A
compare_edits: edited ×{n}
compare_by_beam: beam search
compare_by_sample: sampled
compare_by_greedy: greedy decoding
compare_group_run: The same model and sentence
compare_group_training: The same model and sentence, at another update of its training
compare_group_models: The same sentence under another model
compare_way_update: after update {n}
compare_way_untouched: without edits
compare_way_greedy: decoded greedily
compare_way_beam: by beam search
compare_way_same: another head of it
compare_way_usual: the usual counterpart of A
compare_unedited: none
compare_differs: B differs from A in {what}.
compare_refused: B cannot be shown, for the reason above. Choose another B, or change its sentence.
compare_differs_head: Of B’s heads the one most like A’s is shown.
compare_differs_nothing: A and B are the same run; only the heads can differ.
compare_differs_model: its model ({a} in A, {b} in B)
compare_differs_update: the update of its training ({a} in A, {b} in B)
compare_differs_source: its sentence
compare_differs_pads: its pads ({a} in A, {b} in B)
compare_differs_edits: its edits ({a} in A, {b} in B)
compare_differs_strategy: how tokens are chosen ({a} in A, {b} in B)
compare_differs_forced: the tokens that were forced
compare_differs_fed: and it is fed A’s tokens
compare_training: B during training
compare_training_hint: Slide to see B at another update of its training
compare_training_at: update {n} of {of}
compare_old: The run has changed. These are still the numbers of the one before.
# how they are laid side by side
compare_align: How tokens are laid side by side
compare_by_text: by text
compare_by_text_hint: Equal tokens stand beside each other; the others stand alone
compare_by_position: by position
compare_by_position_hint: The first token stands beside the first, and so on
compare_aligned_text: "Aligned by text: "
compare_aligned_position: "Aligned by position: "
compare_aligned_whole: all {ar} rows and all {ac} columns have a counterpart.
compare_aligned_part: {rows} row{rows|s} and {columns} column{columns|s} have a counterpart. A has
  {ar} row{ar|s} and {ac} column{ac|s}, B {br} and {bc}; what has none is blank.
# maps
compare_maps: A, B, and their difference
compare_map: {run} · layer {layer} head {head}
compare_difference: A − B
compare_map_label: {title}: {rows} row{rows|s}, {columns} column{columns|s}
compare_point: Point at a cell to read it in both runs; press a row to move the cursor there.
compare_point_whole: Point at a cell to read it in both runs.
compare_reading: “{query}” to “{key}”: {a} in A, {b} in B; A − B is {difference}.
compare_reading_one: “{query}” to “{key}”: {weight} in {only}; the other run has no such cell.
compare_reading_neither: “{query}” to “{key}”: neither run has such a cell.
compare_reading_hidden: “{query}” to “{key}”: hidden by a mask in both runs.
# what differs
compare_unfinished: A is not finished, it has {n} step{n|s} so far; B is whole. Step on, or run A to
  its end.
compare_parts: A and B part at step {n}: A writes “{x}” ({px}), B “{y}” ({py}).
compare_same_tokens: A and B have the same {n} target token{n|s}.
compare_same_so_far: A and B have the same target tokens as far as both go: {n}.
compare_fed: At {n} step{n|s} B by itself would have written another token than it is fed next.
compare_most: The weights differ most from “{query}” to “{key}”: {a} in A, {b} in B.
compare_distance: Averaged over all rows, {mean} of a row’s attention lies elsewhere in B (total
  variation); in the row “{row}” it is {most}, the most.
compare_moved: Among the candidates “{x}” at step {n} changes most: {a} in A, {b} in B.
compare_branch: Compare with this branch
compare_same_maps: These two maps are the same to the last bit.
compare_same_rows: Every row that both maps have is the same to the last bit.
compare_nothing_beside: No cell of A has a counterpart in B. Align by position.
compare_stale: B’s model has other weights than when B was kept, so its sentence is translated anew.
# candidates
compare_candidates: What may follow, in both runs
compare_candidate: next
compare_a: A
compare_b: B
compare_change: A − B
compare_taken: taken
compare_after: Step {n}, after “{x}”
compare_after_two: Step {n} of A, after “{x}”; step {m} of B, after “{y}”
compare_after_one: Step {n}, after “{x}”; only {only} has it
# heads
compare_heads: How far apart each head is
compare_heads_scale: of a row’s attention lies elsewhere in B
compare_head: Layer {layer}, head {head} of A and of B: {far} on average
compare_heads_press: Press a head to see it in A and in B.
compare_alike: B’s head most like A’s: layer {layer} head {head}
compare_alike_hint: The head of B whose rows lie nearest to those of A’s head
# elsewhere on the page
compare_tool: Keep as B
compare_tool_hint: Keeps this run as B. Then change a token, the sentence or the model: the
  room Compare shows both side by side.
compare_group_with: Compare with
compare_untouched: compare with untouched
compare_dropped: Compare
compare_dropped_hint: Compare with the tokens dropped last
# files and pictures
figure_compare: {site} of two runs
figure_compare_map: {run} · layer {layer}, head {head}
figure_compare_apart: On average {mean} of a row’s attention lies elsewhere in B
export_what_compare: both runs and their difference
""")
