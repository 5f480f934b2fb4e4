"""The words of the room Positions, in simplified Chinese; as in words.py."""

from viz_app.rooms.written import written

ZH = written("""
room_positions: 位置
room_positions_hint: 模型怎样知道词元在第几位，词序起什么作用
positions_view_table: 位置表
positions_view_table_hint: 每个位置加上什么，画成波形
positions_view_sum: 相加
positions_view_sum_hint: 你的句子：词嵌入 + 位置
positions_view_order: 词序
positions_view_order_hint: 移动词语，看什么会变，什么不可能变
positions_view_rotary: 转动 q 和 k
positions_view_rotary_hint: 不相加，而是旋转查询和键
positions_lead_table_sinusoidal: 每一行是加到一个[position|位置]上的向量：正弦和余弦，频率由高到低。
  位置移动几步，每一对数字就像表针一样转过一个角度。
positions_lead_table_learned: 每一行是加到一个[position|位置]上的向量。每个数都由训练得出，
  最后一行之后没有别的位置。
positions_lead_table_rotary: 什么也不加。每一行是一个[position|位置]把[query|查询]和[key|键]的各对数
  字转过的角度，以余弦和正弦表示。
positions_lead_table_relative: 每一行是[query|查询]与[key|键]的一种距离，每一列是一个[head|头]：
  格子里是加到[score|分数]上的数。较远的距离共用一个数。
positions_lead_sum: 进入[encoder|编码器]和[decoder|解码器]的是[embedding|词嵌入] +
  [position|位置编码]，逐个数字相加。点任意一格，核对这个和。
positions_lead_order: 有两个字或词交换了位置。再交换别的，或者只改一个词的位置，然后去掉位置编码，
  看看还剩下什么变化。
positions_lead_rotary: 旋转位置编码什么也不加，而是把[query|查询]和[key|键]的每一对数字转一个角度。
  选一个靠后的词元，看表盘怎样转动。
positions_axis_position: 位置
positions_axis_dimension: 维度
positions_axis_query: 查询的位置
positions_axis_key: 键的位置
# table
positions_kind: 位置编码的种类
positions_kind_sinusoidal: 正弦
positions_kind_sinusoidal_hint: 固定的正弦和余弦
positions_kind_learned: 可学习
positions_kind_learned_hint: 每个位置一行，由训练得到
positions_kind_rotary: 旋转
positions_kind_rotary_hint: 旋转查询和键，不加任何东西
positions_kind_relative: 相对
positions_kind_relative_hint: 按距离给分数加偏置；不加任何向量
positions_note_relative: 嵌入上不加任何东西。在分数与 softmax 之间，每个分数都加上一个偏置：
  它取决于查询与键的距离，每个头各有一套，所有层共用。
positions_note_sinusoidal_halves: PE(p, i) = sin(p / 10000^(i/({steps})))，
  PE(p, D/2 + i) = cos(p / 10000^(i/({steps})))，p 从 {first} 数起：前一半维度是正弦，
  后一半是余弦 · {positions} 个位置 × {dimensions} 维
positions_axis_distance: 距离：键 − 查询
positions_axis_head: 头
positions_table_bias: 偏置：距离 × 头
positions_chip_head: 第 {head} 头
positions_reading_bias: 键与查询的距离为 {distance} 时，第 {head} 头给分数加上 {value}。
  第 {bucket} 号桶：距离 {from} 到 {upto} 的偏置相同。
positions_table_side: 哪一侧的表
positions_sum_norm: 在这个模型里，和进入第一层之前还要经过一次归一化。
positions_kind_none: 无
positions_kind_none_hint: 不告诉模型任何顺序
positions_beside: 对照：{kind}
positions_own: 这个模型自己的：{kind}
positions_own_kind: 这个模型自己的
positions_not_own: 仅供比较；这个模型使用的是：{kind}
positions_note_sinusoidal: PE(p, 2i) = sin(p / 10000^(2i/D))，PE(p, 2i+1) = cos(p / 10000^(2i/D)) ·
  {positions} 个位置 × {dimensions} 维
positions_note_sinusoidal_foreign: 同样大小的正弦模型会加上的数；这个模型并不这样做。
  · {positions} 个位置 × {dimensions} 维
positions_note_learned: 这里的每个数都是训练学到的。· {positions} 个位置 × {dimensions} 维
positions_note_learned_foreign: 同样大小的可学习位置表在训练前的样子：很小的随机数，由训练慢慢塑造。
  · {positions} 个位置 × {dimensions} 维
positions_note_rotary: 每一对维度旋转角度的余弦和正弦 · {positions} 个位置 × 每个头 {dimensions} 维
positions_note_rotary_foreign: 同样大小的旋转模型会转过的角度，以余弦和正弦表示；
  这个模型并不这样做。· {positions} 个位置 × 每个头 {dimensions} 维
positions_note_none: 除了因果掩码，这个模型对顺序一无所知。
positions_note_none_foreign: 什么也不加。
positions_cut: 只画出前 {rows} × {columns}
positions_none_added: 什么也不加。这样的编码器分不清词的先后：请看“词序”。
positions_columns: 画出哪些维度
positions_columns_waves: 按波长
positions_columns_waves_hint: 先正弦，后余弦；波长每次增大同样的倍数
positions_columns_all: 全部维度
positions_columns_all_hint: 每一维都在模型里原来的位置上
positions_sines: 正弦：波长
positions_cosines: 余弦：波长
positions_picked: {pairs} 对中的 {drawn} 对
positions_picked_hint: 按波长的对数均匀挑选；在这么少的位置上几乎不变的波没有画出
positions_table: 位置 × 维度
positions_table_label: {rows} 个位置 × {columns} 维的位置表。用方向键移动选择。
positions_curves: 曲线
positions_curves_label: 所选维度随位置变化的曲线
positions_keep: 保留这条曲线
positions_keep_hint: 保留或去掉这一维的曲线（在位置表里按住 Shift 点击）
positions_drop: 去掉这条曲线
positions_chip: {dimension} · λ {length}
positions_sine_wave: 正弦
positions_cosine_wave: 余弦
positions_wavelength: 第 {dimension} 维是{wave}，波长 {length}：每过这么多个位置重复一次。
positions_no_wavelength: 第 {dimension} 维没有波长：它不是波。
positions_alike: 有多相似（余弦相似度）
positions_two: 两个位置
positions_place: 位置 {name}
positions_apart: 相隔
positions_apart_hint: a 与 b 之间相差几个位置
positions_product: 点积
positions_product_hint: a、b 两行的点积
positions_cosine: 余弦相似度
positions_cosine_hint: 点积除以两行的长度
positions_length: 距离
positions_length_hint: 两行之差的长度
positions_turn: 为什么用正弦？平移就是旋转：位置移动 {k} 步，第 {a}、{b} 维就转过 {k} × {frequency}
  = {radians} 弧度 = {degrees}°，从哪里出发都一样。
positions_turn_learned: 可学习的位置表里没有波：位置平移不必对应旋转。
positions_alike_label: {rows} 个位置两两之间的余弦相似度。用方向键移动选择。
positions_reading_added: 位置 {row} 给第 {column} 维加上 {value}。
positions_reading_turned: 位置 {row} 的第 {column} 列是 {value}。
positions_reading_alike: 从位置 {a} 到位置 {b}，相距 {distance}，向量转过 {degrees}°：
  余弦相似度为 {cosine}。
# sum
positions_side: 哪一边的词元
positions_side_source_hint: 进入编码器的数
positions_side_target_hint: 进入解码器的数
positions_embedding: 词嵌入 × {scale}
positions_position: 位置编码
positions_sum: 和
positions_tokens_source: 源句
positions_tokens_target: 目标句（输入词元）
positions_sum_label: {part}：{rows} 个词元 × {columns} 维。用方向键移动选择。
positions_sum_unchanged: 这个模型不加位置编码：和就是词嵌入。
positions_reading_sum: “{token}”，位置 {row}，第 {column} 维：{embedding} + {position} = {sum}
positions_lengths: “{token}”的向量长度：词嵌入 {embedding}，位置编码 {position}，和 {sum}
# order
positions_words: 按顺序排列的词；点两个词就交换它们
positions_word: {word}，位置 {row}
positions_press_two: 点两个词，交换它们的位置。
positions_of_word: “{word}”的位置是 {row}；再点一个词，或者移动它的位置：
positions_earlier: 位置提前一个
positions_later: 位置推后一个
positions_shuffle: 打乱
positions_shuffle_hint: 随机排列这些词
positions_reverse: 颠倒
positions_reverse_hint: 把词的顺序倒过来
positions_restore: 恢复原样
positions_restore_hint: 把每个词和每个位置放回原处
positions_look_off: 此处没有可查看的内容：那一页里的模型带着自己的位置编码
positions_look_rows: 此处没有可查看的内容：那一页里每个词都在自己的位置上
positions_look_text: 此处没有可查看的内容：按这个顺序输入，词会切分成别的词元
positions_look_changed: 查看改动后句子里这一格的计算过程，它会成为上方的句子
positions_example_hint: 教程里的“你打我”和“我打你”：只需交换两个词
positions_mode: 模型里的位置编码
positions_on: 有位置
positions_on_hint: 模型原来的样子
positions_off: 无位置
positions_off_hint: 权重不变，去掉位置编码
positions_map_before: 原来的顺序
positions_map_after: 新的顺序
positions_map_difference: 词放回原位后的差
positions_order_label: 注意力权重，{part}。用方向键逐格移动。
positions_verdict_on: 把行和列都放回原位，{stack}的权重仍然相差最多 {largest}：顺序起了作用。
positions_verdict_causal: 放回原位后，{stack}的权重仍然相差最多 {largest}：单凭因果掩码，
  这个模型就知道顺序。
positions_verdict_pairs: 放回原位后，{stack}的权重仍然相差最多 {largest}：
  区分第一句和第二句的向量不跟着词移动。
positions_verdict_same: 什么都没有改变，或者这个模型没有位置编码：{largest}。
positions_verdict_off: 放回原位后，{stack}的权重最多相差 {largest}：还是同样的注意力，
  只是跟着词移动了。
positions_verdict_tied: 放回原位后，编码器的权重最多相差 {largest}。没有位置编码时，
  相同的词元得分相同，而硬注意力只取得分最高的第一个。
positions_reading_order_hint: 请指向或点一下一格。第三张图里，每个词元都回到了原来的位置。
positions_reading_order_before: 原来的顺序：“{query}”对“{key}”的权重为 {value} · 第 {layer} 层，
  第 {head} 头
positions_reading_order_after: 新的顺序：“{query}”对“{key}”的权重为 {value} · 第 {layer} 层，
  第 {head} 头
positions_reading_order_difference: “{query}”对“{key}”的权重变化了 {value} · 第 {layer} 层，
  第 {head} 头
positions_changes: 放回原位后的最大差别
positions_prediction: 下一个词元
positions_sure: 可以证明：不论权重是多少，这里都不变；剩下的只是舍入误差
positions_same: ≡ {value}
positions_next: 下一个词元，接在其后：
positions_after: 接在哪个目标词元之后
positions_after_change: 改变之后
positions_prediction_at: 该词元处
positions_next_at: 这个词元处的预测：
positions_follows: 接着写出的
positions_translations: 译文
positions_proof: 用 float64 重算：{double}。
positions_sure_mark: ≡ 不论权重多少都必然相同，其余是舍入误差
# rotary
positions_rotary_own: 这个模型就是这样旋转查询和键的。虚线：旋转前；实线：旋转后。
positions_rotary_foreign: 如果用旋转位置编码，这个模型自己的查询和键会变成这样；
  模型本身并不旋转它们。虚线：旋转前；实线：旋转后。
positions_dials: 每对维度一个表盘：● 查询，○ 键
positions_dials_label: 每对维度一个表盘，画出旋转前后。用方向键逐对移动。
positions_dial: 第 {a}、{b} 维：查询“{query}”转过 {turned}°，键“{key}”转过 {other}°
positions_placed: 两者放在任意位置时的分数
positions_placed_label: 查询在 {rows} 个位置、键在同样多的位置时的分数。用方向键逐格移动。
positions_by_distance: 分数与距离（查询 − 键）
positions_spread: 距离相同的各对最多相差 {spread}，只是舍入误差：分数只取决于距离。
positions_spread_other: 距离相同的各对相差可达 {spread}：用这种相似度（{similarity}）时，
  分数不只取决于距离。
positions_reading_placed: “{query}”在位置 {row}，“{key}”在位置 {column}，距离 {distance}：
  分数 {score}
positions_reading_pair: “{token}”在位置 {row}，第 {a}、{b} 维转过 {radians} 弧度 = {degrees}°。
positions_reading_score: “{query}”与“{key}”的分数：旋转前 {before}，旋转后 {after}。
# files and pictures
figure_value: 数值
figure_cosine: 余弦
figure_wavelength: 波长
figure_sines: 正弦
figure_cosines: 余弦
figure_dimension_plain: 维度 {d}
figure_dimension_of: 维度 {d}，波长 {wavelength}
figure_positions: 位置表：{kind}
figure_similarity: 各位置有多相似：{kind}
figure_curves: 各维度随位置的变化：{kind}
figure_head_plain: 第 {h} 头
figure_sum: 进入第一层的向量
figure_order: {site}，第 {layer} 层，第 {head} 头：改变词元顺序
figure_rotary: {site}，第 {layer} 层，第 {head} 头：旋转位置
figure_unturned: 旋转前的分数
figure_turned: 旋转后的分数
figure_placed: “{query}”和“{key}”放在任意位置
export_what_positions: 位置表
export_what_curves: 曲线
export_what_similarity: 各位置有多相似
export_what_sum: 词嵌入 + 位置编码
export_what_order: 改变前后的注意力
export_what_rotary: 旋转
""")
