"""The words about a model: its card, and what to know before believing its picture."""

from model_core.values.config import UNUSUAL
from viz_app.rooms.written import written

EN = written("""
card: About this model
model_then: update {update} · {title}
model_earlier: This model earlier in its training
card_device: Computed on {device}, in {dtype}.
card_site: {site}: layers {layers}, heads in each {heads}.
card_site_shared: {site}: layers {layers}, heads in each {heads}, which share {key_heads} of keys
  and values.
card_shape: An encoder-decoder Transformer: {encoder_layers} encoder layer{encoder_layers|s} of
  {encoder_heads} head{encoder_heads|s} and {decoder_layers} decoder layer{decoder_layers|s} of
  {decoder_heads}, width {width}, feed-forward {feed_forward_width}, vocabulary {vocabulary};
  {kinds}.
card_training: Trained from nothing on {pairs} pairs, with {updates} updates in {minutes}
  minute{minutes|s}.
card_training_guided: Trained from nothing on {pairs} pairs, with {updates} updates in {minutes}
  minute{minutes|s}. Some of its cross-attention heads were taught to align words.
card_data_reverse: Random strings of lower-case letters and digits, made by the program.
card_data_tatoeba: Sentences from Tatoeba (tatoeba.org), CC BY 2.0 FR, by way of
  manythings.org/anki.
card_parameters: Where its {n} parameters are
part_norm: norms
part_embedding: embeddings
part_positions: learned positions
part_encoder_attention: encoder self-attention
part_encoder_feed_forward: encoder feed-forward
part_decoder_attention: decoder self-attention
part_cross_attention: cross-attention
part_decoder_feed_forward: decoder feed-forward
part_output: output projection
card_scores: How good it is, on sentences that training never saw
card_bleu: BLEU
card_chrf: chrF
card_exact_match: exact match
card_beam: beam {n}
card_interval: ± is half of the 95% interval of 1,000 bootstrap resamples.
card_alignment: Its best head misaligns (error rate, aligned by hand): {rates}.
card_rate_everyday: {rate}% on {pairs} everyday sentences
card_rate_formal: {rate}% on {pairs} formal ones
card_own: Of {of} sentences of our own it gets {right} right.
card_between: ", "
card_lengths: {score} by the number of source tokens
card_span: {n} to {m}
card_from: {n} or more
card_sentences: {n} sentence{n|s}
card_usual: 99% of the sentences that it was scored on have at most {n} tokens.
card_earlier: At which update of its training
card_earlier_says: The weights after these updates were kept; each is this model earlier in its
  training.
card_bring: Your own model
card_bring_how: Put its folder beside others and start with:
card_unusual: What is unusual about it
unusual_own_settings: Its own generation settings rule greedy decoding and beams: repeating, ending
  early or some words may be forbidden or cost more. The candidates show what the model itself
  expects, so the token taken may not be the first of them.
unusual_no_guidance: Its own generation settings ask for guidance by a second pass without the
  prompt (guidance_scale). Decoding here goes without it, and may write something else.
unusual_row_sums: Some rows do not sum to 1, as the weights of a softmax do. They are shown as they
  are.
unusual_below_zero: Some weights are below 0; they have the colour of 0.
unusual_above_one: Some weights are above 1; they have the colour of 1.
bring: Open a model of your own
bring_about: On this computer: a folder of this program or of transformers, or a state dict that
  other from-scratch code saved (.pt, .pth, .safetensors). Nothing in it is run.
bring_path: Path
bring_layout: Whose code
bring_layout_guess: by the names of its tensors
bring_tokenizers: Tokenizers, one path per line: of the source, then of the target
bring_tokenizers_hint: without any, a text is token ids: 17 4 230
bring_heads: Heads
bring_settings: What the file does not say, as FIELD=VALUE
bring_open: Open
bring_busy: Reading the file…
group_imported: Opened by you
error_bring: This page opens no files: only one on the same computer does.
error_lacks_reads_whole: This room follows one row on its own, and in this model every new token
  changes all rows.
guard_Han: This looks like Chinese; the model has hardly seen any.
guard_Latin: This does not look like Chinese, which is all the model reads.
guard_switch: Switch to {model}
guard_offer: This model reverses letters and digits, so it got an example.
guard_reverse: Reverse “{text}” all the same
guard_bytes: {bytes} of {n} tokens are single bytes: the model has hardly seen these characters.
guard_long: {n} tokens: 99% of the sentences that it was scored on have at most {usual}.
# What tells a model that comes with the project from others for the same languages.
named_en-fr-prenorm: pre-norm
named_reverse-hard: hard attention
named_reverse-sinusoidal: sinusoidal positions
named_reverse-learned: learned positions
named_reverse-rotary: rotary positions
named_reverse-no-positions: no positions
named_reverse-dot: scores not scaled
named_reverse-additive: additive similarity
named_reverse-bilinear: bilinear similarity
named_reverse-post-norm: post-norm
named_reverse-four-heads: four heads
named_tutorial-convolutions: convolutions
named_tutorial-pre-norm: norms of one gain
named_tutorial-joined-heads: no output projection
named_tutorial-bilinear: similarity q W k
named_tutorial-no-bias: no bias in attention
group_translation: Translation
group_reversal: Reversing letters
group_positions: Reversing, other positions
group_similarity: Reversing, another similarity
group_layers: Reversing, other layers
group_tutorials: Reversing, as tutorials build it
error_empty: There is no sentence yet; a model would make one up. Type one, or choose an example.
""") | {f"unusual_{code}": sentence for code, sentence in UNUSUAL.items()}

