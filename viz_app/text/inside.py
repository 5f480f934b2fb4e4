"""The words of the room Inside a head."""

EN: dict[str, str] = {
    "room_inside": "Inside a head",
    "room_inside_hint": "Where one weight comes from and what becomes of it, number by number",
    "inside_hard_would": "hard attention would take “{key}” alone: weight 1, the others 0",
    "look_inside": "look inside",
    "look_inside_hint": "Click a cell to keep it (Enter on the keyboard), then see its numbers",
    # choices
    "inside_views": "What the room shows",
    "inside_view_cell": "one cell",
    "inside_view_cell_hint": "From query and key to the output, link by link",
    "inside_view_way": "one token’s way",
    "inside_view_way_hint": "From the embedding to the logits, stage by stage",
    "inside_tokens_query": "[query|query]",
    "inside_tokens_key": "[key|key]",
    "inside_tokens_source": "source",
    "inside_tokens_target": "target",
    # what to see
    "inside_says": (
        "“{query}” reads {weight} from “{key}”: below is what makes this weight, and what becomes "
        "of it."
    ),
    "inside_says_masked": (
        "“{query}” may not read “{key}”: the score is there, the mask takes it away, and the "
        "weight is exactly 0."
    ),
    "inside_next": "Point at a dimension to see its numbers. Then choose another key.",
    "inside_way_says_source": (
        "“{token}” keeps one vector of {D} numbers; {count} sub-layers add to it, one after the "
        "other, until it is memory."
    ),
    "inside_way_says_target": (
        "“{token}” keeps one vector of {D} numbers; {count} sub-layers add to it, one after the "
        "other, until it predicts the next token."
    ),
    "inside_way_next": "Open a stage to see its vectors. Then choose another token.",
    # vectors
    "inside_vectors": "vectors",
    "inside_vectors_label": (
        "{names}: {count} dimensions. Dimension {at}: {numbers}. Left and Right go from dimension "
        "to dimension."
    ),
    "inside_sum_word": "sum",
    "inside_q": "q",
    "inside_k": "k",
    "inside_qw": "q W",
    "inside_a": "a",
    "inside_tanh": "tanh(q + k)",
    "inside_c": "context c",
    "inside_x": "x",
    "inside_read": "Norm(x)",
    "inside_made": "output o",
    "inside_residual_name": "x + o",
    "inside_passed": "after norm",
    "inside_bias": "bias b",
    "inside_head": "head {n}",
    # query and key
    "inside_product": "[query|Query] times [key|key]",
    "inside_formula_scaled_dot": "s = Σₑ qₑ kₑ / √E",
    "inside_formula_dot": "s = Σₑ qₑ kₑ",
    "inside_formula_bilinear": "s = Σₑ (q W)ₑ kₑ",
    "inside_formula_additive": "s = Σₑ aₑ tanh(qₑ + kₑ)",
    "inside_product_about": "One product a dimension; their sum says how well the two fit.",
    "inside_product_rotary": (
        "One product a dimension; q and k are already rotated by their positions."
    ),
    "inside_product_scaled_dot": "q × k",
    "inside_product_dot": "q × k",
    "inside_product_bilinear": "q W × k",
    "inside_product_additive": "a × tanh",
    "inside_one_product": "dimension {e}: {factor} × {other} = {product}",
    "inside_sum_scaled": "sum of the {E} products: {sum};  ÷ √{E} = {scaled}",
    "inside_sum": "sum of the {E} products: {sum}",
    "inside_score_same": "the model’s own score: {score}, the same number",
    "inside_score_off": (
        "the model’s own score: {score}; off by {off}, because it adds in another order"
    ),
    # score to weight
    "inside_softmax": "[score|Score] to [weight|weight]",
    "inside_formula_softmax": "w = e^(s − max) / Σ e^(s − max)",
    "inside_formula_hard": "w = 1 at the largest s, else 0",
    "inside_softmax_about": (
        "This query with every key: [mask|mask] first, then [softmax|softmax] over the row."
    ),
    "inside_softmax_hard": "Hard attention: the largest score that is allowed takes all.",
    "inside_column_key": "[key|key]",
    "inside_column_score": "[score|score]",
    "inside_column_after_mask": "after [mask|mask]",
    "inside_column_exponential": "e^(s − max)",
    "inside_column_weight": "[weight|weight]",
    "inside_weight": (
        "“{key}”: e^({score} − max {most}) = {exponential};  ÷ sum {total} = {quotient}"
    ),
    "inside_weight_same": "the model’s own weight: {weight}, the same number",
    "inside_weight_off": (
        "the model’s own weight: {weight}; off by {off}, because it rounds in another order"
    ),
    "inside_masked": "“{key}” is masked: −∞ instead of {score}, e^(−∞) = 0, so the weight is 0",
    "inside_hard_best": "“{key}”: {score} is the largest of {K} scores, so its weight is 1",
    "inside_hard_other": "“{key}”: {score} is below the largest, {most}, so its weight is 0",
    # values
    "inside_values": "Weighted [value|values]",
    "inside_values_about": (
        "Each key’s value times its weight. Their sum is what the head reads: its "
        "[attention|attention]."
    ),
    "inside_one_value": "dimension {e} of “{key}”: {weight} × {value} = {product}",
    "inside_context": "sum over the {K} keys: {context}",
    # output
    "inside_output": "[output_projection|Output projection]",
    "inside_output_about": "What each head adds to the output of the layer; a bias, and the sum.",
    "inside_output_none": "No projection: the heads are only laid side by side.",
    "inside_share": (
        "dimension {d}: head {head} adds {share}; all {H} heads and the bias make {made}"
    ),
    "inside_share_plain": (
        "dimension {d}: head {head} adds {share}; all {H} heads together make {made}"
    ),
    # residual and norm
    "inside_residual": "[residual|Residual]",
    "inside_residual_post": "The output is added to what came in; then comes the norm.",
    "inside_residual_pre": "The output is added to what came in, before its norm.",
    "inside_residual_sum": "dimension {d}: {x} + {made} = {sum}",
    "inside_norm": "[norm|Norm]",
    "inside_norm_post": "What leaves this sub-layer and enters the next.",
    "inside_norm_pre": "It comes first here: queries, keys and values are made from Norm(x).",
    "inside_formula_layer": "(x − mean) / √(var + ε) · g + b",
    "inside_formula_scalar": "(x − mean) / (std + ε) · g + b",
    "inside_norm_line": (
        "dimension {d}: ({x} − mean {mean}) ÷ spread {spread} × g {gain} + b {bias} = {left}"
    ),
    # one token's way
    "inside_encoder": "encoder",
    "inside_decoder": "decoder",
    "inside_embedding": "[embedding|embedding]",
    "inside_embedded": "embedding",
    "inside_position_added": "+ [position|position]",
    "inside_position_row": "position {p}",
    "inside_position_rotary": "[position|position]: rotates q and k, adds nothing here",
    "inside_position_none": "[position|position]: none in this model",
    "inside_stage_self": "{stack} {layer} · [self_attention|self-attention]",
    "inside_stage_cross": "{stack} {layer} · [cross_attention|cross-attention]",
    "inside_stage_feed_forward": "{stack} {layer} · [feed_forward|feed-forward]",
    "inside_final_norm": "{stack} · final [norm|norm]",
    "inside_open": "Open or close this stage",
    "inside_heads": "its heads",
    "inside_logits": "[logit|Logits] and [softmax|softmax]",
    "inside_logits_about": (
        "What may follow “{token}”: the {n} best of {V} tokens. The probabilities of all {V} "
        "add up to 1."
    ),
    "inside_column_token": "[token|token]",
    "inside_column_logit": "[logit|logit]",
    "inside_column_probability": "probability",
    "inside_probability": (
        "“{token}”: e^({logit} − {log_sum}) = {probability};  {log_sum} is the logarithm of the "
        "sum of e^logit over all {V} tokens"
    ),
    "inside_memory": (
        "Here the way of “{token}” ends: these {D} numbers are memory. Every decoder layer makes "
        "keys and values of cross-attention from them."
    ),
}
ZH: dict[str, str] = {
    "room_inside": "头的内部",
    "room_inside_hint": "一个权重从何而来、又变成什么，每个数都看得见",
    "inside_hard_would": "若用硬注意力，只取“{key}”：权重 1，其余为 0",
    "look_inside": "看内部",
    "look_inside_hint": "点击一格（键盘按 Enter）选定它，再看它背后的数",
    # choices
    "inside_views": "这里显示什么",
    "inside_view_cell": "一个格子",
    "inside_view_cell_hint": "从查询和键到输出，一环一环地看",
    "inside_view_way": "一个词元的路",
    "inside_view_way_hint": "从词嵌入到 logits，一步一步地看",
    "inside_tokens_query": "[query|查询]",
    "inside_tokens_key": "[key|键]",
    "inside_tokens_source": "源句",
    "inside_tokens_target": "目标句",
    # what to see
    "inside_says": (
        "“{query}”从“{key}”读取 {weight}。顺着数字往下看：这个权重怎么来，又变成什么。"
    ),
    "inside_says_masked": "“{query}”不能读“{key}”：分数算出来了，但被掩码去掉，权重恰好为 0。",
    "inside_next": "指向某一维，看这一维上的数；再换一个键试试。",
    "inside_way_says_source": (
        "“{token}”始终是一个含 {D} 个数的向量；{count} 个子层依次往上加，最后成为记忆。"
    ),
    "inside_way_says_target": (
        "“{token}”始终是一个含 {D} 个数的向量；{count} 个子层依次往上加，最后预测下一个词元。"
    ),
    "inside_way_next": "展开一步，看其中的向量；再换一个词元试试。",
    # vectors
    "inside_vectors": "向量",
    "inside_vectors_label": ("{names}：{count} 维。第 {at} 维：{numbers}。按左右方向键逐维移动。"),
    "inside_sum_word": "和",
    "inside_q": "q",
    "inside_k": "k",
    "inside_qw": "q W",
    "inside_a": "a",
    "inside_tanh": "tanh(q + k)",
    "inside_c": "上下文 c",
    "inside_x": "x",
    "inside_read": "Norm(x)",
    "inside_made": "输出 o",
    "inside_residual_name": "x + o",
    "inside_passed": "归一化后",
    "inside_bias": "偏置 b",
    "inside_head": "头 {n}",
    # query and key
    "inside_product": "[query|查询]乘[key|键]",
    "inside_formula_scaled_dot": "s = Σₑ qₑ kₑ / √E",
    "inside_formula_dot": "s = Σₑ qₑ kₑ",
    "inside_formula_bilinear": "s = Σₑ (q W)ₑ kₑ",
    "inside_formula_additive": "s = Σₑ aₑ tanh(qₑ + kₑ)",
    "inside_product_about": "每一维一个乘积，加起来就是两者的匹配程度。",
    "inside_product_rotary": "每一维一个乘积；q 和 k 已按各自的位置旋转过。",
    "inside_product_scaled_dot": "q × k",
    "inside_product_dot": "q × k",
    "inside_product_bilinear": "q W × k",
    "inside_product_additive": "a × tanh",
    "inside_one_product": "第 {e} 维：{factor} × {other} = {product}",
    "inside_sum_scaled": "{E} 个乘积之和：{sum}；÷ √{E} = {scaled}",
    "inside_sum": "{E} 个乘积之和：{sum}",
    "inside_score_same": "模型自己的分数：{score}，与此完全相同",
    "inside_score_off": "模型自己的分数：{score}；相差 {off}，因为它相加的次序不同",
    # score to weight
    "inside_softmax": "从[score|分数]到[weight|权重]",
    "inside_formula_softmax": "w = e^(s − max) / Σ e^(s − max)",
    "inside_formula_hard": "s 最大处 w = 1，其余 w = 0",
    "inside_softmax_about": "这个查询与每一个键：先加[mask|掩码]，再对整行做 [softmax|softmax]。",
    "inside_softmax_hard": "硬注意力：允许的键中分数最大的得到全部权重。",
    "inside_column_key": "[key|键]",
    "inside_column_score": "[score|分数]",
    "inside_column_after_mask": "[mask|掩码]之后",
    "inside_column_exponential": "e^(s − max)",
    "inside_column_weight": "[weight|权重]",
    "inside_weight": (
        "“{key}”：e^({score} − 最大值 {most}) = {exponential}；÷ 总和 {total} = {quotient}"
    ),
    "inside_weight_same": "模型自己的权重：{weight}，与此完全相同",
    "inside_weight_off": "模型自己的权重：{weight}；相差 {off}，因为它舍入的次序不同",
    "inside_masked": "“{key}”被掩码遮住：{score} 换成 −∞，e^(−∞) = 0，权重为 0",
    "inside_hard_best": "“{key}”：{score} 是 {K} 个分数中最大的，权重为 1",
    "inside_hard_other": "“{key}”：{score} 小于最大值 {most}，权重为 0",
    # values
    "inside_values": "加权的[value|值]",
    "inside_values_about": (
        "每个键的值乘以它的权重；加起来就是这个头读到的内容，即它的[attention|注意力]。"
    ),
    "inside_one_value": "“{key}”的第 {e} 维：{weight} × {value} = {product}",
    "inside_context": "对 {K} 个键求和：{context}",
    # output
    "inside_output": "[output_projection|输出投影]",
    "inside_output_about": "每个头给这一层的输出加上什么；再加偏置，最后求和。",
    "inside_output_none": "没有投影：各个头只是并排放在一起。",
    "inside_share": "第 {d} 维：头 {head} 加上 {share}；{H} 个头加上偏置得 {made}",
    "inside_share_plain": "第 {d} 维：头 {head} 加上 {share}；{H} 个头合起来是 {made}",
    # residual and norm
    "inside_residual": "[residual|残差]",
    "inside_residual_post": "输出加到进来的向量上，然后归一化。",
    "inside_residual_pre": "输出加到归一化之前的、进来的向量上。",
    "inside_residual_sum": "第 {d} 维：{x} + {made} = {sum}",
    "inside_norm": "[norm|归一化]",
    "inside_norm_post": "离开这个子层、进入下一个子层的向量。",
    "inside_norm_pre": "这里它最先做：查询、键和值都由 Norm(x) 算出。",
    "inside_formula_layer": "(x − 均值) / √(方差 + ε) · g + b",
    "inside_formula_scalar": "(x − 均值) / (标准差 + ε) · g + b",
    "inside_norm_line": (
        "第 {d} 维：({x} − 均值 {mean}) ÷ 离散度 {spread} × g {gain} + b {bias} = {left}"
    ),
    # one token's way
    "inside_encoder": "编码器",
    "inside_decoder": "解码器",
    "inside_embedding": "[embedding|词嵌入]",
    "inside_embedded": "词嵌入",
    "inside_position_added": "+ [position|位置]",
    "inside_position_row": "位置 {p}",
    "inside_position_rotary": "[position|位置]：只旋转 q 和 k，这里什么也不加",
    "inside_position_none": "[position|位置]：这个模型没有",
    "inside_stage_self": "{stack} {layer} · [self_attention|自注意力]",
    "inside_stage_cross": "{stack} {layer} · [cross_attention|交叉注意力]",
    "inside_stage_feed_forward": "{stack} {layer} · [feed_forward|前馈网络]",
    "inside_final_norm": "{stack} · 最后的[norm|归一化]",
    "inside_open": "展开或收起这一步",
    "inside_heads": "看各个头",
    "inside_logits": "[logit|Logits] 与 [softmax|softmax]",
    "inside_logits_about": (
        "“{token}”之后可能是什么：{V} 个词元中最好的 {n} 个。全部 {V} 个的概率之和为 1。"
    ),
    "inside_column_token": "[token|词元]",
    "inside_column_logit": "[logit|logit]",
    "inside_column_probability": "概率",
    "inside_probability": (
        "“{token}”：e^({logit} − {log_sum}) = {probability}；{log_sum} 是全部 {V} 个词元的 "
        "e^logit 之和的对数"
    ),
    "inside_memory": (
        "“{token}”的路到此为止：这 {D} 个数就是记忆。解码器每一层的交叉注意力都由它们算出键和值。"
    ),
}
