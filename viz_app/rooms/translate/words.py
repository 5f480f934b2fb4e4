"""The words of the room Translate."""

from viz_app.rooms.written import written

EN = written("""
# the drawing of the model, and how to read the map
plan: The model
plan_self: self-attention
plan_cross: cross-attention
plan_feed_forward: feed-forward
plan_go: Show {site} of layer {layer}
note_row: Each row is one step: the grey token goes in, the other comes out.
note_row_encoder: Each row is one source token, and what it looks at.
note_cell: The stronger the colour, the more this head looks there.
note_click: Click a head, a token or a block.
# what heads are sorted by
order_largest: sharpness
order_previous: previous
order_itself: itself
order_next: next
order_first: first
order_start: start
order_end: end
order_marks: punctuation
order_diagonal: diagonal
order_scale_share: {measure}: most → least
head_bits: {number} b
head_habit: layer {layer}, head {head}: {habit} {number}; mean entropy {bits} bits
head_measured: layer {layer}, head {head}: {measure} {number}; mean entropy {bits} bits
# what a head does: short enough for the place under a small map
habit_aligner: aligner
habit_diagonal: diagonal
habit_previous: previous
habit_itself: itself
habit_next: next
habit_first: first
habit_start: start
habit_end: end
habit_marks: marks
habit_sharp: sharp
habit_spread: spread
habits_encoder: Weight on: [habit_previous|previous] · [habit_itself|itself] · [habit_next|next] ·
  [habit_first|first] · [habit_end|end] · [habit_marks|marks] · one ([habit_sharp|sharp]) · many
  ([habit_spread|spread]: bits)
habits_decoder: Weight on: [habit_previous|previous] · [habit_itself|itself] · [habit_start|start] ·
  [habit_marks|marks] · one token ([habit_sharp|sharp]) · many ([habit_spread|spread]: bits)
habits_cross: Weight on: [habit_diagonal|diagonal] · [habit_first|first] · [habit_end|end] ·
  [habit_marks|marks] · one token ([habit_sharp|sharp], [habit_aligner|aligner]) · many
  ([habit_spread|spread]: bits)
# pictures
figure_heads: {site}, all heads
figure_layer: layer {layer}
figure_head: head {head}
figure_candidates: Step {step}: what may follow “{after}”
figure_probability: probability, of all tokens together 1
figure_chosen: ✓ the token taken
figure_cut: cut
figure_sampled: bar: probability of being drawn, {how}
figure_outline: outline, in brackets: full softmax
figure_reads: %{customdata[0]} looks at %{customdata[1]} with weight %{customdata[2]:.3f}
export_what_encoder: encoder self-attention: this head
export_what_decoder: decoder self-attention: this head
export_what_cross: cross-attention: this head
export_what_lines: this head as lines
export_what_heads: all heads of this site
export_what_candidates: the candidates of this step
strategy_applies: A choice applies at once: this step and those after it are decoded anew, the
  tokens before it stay.
strategy_anew: Decode from the start
strategy_anew_hint: Choose every token anew by this strategy
next_drawn: After “{after}”: “{token}” drawn with {share} at T = {temperature} · {probability} at T
  = 1
next_rank: rank {rank}
word_begins: ␣ begins a word
word_goes_on: no space before it
token_begins: {token}, begins a word
candidate_plain: rank {rank}, {probability} under the full softmax
candidate_share: drawn with {share} at T = {temperature}
cut_top_k: top-k
cut_top_k_about: cut by top-k: not one of the {top_k} best
cut_top_p: top-p
cut_top_p_about: cut by top-p: the tokens before it reach {top_p}
cut_never: never
cut_never_about: never drawn: padding and the start cannot follow
machine: How the token is drawn
machine_log: log p
machine_log_about: Log-probability: the logit less a constant, which the softmax does not see
machine_slider: Temperature
machine_slider_about: Drag to try a temperature; let go to decode with it
machine_scaled: =
machine_scaled_about: What the softmax reads
machine_softmax: softmax
machine_softmax_about: Probability at this temperature, before anything is cut
machine_cut: after cuts
machine_cut_about: Probability that the token is drawn, once others are cut
machine_dart: seed {seed}: {dart} → “{token}”
machine_dart_about: 0 to 1, divided into the tokens that may be drawn. Seed {seed} throws {dart},
  which falls on “{token}”.
machine_others: {n} more
machine_other: another token
""")

