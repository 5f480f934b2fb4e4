"""The words about models of the Hugging Face library: what is set, and why one cannot be opened."""

from viz_app.rooms.written import written

EN = written("""
set_from: from
set_from_hint: The language of the sentence; the model reads it as a token before the words
set_to: to
set_to_hint: The language to write; its token is given to the model before it chooses any
set_prefix: task
set_prefix_hint: Written before the sentence: the words by which the model learnt its tasks
set_prefix_none: none
set_second: second sentence
set_second_hint: Read behind the first one, as the model learnt to read pairs
set_controls: what the model is told besides
fill_title: instead of {token}
fill_hint: What the model expects where the mask stands; click one to write it there
error_lacks_windows_differ: The layers of this model have different windows, and this room shows one
  mask for all of them. The maps of Translate show each layer’s own.
""")

ZH = written("""
set_from: 源语言
set_from_hint: 句子的语言；模型把它当作单词前面的一个词元来读
set_to: 目标语言
set_to_hint: 要写出的语言；在模型选第一个词元之前，先把它的词元给模型
set_prefix: 任务
set_prefix_hint: 写在句子前面的文字；模型就是凭这些文字学会各项任务的
set_prefix_none: 无
set_second: 第二句
set_second_hint: 接在第一句后面读，模型训练时就是这样读句对的
set_controls: 另外告诉模型的
fill_title: {token} 处
fill_hint: 模型认为掩码处应是什么；点一个就写进去
error_lacks_windows_differ: 这个模型各层的窗口不同，而这一页只给所有层显示同一个掩码。
  每一层自己的掩码见“翻译”页的图。
""")
