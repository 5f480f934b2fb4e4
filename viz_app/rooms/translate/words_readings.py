"""The words of the readings in the large map; each has a sentence on what it can and cannot say."""

from viz_app.rooms.written import written

EN = written("""
read: Reading
read_weights: weights
read_norms: weight × value norm
read_rollout: rollout
read_mean: mean of the heads
read_mean_all: mean of all layers
read_hidden: each word hidden
read_about_weights: What the softmax gives: how a head divides its attention, and not how much of
  each token arrives.
read_about_norms: Weight × length of the vector that the token’s value becomes behind the output
  projection (bars: that length). It shows tokens that are looked at and hardly used, but not what
  later layers make of them (Kobayashi et al. 2020).
read_about_rollout: Mean weights of each layer up to this one, half of each the residual connection,
  multiplied. It estimates which tokens have flowed into a place; values, feed-forward layers and
  differences of heads are not in it (Abnar and Zuidema 2020).
read_about_rollout_cross: Defined here as this layer’s mean cross-attention times the rollout of the
  encoder. It estimates which source tokens are read; what earlier decoder layers read, values and
  feed-forward layers are not in it.
read_about_mean: The average over the heads of this layer: what they look at together. No head need
  look like it.
read_about_mean_all: The average over all heads of all layers: a rough outline. No layer need look
  like it.
read_about_hidden: Change of each written token’s log-probability, in nats, with a source word
  hidden by the mask. Measured on this one sentence, its translation fed in as it is; the model
  never met hidden words in training, so this is what it does with a gap, not what the word means.
read_lacks_values: These weights came without their model: nothing else is known of it.
read_lacks_whole: In this model every token changes all rows before it.
read_lacks_encoder: Rollout goes back through the encoder, whose weights are not here.
read_lacks_cross: Source words are hidden for cross-attention: choose it on the left.
read_lacks_alone: A page without a server holds only the readings it was saved with.
read_title_norms: {head} · weight × value norm
read_title_rollout: {site} · rollout to layer {layer}
read_title_mean: {site} · layer {layer} · mean of {heads} head{heads|s}
read_title_mean_all: {site} · mean of {layers} layer{layers|s} of {heads} head{heads|s}
read_title_hidden: Each source word hidden · change in nats
read_norm_bars: value norm
read_cell_norms: “{key}” adds a vector of length {value}: weight {weight} × value norm {norm} ·
  layer {layer}, head {head}
read_cell_rollout: By layer {layer}, {value} of what reaches “{query}” comes from “{key}”, by
  rollout
read_cell_mean: On average “{query}” looks at “{key}” with weight {value} · layer {layer}
read_cell_mean_all: On average over all layers “{query}” looks at “{key}” with {value}
read_cell_hidden: Without “{key}” the log-probability of “{query}” changes by {value} nats
read_row_norms: “{query}” gets most from {list}
read_row_rollout: “{query}” goes back mostly to {list}, by rollout
read_row_mean: On average “{query}” looks mostly at {list}
read_row_mean_all: On average over all layers “{query}” looks mostly at {list}
read_row_hidden: “{query}” depends most on {list}; in nats
read_column_norms: The value of “{key}” has norm {norm}; it adds most to {list}
read_column_rollout: “{key}” flows mostly into {list}
read_column_mean: “{key}” gets most attention on average from {list}
read_column_mean_all: “{key}” gets most attention on average from {list}
read_column_hidden: Without “{key}” most changes at {list}; in nats
read_nothing: nothing
reading_masked_unwritten: Nothing is written at this step yet, so nothing can change
figure_read_norms: {head}: weight × value norm
figure_read_rollout: {site}, rollout to layer {layer}
figure_read_mean: {site}, layer {layer}, mean of {heads} head{heads|s}
figure_read_mean_all: {site}, mean of all heads and layers
figure_read_hidden: Each source word hidden: change in log-probability
figure_unit_norms: length
figure_unit_rollout: rollout
figure_unit_mean: weight
figure_unit_mean_all: weight
figure_unit_hidden: nats
figure_norms: norm of each value, up to {most}
figure_read_cell: %{customdata[0]} | %{customdata[1]}: %{customdata[2]:.3f}
""")

