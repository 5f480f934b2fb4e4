"""The words of the room Inside a head, in simplified Chinese; as in words.py."""

from viz_app.rooms.inside.words import SIGNS
from viz_app.rooms.written import written

ZH = SIGNS | written("""
room_inside: 注意力头内部
room_inside_hint: 一个权重从何而来、又去向何处，每个数都看得见
inside_hard_would: 若用硬注意力：只取“{key}”，权重 1
look_inside: 查看计算过程
look_inside_hint: 点击一格（键盘按 Enter）选定它，再查看它的计算过程
# choices
inside_view_cell: 一个格子
inside_view_cell_hint: 从 x 到 q、k、v，再到权重和输出，一环一环地看
inside_view_way: 跟踪一个词元
inside_view_way_hint: 从词嵌入到 logits，一步一步地看
inside_digits: 数字的位数
inside_digits_short: 简略
inside_digits_short_hint: 便于阅读的位数；指向一个数可看全部位数
inside_digits_all: 全部位数
inside_digits_all_hint: 模型 float32 数值的每一位，以及舍入误差
inside_tokens_query: [query|查询]
inside_tokens_key: [key|键]
inside_tokens_source: 源句
inside_tokens_target: 目标句
# what to see
inside_says: “{query}”对“{key}”的关注权重为 {weight}。
inside_says_step: 读入“{query}”、写出“{written}”的这一步，对“{key}”的关注权重为 {weight}。
inside_says_masked: “{query}”不能关注“{key}”：分数算出来了，但被掩码遮住，权重恰好为 0。
inside_next: 下面是它怎样得来，又用到哪里。指向或点一下某一维看数值；再换一个键试试。
inside_way_says_source: “{token}”始终是一个含 {D} 个数的向量；{count} 个子层依次往上加，
  最后成为编码器的输出（memory）。
inside_way_says_target: “{token}”始终是一个含 {D} 个数的向量；{count} 个子层依次往上加，
  最后预测下一个词元。
inside_way_next: 展开一步，看其中的向量；再换一个词元试试。
# vectors
inside_vectors: 向量
inside_vectors_label: {names}：{count} 维。第 {at} 维：{numbers}。按左右方向键逐维移动。
inside_sum_word: 和
inside_c: 上下文 c
inside_made: 输出 o
inside_passed: 归一化后
inside_bias: 偏置 b
inside_head: 头 {n}
# x to query, key and value
inside_project: 从 x 到[query|查询]、[key|键]、[value|值]
inside_project_about: 学到的矩阵由一个词元的 x 得到 q，由另一个的 x 得到 k 和 v。
inside_project_pre: x 是各词元向量归一化后的结果。
inside_project_cross: 键的 x 是编码器的输出（memory）。
# query and key
inside_product: [query|查询]与[key|键]的点积
inside_product_about: 各维乘积之和就是两者的匹配程度。
inside_product_rotary: q 和 k 已按各自的位置旋转过。
inside_one_product: 第 {e} 维：{factor} × {other} = {product}
inside_sum_scaled: {E} 个乘积之和：{sum}；÷ √{under} = {scaled}
inside_sum: {E} 个乘积之和：{sum}
inside_score_same: 模型中的分数：{score}，完全相同
inside_score_off: 模型中的分数：{score}（float32 舍入误差 {off}）
# score to weight
inside_softmax: 从[score|分数]到[weight|权重]
inside_formula_hard: s 最大处 w = 1，其余 w = 0
inside_softmax_about: 先加[mask|掩码]，再对整行做 [softmax|softmax]。
inside_softmax_hard: 允许的键中分数最大的得到全部权重。
inside_column_key: [key|键]
inside_column_score: [score|分数]
inside_column_after_mask: [mask|掩码]之后
inside_column_divided: 相除后
inside_column_plain_weight: 不除以根号的权重
inside_scale: 分数是否除以根号
inside_scale_with: 除以根号
inside_scale_with_hint: 模型实际使用的分数：q · k 除以宽度的平方根
inside_scale_without: 不除以根号
inside_scale_without_hint: 直接对 q · k 做 softmax 的结果，与模型的并排比较
inside_unscaled_about: 同样的 q 和 k，除以根号与不除的对照。
inside_unscaled_line: “{key}”：q · k = {sum}；不除以 √{under} 时权重为 {plain}，除后为 {own}
inside_unscaled_most: 最大权重：不除时 {most}，除后 {usual}
inside_unscaled_hard: 硬注意力只取分数最大的键：全部除以同一个数，结果不变。
inside_column_weight: [weight|权重]
inside_bias_line: 分数 {score} + 这段距离的偏置 {bias} = {sum}：这才是送入 softmax 的数
inside_key_head: 第 {head} 个头读第 {key_head} 个键头（共 {key_heads} 个）：{n} 个头共用它的键和值。
inside_weight: “{key}”：e^({score} − {most}) = {exponential}；÷ 总和 {total} = {quotient}
inside_weight_same: 模型中的权重：{weight}，完全相同
inside_weight_off: 模型中的权重：{weight}（float32 舍入误差 {off}）
inside_masked: “{key}”被掩码遮住：{score} 换成 −∞，e^(−∞) = 0，权重为 0
inside_hard_best: “{key}”：{score} 是 {K} 个分数中最大的，权重为 1
inside_hard_other: “{key}”：{score} 小于最大值 {most}，权重为 0
# values
inside_values: 加权的[value|值]
inside_values_about: 每个值 v，以及 v 乘以权重；后者之和就是这个头的[attention|注意力]。
inside_raw: 原始的 v
inside_weighted: 权重 × v
inside_one_value: “{key}”的第 {e} 维：{weight} × {value} = {product}
inside_context: 对 {K} 个键求和：{context}
# output
inside_output: [output_projection|输出投影]
inside_output_about: 每个头给这一层的输出加上什么；再加偏置，最后求和。
inside_output_none: 没有投影：各个头只是并排放在一起。
inside_share: 第 {d} 维：头 {head} 加上 {share}；{H} 个头加上偏置得 {made}
inside_share_plain: 第 {d} 维：头 {head} 加上 {share}；{H} 个头合起来是 {made}
# residual and norm
inside_residual: [residual|残差]
inside_residual_post: 输出加到进来的向量上，然后归一化。
inside_residual_pre: 输出加到归一化之前的、进来的向量上。
inside_residual_sum: 第 {d} 维：{x} + {made} = {sum}
inside_norm: [norm|归一化]
inside_norm_post: 离开这个子层、进入下一个子层的向量。
inside_norm_pre: 这里它最先做：查询、键和值都由 Norm(x) 算出。
inside_formula_layer: (x − 均值) / √(方差 + ε) · g + b
inside_formula_sample: (x − 均值) / (标准差 + ε) · g + b
inside_formula_scalar: (x − 均值) / (标准差 + ε) · g + b
inside_formula_rms: x / √(x² 的均值 + ε) · g
inside_norm_rms: 第 {d} 维：{x} ÷ 幅度 {spread} × g {gain} = {left}
inside_norm_line: 第 {d} 维：({x} − 均值 {mean}) ÷ 标准差 {spread} × g {gain} + b {bias} = {left}
# one token's way
inside_encoder: 编码器
inside_decoder: 解码器
inside_embedding: [embedding|词嵌入]
inside_embedded: 词嵌入
inside_position_added: + [position|位置]
inside_position_row: 位置 {p}
inside_position_rotary: [position|位置]：只旋转 q 和 k，这里什么也不加
inside_position_relative: [position|位置]：给分数加偏置，这里不加任何东西
inside_segment_row: 第一句或第二句
inside_position_none: [position|位置]：这个模型没有
inside_stage_self: {stack} {layer} · [self_attention|自注意力]
inside_stage_cross: {stack} {layer} · [cross_attention|交叉注意力]
inside_stage_feed_forward: {stack} {layer} · [feed_forward|前馈网络]
inside_final_norm: {stack} · 最后的[norm|归一化]
inside_open: 展开或收起这一步
inside_heads: 各个头
inside_heads_hint: 查看这一步的各个头
inside_hidden: 隐藏单元
inside_units: {activation} 之后的 {F} 个隐藏单元：{active} 个激活（大于 0）
inside_lens_about: 每一步旁：若模型停在这里，它会预测的词元（把最后的归一化（如有）和输出投影直接用
  于这一步的 x，即“logit lens”）。这只是一种观察方式：模型学的是在末尾读出。
inside_lens_one: {token}：logit {logit}，概率 {probability}
inside_logits: [logit|Logits] 与 [softmax|softmax]
inside_logits_about: “{token}”之后可能是什么：{V} 个词元中最好的 {n} 个。全部 {V} 个的概率之和为 1。
inside_logits_here: “{token}”的位置上可能是什么：{V} 个词元中最好的 {n} 个。
  全部 {V} 个的概率之和为 1。
inside_column_token: [token|词元]
inside_column_probability: 概率
inside_probability: “{token}”：e^({logit} − {log_sum}) = {probability}；
  {log_sum} 是全部 {V} 个词元的 e^logit 之和的对数
inside_memory: “{token}”的路到此为止：这 {D} 个数就是编码器的输出（memory）。
  解码器每一层的交叉注意力都由它们算出键和值。
inside_memory_alone: “{token}”的路到此为止：这 {D} 个数就是编码器的输出，
  即它对这句话中这个词元的全部了解。
# files and pictures
figure_products: 各维度的乘积 q · k
figure_weighted: 权重 × 值
figure_context: 各行之和 =
figure_dimensions_E: 维度 0 到 E − 1，E = {E}
figure_dimensions_D: 维度 0 到 D − 1，D = {D}
figure_way: {token} 走过整个模型的路
figure_after_position: 加上位置
figure_output: {site}，第 {layer} 层：一行的去向
figure_span: 颜色：−{limit} 到 {limit}
figure_length: 长度
figure_lens: 若停在这里
export_what_head: 这一行的计算过程
export_what_output: 这一行的去向
export_what_way: 跟踪这个词元
""")
