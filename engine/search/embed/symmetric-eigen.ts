// A dense rotation: every index is below n by the loops, hence the non-null assertions.
/** Eigenvalues and vectors (in columns) of a symmetric matrix, by Jacobi's rotations. */
export function symmetricEigen(
  matrix: Float64Array,
  n: number,
): { values: Float64Array; vectors: Float64Array } {
  const a = matrix.slice()
  // Rows hold the vectors while turning: rotations then run along memory.
  const v = new Float64Array(n * n)
  for (let i = 0; i < n; i++) v[i * n + i] = 1
  const total = a.reduce((sum, x) => sum + x * x, 0)
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) off += a[i * n + j]! ** 2
    if (off <= total * 1e-20) break
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        const between = a[p * n + q]!
        if (between * between <= total * 1e-26) continue
        const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * between)
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < n; k++) {
          const x = a[k * n + p]!
          const y = a[k * n + q]!
          a[k * n + p] = c * x - s * y
          a[k * n + q] = s * x + c * y
        }
        for (let k = 0; k < n; k++) {
          const x = a[p * n + k]!
          const y = a[q * n + k]!
          a[p * n + k] = c * x - s * y
          a[q * n + k] = s * x + c * y
          const f = v[p * n + k]!
          const g = v[q * n + k]!
          v[p * n + k] = c * f - s * g
          v[q * n + k] = s * f + c * g
        }
      }
  }
  const values = Float64Array.from({ length: n }, (_, i) => a[i * n + i]!)
  const vectors = new Float64Array(n * n)
  for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) vectors[k * n + i] = v[i * n + k]!
  return { values, vectors }
}
