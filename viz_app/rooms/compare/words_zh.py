"""The words of the room Compare, in Chinese."""

ZH: dict[str, str] = {
    "room_compare": "对照",
    "room_compare_hint": "并排看两次运行：模型、句子、策略或改动不同",
    # the two runs
    "compare_runs": "两次运行",
    "compare_pick": "B 是什么",
    "compare_sentence": "B 的句子，按回车读入",
    "compare_same": "用 A 的句子",
    "compare_same_hint": "B 读 A 的句子",
    "compare_keep": "把 A 留作 B",
    "compare_keep_hint": "之后无论做什么，A 都留在旁边，直到 B 被更换",
    "compare_swap": "互换",
    "compare_swap_hint": "A 变成 B，B 变成 A",
    "compare_edits": "改动 {n} 处",
    "compare_by_beam": "束搜索",
    "compare_by_sample": "采样",
    "compare_group_run": "这次运行",
    "compare_group_models": "别的模型，同一个句子",
    "compare_way_untouched": "不作改动",
    "compare_way_greedy": "贪心解码",
    "compare_way_beam": "用束搜索",
    "compare_way_same": "它的另一个头",
    "compare_way_usual": "默认的那次，跟随 A",
    # how they are laid side by side
    "compare_align": "词元怎样对齐",
    "compare_by_text": "按文字",
    "compare_by_text_hint": "相同的词元并排，其余的单独成行或成列",
    "compare_by_position": "按位置",
    "compare_by_position_hint": "第一个词元对第一个，第二个对第二个",
    "compare_aligned_text": "按文字对齐：",
    "compare_aligned_position": "按位置对齐：",
    "compare_aligned_whole": "{ar} 行和 {ac} 列全都有对应。",
    "compare_aligned_part": (
        "{rows} 行和 {columns} 列有对应。A 有 {ar} 行 {ac} 列，"
        "B 有 {br} 行 {bc} 列，没有对应的留空。"
    ),
    # maps
    "compare_maps": "A、B，以及两者之差",
    "compare_map": "{run} · 第 {layer} 层第 {head} 头",
    "compare_difference": "A − B",
    "compare_map_label": "{title}：{rows} 行，{columns} 列",
    "compare_point": "指向一格，读出它在两次运行里的值。点一行，光标就移到那里。",
    "compare_reading": "“{query}”看“{key}”：A 里 {a}，B 里 {b}，A − B 为 {difference}。",
    "compare_reading_one": "“{query}”看“{key}”：{only} 里 {weight}，另一次运行没有这一格。",
    "compare_reading_neither": "“{query}”看“{key}”：两次运行都没有这一格。",
    "compare_reading_hidden": "“{query}”看“{key}”：两次运行里都被掩码挡住。",
    # what differs
    "compare_parts": "A 和 B 在第 {n} 步分开：A 写“{x}”（{px}），B 写“{y}”（{py}）。",
    "compare_same_tokens": "A 和 B 写出同样的 {n} 个词元。",
    "compare_same_so_far": "就两者都写到的地方，A 和 B 写的词元相同：{n} 个。",
    "compare_most": "权重相差最大的是“{query}”看“{key}”：A 里 {a}，B 里 {b}。",
    "compare_distance": (
        "平均每一行有 {mean} 的注意力在 B 里落在别处（总变差），最多的是“{row}”那一行，{most}。"
    ),
    "compare_moved": "候选里变化最大的是第 {n} 步的“{x}”：A 里 {a}，B 里 {b}。",
    "compare_branch": "和这个分支对照",
    "compare_same_maps": "这两张图完全相同，一位不差。",
    "compare_same_rows": "两张图都有的行完全相同，一位不差。",
    "compare_nothing_beside": "A 的格子在 B 里都没有对应。请改为按位置对齐。",
    "compare_stale": "B 的模型的权重和留存时不同，所以重新翻译了它的句子。",
    # candidates
    "compare_candidates": "两次运行里接下来可能的词元",
    "compare_candidate": "下一个",
    "compare_a": "A",
    "compare_b": "B",
    "compare_change": "A − B",
    "compare_taken": "已选",
    "compare_after": "第 {n} 步，在“{x}”之后",
    "compare_after_two": "A 的第 {n} 步，在“{x}”之后；B 的第 {m} 步，在“{y}”之后",
    "compare_after_one": "第 {n} 步，在“{x}”之后；只有 {only} 有这一步",
    # heads
    "compare_heads": "每个头相差多少",
    "compare_heads_scale": "的注意力（每行平均）在 B 里落在别处",
    "compare_head": "第 {layer} 层第 {head} 头：每行平均有 {far} 的注意力在 B 里落在别处",
    "compare_alike": "B 里最像 A 这个头的：第 {layer} 层第 {head} 头",
    "compare_alike_hint": "B 的各个头里，每一行离 A 的这个头最近的",
    # elsewhere on the page
    "compare_tool": "留作 B",
    "compare_tool_hint": "留下这次运行，和接下来做的对照",
    "compare_group_with": "对照",
    "compare_untouched": "和未改动的运行对照",
    "compare_dropped": "对照",
    "compare_dropped_hint": "和刚才被清除的词元对照",
    # errors
    "error_compare_sites": "{a} 和 {b} 没有共同的注意力，没有可以并排的图。",
    # files and pictures
    "figure_compare": "两次运行的{site}",
    "figure_compare_map": "{run} · 第 {layer} 层，第 {head} 头",
    "figure_compare_apart": "平均每一行有 {mean} 的注意力在 B 里落在别处",
    "export_what_compare": "两次运行和它们之差",
}
