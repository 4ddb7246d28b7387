// Indices below are within bounds by construction: checks would cost in the loops.
import { symmetricEigen } from './symmetric-eigen.ts'

/** A matrix of which most is zero, row by row: `columns` and `values` of row `i` stand from `starts[i]` to `starts[i + 1]`. */
export interface SparseRows {
  readonly starts: Uint32Array
  readonly columns: Uint32Array
  readonly values: Float32Array
  readonly width: number
}

export interface Latent {
  /** `rank` numbers per matrix column. */
  readonly directions: Float32Array
  /** Singular values, largest first; zero beyond those used. */
  readonly strengths: Float32Array
}

const OVERSAMPLE = 24
const POWER_STEPS = 3

/**
 * The right singular vectors of the `used` largest singular values, by a randomized range finder (Halko, Martinsson
 * and Tropp, 2011) with a fixed seed, so the same matrix gives the same vectors. One row of `rank` numbers per matrix
 * column, zero beyond those used. `pause` is called between passes over the matrix.
 */
export async function latentDirections(
  matrix: SparseRows,
  { used, rank }: { used: number; rank: number },
  pause: (step: number, steps: number) => Promise<void>,
): Promise<Latent> {
  const height = matrix.starts.length - 1
  const wide = Math.min(used + OVERSAMPLE, height, matrix.width)
  const kept = Math.min(used, wide)
  const steps = POWER_STEPS + 1
  let right: Float32Array = gaussian(matrix.width * wide)
  let left: Float32Array = new Float32Array(0)
  for (let step = 0; step <= POWER_STEPS; step++) {
    await pause(step, steps)
    left = orthonormal(times(matrix, right, wide), wide)
    right = timesTransposed(matrix, left, wide)
    if (step < POWER_STEPS) right = orthonormal(right, wide)
  }
  await pause(POWER_STEPS + 1, steps)
  // right = A' Q: its left singular vectors are A's right ones within the range found.
  const { values, vectors } = symmetricEigen(gram(right, wide), wide)
  const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]!)
  const least = Math.max(values[order[0]!] ?? 0, 0) * 1e-10
  const strengths = new Float32Array(rank)
  const turn = new Float32Array(wide * rank)
  for (let j = 0; j < kept; j++) {
    const from = order[j]!
    if (values[from]! <= least) break
    strengths[j] = Math.sqrt(values[from]!)
    const scale = 1 / strengths[j]!
    for (let i = 0; i < wide; i++) turn[i * rank + j] = vectors[i * wide + from]! * scale
  }
  return { directions: product(right, turn, wide, rank), strengths }
}

/** `matrix * dense`, row-major. */
function times({ starts, columns, values }: SparseRows, dense: Float32Array, wide: number): Float32Array {
  const out = new Float32Array((starts.length - 1) * wide)
  for (let i = 0; i + 1 < starts.length; i++) {
    const to = i * wide
    for (let e = starts[i]!; e < starts[i + 1]!; e++) {
      const value = values[e]!
      const from = columns[e]! * wide
      for (let j = 0; j < wide; j++) out[to + j]! += value * dense[from + j]!
    }
  }
  return out
}

/** `matrix' * dense`. */
function timesTransposed(
  { starts, columns, values, width }: SparseRows,
  dense: Float32Array,
  wide: number,
): Float32Array {
  const out = new Float32Array(width * wide)
  for (let i = 0; i + 1 < starts.length; i++) {
    const from = i * wide
    for (let e = starts[i]!; e < starts[i + 1]!; e++) {
      const value = values[e]!
      const to = columns[e]! * wide
      for (let j = 0; j < wide; j++) out[to + j]! += value * dense[from + j]!
    }
  }
  return out
}