ZH = written("""
# the drawing of the model, and how to read the map
plan: 模型
plan_self: 自注意力
plan_cross: 交叉注意力
plan_feed_forward: 前馈网络
plan_go: 查看第 {layer} 层的{site}
note_row: 每一行是一步：灰色的词元输入，另一个是输出。
note_row_encoder: 每一行是一个源句词元，以及它关注的词元。
note_cell: 格子的颜色越突出，这个头对那里的关注越多。
note_click: 点击一个头、一个词元或一个模块试试。
# what heads are sorted by
order_largest: 按最大权重
order_previous: 按前一个
order_itself: 按自身
order_next: 按后一个
order_first: 按句首
order_start: 按开始词元
order_end: 按结束词元
order_marks: 按标点
order_diagonal: 按对角线
order_scale_share: {measure}：从多到少
head_bits: {number} b
head_habit: 第 {layer} 层，第 {head} 头：{habit} {number}；平均熵 {bits} 比特
head_measured: 第 {layer} 层，第 {head} 头：{measure} {number}；平均熵 {bits} 比特
# what a head does: short enough for the place under a small map
habit_aligner: 对齐
habit_diagonal: 对角线
habit_previous: 前一个
habit_itself: 自身
habit_next: 后一个
habit_first: 句首
habit_start: 开始
habit_end: 结束
habit_marks: 标点
habit_sharp: 聚焦
habit_spread: 分散
habits_encoder: 权重落在：[habit_previous|前一个] · [habit_itself|自身] · [habit_next|后一个] ·
  [habit_first|句首] · [habit_end|结束] · [habit_marks|标点] · 某一个（[habit_sharp|聚焦]）·
  许多个（[habit_spread|分散]，以比特计）
habits_decoder: 权重落在：[habit_previous|前一个] · [habit_itself|自身] · [habit_start|开始] ·
  [habit_marks|标点] · 某一个（[habit_sharp|聚焦]）· 许多个（[habit_spread|分散]，以比特计）
habits_cross: 权重落在：[habit_diagonal|对角线] · [habit_first|句首] · [habit_end|结束] ·
  [habit_marks|标点] · 某一个（[habit_sharp|聚焦]、[habit_aligner|对齐]）·
  许多个（[habit_spread|分散]，以比特计）
# pictures
figure_heads: {site}，所有注意力头
figure_layer: 第 {layer} 层
figure_head: 第 {head} 头
figure_candidates: 第 {step} 步：“{after}”之后可能是什么
figure_probability: 概率（所有词元合计为 1）
figure_chosen: ✓ 已选的词元
figure_cut: 去掉
figure_sampled: 实心条：抽中的概率，{how}
figure_outline: 外框与括号：完整的 softmax
figure_reads: %{customdata[0]} 对 %{customdata[1]} 的权重为 %{customdata[2]:.3f}
export_what_encoder: 编码器自注意力：这个头
export_what_decoder: 解码器自注意力：这个头
export_what_cross: 交叉注意力：这个头
export_what_lines: 这个头的连线图
export_what_heads: 这一处的所有头
export_what_candidates: 这一步的候选词元
strategy_applies: 选择立即生效：这一步及之后重新解码，之前的词元保留。
strategy_anew: 从头解码
strategy_anew_hint: 用这种方法重新选择每个词元
next_drawn: “{after}”之后抽中“{token}” · T = {temperature} 时 {share} · T = 1 时 {probability}
next_rank: 第 {rank} 名
word_begins: ␣ 词的开头
word_goes_on: 前面没有空格
token_begins: {token}，词的开头
candidate_plain: 第 {rank} 名，完整 softmax 下的概率 {probability}
candidate_share: T = {temperature} 时被抽中的概率 {share}
cut_top_k: top-k
cut_top_k_about: 被 top-k 去掉：不在前 {top_k} 名之内
cut_top_p: top-p
cut_top_p_about: 被 top-p 去掉：前面的词元已达到 {top_p}
cut_never: 不抽
cut_never_about: 从不抽取：填充和开始词元不能出现在后面
machine: 词元是怎样抽出来的
machine_log: 对数概率
machine_log_about: 对数概率：logit 减去一个常数，这个常数不影响 softmax
machine_slider: 温度
machine_slider_about: 拖动即可试看，松开后按此温度解码
machine_scaled: =
machine_scaled_about: 送入 softmax 的数
machine_softmax: softmax
machine_softmax_about: 这个温度下的概率，尚未去掉任何词元
machine_cut: 裁剪后
machine_cut_about: 去掉一部分词元后，抽中它的概率
machine_dart: 种子 {seed}：{dart} → “{token}”
machine_dart_about: 0 到 1 按可抽取的词元分段。种子 {seed} 得到 {dart}，落在“{token}”上。
machine_others: 另外 {n} 个
machine_other: 另一个词元
""")
