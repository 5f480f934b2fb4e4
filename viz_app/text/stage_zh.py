"""The words of the stage and of the Translate room, in simplified Chinese; as in stage_en.py."""

from viz_app.rooms.written import written
from viz_app.text.stage_en import SIGNS

ZH = SIGNS | written("""
# first line
title: 注意力可视化
tagline: 看 Transformer 逐个词元翻译时，每一步在关注什么。
rooms: 页面
room_translate: 翻译
room_translate_hint: 一步一步地翻译，看清每一个注意力头
room_awaited: 模型正在为你的句子计算。
views_of_room: 这里显示什么
model: 模型
language_switch: EN
language_switch_hint: Show in English
language_en: 英语
language_fr: 法语
language_de: 德语
language_es: 西班牙语
kind_pre: 前置归一化
kind_post: 后置归一化
kind_scaled_dot: 缩放点积
kind_dot: 点积
kind_additive: 加性相似度
kind_bilinear: 双线性相似度
kind_soft: 软注意力
kind_hard: 硬注意力
kind_sinusoidal: 正弦位置
kind_learned: 可学习的位置
kind_rotary: 旋转位置
kind_none: 无位置
language_zh: 中文
language_text: 文本
language_reversed: 倒序文本
scheme: 切换浅色与深色
large: 投影模式：一张大图
jumps: 本页的各个部分
skip: 跳到注意力图
close: 关闭
api_link: 通过 API 使用
# source
source: 要翻译的句子
source_placeholder: 输入一句话（最多 {limit} 个字符），按回车键
examples: 例句
translate: 翻译
translate_hint: 一直翻译到结束（Enter）
translate_decoder: 续写
translate_decoder_hint: 一直写到结束（Enter）
translate_encoder: 读入
translate_encoder_hint: 读入这段文字（Enter）
stepwise: 逐步翻译
stepwise_hint: 只从开始词元起步（Shift+Enter）
count: {n} / {limit}
pads: 填充
pads_word: [pad|填充]
pads_hint: 在句子后面加填充词元。它们的权重为零，不改变任何数字。
pads_fewer: 减少一个填充
pads_more: 增加一个填充
# errors
error_network: 服务器没有回应。屏幕上的内容依然完整，请稍后再试。
error_answer: 无法读取服务器的回应。请重新载入页面，再试一次。
error_no_models: 还没有模型。请把模型放进 checkpoints/，再重新启动应用。
error_characters: 最多 {limit} 个字符，现在有 {n} 个。请缩短句子。
error_checkpoint: 这个模型的文件无法使用。{message}
error_place: 这个句子和模型里没有这样的位置。请重新载入页面，再试一次。
error_request: 页面提出了程序不认识的请求。请重新载入页面，再试一次。
error_token: 没有编号为 {token} 的词元，这个模型的词表共有 {limit} 个。
# what a room lacks
error_lacks_own_weights: 这一页要拆开模型自身的参数，而对这个模型，程序只看得到注意力的计算。
  请换一个模型。
error_no_steps: 这里没有写出任何词元，所以没有步骤，也没有候选词元。
error_lacks_no_model: 这一页要运行模型，而这些权重没有附带模型。请打开模型本身。
error_lacks_site_encoder: 这一页需要编码器，这个模型没有。
error_lacks_site_decoder: 这一页需要解码器，这个模型没有。
error_lacks_site_cross: 这一页需要交叉注意力，这个模型没有。
error_other: 服务器返回的消息：{message}
# tokens
sentences: 源句和目标句的词元
strip_source: 源句
strip_target: 目标句
token_start: 开始
token_end: 结束
token_pad: 填充
token_unknown: 未知
title_piece: 子词：{piece}
title_byte: 词表里没有这个字，它是这个字的一个字节
title_greedy: 贪心：概率最大的词元，{probability}
title_sampled: 采样得到，概率 {probability}
title_beam: 由束搜索选出，概率 {probability}
title_forced: 你的选择，概率 {probability}
title_given: 给定的词元，不是模型选的，概率 {probability}
title_pending: 下一个词元还没有选定
spelling: 词元的写法
spelling_plain: 文字
spelling_plain_hint: 按普通文字显示词元
spelling_pieces: 子词
spelling_pieces_hint: 按分词器的写法显示词元
# candidates
candidates: 概率最大的下一个词元
candidate: 选择 {token}，概率 {probability}
candidate_chosen: {token}，概率 {probability}，这一步的选择
candidate_seen: {token}，概率 {probability}
title_take: 点击选它，其后的词元会被丢弃
title_chosen: 这一步的选择
title_cannot_take: 这里不能选
next_given: 读入“{after}”，下一个词元“{token}”是给定的 · {probability}
next_open: 读入“{after}”，可能写出：
next_limit: 读入“{after}”：已达到 {limit} 个词元的上限
next_greedy: 读入“{after}”，写出“{token}” · 贪心 · {probability}
next_sampled: 读入“{after}”，写出“{token}” · 采样 · {probability}
next_beam: 读入“{after}”，写出“{token}” · 束搜索 · {probability}
next_forced: 读入“{after}”，你选了“{token}” · {probability}
# moving
playback: 步骤
move_reset: 重新开始
move_reset_hint: 回到开始词元；被清除的词元可用“撤销”找回
move_back: 后退
move_back_hint: 后退一步（←）
move_step: 前进
move_step_hint: 前进一步（→）
move_play: 播放
move_pause: 暂停
move_play_hint: 依次播放每一步（空格键）
move_end: 到末尾
move_end_hint: 运行到结束
slider: 步骤
move_undo: 撤销
move_undo_hint: 找回刚才被清除的词元（Ctrl+Z）
step_of: 第 {n} 步，共 {m} 步
step_open: 第 {n} 步，未完
strategy: 怎样选择下一个词元
strategy_about: 下一个[token|词元]取自 [logit|logit] 经 [softmax|softmax] 得到的概率：
  [greedy|贪心]取最大的，[sampling|采样]按概率抽取，束搜索寻找最好的译文。
strategy_greedy: 贪心
strategy_greedy_hint: 总是选择概率最大的词元
strategy_sample: 采样
strategy_sample_hint: 按概率随机抽取词元
strategy_sample_at: 采样，T {temperature}
strategy_beam: 束搜索
strategy_beam_hint: 同时搜索几个译文，取最好的
strategy_beam_at: 束搜索，宽 {width}
width: 束宽
width_hint: 同时保留 {least} 到 {most} 个译文，1 即贪心
temperature: [temperature|温度]
temperature_hint: {least} 到 {most}，小于 1 更集中
top_k_hint: 只留最好的 k 个，0 为全留
top_p_hint: 只留概率之和达到 p 的前几个
seed: [seed|种子]
seed_hint: 种子相同，结果相同
# heads
sites: 注意力
site_encoder: 编码器
site_decoder: 解码器
site_cross: 交叉
site_encoder_long: 编码器自注意力
site_decoder_long: 解码器自注意力
site_cross_long: 交叉注意力
site_encoder_about: [self_attention|自注意力]：源句词元（行，[query|查询]）关注源句词元（列，
  [key|键]）。
site_decoder_about_whole: [self_attention|自注意力]：目标句词元（行，
  [query|查询]）关注目标句词元（列，[key|键]）。
site_cross_about_whole: [cross_attention|交叉注意力]：目标句词元（行，
  [query|查询]）关注源句词元（列，[key|键]）。
site_decoder_about: [self_attention|自注意力]：每行是一[shift|步]（[query|查询]），
  关注[causal_mask|自身及之前]的目标词元（列，[key|键]）。
site_cross_about: [cross_attention|交叉注意力]：每行是一[shift|步]（[query|查询]），
  关注源句词元（列，[key|键]）。
pick: 哪一个头
pick_layer: 层
pick_head: 头
pick_layer_word: [layer|层]
pick_head_word: [head|头]
order: [head|注意力头]排序
order_place: 按层
order_entropy: 按集中程度
order_scale: 集中 → 分散（比特）
heads: 所有注意力头：指向可预览，点击可锁定
head_label: 第 {layer} 层，第 {head} 头：平均熵 {bits} 比特
# large map
map_role: 注意力图
map_title: {site} · 第 {layer} [layer|层] · 第 {head} [head|头]
map_label: {title}：{rows} 行，{columns} 列。用方向键逐格移动。
entropy_bits: [entropy|熵] {bits} 比特
view: 视图
view_heat: 热力图
view_heat_hint: 每个权重一格
view_lines: 连线
view_lines_hint: 每个权重一条线，权重越大线越粗
view_table: 表格
view_table_hint: 所有权重的数值
axis_rows_source: 查询：源句
axis_rows_whole: 查询：目标句
axis_rows_fed: 查询：目标句（输入词元）
axis_rows_step: 查询：读入 → 写出
axis_rows_step_short: 查询：写出
axis_columns_source: 键：源句
axis_columns_target: 键：目标句（输入词元）
axis_columns_whole: 键：目标句
masked: 被掩码遮住
# the sentence under the map
reading_hint: 指向或点一下一个格子，就能读出它的数（也可以用方向键）。
reading_hint_lines: 指向或点一下一个词元，只看它的连线。
reading_source: “{query}”对“{key}”的关注权重为 {weight} · 第 {layer} 层，第 {head} 头
reading_step: 读入“{from}”、写出“{query}”的这一步，对“{key}”的关注权重为 {weight} · 第 {layer} 层，
  第 {head} 头
reading_pending: 读入“{from}”的这一步（下一个词元还没选定），对“{key}”的关注权重为 {weight} ·
  第 {layer} 层，第 {head} 头
reading_masked_future: “{from}”不能关注“{key}”：后者在它之后 · 第 {layer} 层，第 {head} 头
reading_masked_pad: “{from}”不能关注填充词元：权重恰好为 0 · 第 {layer} 层，第 {head} 头
reading_masked_hidden: “{from}”不能关注“{key}”：一处改动把它遮住了 · 第 {layer} 层，第 {head} 头
reading_masked_window: “{from}”不能关注“{key}”：它太靠前，在模型的窗口之外 · 第 {layer} 层，
  第 {head} 头
reading_row_source: “{query}”主要关注{list}
reading_row_step: 读入“{from}”、写出“{query}”的这一步，主要关注{list}
reading_row_pending: 读入“{from}”的这一步（下一个词元还没选定），主要关注{list}
reading_column: 对“{key}”关注最多的是{list}
reading_column_none: 没有词元关注“{key}”
list_between: 、
parts_between: ；
# help
help: 帮助
help_cells: 一行是正在看的词元，一列是被看的词元。格子颜色越强，这一行给它的注意力越多；
  每行加起来是 1。
help_steps: 在解码器里，一行就是一步：读入一个词元，写出下一个。“前进”走下一步；
  点一个已经写出的词元，就回到写它的那一步。
help_own: 可以输入自己的句子，换一个候选，关掉一些头，打开别的模型。
help_words: 带点线的词，点一下就有解释。
keys: 快捷键
key_step_does: 后退一步，前进一步
key_head_does: 上一个头，下一个头
key_first_does: 选择概率最大的下一个词元
key_others_does: 选择对应的候选词元
key_play_does: 播放或暂停
key_ends_does: 第一步，最后一步
key_cells_does: 焦点在图上：逐格移动，Esc 离开
key_grid_does: 焦点在各头之间：逐头移动
key_translate_does: 在句子框里：翻译，逐步翻译
shortcuts: 单字符快捷键
key_undo_does: 找回刚才被清除的词元
key_off_does: 关掉或打开这个头；在源句词元上：遮住或露出它
key_list_does: 打开这份帮助
# a page without a server
made_of_weights: 由“注意力可视化” {version} 用没有附带模型的权重生成：这里不能逐步运行、不能预测，
  也不能拆开来看。不访问服务器。
made_with: 由“注意力可视化” {version} 用模型 {model} 生成。内容全部在本页内，不访问服务器。
alone: 灰色的控件需要运行中的应用。
alone_asks: 这需要模型。请打开应用来使用。
error_alone: 本页只有导出的内容；其他内容请打开应用查看。
# a site of such pages
site_all: 全部例句
site_all_hint: 本站的所有模型和例句
site_live: 打开在线版
site_live_hint: 在运行中的应用里打开这个句子，可以随意改动：{live}
error_alone_live: 灰色的控件需要模型；运行中的应用在 {live}
needs_script: 本页用 JavaScript 绘图。请先允许它，再打开本页。
""")
