"""The words of links and citations: the tool in the first line, its dialog, broken links."""

from viz_app.rooms.written import written

EN = written("""
link_tool: Link and citation
link_tool_hint: Copy a link to what you see, or cite it
cite: Cite this
cite_hint: How to cite what you see
copy: Copy
# the link
link: Link
copy_link: Copy the link
copied_link: The link is copied.
copy_by_hand: The browser does not let a page copy. The text is selected: press Ctrl+C.
link_hint: The link contains the sentence; anyone who has the link can read it.
link_unwritten: What you see needs a link of {n} characters; at most {limit} are written. Shorten
  the sentence.
link_nowhere: This page has no address of its own, so there is no link to it.
# the citation
cite_as_text: Cite as text
copy_cite_as_text: Copy the citation as text
copied_cite_as_text: The citation is copied.
cite_as_bibtex: Cite in BibTeX
copy_cite_as_bibtex: Copy the citation in BibTeX
copied_cite_as_bibtex: The BibTeX entry is copied.
cite_program: Attention Visualiser, version {version}
cite_model: model {name} ({languages}, weights {weights})
cite_sentence: sentence “{sentence}”, translated “{translation}”
cite_place: {site}, layer {layer}, head {head}
cite_room: room “{room}”
cite_accessed: accessed {date}
# what is wrong with a link
error_link_broken: The link is damaged at “{name}”. Copy the whole link again from where you found
  it.
error_link_long: The link has {n} characters; at most {limit} are read. Copy it again, or shorten
  its sentence.
error_link_version: The link has version {version}; this program reads {known}. Make a new one here.
error_link_model: The link needs the model “{name}”, which is not here; there are: {known}.
error_link_layer: The link points at layer {n}; there the model has {limit}.
error_link_head: The link points at head {n}; there the model has {limit}.
error_link_weights: The link was made with another version of this model ({theirs}; here {ours}).
  The sentence is translated anew, so tokens and numbers may differ.
error_link_refused: The link cannot be shown. {message}
""")

ZH = written("""
link_tool: 链接与引用
link_tool_hint: 复制指向当前画面的链接，或引用它
cite: 引用
cite_hint: 如何引用当前画面
copy: 复制
# the link
link: 链接
copy_link: 复制链接
copied_link: 链接已复制。
copy_by_hand: 浏览器不允许网页复制。文字已选中，请按 Ctrl+C。
link_hint: 句子就写在链接里：拿到链接的人都能读到它。
link_unwritten: 当前画面的链接需要 {n} 个字符，最多写 {limit} 个。请缩短句子。
link_nowhere: 这个页面没有自己的地址，因此没有指向它的链接。
# the citation
cite_as_text: 文字引用
copy_cite_as_text: 复制文字引用
copied_cite_as_text: 引用文字已复制。
cite_as_bibtex: BibTeX 引用
copy_cite_as_bibtex: 复制 BibTeX 引用
copied_cite_as_bibtex: BibTeX 条目已复制。
cite_program: 注意力可视化（Attention Visualiser），版本 {version}
cite_model: 模型 {name}（{languages}，权重 {weights}）
cite_sentence: 句子“{sentence}”，译文“{translation}”
cite_place: {site}，第 {layer} 层，第 {head} 头
cite_room: “{room}”部分
cite_accessed: 访问日期 {date}
# what is wrong with a link
error_link_broken: 链接在“{name}”处损坏。请从原处重新完整复制。
error_link_long: 链接有 {n} 个字符，最多读取 {limit} 个。请重新复制，或缩短其中的句子。
error_link_version: 链接的版本是 {version}，本页面读取 {known}。请在这里重新生成。
error_link_model: 链接需要模型“{name}”，这里没有；现有：{known}。
error_link_layer: 链接指向第 {n} 层，而模型在那里只有 {limit} 层。
error_link_head: 链接指向第 {n} 头，而模型在那里只有 {limit} 头。
error_link_weights: 链接是用这个模型的另一个版本生成的（{theirs}，这里是 {ours}）。句子已重新翻译，
  词元和数值可能不同。
error_link_refused: 无法显示这个链接。{message}
""")
