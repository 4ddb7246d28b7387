import { elementAt } from '../base/elements.ts'

/** A passage that the words of a question found, and how well. */
export interface Lead {
  /** At length one. */
  readonly vector: Float32Array
  readonly score: number
}

/** Passages that are looked at, best first. */
export const LEADS = 10
/** A passage whose score is less than the best by this share of it counts a factor of e less. */
const FALL = 0.05
/** What the passages together count beside the question. */
export const PULL = { semantic: 0.2, hybrid: 0.35 } as const

/**
 * The question drawn toward the passages that its words find best (Rocchio's feedback): where one stands out that one
 * counts, where many are alike they all do.
 */
export function rocchioFeedback(question: Float32Array, leads: readonly Lead[], pull: number): Float32Array {
  const best = Math.max(...leads.map(lead => lead.score), 0)
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
