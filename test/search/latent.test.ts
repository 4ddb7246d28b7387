import t from 'tap'
import { latentDirections } from '../../engine/search/embed/latent.ts'
import { symmetricEigen } from '../../engine/search/embed/symmetric-eigen.ts'

t.test('the eigenvectors of a symmetric matrix turn it into its eigenvalues', async t => {
  const { values, vectors } = symmetricEigen(Float64Array.from([2, 1, 0, 1, 2, 0, 0, 0, 5]), 3)
  t.strictSame([...values].map(v => Math.round(v * 1e9) / 1e9).sort(), [1, 3, 5])
  for (let j = 0; j < 3; j++) {
    const v = [vectors[j]!, vectors[3 + j]!, vectors[6 + j]!]
    t.ok(Math.abs(2 * v[0]! + v[1]! - values[j]! * v[0]!) < 1e-9)
  }
})

t.test('the directions of a matrix of low rank carry all of it, and are the same every time', async t => {
  // Rows are mixes of three patterns over 40 columns.
  const patterns = [0, 1, 2].map(p => Array.from({ length: 40 }, (_, j) => Math.sin((p + 1) * (j + 1))))
  const rows = Array.from({ length: 60 }, (_, i) =>
    Array.from({ length: 40 }, (_, j) => patterns.reduce((s, p, k) => s + Math.cos(i * (k + 2)) * p[j]!, 0)),
  )
  const matrix = {
    starts: Uint32Array.from({ length: 61 }, (_, i) => i * 40),
    columns: Uint32Array.from({ length: 2400 }, (_, e) => e % 40),
    values: Float32Array.from(rows.flat()),
    width: 40,
  }
  const { directions: found } = await latentDirections(matrix, { used: 6, rank: 8 }, async () => {})
  for (const row of rows) {
    const projected = Array.from({ length: 8 }, (_, d) =>
      row.reduce((s, x, j) => s + x * found[j * 8 + d]!, 0),
    )
    const before = row.reduce((s, x) => s + x * x, 0)
    const after = projected.reduce((s, x) => s + x * x, 0)
    t.ok(Math.abs(after / before - 1) < 1e-3)
    t.ok(
      projected.slice(3).every(x => Math.abs(x) < 1e-2),
      'nothing is left for a fourth',
    )
  }
  t.strictSame((await latentDirections(matrix, { used: 6, rank: 8 }, async () => {})).directions, found)
})
