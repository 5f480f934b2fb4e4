"""The words of the room Heads, in Chinese."""

from viz_app.rooms.written import written

ZH = written("""
room_heads: 各个头
room_heads_hint: 每个头的测量结果：它关注什么，去掉它会损失什么
heads_views: 怎样显示各个头
heads_view_grid: 网格
heads_view_grid_hint: 行是层，列是头，颜色是一种度量
heads_view_scatter: 散点
heads_view_scatter_hint: 按两种度量排布每个头
heads_view_table: 表格
heads_view_table_hint: 每个头的全部度量；点列名排序
heads_measure: 度量
heads_across: 横轴
heads_next: 选一个头，看它在做什么。
heads_on: 在 {n} 个句子上测量（{corpus}）：源句 {source} 个词元，要写出 {target} 个；损失 {loss}，
  完全正确的占 {exact}。每次只关掉一个头，其他头会补上：没有变化才是常见的结果（Voita 等，2019）。
heads_on_plain: 在 {n} 个句子上测量（{corpus}）：源句 {source} 个词元，要写出 {target} 个。
  没有关掉任何头：这个模型不写出文本，或不允许改动。关掉一个头时，其他头往往会补上（Voita 等，
  2019）。
heads_corpus_sentences: 我们自己写的句子
heads_corpus_strings: 我们自己写的字符串，倒写
heads_place: {site} · 第 {layer} 层 · 第 {head} 头
heads_reads: {place}：{measure} {number}
heads_row: {site} · L{layer}
heads_brief: {site} · 第 {layer} 层第 {head} 头
heads_pile: 这里的各个头
heads_more: " · 这里还有 {n} 个头，点一下就列出来"
heads_grid_label: 每个头的{measure}，{rows} 层 × {columns} 头
heads_none: 没有这个头
heads_open: 在“翻译”页查看
heads_open_hint: 在你的句子上看这个头
heads_off: 关掉它会怎样
heads_off_hint: 在你的译文里关掉这个头；点它的标签即可恢复
heads_like: 与它最像的头
heads_like_cosine: 权重的余弦 {number}
heads_does_diagonal: 平均来看，它随译文的进度在源句中前进：{number} 的权重落在
  [habit_diagonal|对角线]上。
heads_does_previous: 平均来看，它关注[habit_previous|前一个]词元：{number} 的权重落在那里。
heads_does_itself: 平均来看，它关注词元[habit_itself|自身]：{number} 的权重落在那里。
heads_does_next: 平均来看，它关注[habit_next|后一个]词元：{number} 的权重落在那里。
heads_does_first: 平均来看，它关注[habit_first|句首]词元：{number} 的权重落在那里。
heads_does_start: 平均来看，它关注[habit_start|开始]词元：{number} 的权重落在那里。
heads_does_end: 平均来看，它关注[habit_end|结束]词元：{number} 的权重落在那里。
heads_does_marks: 平均来看，它关注[habit_marks|标点]：{number} 的权重落在那里。
heads_does_sharp: 它每行都很[habit_sharp|聚焦]，只挑一个词元，但位置不固定：最大权重平均 {number}。
heads_does_spread: 它很[habit_spread|分散]，同时关注许多词元：熵平均 {number} 比特。
heads_lost: 没有它会损失什么
heads_lost_with: 有它
heads_lost_with_hint: 原来的模型
heads_lost_zero: 关掉
heads_lost_zero_hint: 它的输出为 0 时的变化
heads_lost_mean: 换成平均
heads_lost_mean_hint: 它的输出总是平均值时的变化
heads_lost_loss: 损失，{n} 个句子
heads_lost_exact: 完全正确的占比
heads_lost_here: 损失，这一句
heads_here_most: 没有它，这里变化最大的是“{token}”：{before} → {after}
heads_here_alone: 它对这一句有多大作用，需要模型来算。请打开应用来看。
heads_here_none: 先译出至少一个词元，就能看到这个头在这里的作用。
heads_sentences: 它{place}最多的句子
heads_sentences_sharp: 它最聚焦的句子：最大权重的平均
heads_sentences_spread: 它最分散的句子：熵（比特）
heads_sentence_hint: 翻译这个句子，并显示这个头
heads_distances: 关注的距离
heads_distances_axis: 距离（词元数）；两端含更远的
heads_share: 占它注意力的份额
heads_tokens: 最吸引它的词元
heads_token_hint: 占它注意力的 {share}；平均分配时是 {even}
heads_find: 按图案找头
habit_own: 自己画
heads_pattern_hint: 在整句上，权重与它余弦最大的头排在前面
heads_drawn: 你画的图：行是查询，列是键；点格子
heads_cell: 第 {row} 行，第 {column} 列
heads_clear: 清空
heads_draw: 点图里的格子；图会伸缩到任意长度的句子。
heads_find_none: 没有头能关注那里：被掩码遮住了，或者文本里没有这样的词元。
heads_find_long: “查找”要比较每个头的每一行。文本这么长时，页面上只有各个头的小图，所以找不了。
  请缩短文本。
heads_found_hint: 在你的句子上最像它的头：权重的余弦，最大为 1
heads_found: {place}，余弦 {number}
heads_head: 头
heads_measure_entropy: 熵
heads_measure_largest: 最大权重
heads_measure_previous: 关注前一个词元
heads_measure_itself: 关注自身
heads_measure_next: 关注后一个词元
heads_measure_first: 关注第一个词元
heads_measure_start: 关注开始词元
heads_measure_end: 关注结束词元
heads_measure_marks: 关注标点
heads_measure_diagonal: 关注对角线
heads_measure_pads: 关注填充词元
heads_measure_distance: 平均距离
heads_measure_reach: 距离的标准差
heads_measure_coverage: 覆盖率
heads_measure_likeness: 相似度
heads_measure_links: 与手工连线一致
heads_measure_aligner: 与对齐器一致
heads_measure_loss_zero: 关掉时的损失
heads_measure_loss_mean: 换成平均值时的损失
heads_measure_exact_zero: 关掉时完全正确
heads_measure_exact_mean: 换成平均值时完全正确
heads_about_entropy: 单位是比特，对所有行取平均。
heads_about_largest: 每行最大权重的平均。
heads_about_share: 占它注意力的平均份额，只算有这种词元的行。
heads_about_diagonal: 离直线不超过一个词元的平均权重。
heads_about_pads: 源句后面四个填充词元的份额；有填充掩码时正好是 0。
heads_about_distance: 从这一行到它所关注之处相隔的词元数，按注意力取平均。
heads_about_reach: 这些距离的标准差，单位是词元。
heads_about_coverage: 文本词元中，至少被某一行关注得最多的所占的份额。
heads_about_likeness: 它的权重与同一种注意力里另一个头的最大余弦。
heads_about_links: 写出有连线的词元时，最大权重落在正确的词上的份额。
heads_about_aligner: 同上，但与统计词对齐器相比；由它教过的头与它一致是循环论证。
heads_about_loss: 损失增加多少（每个词元的奈特数）；小于 0 表示没有它反而更好。
heads_about_exact: 直到最后一个词元都正确的输出所占份额的变化。
figure_heads_every: 所有注意力头 · {measure}
export_what_measures: 所有注意力头，按一种度量
export_what_scatter: 所有注意力头，按两种度量
export_what_distances: 这个头关注的距离
figure_heads_on: 在 {n} 个句子上测量（{corpus}）。
""")
