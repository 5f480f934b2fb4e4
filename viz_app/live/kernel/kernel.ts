// A product with weights, in AssemblyScript: out[m, n] = x[m, :] · w[n, :] + bias[n].
// `python -m tests.live.kernel` makes kernel.wasm of it. Numbers are float32 in the interpreter's own memory; K is a
// multiple of 4. Four products at a time share what one of them loads: four rows of x a row of w, and of the last rows
// of x each one four rows of w. Either way a product is summed in the same order: a row comes out the same, whichever
// rows are beside it.

@inline function total(v: v128): f32 {
  return (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1)) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3));
}

@inline function more(sum: v128, v: v128, at: usize): v128 {
  return f32x4.add(sum, f32x4.mul(v, v128.load(at)));
}

@inline function biased(bias: usize, n: i32): f32 {
  return bias ? load<f32>(bias + (<usize>n << 2)) : 0;
}

export function linear(x: usize, w: usize, bias: usize, out: usize, M: i32, K: i32, N: i32): void {
  const row = <usize>K << 2, across = <usize>N << 2, fours = M & ~3;
  for (let n = 0; n < N; n++) {
    const wn = w + <usize>n * row, b = biased(bias, n);
    for (let m = 0; m < fours; m += 4) {
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
  }
  for (let m = fours; m < M; m++) {
    const xm = x + <usize>m * row, o = out + <usize>m * across;
    let n = 0;
    for (; n + 4 <= N; n += 4) {
      let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
      const w0 = w + <usize>n * row, w1 = w0 + row, w2 = w1 + row, w3 = w2 + row;
      for (let i: usize = 0; i < row; i += 16) {
        const v = v128.load(xm + i);
        s0 = more(s0, v, w0 + i);
        s1 = more(s1, v, w1 + i);
        s2 = more(s2, v, w2 + i);
        s3 = more(s3, v, w3 + i);
      }
      const at = o + (<usize>n << 2);
      store<f32>(at, total(s0) + biased(bias, n));
      store<f32>(at, total(s1) + biased(bias, n + 1), 4);
      store<f32>(at, total(s2) + biased(bias, n + 2), 8);
      store<f32>(at, total(s3) + biased(bias, n + 3), 12);
    }
    for (; n < N; n++) {
      let s = f32x4.splat(0);
      const wn = w + <usize>n * row;
      for (let i: usize = 0; i < row; i += 16) s = more(s, v128.load(xm + i), wn + i);
      store<f32>(o + (<usize>n << 2), total(s) + biased(bias, n));
    }
  }
}