ZH = written("""
read: 读法
read_weights: 权重
read_norms: 权重 × 值的范数
read_rollout: 逐层展开
read_mean: 各头平均
read_mean_all: 各层平均
read_hidden: 逐词隐藏
read_about_weights: softmax 的结果：一个头怎样分配注意力，而不是每个词元真正传来了多少。
read_about_norms: 权重 × 词元的值经过输出投影之后的向量长度（条形就是这个长度）。
  它能看出被关注却几乎没被使用的词元，但看不出后面的层怎样处理它们（Kobayashi 等，2020）。
read_about_rollout: 从第一层到这一层的平均权重，每层各有一半算作残差连接，依次相乘。
  它估计哪些词元的信息流到了某处；不含值、前馈网络，也不区分各个头（Abnar 与 Zuidema，2020）。
read_about_rollout_cross: 这里定义为这一层的平均交叉注意力乘以编码器的逐层展开。
  它估计读到了哪些源句词元；不含解码器前面几层读到的内容、值和前馈网络。
read_about_mean: 这一层各头的平均：它们合起来关注什么。任何一个头都不必长成这样。
read_about_mean_all: 所有层、所有头的平均：只是粗略的轮廓。任何一层都不必长成这样。
read_about_hidden: 用掩码隐藏一个源句词之后，每个已写词元对数概率的变化（纳特）。只在这一句上测量，
  译文原样输入；模型训练时从未见过被隐藏的词，所以这是它面对空缺的反应，而不是这个词的含义。
read_lacks_values: 这些权重没有附带模型：除此之外一无所知。
read_lacks_whole: 在这个模型里，每多一个词元，前面所有的行都会变。
read_lacks_encoder: 逐层展开要回到编码器，而这里没有它的权重。
read_lacks_cross: 隐藏源句词用于交叉注意力：请在左侧选择它。
read_lacks_alone: 没有服务器的页面只有保存时所带的读法。
read_title_norms: {head} · 权重 × 值的范数
read_title_rollout: {site} · 展开到第 {layer} 层
read_title_mean: {site} · 第 {layer} 层 · {heads} 个头的平均
read_title_mean_all: {site} · {layers} 层、每层 {heads} 个头的平均
read_title_hidden: 逐个隐藏源句的词 · 变化（纳特）
read_norm_bars: 值的范数
read_cell_norms: “{key}”带来长度为 {value} 的向量：权重 {weight} × 值的范数 {norm} · 第 {layer} 层，
  第 {head} 头
read_cell_rollout: 按逐层展开，到第 {layer} 层，传到“{query}”的有 {value} 来自“{key}”
read_cell_mean: 平均来看，“{query}”对“{key}”的权重为 {value} · 第 {layer} 层
read_cell_mean_all: 所有层平均，“{query}”对“{key}”的权重为 {value}
read_cell_hidden: 没有“{key}”时，“{query}”的对数概率变化 {value} 纳特
read_row_norms: “{query}”得到最多的来自{list}
read_row_rollout: 按逐层展开，“{query}”主要来自{list}
read_row_mean: 平均来看，“{query}”主要关注{list}
read_row_mean_all: 所有层平均，“{query}”主要关注{list}
read_row_hidden: “{query}”最依赖{list}（纳特）
read_column_norms: “{key}”的值的范数为 {norm}；它带来最多的是{list}
read_column_rollout: “{key}”主要流向{list}
read_column_mean: 平均来看，对“{key}”关注最多的是{list}
read_column_mean_all: 平均来看，对“{key}”关注最多的是{list}
read_column_hidden: 没有“{key}”时，变化最大的是{list}（纳特）
read_nothing: 无
reading_masked_unwritten: 这一步还没有写出词元，也就没有变化可言
figure_read_norms: {head}：权重 × 值的范数
figure_read_rollout: {site}，展开到第 {layer} 层
figure_read_mean: {site}，第 {layer} 层，{heads} 个头的平均
figure_read_mean_all: {site}，所有层和头的平均
figure_read_hidden: 逐个隐藏源句的词：对数概率的变化
figure_unit_norms: 长度
figure_unit_rollout: 展开
figure_unit_mean: 权重
figure_unit_mean_all: 权重
figure_unit_hidden: 纳特
figure_norms: 每个值的范数，最大 {most}
figure_read_cell: %{customdata[0]} 对 %{customdata[1]}：%{customdata[2]:.3f}
""")
