"""The words of the room Inside a head, in English."""

from viz_app.rooms.written import written

# The same in every language.
SIGNS = written("""
inside_q: q
inside_k: k
inside_v: v
inside_x_of: x {token}
inside_qw: q W
inside_a: a
inside_tanh: tanh(q + k)
inside_x: x
inside_read: Norm(x)
inside_residual_name: x + o
inside_formula_scaled_dot: s = Σₑ qₑ kₑ / √{divides}
inside_formula_dot: s = Σₑ qₑ kₑ
inside_formula_bilinear: s = Σₑ (q W)ₑ kₑ
inside_formula_additive: s = Σₑ aₑ tanh(qₑ + kₑ)
inside_product_scaled_dot: q × k
inside_product_dot: q × k
inside_product_bilinear: q W × k
inside_product_additive: a × tanh
inside_formula_softmax: w = e^(s − max) / Σ e^(s − max)
inside_column_product: q · k
inside_column_exponential: e^(s − max)
inside_column_logit: [logit|logit]
""")
EN = SIGNS | written("""
room_inside: Inside a head
room_inside_hint: Where one weight comes from and what it leads to, number by number
inside_hard_would: hard attention: “{key}” alone, weight 1
look_inside: look inside
look_inside_hint: Click a cell to keep it (Enter on the keyboard), then see how it is computed
# choices
inside_view_cell: one cell
inside_view_cell_hint: From x to q, k and v, to the weight and the output, link by link
inside_view_way: one token’s path
inside_view_way_hint: From the embedding to the logits, stage by stage
inside_digits: Digits of the numbers
inside_digits_short: few digits
inside_digits_short_hint: Numbers as they are easily read; point at one for all its digits
inside_digits_all: all digits
inside_digits_all_hint: Every digit of the model’s float32 numbers, with their rounding
inside_tokens_query: [query|query]
inside_tokens_key: [key|key]
inside_tokens_source: source
inside_tokens_target: target
# what to see
inside_says: “{query}” looks at “{key}” with weight {weight}.
inside_says_step: The step that reads “{query}” and writes “{written}” looks at “{key}” with weight
  {weight}.
inside_says_masked: “{query}” may not look at “{key}”: there is a score, the mask hides it, and the
  weight is exactly 0.
inside_next: Below is what makes it, and what it leads to. Point at a dimension; choose another key.
inside_way_says_source: “{token}” is one vector of {D} numbers; {count} sub-layers add to it in
  turn, until it is the encoder’s output.
inside_way_says_target: “{token}” is one vector of {D} numbers; {count} sub-layers add to it in
  turn, until it predicts the next token.
inside_way_next: Open a stage to see its vectors. Then choose another token.
# vectors
inside_vectors: vectors
inside_vectors_label: {names}: {count} dimensions. Dimension {at}: {numbers}. Left and Right go from
  dimension to dimension.
inside_sum_word: sum
inside_c: context c
inside_made: output o
inside_passed: after norm
inside_bias: bias b
inside_head: head {n}
# x to query, key and value
inside_project: x to [query|query], [key|key], [value|value]
inside_project_about: Learnt matrices make q, k and v of the two x.
inside_project_pre: x is what the norm made of each token’s vector.
inside_project_cross: The x of the key is the encoder’s output (memory).
# query and key
inside_product: [query|Query] times [key|key]
inside_product_about: The sum of the products says how well the two match.
inside_product_rotary: q and k are already rotated by their positions.
inside_one_product: dimension {e}: {factor} × {other} = {product}
inside_sum_scaled: sum of the {E} products: {sum};  ÷ √{under} = {scaled}
inside_sum: sum of the {E} products: {sum}
inside_score_same: {score} in the model, the same number
inside_score_off: {score} in the model (float32 rounding: {off})
# score to weight
inside_softmax: [score|Score] to [weight|weight]
inside_formula_hard: w = 1 at the largest s, else 0
inside_softmax_about: [mask|Mask] first, then [softmax|softmax].
inside_softmax_hard: The largest allowed score takes all.
inside_column_key: [key|key]
inside_column_score: [score|score]
inside_column_after_mask: after [mask|mask]
inside_column_divided: divided
inside_column_plain_weight: weight without
inside_scale: Whether scores are divided
inside_scale_with: divided
inside_scale_with_hint: The scores as the model uses them: q · k over the root of a width
inside_scale_without: without
inside_scale_without_hint: What the softmax would make of q · k itself, beside the model’s
inside_unscaled_about: The same q and k, with and without the division.
inside_unscaled_line: “{key}”: q · k = {sum}; weight {plain} without, {own} with ÷ √{under}
inside_unscaled_most: Largest weight: {most} without, {usual} with the division
inside_unscaled_hard: Hard attention takes the largest score: dividing all changes nothing.
inside_column_weight: [weight|weight]
inside_bias_line: score {score} + the bias of this distance {bias} = {sum}: what the softmax reads
inside_key_head: Head {head} reads key head {key_head} of {key_heads}: {n} heads share its keys and
  values.
inside_weight: “{key}”: e^({score} − {most}) = {exponential};  ÷ sum {total} = {quotient}
inside_weight_same: {weight} in the model, the same number
inside_weight_off: {weight} in the model (float32 rounding: {off})
inside_masked: “{key}” is masked: −∞ instead of {score}, e^(−∞) = 0, so the weight is 0
inside_hard_best: “{key}”: {score} is the largest of {K} score{K|s}, so its weight is 1
inside_hard_other: “{key}”: {score} is below the largest, {most}, so its weight is 0
# values
inside_values: Weighted [value|values]
inside_values_about: Each value v, then v times its weight; the sum is this head’s
  [attention|attention].
inside_raw: v, raw
inside_weighted: weight × v
inside_one_value: dimension {e} of “{key}”: {weight} × {value} = {product}
inside_context: sum over {K} key{K|s}: {context}
# output
inside_output: [output_projection|Output projection]
inside_output_about: What each head adds to the output of the layer; a bias, and the sum.
inside_output_none: No projection: the heads are only laid side by side.
inside_share: dimension {d}: head {head} adds {share}; all {H} heads and the bias make {made}
inside_share_plain: dimension {d}: head {head} adds {share}; all {H} heads together make {made}
# residual and norm
inside_residual: [residual|Residual]
inside_residual_post: The output is added to what came in; then comes the norm.
inside_residual_pre: The output is added to what came in, before its norm.
inside_residual_sum: dimension {d}: {x} + {made} = {sum}
inside_norm: [norm|Norm]
inside_norm_post: What leaves this sub-layer and enters the next.
inside_norm_pre: It comes first here: queries, keys and values are made from Norm(x).
inside_formula_layer: (x − mean) / √(var + ε) · g + b
inside_formula_sample: (x − mean) / (std + ε) · g + b
inside_formula_scalar: (x − mean) / (std + ε) · g + b
inside_formula_rms: x / √(mean of x² + ε) · g
inside_norm_rms: dimension {d}: {x} ÷ spread {spread} × g {gain} = {left}
inside_norm_line: dimension {d}: ({x} − mean {mean}) ÷ spread {spread} × g {gain} + b {bias} =
  {left}
# one token's way
inside_encoder: encoder
inside_decoder: decoder
inside_embedding: [embedding|embedding]
inside_embedded: embedding
inside_position_added: + [position|position]
inside_position_row: position {p}
inside_position_rotary: [position|position]: rotates q and k, adds nothing here
inside_position_relative: [position|position]: a bias on the scores, adds nothing here
inside_segment_row: first or second sentence
inside_position_none: [position|position]: none in this model
inside_stage_self: {stack} {layer} · [self_attention|self-attention]
inside_stage_cross: {stack} {layer} · [cross_attention|cross-attention]
inside_stage_feed_forward: {stack} {layer} · [feed_forward|feed-forward]
inside_final_norm: {stack} · final [norm|norm]
inside_open: Open or close this stage
inside_heads: heads
inside_heads_hint: See the heads of this stage
inside_hidden: hidden
inside_units: {F} hidden units after {activation}: {active} are active (above 0)
inside_lens_about: Beside each stage: what the model would predict if it stopped there (a “logit
  lens”: its final norm, if any, and output projection of this x). It only learnt to be read at the
  end.
inside_lens_one: {token}: logit {logit}, probability {probability}
inside_logits: [logit|Logits] and [softmax|softmax]
inside_logits_about: What may follow “{token}”: the {n} best of {V} tokens. The probabilities of all
  {V} add up to 1.
inside_logits_here: What may stand in the place of “{token}”: the {n} best of {V} tokens. The
  probabilities of all {V} add up to 1.
inside_column_token: [token|token]
inside_column_probability: probability
inside_probability: “{token}”: e^({logit} − {log_sum}) = {probability};  {log_sum} is the logarithm
  of the sum of e^logit over all {V} tokens
inside_memory: Here the path of “{token}” ends: these {D} numbers are the encoder’s output (memory).
  Every decoder layer makes the keys and values of its cross-attention from them.
inside_memory_alone: Here the path of “{token}” ends: these {D} numbers are the encoder’s output,
  what it knows of this token in this sentence.
# files and pictures
figure_products: products q · k, by dimension
figure_weighted: weight × value
figure_context: sum of all rows =
figure_dimensions_E: dimensions 0 to E − 1, E = {E}
figure_dimensions_D: dimensions 0 to D − 1, D = {D}
figure_way: The path of {token} through the model
figure_after_position: + position
figure_output: {site}, layer {layer}: what a row leads to
figure_span: colours: −{limit} to {limit}
figure_length: length
figure_lens: if it stopped here
export_what_head: the chain of this row
export_what_output: what becomes of this row
export_what_way: the path of this token
""")
