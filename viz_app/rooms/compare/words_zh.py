"""The words of the room Compare, in Chinese."""

from viz_app.rooms.written import written

ZH = written("""
room_compare: 对照
room_compare_hint: 并排看两次运行：模型、句子、策略或改动不同
# the two runs
compare_runs: 两次运行
compare_pick: 选择 B
compare_sentence: B 的句子，按回车读入
compare_same: 用 A 的句子
compare_same_hint: B 读 A 的句子
compare_keep: 把 A 留作 B
compare_keep_hint: 之后无论做什么，A 都留在旁边，直到 B 被更换
compare_swap: 互换
compare_swap_hint: A 变成 B，B 变成 A
compare_edits: 改动 {n} 处
compare_by_beam: 束搜索
compare_by_sample: 采样
compare_by_greedy: 贪心解码
compare_group_run: 同一个模型，同一个句子
compare_group_training: 同一个模型和句子，训练的另一步
compare_group_models: 同一个句子，别的模型
compare_way_update: 第 {n} 次更新后
compare_way_untouched: 不作改动
compare_way_greedy: 贪心解码
compare_way_beam: 用束搜索
compare_way_same: 它的另一个头
compare_way_usual: 默认的对照，跟随 A
compare_unedited: 无
compare_differs: B 和 A 的不同：{what}。
compare_refused: 无法显示 B，原因见上方。请换一个 B，或修改它的句子。
compare_differs_head: B 显示的是它最像 A 的那个头。
compare_differs_nothing: A 和 B 是同一次运行，只有头可以不同。
compare_differs_model: 模型（A：{a}，B：{b}）
compare_differs_update: 训练的更新次数（A：{a}，B：{b}）
compare_differs_source: 句子
compare_differs_pads: 填充（A：{a}，B：{b}）
compare_differs_edits: 改动（A：{a}，B：{b}）
compare_differs_strategy: 词元的选法（A：{a}，B：{b}）
compare_differs_forced: 指定的词元
compare_differs_fed: 输入的是 A 的词元
compare_training: B 训练到哪一步
compare_training_hint: 拖动滑块，看训练另一步的 B
compare_training_at: 第 {n} 次更新（共 {of} 次）
compare_old: 运行已经变了，这里还是上一次的数。
# how they are laid side by side
compare_align: 词元怎样对齐
compare_by_text: 按文字
compare_by_text_hint: 相同的词元并排，其余的单独成行或成列
compare_by_position: 按位置
compare_by_position_hint: 第一个词元对第一个，第二个对第二个
compare_aligned_text: 按文字对齐：
compare_aligned_position: 按位置对齐：
compare_aligned_whole: {ar} 行和 {ac} 列全都有对应。
compare_aligned_part: {rows} 行和 {columns} 列有对应。A 有 {ar} 行 {ac} 列，B 有 {br} 行 {bc} 列，
  没有对应的留空。
# maps
compare_maps: A、B，以及两者之差
compare_map: {run} · 第 {layer} 层第 {head} 头
compare_difference: A − B
compare_map_label: {title}：{rows} 行，{columns} 列
compare_point: 指向或点一下一格，读出它在两次运行里的值。点一行，光标就移到那里。
compare_point_whole: 指向或点一下一格，读出它在两次运行里的值。
compare_reading: “{query}”对“{key}”的权重：A 为 {a}，B 为 {b}，A − B 为 {difference}。
compare_reading_one: “{query}”对“{key}”的权重：{only} 为 {weight}，另一次运行没有这一格。
compare_reading_neither: “{query}”对“{key}”：两次运行都没有这一格。
compare_reading_hidden: “{query}”对“{key}”：两次运行里都被掩码遮住。
# what differs
compare_unfinished: A 还没写完，目前有 {n} 步；B 是完整的。可以继续往下走，或让 A 一直写到结束。
compare_parts: A 和 B 从第 {n} 步起不同：A 写“{x}”（{px}），B 写“{y}”（{py}）。
compare_same_tokens: A 和 B 的 {n} 个目标词元相同。
compare_same_so_far: A 和 B 都写出的前 {n} 个词元相同。
compare_fed: 有 {n} 步，B 自己会写出与下一步输入不同的词元。
compare_most: 权重相差最大的是“{query}”对“{key}”：A 为 {a}，B 为 {b}。
compare_distance: 对所有行取平均，一行有 {mean} 的注意力在 B 中转移到了别处（总变差）；
  最多的是“{row}”那一行，{most}。
compare_moved: 候选里变化最大的是第 {n} 步的“{x}”：A 里 {a}，B 里 {b}。
compare_branch: 和这个分支对照
compare_same_maps: 这两张图完全相同，一位不差。
compare_same_rows: 两张图都有的行完全相同，一位不差。
compare_nothing_beside: A 的格子在 B 里都没有对应。请改为按位置对齐。
compare_stale: B 的模型的权重和留存时不同，所以重新翻译了它的句子。
# candidates
compare_candidates: 两次运行里接下来可能的词元
compare_candidate: 下一个
compare_a: A
compare_b: B
compare_change: A − B
compare_taken: 已选
compare_after: 第 {n} 步，在“{x}”之后
compare_after_two: A 的第 {n} 步，在“{x}”之后；B 的第 {m} 步，在“{y}”之后
compare_after_one: 第 {n} 步，在“{x}”之后；只有 {only} 有这一步
# heads
compare_heads: 每个头相差多少
compare_heads_scale: 的注意力（每行平均）在 B 中转移到了别处
compare_head: A 和 B 的第 {layer} 层第 {head} 头：平均 {far}
compare_heads_press: 点一个头，同时查看 A 和 B 的这个头。
compare_alike: B 里最像 A 这个头的：第 {layer} 层第 {head} 头
compare_alike_hint: B 的各个头里，每一行离 A 的这个头最近的
# elsewhere on the page
compare_tool: 留作 B
compare_tool_hint: 把这次运行留作 B。接着换一个词元、换句子或换模型，再打开“对照”，
  两次运行并排显示。
compare_group_with: 对照
compare_untouched: 与未改动的对照
compare_dropped: 对照
compare_dropped_hint: 和刚才被清除的词元对照
# files and pictures
figure_compare: 两次运行的{site}
figure_compare_map: {run} · 第 {layer} 层，第 {head} 头
figure_compare_apart: 平均每一行有 {mean} 的注意力在 B 中转移到了别处
export_what_compare: 两次运行和它们之差
""")
