"""The words of a site's index."""

EN = {
    "lead": (
        "Every head, every step and every number of these translations, as the models computed "
        "them. Nothing here asks a server."
    ),
    "live": "To translate your own sentences, open the running app: {live}",
    "no_live": (
        "To translate your own sentences, install the program from its folder (pip install .) and "
        "run attention-visualiser."
    ),
    "computes": (
        "Choose a sentence, then type your own over it: the model is fetched once and runs in your "
        "browser. Nothing you type leaves it."
    ),
    "sizes": "{layers} layers · {heads} heads · width {width}",
    "fetched": "{megabytes} MB to fetch",
    "made": "Made by Attention Visualiser {version}: {sentences}, {models}.",
    "sentence": "1 sentence",
    "sentences": "{n} sentences",
    "model": "1 model",
    "models": "{n} models",
    "recorded": "as it was recorded: of transformers, which needs torch",
}
ZH = {
    "lead": "这些译文的每个注意力头、每一步、每个数字，都是模型算出来的。这里不访问任何服务器。",
    "live": "想翻译自己的句子，请打开运行中的应用：{live}",
    "no_live": (
        "想翻译自己的句子，请在程序的文件夹里用 pip install . 安装，再运行 attention-visualiser。"
    ),
    "computes": (
        "选一个例句，再换成自己的句子：模型只下载一次，就在你的浏览器里运行，输入的内容不会离开。"
    ),
    "sizes": "{layers} 层 · {heads} 个头 · 宽度 {width}",
    "fetched": "下载 {megabytes} MB",
    "made": "由“注意力可视化” {version} 生成：{sentences}，{models}。",
    "sentence": "1 个句子",
    "sentences": "{n} 个句子",
    "model": "1 个模型",
    "models": "{n} 个模型",
    "recorded": "只有录好的内容：transformers 的模型需要 torch",
}
WORDS = {"en": EN, "zh": ZH}
