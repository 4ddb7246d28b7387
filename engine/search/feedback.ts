import { elementAt } from '../base/elements.ts'
import { largest } from '../base/lists.ts'

/** A passage that the words of a question found, and how well. */
export interface Lead {
  /** Normalised. */
  readonly vector: Float32Array
  readonly score: number
}

/** Passages to use, best first. */
export const LEADS = 10
/** A passage weighs a factor of e less for each time its score is below the best by this share of it. */
const FALL = 0.05
/** Weight of all passages together relative to the query. */
export const PULL = { semantic: 0.2, hybrid: 0.35 } as const

/**
 * Moves the query toward the passages that its words rank best (Rocchio feedback): an outstanding one dominates, many
 * similar ones count alike.
 */
export function rocchioFeedback(question: Float32Array, leads: readonly Lead[], pull: number): Float32Array {
  const best = largest(
    leads.map(lead => lead.score),
    0,
  )
  if (best === 0) return question
  const sum = new Float32Array(question.length)
  for (const { vector, score } of leads) {
    const weight = Math.exp((score / best - 1) / FALL)
    for (let i = 0; i < sum.length; i++) sum[i] = elementAt(sum, i) + weight * elementAt(vector, i)
  }
  const [own, theirs] = [lengthOf(question) || 1, lengthOf(sum) || 1]
  return question.map((value, i) => value / own + (pull * elementAt(sum, i)) / theirs)
}

function lengthOf(vector: Float32Array): number {
  let square = 0
  for (const value of vector) square += value * value
  return Math.sqrt(square)
}
