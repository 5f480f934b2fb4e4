"""The words of the room Beam, in Chinese."""

from viz_app.rooms.written import written

ZH = written("""
room_beam: 束搜索
room_beam_hint: 把束搜索画成一棵树：保留什么，剪掉什么，为什么
beam_see: 查看搜索树
beam_see_hint: 在“束搜索”页查看搜索的每一步
beam_controls: 搜索
beam_width: 束宽
beam_width_hint: 每一步保留几个假设；1 就是贪心解码
beam_alpha: 长度惩罚 α
beam_alpha_hint: 得分等于对数概率 ÷ 长度惩罚：α = 0 表示不作修正，α 越大越偏向较长的译文
beam_formula_wu: 得分 = log p ÷ ((5 + 长度) / 6)^{alpha}
beam_formula_power: 得分 = log p ÷ 长度^{alpha}
beam_begin: 搜索从哪里开始
beam_begin_start: 从头开始
beam_begin_start_hint: 搜索整个译文
beam_begin_forced: 从“{token}”之后
beam_begin_forced_hint: 你指定的词元保持不变，搜索从那里继续
beam_shown: 搜索的显示方式
beam_shown_tree: 树
beam_shown_tree_hint: 假设从左到右，每一步最好的在最上面
beam_shown_table: 表格
beam_shown_table_hint: 某一步的所有候选及其数值
beam_steps: 搜索的各步
beam_reset: 回到第一步
beam_back: 后退一步
beam_step: 前进一步
beam_play: 逐步播放
beam_end: 到最后一步
beam_says_same: 这里贪心解码和束搜索写出同样的译文：得分 {score}（{total} 奈特除以 {penalty}）。
beam_says_total: 第 {step} 步，贪心取{greedy_token}（{greedy_p}），
  当下比{beam_token}（{beam_p}）更可能；但到最后，它的对数概率之和 {greedy_total} 奈特输给
  了 {beam_total}：得分 {greedy_score} 对 {beam_score}。
beam_says_penalty: 第 {step} 步，贪心取{greedy_token}（{greedy_p}），
  束搜索取{beam_token}（{beam_p}）。束搜索的整句可能性更低（{beam_total} 对 {greedy_total} 奈特），
  靠长度惩罚取胜：得分 {beam_score} 对 {greedy_score}。
beam_says_worse: 第 {step} 步，贪心取{greedy_token}（{greedy_p}），
  束搜索取{beam_token}（{beam_p}）。贪心的译文得分本来更好，{greedy_score} 对 {beam_score}：
  束搜索在半路丢掉了它，或停得太早。
beam_says_unended: 第 {step} 步，贪心取{greedy_token}（{greedy_p}），
  比{beam_token}（{beam_p}）更可能，却一直没有结束，直到上限。束搜索以总共 {beam_total} 奈特结束。
beam_dropped: 贪心的假设在第 {step} 步被剪掉。
beam_stayed: 贪心的假设一直保留着，只是排在后面。
beam_node: 选中的假设
beam_node_says: {text}：共 {total} 奈特，除以 {penalty} 得 {score}；
  {token}单独的概率是 {probability}
beam_fate_kept: 保留，在这一步的 {considered} 个候选中排第 {rank}
beam_fate_pruned: 剪掉，在这一步的 {considered} 个候选中排第 {rank}
beam_fate_finished: 已结束，在这一步的 {considered} 个候选中排第 {rank}
beam_died: 到第 {step} 步被淘汰
beam_lives: 一直保留到最后
beam_won: 所有假设中最好的
beam_look: 在“翻译”页查看
beam_look_hint: 显示这个假设，以及写出它最后一个词元那一步的注意力
beam_take: 作为分支继续
beam_take_hint: 用当前策略从这个假设继续往下写；屏幕上的译文会成为分支
beam_map: {site}，第 {layer} 层第 {head} 头：写出每个词元时关注了哪里
beam_map_rows: 写出
beam_map_alone: 其他假设的注意力需要模型。请打开应用来看。
beam_tree_label: 搜索树。方向键可到父节点、最好的子节点，或在同一步里上下移动。
beam_start: 开始
beam_found: 找到的译文
beam_found_measure: 得分是模型自己的尺度，不是对译文的评判：得分更高，译文可能更差。
beam_found_none: 没有一个写到结束；这些达到了上限
beam_column_rank: 名次
beam_column_text: 假设
beam_column_probability: 词元的概率
beam_column_total: 奈特
beam_column_penalty: ÷ 惩罚
beam_column_score: 得分
beam_column_fate: 结果
beam_finished: 结束
beam_key_kept: 保留
beam_key_won: 最好的（粗线）
beam_key_finished: 已结束
beam_key_pruned: 剪掉
beam_key_greedy: 贪心走的路
beam_key_dead: 灰色：后来被淘汰
beam_key_twice: 同一列里出现两次的词，来自两个不同的开头。
beam_ending_enough: 已有 {width} 个假设结束，搜索到此为止。
beam_ending_best: 其余假设都不可能超过最好的那个，搜索到此为止。
beam_ending_likely: 已有 {width} 个假设结束，其余假设如果现在结束都不会更好：
  按 transformers 的 generate，搜索到此为止。
beam_ending_bound: 已有 {width} 个假设结束，其余假设都不可能更好，搜索到此为止。
beam_ending_limit: 达到 {limit} 个词元的上限，搜索到此为止。
beam_ending_nothing: 没有剩下的假设，搜索到此为止。
figure_beam: 束搜索，束宽 {width}，长度惩罚 {alpha}
export_what_beam: 束搜索的搜索树
""")
