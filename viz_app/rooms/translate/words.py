"""The words of the room Translate."""

EN: dict[str, str] = {
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
