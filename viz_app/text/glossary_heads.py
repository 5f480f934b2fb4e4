"""The words for what a head does on a sentence, explained as in glossary.py.

Each says how its number is computed; stage/run/habits.js computes it.
"""

from viz_app.rooms.written import written

FORMULAS = written("""
term_habit_aligner_formula: meanₜ maxⱼ w(t, j)
term_habit_diagonal_formula: meanₜ Σ w(t, j),  |j − t (S − 1) / (T − 1)| ≤ 1
term_habit_previous_formula: meanₜ w(t, t − 1)
term_habit_itself_formula: meanₜ w(t, t)
term_habit_next_formula: meanₜ w(t, t + 1)
term_habit_first_formula: meanₜ w(t, 0)
term_habit_start_formula: meanₜ w(t, 0)
term_habit_end_formula: meanₜ w(t, S − 1)
term_habit_sharp_formula: meanₜ maxⱼ w(t, j)
term_habit_spread_formula: meanₜ −Σⱼ w(t, j) log₂ w(t, j)
""")

# The shape of those that are a mean over rows.
_OF_ROWS = [
    f"term_habit_{name}_here"
    for name in ("aligner", "previous", "itself", "next", "first", "start", "end", "sharp")
]

EN = (
    FORMULAS
    | dict.fromkeys(_OF_ROWS, "{queries} row{queries|s}")
    | written("""
term_habit_aligner: aligner
term_habit_aligner_about: The head that matches each written word with its source word best,
  measured over many sentences; the model’s card says how well. The number is only how sure it is
  here: the mean of the largest weight of each row.
term_habit_diagonal: diagonal
term_habit_diagonal_about: It moves through the source at the pace of the target. The number is the
  mean weight within one place of the diagonal, from the first token of both to the last. Any word
  for a place needs half of the weight, and twice what an even head would give it.
term_habit_diagonal_here: {queries} row{queries|s} × {keys} key{keys|s}
term_habit_previous: previous
term_habit_previous_about: It looks at the token before its own. The number is the mean weight it
  gives that token, over the rows that have one. Any word for a place needs half of the weight, and
  twice what an even head would give it.
term_habit_itself: itself
term_habit_itself_about: It looks at its own token; in the decoder that is the one fed in. The
  number is the mean weight on it, over the rows that could look elsewhere.
term_habit_next: next
term_habit_next_about: It looks at the token after its own. The number is the mean weight it gives
  that token, over the rows that have one. Only the encoder can look ahead.
term_habit_first: first
term_habit_first_about: It looks at the first token of the source. The number is the mean weight it
  gives it.
term_habit_start: start
term_habit_start_about: It looks at the start token, often where a head rests that has nothing to
  find. The number is the mean weight on it, over the rows that could look elsewhere.
term_habit_end: end
term_habit_end_about: It looks at the end token of the source, often where a head rests that has
  nothing to find. The number is the mean weight it gives it.
term_habit_marks: punctuation
term_habit_marks_about: It looks at punctuation marks. The number is the mean weight that all of
  them get together, over the rows that can see one; for the word, half of the rows must see one.
term_habit_marks_here: {queries} row{queries|s} × {keys} key{keys|s}
term_habit_sharp: sharp
term_habit_sharp_about: Each row picks out one token, but none of the places named here gets half of
  the weight. The number is the mean of the largest weight of each row, at least .50.
term_habit_spread: spread
term_habit_spread_about: It looks at many tokens at once. The number is the mean entropy of its
  rows, in bits: 0 is one token only, 1 is like two alike, 2 is like four, 3 is like eight.
term_habit_spread_here: {keys} key{keys|s}, so at most {most_bits} bits
""")
)

ZH = (
    FORMULAS
    | dict.fromkeys(_OF_ROWS, "{queries} 行")
    | written("""
term_habit_aligner: 对齐
term_habit_aligner_about: 最善于把写出的词与源句中对应的词配对的头，是在大量句子上测出的，
  结果见模型卡。这里的数只表示它在这句话里有多确定：每行最大权重的平均值。
term_habit_diagonal: 对角线
term_habit_diagonal_about: 随着译文的进度在源句中同步前进。数字是对角线左右各一个位置之内的权重之和
  的平均值，对角线从两边的第一个词元连到最后一个。凡是位置类的名称，都要占到一半的权重，
  且至少是平均分配时的两倍。
term_habit_diagonal_here: {queries} 行 × {keys} 个键
term_habit_previous: 前一个
term_habit_previous_about: 关注自己前面的那个词元。数字是给它的权重的平均值，只计有前一个词元的行。
  凡是位置类的名称，都要占到一半的权重，且至少是平均分配时的两倍。
term_habit_itself: 自身
term_habit_itself_about: 关注自己的词元，在解码器中就是输入的那个词元。数字是给它的权重的平均值，
  只计有其他词元可看的行。
term_habit_next: 后一个
term_habit_next_about: 关注自己后面的那个词元。数字是给它的权重的平均值，只计有后一个词元的行。
  只有编码器能往后看。
term_habit_first: 句首
term_habit_first_about: 关注源句的第一个词元。数字是给它的权重的平均值。
term_habit_start: 开始
term_habit_start_about: 关注开始词元，没有目标可找的头常停在这里。数字是给它的权重的平均值，
  只计有其他词元可看的行。
term_habit_end: 结束
term_habit_end_about: 关注源句的结束词元，没有目标可找的头常停在这里。数字是给它的权重的平均值。
term_habit_marks: 标点
term_habit_marks_about: 关注标点符号。数字是所有标点合计得到的权重的平均值，只计能看到标点的行；
  至少一半的行能看到标点时才用这个名称。
term_habit_marks_here: {queries} 行 × {keys} 个键
term_habit_sharp: 聚焦
term_habit_sharp_about: 每一行都盯住一个词元，但这里列出的位置都占不到一半的权重。
  数字是每行最大权重的平均值，不低于 .50。
term_habit_spread: 分散
term_habit_spread_about: 同时关注许多词元。数字是各行的平均熵，单位为比特：0 表示只看一个词元，
  1 相当于两个均分，2 相当于四个，3 相当于八个。
term_habit_spread_here: {keys} 个键，最多 {most_bits} 比特
""")
)
