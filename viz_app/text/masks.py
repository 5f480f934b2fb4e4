"""The words of the room Masks."""

EN: dict[str, str] = {
    "room_masks": "Masks",
    "room_masks_hint": "What a batch hides, and what leaks when a mask is broken",
    "masks_views": "What the room shows",
    "masks_view_masks": "masks",
    "masks_view_masks_hint": "A padded batch under its masks, and what breaks them",
    "masks_view_passes": "one pass / many steps",
    "masks_view_passes_hint": "Teacher forcing beside decoding step by step",
    "masks_see_encoder": (
        "No token reads a [pad|pad]: their columns are hidden in every row. "
        "Try pad mask → none, then read what leaked."
    ),
    "masks_see_decoder": (
        "Nobody reads a [pad|pad], and nobody reads what comes later: each row may read one token "
        "more. Try causal mask → none."
    ),
    "masks_see_cross": (
        "The translation reads the whole source at once, except its [pad|pads]. "
        "Try pad mask → none and watch the [weight|weights] move."
    ),
    "masks_see_broken": (
        "A [mask|mask] is broken. Dots mark cells that should be hidden, crosses cells that should "
        "not. Read under “What leaked” what came of it."
    ),
    "masks_see_passes": (
        "The same matrix twice: all rows in [teacher_forcing|one pass], as in training, and one "
        "row a step, as when translating. Move the slider."
    ),
    # batch
    "masks_batch": "Batch",
    "masks_batch_about": "padded to {source} and {target} tokens",
    "masks_batch_about_one": "1 sentence; alone it needs no pads",
    "masks_show": "Show sentence {n}",
    "masks_source": "source",
    "masks_fed": "fed in",
    "masks_first": "This is the sentence in the line above; change it there.",
    "masks_edit": "Sentence {n}; press Enter to read it",
    "masks_add": "Add a sentence",
    "masks_full": "A batch has {n} sentences at most",
    "masks_remove": "Remove sentence {n}",
    "masks_lesson": "song titles",
    "masks_lesson_hint": "The tutorials’ batch: three song titles of uneven length",
    "masks_unfold": "draw all pads",
    "masks_fold": "count the pads",
    "masks_look_pad_row": "Nothing to look into: this row or column is a pad of the batch",
    "masks_look_many_pads": "Nothing to look into: one sentence alone takes {limit} pads at most",
    "masks_look_broken_hint": "See the numbers of this cell under the model’s own masks",
    # breaks
    "masks_breaks": "Break a mask",
    "masks_restore": "Restore",
    "masks_restore_hint": "Take the model's own masks again",
    "masks_causal": "[causal_mask|causal mask]",
    "masks_causal_intact": "own",
    "masks_causal_intact_hint": "A target token reads itself and what came before",
    "masks_causal_none": "none",
    "masks_causal_none_hint": "Every target token reads the whole target",
    "masks_causal_ahead": "one ahead",
    "masks_causal_ahead_hint": (
        "Shifted by one: every token also reads the next one, which it should predict"
    ),
    "masks_causal_behind": "one behind",
    "masks_causal_behind_hint": (
        "Shifted by one: no token reads itself, and the first reads nothing at all"
    ),
    "masks_pads": "[pad|pad] [mask|mask]",
    "masks_pads_intact": "own",
    "masks_pads_intact_hint": "The columns of pads are hidden",
    "masks_pads_none": "none",
    "masks_pads_none_hint": "Pads are read like any other token",
    "masks_pads_rows": "wrong axis",
    "masks_pads_rows_hint": "The rows of pads are hidden instead of their columns",
    "masks_fill": "hidden [score|score]",
    "masks_fill_infinite": "−∞",
    "masks_fill_infinite_hint": "A hidden score becomes minus infinity",
    "masks_fill_finite": "−1e9",
    "masks_fill_finite_hint": "A hidden score becomes −1,000,000,000, as many tutorials write",
    # maps
    "masks_map_pad": "pad mask",
    "masks_map_causal": "causal mask",
    "masks_map_combined": "both together",
    "masks_map_scores": "[score|scores] before mask",
    "masks_map_masked": "scores after [mask|mask]",
    "masks_map_weights": "[weight|weights] after [softmax|softmax]",
    "masks_map_weights_hard": "[weight|weights]",
    "masks_map_once": "one pass",
    "masks_map_stepped": "{n} of {m} steps",
    "masks_map_difference": "difference",
    "masks_open": "1 may read",
    "masks_hidden": "0 hidden",
    "masks_no_causal_encoder": (
        "No causal mask here: the whole source is known from the start, so every token may read "
        "those after it."
    ),
    "masks_no_causal_cross": (
        "No causal mask here: the rows are target tokens, the columns source tokens, and the "
        "whole source is known."
    ),
    "masks_axes": "{site} · layer {layer} · head {head} · {rows} · {columns}",
    "masks_map_label": (
        "{title}: {rows} rows by {columns} columns. Arrow keys move from cell to cell."
    ),
    "masks_rows_source": "rows: source (queries)",
    "masks_rows_fed": "rows: target, fed in (queries)",
    "masks_columns_source": "columns: source (keys)",
    "masks_columns_fed": "columns: target, fed in (keys)",
    # the sentence under the maps
    "masks_reading_hint": "Point at a cell of any map to follow it through the others.",
    "masks_reading_open": (
        "“{query}” may read “{key}”: score {score}, kept by the mask, weight {weight}"
    ),
    "masks_reading_opened": (
        "“{query}” reads “{key}” though it should not: score {score}, weight {weight}"
    ),
    "masks_reading_hidden": (
        "“{query}” may not read “{key}”, {why}: score {score} becomes {fill}, weight {weight}"
    ),
    "masks_reading_once": (
        "“{query}” → “{key}”: one pass {once}, in steps {stepped}, difference {difference}"
    ),
    "masks_reading_later": "“{query}” → “{key}”: one pass {once}; this step is still to come",
    "masks_why_pad": "a pad",
    "masks_why_future": "which comes later",
    "masks_why_row": "because its row is hidden",
    "masks_why_itself": "itself, because the mask is one behind",
    # the checker
    "masks_check": "What leaked",
    "masks_check_nothing": "Nothing. Pads and the future get exactly 0, and no row is empty.",
    "masks_check_pads": (
        "Pads: {mean} of what real tokens read here comes from pads, mean of all heads; {here} in "
        "this head."
    ),
    "masks_check_future": (
        "Future: {mean} of what real tokens read comes from later tokens, mean of all heads; "
        "{here} in this head."
    ),
    "masks_check_most": "most in layer {layer}, head {head}: {most}",
    "masks_check_most_hint": "Show that head",
    "masks_check_pads_none": "Pads: this sentence has none here. Choose a shorter one.",
    "masks_check_pads_after": (
        "Pads: still 0. They stand last, so the causal mask hides them from every real token."
    ),
    "masks_check_future_zero": "Future: exactly 0.",
    "masks_check_pads_zero": "Pads: exactly 0.",
    "masks_check_empty": (
        "Empty: {rows} may read nothing. All weights of such a row are 0; softmax alone would "
        "divide 0 by 0."
    ),
    "masks_check_uniform": (
        "Uniform: {rows} may read nothing, and −1e9 spreads them evenly: {part} on each of {keys} "
        "keys, hidden ones included."
    ),
    "masks_check_fill": (
        "−1e9 gives the very same weights as −∞ here, because no row is empty. Set the causal "
        "mask one behind, or the pad mask to the wrong axis, to see them part."
    ),
    "masks_check_rows_one": "row “{label}”",
    "masks_check_rows_many": "{n} rows ({labels})",
    "masks_comma": ", ",
    "masks_check_same": "Prediction: unchanged at every position.",
    "masks_check_change": (
        "Prediction: it moved by up to {most} (mean {mean}) in total variation distance, where 0 "
        "is the same and 1 nothing in common. The best token changed at {changed} of {positions} "
        "positions."
    ),
    "masks_check_others": (
        "The other sentences: moved by up to {most}, best token changed at {changed} of "
        "{positions}."
    ),
    # predictions
    "masks_predictions": "Best next token, position by position",
    "masks_after": "after",
    "masks_own_best": "own masks",
    "masks_broken_best": "broken",
    "masks_distance": "moved by",
    # passes
    "masks_apart": (
        "Largest difference anywhere, all layers and heads of decoder and cross: weights "
        "{weights}, scores {scores}, log-probabilities {log_probabilities} nats. That is the "
        "rounding of float32; in float64 it all but vanishes."
    ),
    "masks_counts": (
        "Training runs the decoder once for {rows} rows: the whole target is known. Translating "
        "runs it {rows} times: each token must be chosen before it can be fed in."
    ),
    "masks_shift_title": "The [shift|shift by one]",
    "masks_shift": (
        "Fed in is the target behind the start token; predicted is the same target one place "
        "earlier, up to the end token. Row {n} has read up to “{fed}” and should predict "
        "“{predicted}”, which the next row is fed. A causal mask one ahead would let it read "
        "its own answer."
    ),
    "masks_shift_last": (
        "Fed in is the target behind the start token; predicted is the same target one place "
        "earlier. Row {n} has read up to “{fed}” and should predict “{predicted}”. Nothing is fed "
        "in after it."
    ),
    "masks_position": "row",
    "masks_predicted": "predicted",
    "masks_p_once": "p, one pass",
    "masks_p_stepped": "p, steps",
    "masks_step": "Steps done",
    "masks_step_of": "step {n} of {m}",
    "masks_limit": "limit",
    # errors
    "error_sentence_characters": (
        "Sentence {number} of the batch has {n} characters; {limit} are read. Shorten it."
    ),
    "error_sentence_tokens": (
        "Sentence {number} of the batch has {n} tokens, the end token included; this model reads "
        "{limit}. Shorten it."
    ),
    "error_sentence_half_character": (
        "Sentence {number} of the batch has half of a character. Type it again."
    ),
    "error_batch": "The batch has {n} sentences; it takes 1 to {limit}. Add or remove some.",
}

