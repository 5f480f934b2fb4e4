"""The words about a model: its card, and what to know before believing its picture."""

EN = {
    "card": "About this model",
    "card_shape": (
        "An encoder-decoder Transformer: {encoder_layers} encoder and {decoder_layers} decoder "
        "layers of {encoder_heads} and {decoder_heads} heads, width {width}, feed-forward "
        "{feed_forward_width}, vocabulary {vocabulary}; {kinds}."
    ),
    "card_training": (
        "Trained from nothing on {pairs} pairs, with {updates} updates in {minutes} minutes."
    ),
    "card_training_guided": (
        "Trained from nothing on {pairs} pairs, with {updates} updates in {minutes} minutes. Some "
        "of its cross-attention heads were taught to align words."
    ),
    "card_data_reverse": "Random strings of lower-case letters and digits, made by the program.",
    "card_data_tatoeba_en_fr": (
        "Sentences from Tatoeba (tatoeba.org), CC BY 2.0 FR, by way of manythings.org/anki."
    ),
    "card_data_tatoeba_en_zh": (
        "Sentences from Tatoeba (tatoeba.org), CC BY 2.0 FR, by way of manythings.org/anki."
    ),
    "card_parameters": "Where its {n} parameters are",
    "part_norm": "norms",
    "part_embedding": "embeddings",
    "part_positions": "learned positions",
    "part_encoder_attention": "encoder self-attention",
    "part_encoder_feed_forward": "encoder feed-forward",
    "part_decoder_attention": "decoder self-attention",
    "part_cross_attention": "cross-attention",
    "part_decoder_feed_forward": "decoder feed-forward",
    "part_output": "output projection",
    "card_scores": "How good it is, on sentences that training never saw",
    "card_bleu": "BLEU",
    "card_chrf": "chrF",
    "card_exact_match": "exact match",
    "card_greedy": "greedy",
    "card_beam": "beam {n}",
    "card_interval": "± is half of the 95% interval of 1,000 bootstrap resamples.",
    "card_alignment": "Its best head misaligns (error rate, aligned by hand): {rates}.",
    "card_rate_everyday": "{rate}% on {pairs} everyday sentences",
    "card_rate_formal": "{rate}% on {pairs} formal ones",
    "card_own": "Of {of} sentences of our own it gets {right} right.",
    "card_between": ", ",
    "card_lengths": "{score} by the number of source tokens",
    "card_span": "{n} to {m}",
    "card_from": "{n} or more",
    "card_sentences": "{n} sentences",
    "card_usual": "99% of the sentences that it was scored on have at most {n} tokens.",
    "card_bring": "Your own model",
    "card_bring_how": "Put its folder beside others and start with:",
    "guard_Han": "This looks like Chinese; the model has hardly seen any.",
    "guard_Latin": "This does not look like Chinese, which is all the model reads.",
    "guard_switch": "Switch to {model}",
    "guard_offer": "This model reverses letters and digits, so it got an example.",
    "guard_reverse": "Reverse “{text}” all the same",
    "guard_bytes": (
        "{bytes} of {n} tokens are single bytes: the model has hardly seen these characters."
    ),
    "guard_long": "{n} tokens: 99% of the sentences that it was scored on have at most {usual}.",
    "group_translation": "Translation",
    "group_reversal": "Reversing letters",
    "group_positions": "Reversing, other positions",
    "group_similarity": "Reversing, another similarity",
    "group_layers": "Reversing, other layers",
    "group_tutorials": "Reversing, as tutorials build it",
    "error_empty": (
        "There is no sentence yet; a model would make one up. Type one, or choose an example."
    ),
}

ZH = {
    "card": "关于这个模型",
    "card_shape": (
        "编码器-解码器 Transformer：编码器 {encoder_layers} 层、解码器 {decoder_layers} 层，"
        "每层 {encoder_heads} 和 {decoder_heads} 个头，宽度 {width}，前馈层 {feed_forward_width}，"
        "词表 {vocabulary}；{kinds}。"
    ),
    "card_training": ("用 {pairs} 个句对从零训练：{updates} 次更新，用了 {minutes} 分钟。"),
    "card_training_guided": (
        "用 {pairs} 个句对从零训练：{updates} 次更新，用了 {minutes} 分钟。"
        "部分交叉注意力头学过对齐词语。"
    ),
    "card_data_reverse": "由程序生成的小写字母和数字的随机串。",
    "card_data_tatoeba_en_fr": (
        "句子来自 Tatoeba（tatoeba.org），CC BY 2.0 FR，经由 manythings.org/anki。"
    ),
    "card_data_tatoeba_en_zh": (
        "句子来自 Tatoeba（tatoeba.org），CC BY 2.0 FR，经由 manythings.org/anki。"
    ),
    "card_parameters": "{n} 个参数分布在哪里",
    "part_norm": "归一化",
    "part_embedding": "词嵌入",
    "part_positions": "可学习的位置",
    "part_encoder_attention": "编码器自注意力",
    "part_encoder_feed_forward": "编码器前馈层",
    "part_decoder_attention": "解码器自注意力",
    "part_cross_attention": "交叉注意力",
    "part_decoder_feed_forward": "解码器前馈层",
    "part_output": "输出投影",
    "card_scores": "在训练时没见过的句子上有多好",
    "card_bleu": "BLEU",
    "card_chrf": "chrF",
    "card_exact_match": "完全一致",
    "card_greedy": "贪心",
    "card_beam": "束宽 {n}",
    "card_interval": "± 是 1,000 次自助重采样所得 95% 区间的一半。",
    "card_alignment": "最好的头的对齐错误率（与人工对齐相比）：{rates}。",
    "card_rate_everyday": "{pairs} 个日常句子上 {rate}%",
    "card_rate_formal": "{pairs} 个正式句子上 {rate}%",
    "card_own": "我们自拟的 {of} 个句子，译对 {right} 个。",
    "card_between": "，",
    "card_lengths": "按源句词元数看 {score}",
    "card_span": "{n} 到 {m}",
    "card_from": "{n} 及以上",
    "card_sentences": "{n} 句",
    "card_usual": "评分所用的句子，99% 不超过 {n} 个词元。",
    "card_bring": "你自己的模型",
    "card_bring_how": "把模型的文件夹与其他模型放在一起，然后这样启动：",
    "guard_Han": "这像是中文，而这个模型几乎没见过中文。",
    "guard_Latin": "这不像中文，而这个模型只读中文。",
    "guard_switch": "换成 {model}",
    "guard_offer": "这个模型只会颠倒字母和数字，所以先给了它一个例子。",
    "guard_reverse": "仍然颠倒“{text}”",
    "guard_bytes": "{n} 个词元中有 {bytes} 个是单个字节：模型几乎没见过这些字符。",
    "guard_long": "有 {n} 个词元；评分所用的句子，99% 不超过 {usual} 个。",
    "group_translation": "翻译",
    "group_reversal": "颠倒字母",
    "group_positions": "颠倒字母：换位置编码",
    "group_similarity": "颠倒字母：换相似度",
    "group_layers": "颠倒字母：换层的结构",
    "group_tutorials": "颠倒字母：教程里的结构",
    "error_empty": "还没有句子；模型会凭空编一句。请输入一句，或选一个例子。",
}
