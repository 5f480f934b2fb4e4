"""The words about models of the Hugging Face library: what is set, and why one cannot be opened."""

EN = {
    "set_from": "from",
    "set_from_hint": "The language of the sentence; the model reads it as a token before the words",
    "set_to": "to",
    "set_to_hint": "The language to write; its token is given to the model before it chooses any",
    "set_prefix": "task",
    "set_prefix_hint": "Written before the sentence: the words by which the model learnt its tasks",
    "set_prefix_none": "none",
    "set_second": "second sentence",
    "set_second_hint": "Read behind the first one, as the model learnt to read pairs",
    "set_controls": "what the model is told besides",
    "fill_title": "instead of {token}",
    "fill_hint": "What the model expects where the mask stands; click one to write it there",
    "error_setting": "This model has no setting “{name}”.",
    "error_setting_value": "The setting “{name}” cannot be “{value}”. Choose one from its list.",
    "error_no_pads": "This model takes no pads: it goes on from the last token of what it reads.",
    "error_tokenizer_fails": (
        "This model's tokenizer fails on this text. Change the text, or choose another model."
    ),
    "error_hub_library": (
        "This is a model of the library transformers, which is not installed. Install it with: "
        "python -m pip install -r requirements-hub.txt"
    ),
    "error_hub_attention": (
        "This model attends in a way that cannot be seen, so it is not shown. Choose another one."
    ),
    "error_hub_vocabularies": (
        "The pad of this model has one id in its source and another in its target, and a batch "
        "cannot hold both. Choose another one."
    ),
    "error_hub_type": (
        "A model of type {type} cannot be opened here. The README lists the types that can."
    ),
    "error_hub_setting": (
        "Its setting {name} makes this model attend in a way that cannot be seen. Choose another."
    ),
    "error_lacks_windows_differ": (
        "The layers of this model have different windows, and this room shows one mask for all of "
        "them. The maps of Translate show each layer’s own."
    ),
    "error_hub_size": "The model has {n}; at most {limit} can be shown. Take a smaller one.",
    "error_hub_pickled": (
        "Its weights are in {file}, a format that can hide programs. Save the model as safetensors."
    ),
}

ZH = {
    "set_from": "源语言",
    "set_from_hint": "句子的语言；模型把它当作单词前面的一个词元来读",
    "set_to": "目标语言",
    "set_to_hint": "要写出的语言；在模型选第一个词元之前，先把它的词元给模型",
    "set_prefix": "任务",
    "set_prefix_hint": "写在句子前面的文字；模型就是凭这些文字学会各项任务的",
    "set_prefix_none": "无",
    "set_second": "第二句",
    "set_second_hint": "接在第一句后面读，模型训练时就是这样读句对的",
    "set_controls": "另外告诉模型的",
    "fill_title": "{token} 处",
    "fill_hint": "模型认为掩码处应是什么；点一个就写进去",
    "error_setting": "这个模型没有“{name}”这项设置。",
    "error_setting_value": "设置“{name}”不能是“{value}”。请从列表里选。",
    "error_no_pads": "这个模型不接受填充：它从读到的最后一个词元接着写。",
    "error_tokenizer_fails": "这个模型的分词器处理不了这段文字。请改一改文字，或换一个模型。",
    "error_hub_library": (
        "这是 transformers 库的模型，而这个库还没有安装。安装命令："
        "python -m pip install -r requirements-hub.txt"
    ),
    "error_hub_attention": "这个模型的注意力看不到，所以不显示。请换一个模型。",
    "error_hub_vocabularies": (
        "这个模型的填充词元在源句和目标句里编号不同，一个批次放不下两种。请换一个模型。"
    ),
    "error_hub_type": "这里不能打开 {type} 类型的模型。README 列出了能打开的类型。",
    "error_hub_setting": "设置 {name} 使这个模型的注意力看不到。请换一个模型。",
    "error_lacks_windows_differ": (
        "这个模型各层的窗口不同，而这一页只给所有层显示同一个掩码。每一层自己的掩码见“翻译”页的图。"
    ),
    "error_hub_size": "这个模型有 {n}，最多能显示 {limit}。请换小一些的模型。",
    "error_hub_pickled": "它的权重在 {file} 里，这种格式可以藏程序。请把模型存成 safetensors。",
}