ZH: dict[str, str] = {
    "room_masks": "掩码",
    "room_masks_hint": "一个批次里遮住了什么；掩码坏了又会泄漏什么",
    "masks_views": "这里显示什么",
    "masks_view_masks": "掩码",
    "masks_view_masks_hint": "补齐后的批次、它的掩码，以及故意弄坏掩码的后果",
    "masks_view_passes": "一次 / 逐步",
    "masks_view_passes_hint": "教师强制与逐步解码对照",
    "masks_see_encoder": (
        "没有词元会去读[pad|填充词元]：它们所在的列在每一行都被遮住。试试把填充掩码设为“无”，再看泄漏了什么。"
    ),
    "masks_see_decoder": (
        "谁也不读[pad|填充词元]，谁也不读后面的词元：每往下一行，能读的多一个。试试把因果掩码设为“无”。"
    ),
    "masks_see_cross": (
        "译文每一步都能读整个源句，只有[pad|填充词元]除外。试试把填充掩码设为“无”，看[weight|权重]怎样移动。"
    ),
    "masks_see_broken": (
        "[mask|掩码]已被弄坏。圆点标出本该遮住的格子，叉号标出本不该遮住的格子。后果写在“泄漏了什么”里。"
    ),
    "masks_see_passes": (
        "同一个矩阵的两种算法：训练时[teacher_forcing|一次算出所有行]，翻译时每步算出一行。拖动滑块看看。"
    ),
    "masks_batch": "批次",
    "masks_batch_about": "源句补齐到 {source} 个词元，译文 {target} 个",
    "masks_batch_about_one": "只有 1 个句子，不需要填充",
    "masks_show": "显示第 {n} 句",
    "masks_source": "源句",
    "masks_fed": "输入",
    "masks_first": "这就是上方输入框里的句子，请在那里修改。",
    "masks_edit": "第 {n} 句，按回车键读入",
    "masks_add": "添加一句",
    "masks_full": "一个批次最多 {n} 句",
    "masks_remove": "删除第 {n} 句",
    "masks_lesson": "歌名",
    "masks_lesson_hint": "教程里的批次：三个长短不一的歌名",
    "masks_unfold": "画出所有填充",
    "masks_fold": "只数填充",
    "masks_look_pad_row": "没有可看的：这一行或这一列是批次的填充词元",
    "masks_look_many_pads": "没有可看的：单独一句最多加 {limit} 个填充",
    "masks_look_broken_hint": "看这一格背后的数，用的是模型自己的掩码",
    "masks_breaks": "弄坏掩码",
    "masks_restore": "复原",
    "masks_restore_hint": "恢复模型自己的掩码",
    "masks_causal": "[causal_mask|因果掩码]",
    "masks_causal_intact": "原样",
    "masks_causal_intact_hint": "目标词元只读自己和前面的词元",
    "masks_causal_none": "无",
    "masks_causal_none_hint": "每个目标词元都能读整个译文",
    "masks_causal_ahead": "超前一位",
    "masks_causal_ahead_hint": "错开一位：每个词元还能读到下一个，而那正是它要预测的",
    "masks_causal_behind": "落后一位",
    "masks_causal_behind_hint": "错开一位：每个词元都读不到自己，第一个什么也读不到",
    "masks_pads": "[pad|填充][mask|掩码]",
    "masks_pads_intact": "原样",
    "masks_pads_intact_hint": "遮住填充词元所在的列",
    "masks_pads_none": "无",
    "masks_pads_none_hint": "填充词元像普通词元一样被读取",
    "masks_pads_rows": "遮错方向",
    "masks_pads_rows_hint": "遮住的是填充词元所在的行，而不是列",
    "masks_fill": "遮住的[score|分数]",
    "masks_fill_infinite": "−∞",
    "masks_fill_infinite_hint": "被遮住的分数变成负无穷",
    "masks_fill_finite": "−1e9",
    "masks_fill_finite_hint": "被遮住的分数变成负十亿，许多教程这样写",
    "masks_map_pad": "填充掩码",
    "masks_map_causal": "因果掩码",
    "masks_map_combined": "两者合并",
    "masks_map_scores": "掩码前的[score|分数]",
    "masks_map_masked": "[mask|掩码]后的分数",
    "masks_map_weights": "[softmax|softmax] 后的[weight|权重]",
    "masks_map_weights_hard": "[weight|权重]",
    "masks_map_once": "一次算完",
    "masks_map_stepped": "已走 {n} 步，共 {m} 步",
    "masks_map_difference": "差",
    "masks_open": "1 可读",
    "masks_hidden": "0 遮住",
    "masks_no_causal_encoder": (
        "这里没有因果掩码：整个源句一开始就已知，每个词元都可以读后面的词元。"
    ),
    "masks_no_causal_cross": ("这里没有因果掩码：行是目标词元，列是源词元，而整个源句都是已知的。"),
    "masks_axes": "{site} · 第 {layer} 层 · 第 {head} 头 · {rows} · {columns}",
    "masks_map_label": "{title}：{rows} 行 {columns} 列。方向键在格子间移动。",
    "masks_rows_source": "行：源句，作查询",
    "masks_rows_fed": "行：目标句（输入词元），作查询",
    "masks_columns_source": "列：源句，作键",
    "masks_columns_fed": "列：目标句（输入词元），作键",
    "masks_reading_hint": "指向任意一格，就能在其他图中看到同一格。",
    "masks_reading_open": "“{query}”可以读“{key}”：分数 {score}，掩码放行，权重 {weight}",
    "masks_reading_opened": "“{query}”本不该读“{key}”，却读到了：分数 {score}，权重 {weight}",
    "masks_reading_hidden": (
        "“{query}”不能读“{key}”，{why}：分数 {score} 变成 {fill}，权重 {weight}"
    ),
    "masks_reading_once": (
        "“{query}” → “{key}”：一次算得 {once}，逐步算得 {stepped}，相差 {difference}"
    ),
    "masks_reading_later": "“{query}” → “{key}”：一次算得 {once}；这一步还没走到",
    "masks_why_pad": "因为它是填充词元",
    "masks_why_future": "因为它在后面",
    "masks_why_row": "因为整行被遮住",
    "masks_why_itself": "因为掩码落后了一位",
    "masks_check": "泄漏了什么",
    "masks_check_nothing": "没有泄漏。填充词元和后文的权重恰好是 0，也没有空行。",
    "masks_check_pads": (
        "填充词元：真实词元的注意力平均有 {mean} 落在填充词元上，"
        "这是所有头的平均；这个头是 {here}。"
    ),
    "masks_check_future": (
        "后文：真实词元的注意力平均有 {mean} 落在后面的词元上，这是所有头的平均；这个头是 {here}。"
    ),
    "masks_check_most": "最多的是第 {layer} 层第 {head} 头：{most}",
    "masks_check_most_hint": "显示那个头",
    "masks_check_pads_none": "填充词元：这句在这里没有填充词元。换一个更短的句子看看。",
    "masks_check_pads_after": (
        "填充词元：仍然是 0。它们排在最后，因果掩码已经把它们遮住，真实词元读不到。"
    ),
    "masks_check_future_zero": "后文：恰好是 0。",
    "masks_check_pads_zero": "填充词元：恰好是 0。",
    "masks_check_empty": (
        "空行：{rows}什么也读不到。整行权重都是 0；若只靠 softmax，就成了 0 除以 0。"
    ),
    "masks_check_uniform": (
        "均匀：{rows}什么也读不到，−1e9 却把注意力平均分开："
        "{keys} 个键各得 {part}，被遮住的也有份。"
    ),
    "masks_check_fill": (
        "这里没有空行，所以 −1e9 与 −∞ 得到的权重完全一样。"
        "把因果掩码落后一位，或把填充掩码遮错方向，就能看出差别。"
    ),
    "masks_check_rows_one": "“{label}”这一行",
    "masks_check_rows_many": "{labels}这 {n} 行",
    "masks_comma": "、",
    "masks_check_same": "预测：每个位置都没有变。",
    "masks_check_change": (
        "预测：全变差距离最大 {most}，平均 {mean}；0 表示完全相同，1 表示毫无重合。"
        "{positions} 个位置中有 {changed} 个换了最可能的词元。"
    ),
    "masks_check_others": (
        "其他句子：全变差距离最大 {most}，{positions} 个位置中有 {changed} 个换了最可能的词元。"
    ),
    "masks_predictions": "每个位置最可能的下一个词元",
    "masks_after": "读到",
    "masks_own_best": "原掩码",
    "masks_broken_best": "弄坏后",
    "masks_distance": "变动",
    "masks_apart": (
        "解码器与交叉注意力的所有层、所有头中，最大的差：权重 {weights}，分数 {scores}，"
        "对数概率 {log_probabilities} 奈特。这只是 float32 的舍入误差，用 float64 计算几乎消失。"
    ),
    "masks_counts": (
        "训练时整个译文已知，解码器运行一次就得到 {rows} 行。"
        "翻译时每个词元要先选出来才能输入，解码器要运行 {rows} 次。"
    ),
    "masks_shift_title": "[shift|错开一位]",
    "masks_shift": (
        "输入是开头加上开始词元的译文；预测是同一译文往前错一位，直到结束词元。"
        "第 {n} 行读到“{fed}”，应当预测“{predicted}”，而那正是下一行的输入。"
        "因果掩码若超前一位，这一行就能直接读到自己的答案。"
    ),
    "masks_shift_last": (
        "输入是开头加上开始词元的译文；预测是同一译文往前错一位。"
        "第 {n} 行读到“{fed}”，应当预测“{predicted}”，其后不再输入。"
    ),
    "masks_position": "行",
    "masks_predicted": "预测",
    "masks_p_once": "一次的概率",
    "masks_p_stepped": "逐步的概率",
    "masks_step": "已走的步数",
    "masks_step_of": "第 {n} 步，共 {m} 步",
    "masks_limit": "已到上限",
    "error_sentence_characters": (
        "批次的第 {number} 句有 {n} 个字符，最多读取 {limit} 个。请缩短句子。"
    ),
    "error_sentence_tokens": (
        "批次的第 {number} 句连同结束词元共有 {n} 个词元，这个模型最多读取 {limit} 个。请缩短句子。"
    ),
    "error_sentence_half_character": "批次的第 {number} 句里有半个字符。请重新输入。",
    "error_batch": "这一批有 {n} 个句子，允许 1 到 {limit} 个。请增加或减少句子。",
}
