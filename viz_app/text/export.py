"""The words of the dialog that keeps what is on the screen, in both languages."""

from viz_app.rooms.written import written

EN = written("""
key_export: E
key_export_does: save what you see as a file
export: Export
export_hint: Save what you see: picture, data, animation, lesson pack (E)
export_hint_alone: Save the numbers you see (E)
export_what: what
export_what_pack: a lesson pack
export_format: format
export_format_png: PNG, a picture
export_format_svg: SVG, vectors
export_format_pdf: PDF, vectors
export_format_html: HTML, the interactive page
export_format_npz: NPZ, data for numpy
export_format_json: JSON, data
export_format_csv: CSV, data for a spreadsheet
export_format_gif: GIF, every step in turn
export_format_zip: ZIP
export_scale: scale
export_scale_1: 1×
export_scale_2: 2×
export_scale_3: 3×
export_scale_4: 4×
export_size: size
export_size_slide: slide, 1280 × 720
export_size_column: column of a paper, 90 mm
export_palette: colours
export_palette_colour: colour-blind safe
export_palette_grey: grey only
export_theme: background
export_theme_light: light
export_theme_dark: dark
export_sites: attention
export_layers: layers
export_heads: heads
export_pictures: pictures
export_about_png: Pixels, for slides and web pages.
export_about_svg: Vectors with the tokens as text that you can edit; shown in the fonts of whoever
  opens the file.
export_about_pdf: Vectors with the fonts inside, for papers.
export_about_html: This page with what it shows now: it opens from a file, without a server.
export_about_npz: Every number of the picture, in float32, with its labels.
export_about_json: Every number of the picture, with its labels.
export_about_csv: One row per number. A token that a spreadsheet would run as a formula gets an
  apostrophe in front.
export_about_gif: One picture per step, of the head on the screen.
export_about_zip: {n} picture{n|s}: the chosen layers and heads, and all heads of each attention;
  also the numbers, the recipe and a list of the files. It takes a moment.
export_save: Save
export_busy: Drawing…
export_saved: Handed to your browser: {name}.
export_kept: Saved: {name}.
error_export: The file cannot be made. {message}
error_browser: Pictures are drawn by Chromium, and there is none where this program runs. Install
  Chromium or Chrome there, or set CHROMIUM to its path. HTML and data need no browser.
error_undrawn: This server draws no pictures, animations or lesson packs. The HTML page and the data
  work here; the program on your own computer draws pictures too.
error_browser_failed: The browser could not draw the picture. Try again, or use HTML or data, which
  need no browser.
error_kaleido: Pictures need the package kaleido: python -m pip install kaleido. HTML and data need
  nothing.
error_pixels: The picture would have {width} × {height} pixels; at most {limit} million are drawn.
  Choose a smaller scale, or SVG or PDF.
error_rows: The table would have {n} rows; a CSV has at most {limit}. Use NPZ or JSON.
error_frames: The animation would have {n} frames; at most {limit} are drawn. Go back a few tokens.
error_files: The pack would have {n} pictures; at most {limit} are drawn. Choose fewer layers, heads
  or attentions.
error_file_large: The file has {n} bytes; this server sends at most {limit}. Choose a smaller scale,
  fewer sites or a shorter sentence.
error_pictures_busy: Only {limit} pictures can be drawn at a time. Try again in a moment.
error_no_table: This model has no positions, so there is no table. Choose another kind.
error_width: A column may be {least} to {most} mm wide.
error_choice: There is no such choice of {name}; choose one of {known}.
""")

ZH = written("""
key_export: E
key_export_does: 把屏幕上的内容存成文件
export: 导出
export_hint: 把屏幕上的内容存成图片、数据、动画或教学包（E）
export_hint_alone: 把屏幕上的数存成文件（E）
export_what: 内容
export_what_pack: 教学包
export_format: 格式
export_format_png: PNG 图片
export_format_svg: SVG 矢量图
export_format_pdf: PDF 矢量图
export_format_html: HTML 交互网页
export_format_npz: NPZ 数据（numpy）
export_format_json: JSON 数据
export_format_csv: CSV 数据（电子表格）
export_format_gif: GIF 动画，逐步显示
export_format_zip: ZIP 压缩包
export_scale: 倍数
export_scale_1: 1 倍
export_scale_2: 2 倍
export_scale_3: 3 倍
export_scale_4: 4 倍
export_size: 尺寸
export_size_slide: 幻灯片，1280 × 720
export_size_column: 论文单栏，90 毫米
export_palette: 颜色
export_palette_colour: 色盲也能分辨
export_palette_grey: 只用灰色
export_theme: 背景
export_theme_light: 浅色
export_theme_dark: 深色
export_sites: 注意力
export_layers: 层
export_heads: 头
export_pictures: 图片格式
export_about_png: 像素图，适合幻灯片和网页。
export_about_svg: 矢量图，词元是文本：可以编辑，显示时用打开者自己的字体。
export_about_pdf: 矢量图，内含字体，适合论文。
export_about_html: 网页本身连同现在显示的内容：从文件打开，不需要服务器。
export_about_npz: 图中的每个数，float32 精度，附有标签。
export_about_json: 图中的每个数，附有标签。
export_about_csv: 每个数一行。电子表格会当作公式运行的词元，前面有一个撇号。
export_about_gif: 屏幕上的这个头，每一步一张图。
export_about_zip: {n} 张图片：所选的各层各头，以及每种注意力的所有头；另有全部数据、配方和一份清单。
  需要等一会儿。
export_save: 保存
export_busy: 正在绘制…
export_saved: 已交给浏览器：{name}。
export_kept: 已保存：{name}。
error_export: 无法生成文件。{message}
error_browser: 图片由 Chromium 绘制，而服务器上没有。请在那里安装 Chromium 或 Chrome，
  或用 CHROMIUM 指明它的位置。HTML 和数据不需要浏览器。
error_undrawn: 这台服务器不画图片、动画和教学包。HTML 网页和数据照常可用；在自己的电脑上运行本程序，
  也能画图片。
error_browser_failed: 浏览器没能画出图片。请再试一次，或改存不需要浏览器的 HTML 或数据。
error_kaleido: 图片需要服务器上的 kaleido 包：python -m pip install kaleido。
  HTML 和数据什么都不需要。
error_pixels: 图片会有 {width} × {height} 个像素；最多 {limit} 百万个。请选小一些的倍数，或选 SVG、
  PDF。
error_rows: 表格会有 {n} 行；CSV 最多 {limit} 行。请改存 NPZ 或 JSON。
error_frames: 动画会有 {n} 帧；最多绘制 {limit} 帧。请退回一些词元。
error_files: 教学包会有 {n} 张图片；最多绘制 {limit} 张。请少选几层、几个头或几种注意力。
error_file_large: 文件有 {n} 字节；服务器最多发送 {limit} 字节。请选小些的倍数、少几处注意力，
  或缩短句子。
error_pictures_busy: 正在绘制 {limit} 张图片；同时不能更多。请稍后再试。
error_no_table: 这个模型没有位置，所以没有位置表。请选另一种。
error_width: 单栏的宽度可以是 {least} 到 {most} 毫米。
error_choice: {name} 没有这个选项；有：{known}。
""")
