"""The words of branches, and of the box in which a translation is begun by hand."""

from viz_app.rooms.written import written

EN = written("""
branches: branches
branch_take: Go to this branch: {text}\\nlog-probability {nats} nats ({tokens} token{tokens|s});
  what you leave becomes a branch
begin: Type how the translation begins
begin_hint: Type how the translation begins (Enter). The model goes on from there; Escape leaves all
  as it is.
begin_take: Begin so
begin_leave: Leave it as it is
""")

ZH = written("""
branches: 分支
branch_take: 换到这一分支：{text}\\n对数概率 {nats} 奈特（{tokens} 个词元）；离开的译文会成为分支
begin: 输入译文的开头
begin_hint: 输入译文的开头（Enter），模型会接着往下写；按 Escape 保持不变。
begin_take: 这样开头
begin_leave: 保持不变
""")
