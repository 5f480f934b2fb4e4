// A product with weights, in AssemblyScript: out[m, n] = x[m, :] · w[n, :] + bias[n].
// `python -m tests.live.kernel` makes kernel.wasm of it. Numbers are float32 in the interpreter's own memory; K is a
// multiple of 4. Four rows of x at a time share one load of w; of a single one four sums are kept, so that no addition
// waits for the one before it.

@inline function total(v: v128): f32 {
  return (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1)) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

@inline function more(sum: v128, v: v128, at: usize): v128 {
  return f32x4.add(sum, f32x4.mul(v, v128.load(at)));
}

export function linear(x: usize, w: usize, bias: usize, out: usize, M: i32, K: i32, N: i32): void {
  const row = <usize>K << 2, across = <usize>N << 2;
  for (let n = 0; n < N; n++) {
    const wn = w + <usize>n * row;
    const b: f32 = bias ? load<f32>(bias + (<usize>n << 2)) : 0;
    let m = 0;
    for (; m + 4 <= M; m += 4) {
      let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
      const x0 = x + <usize>m * row, x1 = x0 + row, x2 = x1 + row, x3 = x2 + row;
      for (let i: usize = 0; i < row; i += 16) {
        const v = v128.load(wn + i);
        s0 = more(s0, v, x0 + i);
        s1 = more(s1, v, x1 + i);
        s2 = more(s2, v, x2 + i);
        s3 = more(s3, v, x3 + i);
      }
      const o = out + (<usize>m * across + (<usize>n << 2));
      store<f32>(o, total(s0) + b);
      store<f32>(o + across, total(s1) + b);
      store<f32>(o + 2 * across, total(s2) + b);
      store<f32>(o + 3 * across, total(s3) + b);
    }
    for (; m < M; m++) {
      let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
      const xm = x + <usize>m * row;
      let i: usize = 0;
      for (; i + 64 <= row; i += 64) {
        s0 = more(s0, v128.load(wn + i), xm + i);
        s1 = more(s1, v128.load(wn + i, 16), xm + i + 16);
        s2 = more(s2, v128.load(wn + i, 32), xm + i + 32);
        s3 = more(s3, v128.load(wn + i, 48), xm + i + 48);
      }
      for (; i < row; i += 16) s0 = more(s0, v128.load(wn + i), xm + i);
      store<f32>(out + (<usize>m * across + (<usize>n << 2)), total(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3))) + b);
    }
  }
}