/** `rows' * rows`, `wide` by `wide`. Unrolled by four rows in order, so the sums equal the sequential ones. */
function gram(rows: Float32Array, wide: number): Float64Array {
  const out = new Float64Array(wide * wide)
  const fours = rows.length - (rows.length % (4 * wide))
  for (let a = 0; a < fours; a += 4 * wide) {
    const [b, c, d] = [a + wide, a + 2 * wide, a + 3 * wide]
    for (let i = 0; i < wide; i++) {
      const [w, x, y, z] = [rows[a + i]!, rows[b + i]!, rows[c + i]!, rows[d + i]!]
      const to = i * wide
      for (let j = i; j < wide; j++)
        out[to + j] = out[to + j]! + w * rows[a + j]! + x * rows[b + j]! + y * rows[c + j]! + z * rows[d + j]!
    }
  }
  for (let at = fours; at < rows.length; at += wide)
    for (let i = 0; i < wide; i++)
      for (let j = i; j < wide; j++) out[i * wide + j]! += rows[at + i]! * rows[at + j]!
  for (let i = 0; i < wide; i++) for (let j = 0; j < i; j++) out[i * wide + j] = out[j * wide + i]!
  return out
}

function product(rows: Float32Array, turn: Float32Array, wide: number, rank: number): Float32Array {
  const height = rows.length / wide
  const out = new Float32Array(height * rank)
  for (let r = 0; r < height; r++)
    for (let i = 0; i < wide; i++) {
      const value = rows[r * wide + i]!
      if (value === 0) continue
      for (let j = 0; j < rank; j++) out[r * rank + j]! += value * turn[i * rank + j]!
    }
  return out
}

/** An orthonormal basis of the columns, from the Cholesky factor of their products; dependent columns become zero. */
function orthonormal(rows: Float32Array, wide: number): Float32Array {
  const factor = cholesky(gram(rows, wide), wide)
  const fours = rows.length - (rows.length % (4 * wide))
  // Each number depends on those before it in its row; four rows at a time are independent.
  for (let a = 0; a < fours; a += 4 * wide) {
    const [b, c, d] = [a + wide, a + 2 * wide, a + 3 * wide]
    for (let j = 0; j < wide; j++) {
      const diagonal = factor[j * wide + j]!
      let [w, x, y, z] = [rows[a + j]!, rows[b + j]!, rows[c + j]!, rows[d + j]!]
      for (let i = 0, f = j * wide; i < j; i++, f++) {
        const by = factor[f]!
        w -= rows[a + i]! * by
        x -= rows[b + i]! * by
        y -= rows[c + i]! * by
        z -= rows[d + i]! * by
      }
      rows[a + j] = diagonal === 0 ? 0 : w / diagonal
      rows[b + j] = diagonal === 0 ? 0 : x / diagonal
      rows[c + j] = diagonal === 0 ? 0 : y / diagonal
      rows[d + j] = diagonal === 0 ? 0 : z / diagonal
    }
  }
  for (let at = fours; at < rows.length; at += wide)
    for (let j = 0; j < wide; j++) {
      const diagonal = factor[j * wide + j]!
      let value = rows[at + j]!
      for (let i = 0; i < j; i++) value -= rows[at + i]! * factor[j * wide + i]!
      rows[at + j] = diagonal === 0 ? 0 : value / diagonal
    }
  return rows
}

/** The lower Cholesky factor; a dependent column is zero. */
function cholesky(matrix: Float64Array, wide: number): Float64Array {
  const factor = new Float64Array(wide * wide)
  let largest = 0
  for (let i = 0; i < wide; i++) largest = Math.max(largest, matrix[i * wide + i]!)
  for (let j = 0; j < wide; j++) {
    let square = matrix[j * wide + j]!
    for (let k = 0; k < j; k++) square -= factor[j * wide + k]! ** 2
    if (square <= largest * 1e-9) continue
    const diagonal = Math.sqrt(square)
    factor[j * wide + j] = diagonal
    for (let i = j + 1; i < wide; i++) {
      let sum = matrix[i * wide + j]!
      for (let k = 0; k < j; k++) sum -= factor[i * wide + k]! * factor[j * wide + k]!
      factor[i * wide + j] = sum / diagonal
    }
  }
  return factor
}

/** Normal numbers from a fixed seed (xorshift, Box and Muller). */
function gaussian(length: number): Float32Array {
  let state = 0x9e3779b9
  const uniform = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return ((state >>> 0) + 0.5) / 2 ** 32
  }
  return Float32Array.from(
    { length },
    () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  )
}
