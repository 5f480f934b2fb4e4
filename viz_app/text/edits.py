"""The words of the menu "What if": what each edit is called, and what it does to the arithmetic."""

from viz_app.rooms.written import written

EN = written("""
whatif: What if
whatif_hint: Change the model's arithmetic and see what follows
whatif_about: What would it write if a part of the model worked differently? Choose a change: the
  sentence is translated anew, and the change stands below it until you take it out. Often nothing
  happens: other heads make up for one that is off (Voita et al. 2019).
whatif_told: {before} → {now}
edits: edits
edits_clear: undo all
edit_remove: take this change out
edit_none: as it is
part_self: self-attention
part_cross: cross-attention
part_feed_forward: feed-forward
edit_head-off: {site} L{layer}H{head} off
edit_head-off_about: The weighted sum of the values is zero for this head. Its weights stay as they
  are.
edit_head-mean: {site} L{layer}H{head} at its mean
edit_head-mean_about: The head always makes what it makes on average.
edit_sublayer-off: {part}, {stack} L{layer}, off
edit_sublayer-off_about: The sub-layer puts out zeros; the residual connection carries on alone.
edit_hide: {token} hidden
edit_hide_name: hide a token
edit_hide_about: The mask hides it: no token may look at it, in any layer.
edit_zero-value: value of {token} zero
edit_zero-value_name: zero a value
edit_zero-value_about: Attention to it stays, and adds nothing.
edit_no-scale: scores not divided
edit_no-scale_about: Scores stay plain sums of products: no root of a width divides them.
edit_no-embedding-scale: without × √D
edit_no-embedding-scale_about: Embeddings are not multiplied by the root of the model width;
  positions weigh more.
edit_no-positions: without positions
edit_no-positions_about: Nothing says where a token stands.
edit_no-pad-mask: without pad mask
edit_no-pad-mask_about: Pads are keys like others. Add pads to see it.
edit_finite-mask: mask of -1e9
edit_finite-mask_about: A hidden score becomes -1e9, not minus infinity. Only a row that may see
  nothing changes.
edit_no-transpose: heads not transposed
edit_no-transpose_about: Heads are joined as they lie in memory, the mistake that everybody makes
  once.
edit_causal-mask: causal mask: {value}
edit_causal-mask_name: causal mask
edit_causal-mask_about: What decoder self-attention may see.
causal_none: sees everything
causal_ahead: one token ahead
causal_behind: not even itself
edit_encoder-layer: encoder up to L{value}
edit_encoder-layer_name: read the encoder at
edit_encoder-layer_about: Cross-attention reads this layer (DecoderLens, 2024).
edit_dropout: dropout, seed {value}
edit_dropout_name: dropout on
edit_dropout_about: As in training, parts are dropped at random; the seed fixes which.
# What the menu says of a model that has not what an edit would change.
edit_head-mean_lacks: What each head of {model} makes on average is not measured; the command heads
  does it.
edit_no-scale_lacks: {model} divides its scores by nothing.
edit_no-embedding-scale_lacks: {model} does not multiply its embeddings.
edit_no-positions_lacks: {model} has no positions.
edit_no-pad-mask_lacks: {model} has no pad mask.
edit_finite-mask_lacks: {model} hides with a finite score already.
edit_no-transpose_lacks: {model} joins its heads so already, or rotates them, which does not go with
  it.
edit_causal-mask_lacks: {model} has no causal mask that could be broken.
edit_encoder-layer_lacks: {model} has no encoder of several layers that a decoder reads.
edit_dropout_lacks: {model} names no rate of dropout above 0.
""")

ZH = written("""
whatif: 假如
whatif_hint: 改动模型的计算，看看会怎样
whatif_about: 如果模型的某一处算得不一样，它会写出什么？选一处改动，句子会重新翻译；改动列在下面，
  点一下就能去掉。常常什么也没变：别的头会补上被关掉的头（Voita 等，2019）。
whatif_told: {before} → {now}
edits: 改动
edits_clear: 全部撤销
edit_remove: 去掉这处改动
edit_none: 不改
part_self: 自注意力
part_cross: 交叉注意力
part_feed_forward: 前馈层
edit_head-off: 关掉{site} L{layer}H{head}
edit_head-off_about: 这个头对值的加权和为零，它的权重照旧。
edit_head-mean: {site} L{layer}H{head} 换成平均输出
edit_head-mean_about: 这个头总是输出它的平均输出。
edit_sublayer-off: 关掉{stack} L{layer} 的{part}
edit_sublayer-off_about: 这个子层输出零，只剩残差连接。
edit_hide: 遮住 {token}
edit_hide_name: 遮住一个词元
edit_hide_about: 掩码遮住它：任何一层都没有词元能看到它。
edit_zero-value: {token} 的值为零
edit_zero-value_name: 把值设为零
edit_zero-value_about: 权重不变，但它不再贡献任何内容。
edit_no-scale: 分数不除以根号
edit_no-scale_about: 分数就是乘积之和，不除以宽度的平方根。
edit_no-embedding-scale: 不乘 √D
edit_no-embedding-scale_about: 词嵌入不乘模型维数的平方根，位置编码的影响变大。
edit_no-positions: 去掉位置编码
edit_no-positions_about: 模型无从知道词元在哪个位置。
edit_no-pad-mask: 去掉填充掩码
edit_no-pad-mask_about: 填充词元和别的键一样。加几个填充词元就能看到。
edit_finite-mask: 掩码用 -1e9
edit_finite-mask_about: 被遮住的分数变成 -1e9，而不是负无穷。只有什么都看不到的行才会变。
edit_no-transpose: 各头未转置
edit_no-transpose_about: 忘了转置，各头就按内存里的顺序拼接：初学者几乎都犯过。
edit_causal-mask: 因果掩码：{value}
edit_causal-mask_name: 因果掩码
edit_causal-mask_about: 解码器自注意力能看到什么。
causal_none: 什么都看得见
causal_ahead: 多看一个词元
causal_behind: 连自己也看不见
edit_encoder-layer: 编码器只到 L{value}
edit_encoder-layer_name: 编码器只到
edit_encoder-layer_about: 交叉注意力读取这一层的输出（DecoderLens，2024）。
edit_dropout: dropout，种子 {value}
edit_dropout_name: 打开 dropout
edit_dropout_about: 和训练时一样随机丢弃一部分，种子相同则结果相同。
edit_head-mean_lacks: {model} 的各个头的平均输出还没有测过；命令 heads 可以测。
edit_no-scale_lacks: {model} 的分数本来就不除以什么。
edit_no-embedding-scale_lacks: {model} 的嵌入本来就不乘什么。
edit_no-positions_lacks: {model} 没有位置。
edit_no-pad-mask_lacks: {model} 没有填充掩码。
edit_finite-mask_lacks: {model} 本来就用有限的分数来遮住。
edit_no-transpose_lacks: {model} 的头本来就这样拼接，或者会旋转，两者不能并用。
edit_causal-mask_lacks: {model} 没有可以破坏的因果掩码。
edit_encoder-layer_lacks: {model} 没有供解码器读取的多层编码器。
edit_dropout_lacks: {model} 没有写明大于 0 的丢弃率。
""")
