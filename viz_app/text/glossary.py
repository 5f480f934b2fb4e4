"""The terms of the field, explained where they stand: one sentence, the formula, the shape here.

A term `key` has its name (`term_key`), the sentence (`term_key_about`), where there is one the
formula (`term_key_formula`, or one a variant of the model: `term_score_formula_dot`), and the shape
in the model on the screen (`term_key_here`), whose placeholders glossary.js fills. Those in
FORMULAS are the same in every language. What a head does has its words in glossary_heads.py.
"""

from viz_app.rooms.written import written
from viz_app.text.glossary_heads import EN as HEADS_EN
from viz_app.text.glossary_heads import ZH as HEADS_ZH

FORMULAS = written("""
term_attention_formula_scaled_dot: Attention(Q, K, V) = softmax(Q Kᵀ / √{divides}) V
term_attention_formula_dot: Attention(Q, K, V) = softmax(Q Kᵀ) V
term_attention_formula_bilinear: Attention(Q, K, V) = softmax(Q W Kᵀ) V
term_attention_formula_additive: Attention = softmax(a · tanh(q + k)) V
term_attention_formula_hard: Attention = onehot(argmax s) V
term_query_formula: Q = X W_Q
term_key_formula: K = X W_K
term_value_formula: V = X W_V
term_score_formula_scaled_dot: s = q · k / √{divides}
term_score_formula_dot: s = q · k
term_score_formula_bilinear: s = q W k
term_score_formula_additive: s = a · tanh(q + k)
term_weight_formula_soft: w = softmax(s + mask)
term_softmax_formula: softmax(s)ᵢ = exp(sᵢ) / Σⱼ exp(sⱼ)
term_head_formula: MultiHead = Concat(head₁, …, headₕ) W_O
term_self_attention_formula: Q = X W_Q,  K = X W_K,  V = X W_V
term_cross_attention_formula: Q = Y W_Q,  K = X W_K,  V = X W_V
term_mask_formula: s ← −∞  ⇒  w = exp(−∞) / Σ = 0
term_entropy_formula: H = −Σⱼ wⱼ log₂ wⱼ
term_position_formula_sinusoidal: PE(p, 2i) = sin(p / 10000^(2i/D)),  PE(p, 2i+1) = cos(p /
  10000^(2i/D))
term_position_formula_learned: x_p = embedding[token] + P[p]
term_position_formula_rotary: q_p = R(p) q,  k_p = R(p) k
term_position_formula_none: x_p = embedding[token]
term_embedding_formula_scaled: x = embedding[token] · √D
term_embedding_formula_plain: x = embedding[token]
term_residual_formula_post: x ← Norm(x + Sublayer(x))
term_residual_formula_pre: x ← x + Sublayer(Norm(x))
term_norm_formula_layer: (x − mean) / √(var + ε) · g + b
term_norm_formula_sample: (x − mean) / (std + ε) · g + b
term_norm_formula_scalar: (x − mean) / (std + ε) · g + b
term_feed_forward_formula: FFN(x) = f(x W₁ + b₁) W₂ + b₂
term_output_projection_formula: Concat(head₁, …, headₕ) W_O
term_logit_formula: z = y W,  p = softmax(z)
term_greedy_formula: argmax p
term_sampling_formula: token ~ p
term_temperature_formula: p = softmax(z / T)
term_top_p_formula: p₁ + … + pₙ ≥ top-p
term_shift_formula: y₀ … y_t  →  y_{t+1}
term_teacher_forcing_formula: y₀ … y_{T−1}  →  y₁ … y_T
""")

