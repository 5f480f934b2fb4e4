"""The words of the room Translate."""

EN: dict[str, str] = {
    # what heads are sorted by
    "order_largest": "sharpness",
    "order_previous": "previous",
    "order_itself": "itself",
    "order_next": "next",
    "order_first": "first",
    "order_start": "start",
    "order_end": "end",
    "order_marks": "punctuation",
    "order_diagonal": "diagonal",
    "order_scale_share": "{measure}: most → least",
    "head_habit": "layer {layer}, head {head}: {habit} {number}; mean entropy {bits} bits",
    "head_measured": "layer {layer}, head {head}: {measure} {number}; mean entropy {bits} bits",
    # what a head does: short enough for the place under a small map
    "habit_aligner": "aligner",
    "habit_diagonal": "diagonal",
    "habit_previous": "previous",
    "habit_itself": "itself",
    "habit_next": "next",
    "habit_first": "first",
    "habit_start": "start",
    "habit_end": "end",
    "habit_marks": "marks",
    "habit_sharp": "sharp",
    "habit_spread": "spread",
    "habits_encoder": (
        "Here a head looks at: [habit_previous|previous] · [habit_itself|itself] · "
        "[habit_next|next] · [habit_first|first] · [habit_end|end] · [habit_marks|punctuation] · "
        "else it is [habit_sharp|sharp] or [habit_spread|spread]"
    ),
    "habits_decoder": (
        "Here a head looks at: [habit_previous|previous] · [habit_itself|itself] · "
        "[habit_start|start] · [habit_marks|punctuation] · else it is [habit_sharp|sharp] or "
        "[habit_spread|spread]"
    ),
    "habits_cross": (
        "Here a head is: [habit_aligner|aligner] · [habit_diagonal|diagonal] · on the "
        "[habit_first|first] or [habit_end|end] token · on [habit_marks|punctuation] · else "
        "[habit_sharp|sharp] or [habit_spread|spread]"
    ),
    # pictures
    "figure_heads": "{site}, all heads",
    "figure_layer": "layer {layer}",
    "figure_head": "head {head}",
    "figure_candidates": "Step {step}: what may follow “{after}”",
    "figure_probability": "probability, of all tokens together 1",
    "figure_chosen": "✓ the token taken",
    "figure_reads": (
        "%{{customdata[0]}} looks at %{{customdata[1]}} with weight %{{customdata[2]:.3f}}"
    ),
    "export_what_encoder": "encoder self-attention: this head",
    "export_what_decoder": "decoder self-attention: this head",
    "export_what_cross": "cross-attention: this head",
    "export_what_lines": "this head as lines",
    "export_what_heads": "all heads of this site",
    "export_what_candidates": "the candidates of this step",
}

ZH: dict[str, str] = {
    # what heads are sorted by
    "order_largest": "按最大权重",
    "order_previous": "按前一个",
    "order_itself": "按自身",
    "order_next": "按后一个",
    "order_first": "按句首",
    "order_start": "按开始词元",
    "order_end": "按结束词元",
    "order_marks": "按标点",
    "order_diagonal": "按对角线",
    "order_scale_share": "{measure}：从多到少",
    "head_habit": "第 {layer} 层，第 {head} 头：{habit} {number}；平均熵 {bits} 比特",
    "head_measured": "第 {layer} 层，第 {head} 头：{measure} {number}；平均熵 {bits} 比特",
    # what a head does: short enough for the place under a small map
    "habit_aligner": "对齐",
    "habit_diagonal": "对角线",
    "habit_previous": "前一个",
    "habit_itself": "自身",
    "habit_next": "后一个",
    "habit_first": "句首",
    "habit_start": "开始",
    "habit_end": "结束",
    "habit_marks": "标点",
    "habit_sharp": "聚焦",
    "habit_spread": "分散",
    "habits_encoder": (
        "这句话里，头主要关注：[habit_previous|前一个] · [habit_itself|自身] · "
        "[habit_next|后一个] · [habit_first|句首] · [habit_end|结束] · [habit_marks|标点]；"
        "否则为[habit_sharp|聚焦]或[habit_spread|分散]"
    ),
    "habits_decoder": (
        "这句话里，头主要关注：[habit_previous|前一个] · [habit_itself|自身] · "
        "[habit_start|开始] · [habit_marks|标点]；否则为[habit_sharp|聚焦]或[habit_spread|分散]"
    ),
    "habits_cross": (
        "这句话里，头的类型：[habit_aligner|对齐] · [habit_diagonal|对角线] · "
        "关注[habit_first|句首]、[habit_end|结束]或[habit_marks|标点]；"
        "否则为[habit_sharp|聚焦]或[habit_spread|分散]"
    ),
    # pictures
    "figure_heads": "{site}，所有注意力头",
    "figure_layer": "第 {layer} 层",
    "figure_head": "第 {head} 头",
    "figure_candidates": "第 {step} 步：“{after}”之后可能是什么",
    "figure_probability": "概率（所有词元合计为 1）",
    "figure_chosen": "✓ 已选的词元",
    "figure_reads": "%{{customdata[0]}} 对 %{{customdata[1]}} 的权重为 %{{customdata[2]:.3f}}",
    "export_what_encoder": "编码器自注意力：这个头",
    "export_what_decoder": "解码器自注意力：这个头",
    "export_what_cross": "交叉注意力：这个头",
    "export_what_lines": "这个头的连线图",
    "export_what_heads": "这一处的所有头",
    "export_what_candidates": "这一步的候选词元",
}