ZH = written("""
card: 关于这个模型
model_then: 第 {update} 次更新后 · {title}
model_earlier: 这个模型训练到半途
card_device: 在 {device} 上计算，数值类型为 {dtype}。
card_site: {site}：{layers} 层，每层 {heads} 个头。
card_site_shared: {site}：{layers} 层，每层 {heads} 个头，共用 {key_heads} 组键和值。
card_shape: 编码器-解码器 Transformer：编码器 {encoder_layers} 层，每层 {encoder_heads} 个头；
  解码器 {decoder_layers} 层，每层 {decoder_heads} 个头；宽度 {width}，前馈层 {feed_forward_width}，
  词表 {vocabulary}；{kinds}。
card_training: 用 {pairs} 个句对从零训练：{updates} 次更新，用了 {minutes} 分钟。
card_training_guided: 用 {pairs} 个句对从零训练：{updates} 次更新，用了 {minutes} 分钟。
  部分交叉注意力头还专门训练过词对齐。
card_data_reverse: 由程序生成的小写字母和数字的随机串。
card_data_tatoeba: 句子来自 Tatoeba（tatoeba.org），CC BY 2.0 FR，取自 manythings.org/anki。
card_parameters: {n} 个参数分布在哪里
part_norm: 归一化
part_embedding: 词嵌入
part_positions: 可学习的位置
part_encoder_attention: 编码器自注意力
part_encoder_feed_forward: 编码器前馈层
part_decoder_attention: 解码器自注意力
part_cross_attention: 交叉注意力
part_decoder_feed_forward: 解码器前馈层
part_output: 输出投影
card_scores: 效果如何（句子都没有在训练中出现过）
card_bleu: BLEU
card_chrf: chrF
card_exact_match: 完全一致
card_beam: 束宽 {n}
card_interval: ± 是 1,000 次自助重采样所得 95% 区间的一半。
card_alignment: 对齐效果最好的头，错误率为（与人工对齐相比）：{rates}。
card_rate_everyday: {pairs} 个日常句子上 {rate}%
card_rate_formal: {pairs} 个正式句子上 {rate}%
card_own: 我们自拟的 {of} 个句子，译对 {right} 个。
card_between: ，
card_lengths: 按源句词元数看 {score}
card_span: {n} 到 {m}
card_from: {n} 及以上
card_sentences: {n} 句
card_usual: 评分所用的句子，99% 不超过 {n} 个词元。
card_earlier: 训练的哪一步
card_earlier_says: 这个模型训练途中几次更新后的权重也留着，每一份都是一个可以打开的模型。
card_bring: 你自己的模型
card_bring_how: 把模型的文件夹与其他模型放在一起，然后这样启动：
card_unusual: 与常见实现的不同之处
unusual_cross_queries: 交叉注意力的查询和键来自源句，值来自目标句：目标句用填充词元补到与源句等长，
  不能更长，而且总是整个一起读。想要更长，请增加填充。
unusual_joined: 各个头按内存里的顺序直接拼接，没有转置回来：一个位置的行里混有别的位置（包括后面位
  置）的片段，所以每多一个词元，前面所有的行都会变。
unusual_no_pad_mask: 没有填充掩码：填充词元和别的词元一样被关注。
unusual_hidden_score: 掩码写入 −1e9 而不是 −∞：没有任何可关注的键时，这一行的注意力是均匀的。
unusual_divisor: 分数除以 √D（模型宽度），而不是 √E（头的宽度）。
unusual_rotation: 旋转位置把查询和键转过与通常相反的角度。
unusual_scalar_norm: 归一化对所有维度只有一个增益和一个偏置，除以样本标准差，ε 加在根号外。
unusual_sample_norm: 归一化除以样本标准差（除数为 D − 1），ε 加在根号外。
unusual_no_output_projection: 各头拼接后不再投影。
unusual_unscaled_embedding: 词嵌入不乘 √D。
unusual_source_start: 源句前面也有开始词元。
unusual_own_settings: 贪心和束搜索按它自己的生成设置进行：重复、过早结束或某些词可能被禁止或加罚。
  候选词显示的是模型自己的预测，所以取的词元不一定排第一。
unusual_no_guidance: 它自己的生成设置要求用一遍不带提示的计算来引导（guidance_scale）。
  这里的解码不作引导，写出的可能不同。
unusual_row_sums: 有些行的和不是 1，不像 softmax 的权重。数字原样显示。
unusual_below_zero: 有些权重小于 0，用 0 的颜色表示。
unusual_above_one: 有些权重大于 1，用 1 的颜色表示。
bring: 打开你自己的模型
bring_about: 这台电脑上的一个模型文件夹（本程序或 transformers 的），
  或者别的从零实现的代码保存的 state dict（.pt、.pth、.safetensors）。其中的代码不会运行。
bring_path: 路径
bring_layout: 代码来源
bring_layout_guess: 由张量的名字判断
bring_tokenizers: 分词器，每行一个路径：先源语言，后目标语言
bring_tokenizers_hint: 没有分词器时，文本就是词元编号：17 4 230
bring_heads: 头数
bring_settings: 文件没有写明的设置，写成 FIELD=VALUE
bring_open: 打开
bring_busy: 正在读取文件……
group_imported: 自己打开的模型
error_bring: 这个页面不打开文件：只有在同一台电脑上的页面才可以。
error_lacks_reads_whole: 这一页只跟踪一行，而在这个模型里，每多一个词元，所有的行都会变。
guard_Han: 这像是中文，而这个模型几乎没见过中文。
guard_Latin: 输入的好像不是中文；这个模型只能翻译中文。
guard_switch: 换成 {model}
guard_offer: 这个模型只会颠倒字母和数字，所以先给了它一个例子。
guard_reverse: 仍然颠倒“{text}”
guard_bytes: {n} 个词元中有 {bytes} 个是单个字节：模型几乎没见过这些字符。
guard_long: 有 {n} 个词元；评分所用的句子，99% 不超过 {usual} 个。
# What tells a model that comes with the project from others for the same languages.
named_en-fr-prenorm: 前置归一化
named_reverse-hard: 硬注意力
named_reverse-sinusoidal: 正弦位置
named_reverse-learned: 可学习的位置
named_reverse-rotary: 旋转位置
named_reverse-no-positions: 无位置
named_reverse-dot: 分数不缩放
named_reverse-additive: 加性相似度
named_reverse-bilinear: 双线性相似度
named_reverse-post-norm: 后置归一化
named_reverse-four-heads: 四个头
named_tutorial-convolutions: 卷积
named_tutorial-pre-norm: 归一化只有一个增益
named_tutorial-joined-heads: 没有输出投影
named_tutorial-bilinear: 相似度 q W k
named_tutorial-no-bias: 注意力没有偏置
group_translation: 翻译
group_reversal: 颠倒字母
group_positions: 颠倒字母：换位置编码
group_similarity: 颠倒字母：换相似度
group_layers: 颠倒字母：换层的结构
group_tutorials: 颠倒字母：教程里的结构
error_empty: 还没有输入句子，模型只能凭空编一句。请输入一句，或选一个例子。
""")