EN = (
    FORMULAS
    | HEADS_EN
    | written("""
term_causal_mask_formula: w(t, j) = 0  for  j > t
term_top_k_formula: p = 0  beyond the k best
term_weight_formula_hard: w = 1 at the largest s, else 0
term_here: Here: {shape}
term_attention: attention
term_attention_about: For each query, the mean of all values, each weighted by how well its key fits
  the query.
term_attention_here: {heads} head{heads|s}, each {queries} × {keys} weights
term_query: query
term_query_about: What a row asks for: a vector made from its token and compared with every key.
term_query_here: {queries} quer{queries|y|ies} in each of {heads} head{heads|s}, {head_width}
  numbers each
term_key: key
term_key_about: What a column is found by: a vector made from its token, which the queries are
  compared with.
term_key_here: {keys} key{keys|s} in each of {heads} head{heads|s}, {head_width} numbers each
term_value: value
term_value_about: What a column hands over: a vector made from its token. The weights say how much
  of it.
term_value_here: {keys} value{keys|s} in each of {heads} head{heads|s}, {head_width} numbers each
term_score: score
term_score_about: How well a query fits a key, before mask and softmax; any real number.
term_score_here: {queries} × {keys} scores in each of {heads} head{heads|s}; {divides} =
  {divisor_width}
term_weight: weight
term_weight_about: The share of a query’s attention that goes to one key.
term_weight_here: {queries} row{queries|s} of {keys} weight{keys|s}; each row adds up to 1
term_softmax: softmax
term_softmax_about: Turns a row of numbers into shares between 0 and 1 that add up to 1.
term_softmax_here: over {keys} key{keys|s} in attention, over {vocabulary} tokens at the output
term_head: head
term_head_about: One of several attentions side by side in a layer, each with its own queries, keys
  and values, so that each can look for something else.
term_head_here: {heads} head{heads|s} × {head_width} numbers, in each of {layers} layer{layers|s}
term_layer: layer
term_layer_about: Attention and a feed-forward network, one after the other; the output of a layer
  is the input of the next.
term_layer_here: {encoder_layers} in the encoder, {decoder_layers} in the decoder
term_encoder: encoder
term_encoder_about: Reads the source once and gives one vector for each source token.
term_encoder_here: {encoder_layers} layer{encoder_layers|s}; {source} × {width} numbers come out
term_decoder: decoder
term_decoder_about: Writes the target token by token; it looks at what it has written so far and at
  the encoder’s output.
term_decoder_here: {decoder_layers} layer{decoder_layers|s}; {target} × {width} numbers come out
term_self_attention: self-attention
term_self_attention_about: Queries, keys and values come from the same sequence: its tokens look at
  one another.
term_self_attention_here: encoder {source} × {source}, decoder {target} × {target}
term_cross_attention: cross-attention
term_cross_attention_about: Queries come from the target (Y), keys and values from the encoder’s
  output (X): this is where the target looks at the source.
term_cross_attention_here: {target} target row{target|s} × {source} source column{source|s}
term_mask: mask
term_mask_about: Says which keys a query may look at. A hidden score becomes −∞, so its weight is
  exactly 0.
term_mask_here: {queries} × {keys}, the same for each of {heads} head{heads|s}
term_causal_mask: causal mask
term_causal_mask_about: Hides what comes later: position t reads the positions up to t only, as it
  must when the rest is not written yet.
term_causal_mask_here: {target} × {target}, a triangle
term_pad: pad
term_pad_about: A filler that makes sentences of a batch equally long. A mask hides it: it gets
  weight 0 and changes no number.
term_pad_here: {source_pads} among {source} source token{source|s}, {target_pads} among {target}
  target token{target|s}
term_token: token
term_token_about: The piece of text the model works with: a word, a part of one, or a mark.
term_token_here: {source} source token{source|s}; {vocabulary} different ones in the target
term_entropy: entropy
term_entropy_about: How spread out a row of weights is: 0 bits when it looks at one key only, the
  most when it looks at all alike. Shown is the mean over the rows.
term_entropy_here: {keys} key{keys|s}, so at most log₂ {keys} = {most_bits} bits
term_embedding: embedding
term_embedding_about: The learned vector that stands for a token when it enters the model.
term_embedding_here: a table of {vocabulary} × {width} numbers for the target
term_position: position
term_position_about: Where a token stands. Attention does not see order by itself, so the model is
  told.
term_position_here: at most {positions} positions, {width} numbers each
term_residual: residual connection
term_residual_about: Adds a sub-layer's input to its output, so that the sub-layer learns only the
  change.
term_residual_here: {width} numbers for each token, before and after
term_norm: norm
term_norm_about: Brings the numbers of one token to mean 0 and standard deviation 1, then scales and
  shifts them.
term_norm_here: over the {width} numbers of each token
term_feed_forward: feed-forward network
term_feed_forward_about: Works on each token alone: wider, a non-linear function, back.
term_feed_forward_here: {width} → {feed_forward_width} → {width}
term_output_projection: output projection
term_output_projection_about: Joins the heads and mixes them back into the model's width.
term_output_projection_here: {heads} × {head_width} → {width}
term_logit: logit
term_logit_about: The raw score of one possible next token, before softmax turns it into a
  probability.
term_logit_here: {vocabulary} logits at each step, from {width} numbers
term_greedy: greedy
term_greedy_about: Always takes the most probable token.
term_greedy_here: the best of {vocabulary} tokens
term_sampling: sampling
term_sampling_about: Draws the next token at random, each as often as its probability says.
term_sampling_here: one of {vocabulary} tokens at each step
term_temperature: temperature
term_temperature_about: Divides the logits before softmax: below 1 the best tokens gain, above 1
  they become more equal.
term_temperature_here: T = {temperature}
term_top_k: top-k
term_top_k_about: Draws only from the k most probable tokens.
term_top_k_here: k = {top_k} of {vocabulary} tokens; 0 keeps all
term_top_p: top-p
term_top_p_about: Draws only from the fewest best tokens whose probabilities reach p together.
term_top_p_here: p = {top_p}; 1 keeps all
term_seed: seed
term_seed_about: The number that fixes the random draw, so that it can be repeated.
term_seed_here: {seed}
term_shift: step
term_shift_about: A row is one step: it reads the token on the left of the arrow and writes the one
  on the right, which the next step reads.
term_shift_here: {target} row{target|s}: token 0 goes in, token 1 comes out, and so on
term_teacher_forcing: teacher forcing
term_teacher_forcing_about: In training the right target is fed in at once, whatever the model would
  have written; the causal mask keeps it honest.
term_teacher_forcing_here: {target} position{target|s} in one pass
""")
)

