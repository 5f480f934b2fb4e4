"""The Chinese of the errors that model_core and the rooms raise.

Their English stands where they are raised, with a code and what the sentence quotes.
"""

from viz_app.rooms.written import written

ZH = written("""
error_busy: 您会排在第 {n} 位，这台服务器最多接受 {limit} 个请求。请 {seconds} 秒后再试。
error_seconds: 请求超过了 {limit} 秒，这是这台服务器的上限。请缩短文字，或稍后再试。
error_bug: 服务器出错了，日志里有详情。请换个做法再试。
error_left: 提问者已经离开。
error_tokens: 这个模型最多接受 {limit} 个词元（含结束词元和填充），现在有 {n} 个。请缩短句子。
error_half_character: 文字里有半个字符。请重新输入。
error_model: 没有名为“{name}”的模型，现有的模型：{known}。
error_ended: 译文已经结束。要修改，请先退回几步。
error_full: 译文已有 {limit} 个词元，达到上限。要修改，请先退回几步。
error_target: 目标序列有 {n} 个词元，最多允许 {limit} 个。
error_edit: 没有 {edit} 这种改动。
error_edits: 有 {n} 处改动，最多 {limit} 处。请去掉一些。
error_edit_impossible: {edit} 对这个模型不起作用，或需要它没有的东西。
error_edit_place: {edit}：这里只有 {layers} 层，每层 {heads} 个头。
error_edit_means: {edit} 需要这个头的平均输出。请运行：python -m model_core heads NAME
error_edit_token: {edit}：没有第 {token} 个词元，源句只有 {tokens} 个。
error_heads_missing: {name} 的各个头还没有测量。请先运行后面的命令，再重新启动应用：{command}
error_heads_no_folder: {name} 打开时没有文件夹，而头的测量结果要存放在文件夹里。请把模型存进文件夹，
  再打开它。
error_heads_unmeasured: {name} 的各个头还没有测量。请运行：{command}
error_heads_stale: {name} 的各个头是在另一组权重上测量的。请先运行后面的命令，再重新启动应用：
  {command}
error_heads_snapshot: {name} 的各个头没有测量：它是 {whole} 训练到半途的样子。
  请打开 {whole} 来看各个头。
error_heads_broken: heads.safetensors 已损坏。请重新测量各个头。
error_heads_given: 只有权重而没有模型，无法测量各个头。
error_no_snapshot: {name} 没有留下第 {update} 次更新后的权重。留下的有：{known}。
error_token_pad: 不能选择填充词元。请选择一个文本词元或结束词元。
error_token_start: 不能选择开始词元。请选择一个文本词元或结束词元。
error_unknown_word: 文本里有一个词不在这个模型的词表中，而它又没有表示未知词的词元。
  请换用词表中的词。
error_no_pad: 这个模型没有填充词元，几个句子无法组成一批。请换一个模型。
error_no_model: 这些权重没有附带模型，无法运行。
error_model_taken: 已经有名为“{name}”的模型。请换一个名字。
error_beginning_unknown: 这个模型的词表里没有“{text}”的词元。请换个说法。
error_beginning_special: “{token}”是特殊词元；开头只能是文字。
error_beginning_tokens: 开头有 {n} 个词元；这个模型在这里最多写 {limit} 个。请缩短它。
error_odd_width: 正弦位置编码要求宽度是偶数，这个模型的宽度是 {n}。请选择另一种位置编码。
error_odd_heads: 旋转位置编码成对地旋转维度，而这个模型的每个头有 {n} 维。
  请选择头的宽度为偶数的模型。
error_setting: 这个模型没有“{name}”这项设置。
error_setting_value: 设置“{name}”不能是“{value}”。请从列表里选。
error_no_pads: 这个模型不接受填充：它从读到的最后一个词元接着写。
error_tokenizer_fails: 这个模型的分词器处理不了这段文字。请改一改文字，或换一个模型。
error_hub_library: 这是 transformers 库的模型，而这个库还没有安装。安装命令：
  python -m pip install -r requirements-hub.txt
error_hub_attention: 这个模型的注意力看不到，所以不显示。请换一个模型。
error_hub_vocabularies: 这个模型的填充词元在源句和目标句里编号不同，一个批次放不下两种。
  请换一个模型。
error_hub_type: 这里不能打开 {type} 类型的模型。README 列出了能打开的类型。
error_hub_setting: 设置 {name} 使这个模型的注意力看不到。请换一个模型。
error_hub_size: 这个模型有 {n}，最多能显示 {limit}。请换小一些的模型。
error_hub_pickled: 它的权重在 {file} 里，这种格式可以藏程序。请把模型存成 safetensors。
error_no_path: {path} 处什么也没有。请检查路径。
error_sentence_tokens: 批次的第 {number} 句连同结束词元共有 {n} 个词元，
  这个模型最多读取 {limit} 个。请缩短句子。
error_limit_room_steps: 这里的译文到 {limit} 个词元就停止，这是这台服务器的上限；有译文到了上限。
  请缩短句子。
error_compare_sites: {a} 和 {b} 没有共同的注意力，没有可以并排的图。
error_compare_tokens: B 最多接受 {limit} 个词元（含结束词元和填充），这个句子在 {b} 里有 {n} 个。
  请缩短句子，或者另选一个 B。
error_reading_heads: 读法“{reading}”是一层或多层所有头合成的一张图，没有每个头各自的图。
  请用它画一个头的图，或把所有头画成权重或范数。
error_reading_lines: 隐藏一个词的变化可以小于 0，线条没有这样的粗细。请改画交叉注意力的图。
error_reading_cross: 隐藏源句词只用于交叉注意力：请选择它。
error_reading_encoder: 交叉注意力的逐层展开要回到编码器，而这里没有它的权重。
error_reading_source: 这个模型没有与译文分开的源句，也就没有可隐藏的词。
error_reading_whole: 在这个模型里，每多一个词元，前面所有的行都会变，一次前向计算得不到每一步的数。
  请看权重。
""")
