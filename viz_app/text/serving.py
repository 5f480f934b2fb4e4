"""The words of what a server makes its visitors wait for, and of the limits it has."""

from viz_app.rooms.written import written

EN = written("""
# while an answer is awaited
opening_begin: Opening {model}…
opening_torch: Opening {model}: loading PyTorch, which computes. This takes a few seconds.
opening_model: Opening {model}: reading its weights from disk.
opening_waiting: Waiting for a turn: this server answers {limit} requests at once; {n} are in line.
opening_ready: {model} is reading the sentence…
error_unopened: The model “{name}” cannot be opened on this server; the server's log says why.
  Choose another one.
# limits of the server
error_connections: {n} requests are open, {own} of them from your address; this server takes
  {limit}, and leaves a quarter to other addresses. Try again in a moment.
error_replicas: The computer that worked on this answer stopped, and so did a second one. Try again
  in {seconds} s.
error_limit_tokens: The sentence has {n} tokens, the end token and pads included; this server reads
  {limit}. Shorten it.
error_limit_pads: There are {n} pads; this server adds at most {limit}. Remove some.
error_limit_steps: A translation has at most {limit} tokens on this server. Go back to change it.
error_sentence_limit_tokens: Sentence {number} has {n} tokens, the end token included; this server
  reads {limit}. Shorten it.
error_limit_cache: The steps of this translation take more than the {limit} bytes that this server
  keeps of one model. Each is computed from the start, which takes longer. Shorten the sentence.
error_export_seconds: The pictures of this file take more than {limit} seconds, the limit of this
  server. Choose fewer sites, or shorten the sentence.
error_limit_beam: The beam has width {n}; this server searches with at most {limit}. Choose a
  smaller width.
error_limit_attention: With {tokens} tokens this model's attention takes {n} MiB; this server keeps
  at most {limit} MiB of one text. Shorten it.
error_limit_answer: The answer has {n} bytes; this server sends at most {limit}. Shorten the
  sentence.
error_limit_request: The request has more than {limit} bytes, the limit of this server. Shorten the
  text.
error_origin: This request comes from a page at another address, so it is not answered. If there is
  a proxy in between, let it pass on the Host header, or start the server with --root-path and the
  whole address of this page.
""")

ZH = written("""
opening_begin: 正在打开{model}……
opening_torch: 正在打开{model}：正在载入用于计算的 PyTorch，需要几秒钟。
opening_model: 正在打开{model}：正在从磁盘读取权重。
opening_waiting: 正在排队：这台服务器同时处理 {limit} 个请求，队里共有 {n} 个。
opening_ready: {model}正在处理句子……
error_unopened: 这台服务器打不开模型“{name}”，原因在服务器的日志里。请换一个模型。
error_connections: 已有 {n} 个请求未完成，其中 {own} 个来自您的地址；这台服务器最多接受 {limit} 个，
  并为其他地址留出四分之一。请稍后再试。
error_replicas: 计算这个回答的计算机停止了，另一台也停止了。请 {seconds} 秒后再试。
error_limit_tokens: 句子有 {n} 个词元（包括结束词元和填充），这台服务器最多读取 {limit} 个。
  请缩短句子。
error_limit_pads: 有 {n} 个填充，这台服务器最多添加 {limit} 个。请减少一些。
error_limit_steps: 这台服务器上的译文最多有 {limit} 个词元。要修改，请先退回几步。
error_sentence_limit_tokens: 第 {number} 句有 {n} 个词元（包括结束词元），
  这台服务器最多读取 {limit} 个。请缩短句子。
error_limit_cache: 这个译文的各步超过了这台服务器为一个模型保留的 {limit} 字节，每一步都要从头计算，
  所以更慢。请缩短句子。
error_export_seconds: 绘制这个文件的图片超过了 {limit} 秒，这是这台服务器的上限。请少选几处注意力，
  或缩短句子。
error_limit_beam: 搜索的宽度是 {n}，这台服务器最多用 {limit}。请选小一些的宽度。
error_limit_attention: {tokens} 个词元时，这个模型的注意力占 {n} MiB，
  这台服务器每段文字最多保留 {limit} MiB。请缩短文字。
error_limit_answer: 回应有 {n} 字节，这台服务器最多发送 {limit} 字节。请缩短句子。
error_limit_request: 请求超过了 {limit} 字节，这是这台服务器的上限。请缩短文字。
error_origin: 这个请求来自另一个地址的网页，因此不予回答。如果中间有代理，请让它转发 Host 标头，
  或在启动时用 --root-path 写明本页的完整地址。
""")