ZH = (
    FORMULAS
    | HEADS_ZH
    | written("""
term_weight_formula_hard: s 最大处 w = 1，其余 w = 0
term_causal_mask_formula: j > t 时 w(t, j) = 0
term_top_k_formula: 最好的 k 个以外 p = 0
term_here: 这里：{shape}
term_attention: 注意力
term_attention_about: 对每个查询，把所有值加权平均；键与查询越匹配，对应的值权重越大。
term_attention_here: {heads} 个头，每个头有 {queries} × {keys} 个权重
term_query: 查询
term_query_about: 一行要找什么：由该行的词元算出的向量，与每个键比较。
term_query_here: {heads} 个头，每个头 {queries} 个查询，每个查询 {head_width} 个数
term_key: 键
term_key_about: 一列凭什么被找到：由该列的词元算出的向量，供查询比较。
term_key_here: {heads} 个头，每个头 {keys} 个键，每个键 {head_width} 个数
term_value: 值
term_value_about: 一列交出什么：由该列的词元算出的向量，交出多少由权重决定。
term_value_here: {heads} 个头，每个头 {keys} 个值，每个值 {head_width} 个数
term_score: 分数
term_score_about: 查询与键的匹配程度，尚未经过掩码和 softmax，可以是任意实数。
term_score_here: {heads} 个头，每个头 {queries} × {keys} 个分数，{divides} = {divisor_width}
term_weight: 权重
term_weight_about: 一个查询的注意力中，分给某个键的那一份所占的比例。
term_weight_here: {queries} 行，每行 {keys} 个权重，每行之和为 1
term_softmax: softmax
term_softmax_about: 把一行数变成 0 到 1 之间、总和为 1 的比例。
term_softmax_here: 注意力中对 {keys} 个键，输出端对 {vocabulary} 个词元
term_head: 注意力头
term_head_about: 一层中并列的多个注意力之一，各有自己的查询、键和值，因而各自关注不同的方面。
term_head_here: {heads} 个头 × {head_width} 个数，共 {layers} 层
term_layer: 层
term_layer_about: 注意力之后接前馈网络；一层的输出就是下一层的输入。
term_layer_here: 编码器 {encoder_layers} 层，解码器 {decoder_layers} 层
term_encoder: 编码器
term_encoder_about: 一次读完源句，给每个源句词元一个向量。
term_encoder_here: {encoder_layers} 层，输出 {source} × {width} 个数
term_decoder: 解码器
term_decoder_about: 逐个写出目标词元，既关注已写出的部分，也关注编码器的输出。
term_decoder_here: {decoder_layers} 层，输出 {target} × {width} 个数
term_self_attention: 自注意力
term_self_attention_about: 查询、键和值来自同一个序列：序列中的词元互相关注。
term_self_attention_here: 编码器 {source} × {source}，解码器 {target} × {target}
term_cross_attention: 交叉注意力
term_cross_attention_about: 查询来自目标句（Y），键和值来自编码器的输出（X）：目标句在这里关注源句。
term_cross_attention_here: 目标 {target} 行 × 源句 {source} 列
term_mask: 掩码
term_mask_about: 规定查询可以关注哪些键。被遮住的分数变为 −∞，权重恰好为 0。
term_mask_here: {queries} × {keys}，{heads} 个头共用
term_causal_mask: 因果掩码
term_causal_mask_about: 遮住后面的词元：位置 t 只能关注到 t 为止，因为生成时后面的还没有写出。
term_causal_mask_here: {target} × {target} 的三角形
term_pad: 填充
term_pad_about: 为了让一批句子一样长而补上的词元。掩码把它遮住：权重为 0，不改变任何数字。
term_pad_here: {source} 个源句词元中有 {source_pads} 个，{target} 个目标句词元中有 {target_pads} 个
term_token: 词元
term_token_about: 模型处理文本的单位：一个词、词的一部分或一个标点。
term_token_here: {source} 个源句词元，目标词表共 {vocabulary} 个词元
term_entropy: 熵
term_entropy_about: 一行权重有多分散：只关注一个键时为 0 比特，平均关注所有键时最大。
  这里显示各行的平均值。
term_entropy_here: {keys} 个键，最大为 log₂ {keys} = {most_bits} 比特
term_embedding: 词嵌入
term_embedding_about: 词元进入模型时代表它的向量，由训练得到。
term_embedding_here: 目标端的嵌入表有 {vocabulary} × {width} 个数
term_position: 位置
term_position_about: 词元所在的位置。注意力本身不分先后，所以要把位置告诉模型。
term_position_here: 最多 {positions} 个位置，每个位置 {width} 个数
term_residual: 残差连接
term_residual_about: 把子层的输入加到输出上，子层只需学习变化的部分。
term_residual_here: 每个词元前后都是 {width} 个数
term_norm: 归一化
term_norm_about: 把一个词元的各个数调整到均值为 0、标准差为 1，再缩放和平移。
term_norm_here: 对每个词元的 {width} 个数
term_feed_forward: 前馈网络
term_feed_forward_about: 对每个词元单独计算：先变宽，经过非线性函数，再变回来。
term_feed_forward_here: {width} → {feed_forward_width} → {width}
term_output_projection: 输出投影
term_output_projection_about: 把各个头拼接起来，再混合成模型的宽度。
term_output_projection_here: {heads} × {head_width} → {width}
term_logit: logit
term_logit_about: 某个候选词元的原始得分，经过 softmax 才成为概率。
term_logit_here: 每一步由 {width} 个数算出 {vocabulary} 个 logit
term_greedy: 贪心
term_greedy_about: 总是选择概率最大的词元。
term_greedy_here: {vocabulary} 个词元中最好的一个
term_sampling: 采样
term_sampling_about: 按概率随机抽取下一个词元，概率越大越常被抽到。
term_sampling_here: 每一步从 {vocabulary} 个词元中抽一个
term_temperature: 温度
term_temperature_about: softmax 之前先把 logit 除以温度：小于 1 更集中，大于 1 更平均。
term_temperature_here: T = {temperature}
term_top_k: top-k
term_top_k_about: 只从概率最大的 k 个词元中抽取。
term_top_k_here: {vocabulary} 个词元中 k = {top_k}，0 表示全部保留
term_top_p: top-p
term_top_p_about: 从最好的词元取起，概率之和达到 p 为止，只从中抽取。
term_top_p_here: p = {top_p}，1 表示全部保留
term_seed: 随机种子
term_seed_about: 固定随机抽取的数，有了它结果可以重现。
term_seed_here: {seed}
term_shift: 步
term_shift_about: 一行就是一步：读入箭头左边的词元，写出箭头右边的词元，写出的又由下一步读入。
term_shift_here: {target} 行：输入词元 0，得到词元 1，依此类推
term_teacher_forcing: 教师强制
term_teacher_forcing_about: 训练时把正确的目标句一次全部输入，不管模型自己会写什么，
  由因果掩码防止偷看。
term_teacher_forcing_here: 一次处理 {target} 个位置
""")
)
