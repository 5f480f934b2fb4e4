"""The words of the room Masks, in simplified Chinese; as in words.py."""

from viz_app.rooms.written import written

ZH = written("""
room_masks: 掩码
room_masks_hint: 一个批次里遮住了什么；掩码改错之后又会泄漏什么
masks_view_masks: 掩码
masks_view_masks_hint: 补齐后的批次、它的掩码，以及故意改错掩码的后果
masks_view_passes: 一次前向 / 逐步解码
masks_view_passes_hint: 教师强制与逐步解码对照
masks_see_encoder: 没有词元关注[pad|填充词元]：它们所在的列在每一行都被遮住。
  试试把填充掩码设为“关闭”，看看泄漏了什么。
masks_see_decoder: 任何词元都不能关注[pad|填充词元]和后面的词元：每往下一行，可见的多一个。
  试试把因果掩码设为“关闭”。
masks_see_cross: 译文每一步都能关注整个源句，只有[pad|填充词元]除外。试试把填充掩码设为“关闭”，
  看[weight|权重]怎样移动。
masks_see_passes: 同一个矩阵的两种算法：训练时[teacher_forcing|一次算出所有行]，翻译时每步算出一行。
  拖动滑块看看。
masks_batch: 批次
masks_batch_about_source: 源句，补齐到 {n} 个词元
masks_batch_about_fed: 输入，补齐到 {n} 个词元
masks_batch_about_one: 只有 1 个句子，不需要填充
masks_opened_none: 显示的是第 {n} 句：它有填充，你的句子没有。
masks_opened_both: 显示的是第 {n} 句：它的源句和译文都有填充，你的只有一边有。
masks_show: 显示第 {n} 句
masks_fed: 输入
masks_first: 这就是上方输入框里的句子，请在那里修改。
masks_edit: 第 {n} 句，按回车键读入
masks_add: 添加一句
masks_full: 一个批次最多 {n} 句
masks_change: 修改第 {n} 句
masks_remove: 删除第 {n} 句
masks_lesson: 教程例句
masks_lesson_hint: 教程里的批次：三个长短不一的歌名
masks_unfold: 画出所有填充
masks_fold: 只数填充
masks_look_pad_row: 此处没有可查看的内容：这一行或这一列是批次的填充词元
masks_look_many_pads: 此处没有可查看的内容：单独一句最多加 {limit} 个填充
masks_look_broken_hint: 查看这一格的计算过程，用的是模型自己的掩码
masks_breaks: 故意改错掩码
masks_restore: 复原
masks_restore_hint: 恢复模型自己的掩码
masks_causal: [causal_mask|因果掩码]
masks_causal_intact: 正确
masks_causal_intact_hint: 目标词元只关注自己和前面的词元
masks_causal_none: 关闭
masks_causal_none_hint: 每个目标词元都能关注整个译文
masks_causal_ahead: 偏移 +1
masks_causal_ahead_hint: 每个词元还能看到下一个，而那正是它要预测的
masks_causal_behind: 偏移 −1
masks_causal_behind_hint: 每个词元都看不到自己，第一个什么也看不到
masks_pads: [pad|填充][mask|掩码]
masks_pads_intact: 正确
masks_pads_intact_hint: 遮住填充词元所在的列
masks_pads_none: 关闭
masks_pads_none_hint: 填充词元像普通词元一样被关注
masks_pads_rows: 遮了行，没遮列
masks_pads_rows_hint: 遮住的是填充词元所在的行，而不是列
masks_lacking_causal: 这个模型没有因果掩码，也没有步骤：它一次读完整个文本。
masks_fill: 被遮住的[score|分数]变为
masks_fill_infinite: −∞
masks_fill_infinite_hint: 被遮住的分数变成负无穷
masks_fill_finite: −1e9
masks_fill_finite_hint: 被遮住的分数变成负十亿，许多教程这样写
masks_map_pad: 填充掩码
masks_map_causal: 因果掩码
masks_map_combined: 两者合并
masks_map_scores: 掩码前的[score|分数]
masks_map_masked: [mask|掩码]后的分数
masks_map_weights: [softmax|softmax] 后的[weight|权重]
masks_map_weights_hard: [weight|权重]
masks_map_once: 一次前向
masks_map_stepped: 已走 {n} 步，共 {m} 步
masks_map_difference: 差
masks_sign_causal: ∧
masks_sign_combined: =
masks_sign_masked: + 掩码 =
masks_sign_weights: softmax →
masks_sign_weights_hard: →
masks_sign_stepped: −
masks_sign_difference: =
masks_maps: 掩码的算式
masks_before: 上一张图
masks_next: 下一张图
masks_open: 1 可见
masks_hidden: 0 遮住
masks_no_causal_encoder: 这里没有因果掩码：整个源句一开始就已知，每个词元都可以关注后面的词元。
masks_no_causal_cross: 这里没有因果掩码：行是目标词元，列是源词元，而整个源句都是已知的。
masks_axes: {site} · 第 {layer} 层 · 第 {head} 头 · {rows} · {columns}
masks_map_label: {title}：{rows} 行 {columns} 列。方向键在格子间移动。
masks_rows_source: 行：源句，作查询
masks_rows_fed: 行：目标句（输入词元），作查询
masks_columns_source: 列：源句，作键
masks_columns_fed: 列：目标句（输入词元），作键
masks_reading_hint: 指向或点一下任意一格，就能在其他图中看到同一格。
masks_reading_broken: 圆点：本该遮住的格子；叉号：不该遮住的格子。指向或点一下其中一格看看。
masks_reading_open: “{query}”可以关注“{key}”：分数 {score}，掩码放行，权重 {weight}
masks_reading_opened: “{query}”本不该关注“{key}”，却看到了它：分数 {score}，权重 {weight}
masks_reading_hidden: “{query}”不能关注“{key}”，{why}：分数 {score} 变成 {fill}，权重 {weight}
masks_reading_once: “{query}” → “{key}”：一次前向得 {once}，逐步解码得 {stepped}，相差 {difference}
masks_reading_later: “{query}” → “{key}”：一次前向得 {once}；这一步还没走到
masks_why_pad: 因为它是填充词元
masks_why_future: 因为它在后面
masks_why_row: 因为整行被遮住
masks_why_window: 因为它太靠前，在模型的窗口之外
masks_why_itself: 因为掩码偏移了 −1
masks_check: 泄漏了什么
masks_check_nothing: 没有泄漏：填充词元和后文的权重恰好是 0
masks_check_pads: 平均有 {mean} 的权重落在填充词元上
masks_check_future: 平均有 {mean} 的权重落在后文
masks_check_pads_brief: 平均 {mean} 落在填充词元上
masks_check_future_brief: 平均 {mean} 落在后文
masks_check_here: 所有头的平均；这个头是 {here}，
masks_check_most: 最多的是第 {layer} 层第 {head} 头：{most}
masks_check_most_hint: 显示那个头
masks_check_pads_none: 这里没有填充词元
masks_check_pads_none_more: 换一个更短的句子看看
masks_check_pads_after: 填充词元的权重仍恰好是 0
masks_check_pads_after_more: 它们排在最后，因果掩码已经把它们遮住
masks_check_pads_zero: 填充词元的权重恰好是 0
masks_check_empty: 空行：{rows}
masks_check_empty_more: 什么也看不到，权重全是 0；若只靠 softmax，就成了 0 除以 0
masks_check_empty_brief: 权重全是 0
masks_check_uniform: 均匀：{rows}
masks_check_uniform_more: 什么也看不到，−1e9 却给 {keys} 个键各分 {part}，被遮住的也有份
masks_check_uniform_brief: −1e9 给 {keys} 个键各分 {part}
masks_check_fill: 这里 −1e9 与 −∞ 得到的权重完全一样
masks_check_fill_more: 因为没有空行；把因果掩码偏移 −1，或遮行不遮列，就能看出差别
masks_check_rows_one: “{label}”这一行
masks_check_rows_many: {labels}这 {n} 行
masks_check_rows_count: {n} 行
masks_check_same: 预测都没有变
masks_check_no_predictions: 这个模型不作预测，只能看权重的变化
masks_check_changed: {positions} 处预测中有 {changed} 处变了
masks_check_changed_one: {positions} 处预测中有 1 处变了
masks_check_change: 预测最多变了 {most}
masks_check_change_more: 平均 {mean}；0 = 预测相同，1 = 完全不重合
masks_check_change_brief: 平均 {mean}；1 = 完全不重合
masks_check_others: 其他句子：{positions} 个中有 {changed} 个，最大 {most}
masks_predictions: 最可能的下一个词元
masks_predictions_at: 每个位置上最可能的词元
masks_after: 接在
masks_at: 位置
masks_own_best: 正确的掩码
masks_broken_best: 改错之后
masks_distance: 变化
masks_apart: 解码器与交叉注意力的所有层、所有头中，最大的差：权重 {weights}，分数 {scores}，
  对数概率 {log_probabilities} 奈特。这只是 float32 的舍入误差，用 float64 计算几乎消失。
masks_counts: 训练时整个译文已知，解码器运行一次就得到 {rows} 行。翻译时每个词元要先选出来才能输入，
  解码器要运行 {rows} 次。
masks_shift_title: [shift|错开一位]
masks_shift: 解码器的输入是在译文前加上开始词元；要预测的是左移一位、以结束词元收尾的同一译文。
  第 {n} 行看到“{fed}”为止，应当预测“{predicted}”，而那正是下一行的输入。因果掩码若偏移 +1，
  这一行就能直接看到自己的答案。
masks_shift_last: 解码器的输入是在译文前加上开始词元；要预测的是左移一位的同一译文。
  第 {n} 行看到“{fed}”为止，应当预测“{predicted}”，其后不再输入。
masks_position: 行
masks_predicted: 预测
masks_p_once: 一次前向的概率
masks_p_stepped: 逐步解码的概率
masks_step: 已走的步数
masks_limit: 已到上限
error_sentence_characters: 批次的第 {number} 句有 {n} 个字符，最多读取 {limit} 个。请缩短句子。
error_sentence_half_character: 批次的第 {number} 句里有半个字符。请重新输入。
error_batch: 这一批有 {n} 个句子，允许 1 到 {limit} 个。请增加或减少句子。
# files and pictures
figure_masks: {site}的掩码
figure_marks: + 改错后放开 · × 改错后遮住
figure_scores: {site}，第 {layer} 层，第 {head} 头：从分数到权重
figure_passes: {site}，第 {layer} 层，第 {head} 头：一次前向与逐步解码对照
figure_broken: 改错的掩码怎样改变预测 · {change}
figure_intact: 掩码都正确
figure_distance: 全变差距离
figure_best: 最可能的词元及其概率
figure_sentence: 第 {n} 句，共 {m} 句
export_what_masks: 掩码
export_what_scores: 掩码前的分数、掩码后的分数、权重
export_what_broken: 预测改变了多少
export_what_passes: 一次前向与逐步解码对照
""")
