"""The words of kept pictures that the page does not need; the rest are the page's own."""

from viz_app.rooms.written import written

EN = written("""
figure_title: {site}, layer {layer}, head {head}
figure_site_encoder: Encoder self-attention
figure_site_decoder: Decoder self-attention
figure_site_cross: Cross-attention
figure_weight: weight
figure_below: below 0
figure_score: score
figure_dials: Pairs of dimensions, dotted before turning
""")

ZH = written("""
figure_title: {site}，第 {layer} 层，第 {head} 头
figure_site_encoder: 编码器自注意力
figure_site_decoder: 解码器自注意力
figure_site_cross: 交叉注意力
figure_weight: 权重
figure_below: 小于 0
figure_score: 分数
figure_dials: 每一对维度，虚线是旋转之前
""")
