"""The words of branches, and of the box in which a translation is begun by hand."""

EN = {
    "branches": "branches",
    "branch_take": (
        "Go to this branch: {text}\nlog-probability {nats} nats ({tokens} tokens); what you leave "
        "becomes a branch"
    ),
    "begin": "Type how the translation begins",
    "begin_hint": (
        "Type how the translation begins (Enter). The model goes on from there; Escape leaves all "
        "as it is."
    ),
    "begin_take": "Begin so",
    "begin_leave": "Leave it as it is",
    "error_beginning_unknown": (
        "The vocabulary of this model has no token for “{text}”. Take other words."
    ),
    "error_beginning_special": "“{token}” is a special token; a beginning is text alone.",
    "error_beginning_tokens": (
        "The beginning has {n} tokens; this model writes {limit} here. Shorten it."
    ),
}

ZH = {
    "branches": "分支",
    "branch_take": (
        "换到这一分支：{text}\n对数概率 {nats} 奈特（{tokens} 个词元）；离开的译文会成为分支"
    ),
    "begin": "输入译文的开头",
    "begin_hint": "输入译文的开头（Enter），模型会接着往下写；按 Escape 保持不变。",
    "begin_take": "这样开头",
    "begin_leave": "保持不变",
    "error_beginning_unknown": "这个模型的词表里没有“{text}”的词元。请换个说法。",
    "error_beginning_special": "“{token}”是特殊词元；开头只能是文字。",
    "error_beginning_tokens": "开头有 {n} 个词元；这个模型在这里最多写 {limit} 个。请缩短它。",
}
