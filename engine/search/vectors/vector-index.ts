import { QueryError } from '../../base/errors.ts'
import { native } from './graph.ts'

/**
 * How passages near in meaning are found: `exact` compares all vectors, `hnsw` follows graphs of them (hnswlib-node), and
 * `auto` takes graphs where there are many vectors, the package is installed, and the graphs miss little.
 */
export const vectorIndexes = ['auto', 'hnsw', 'exact'] as const
export type VectorIndex = (typeof vectorIndexes)[number]

/** Bytes of vectors that are compared one by one in a few milliseconds. Above, `auto` has graphs lead to the nearest. */
export const EXACT_BYTES = 32 << 20

/** What a build chose, and why. */
export interface VectorIndexFacts {
  readonly chosen: VectorIndex
  readonly used: 'hnsw' | 'exact'
  /**
   * `chosen` by the option; else `few_vectors` or `many_vectors`, `not_installed` where hnswlib-node is not there, `low_recall`
   * where its graphs miss too many of the nearest, and `no_passages`.
   */
  readonly because: 'chosen' | 'few_vectors' | 'many_vectors' | 'not_installed' | 'low_recall' | 'no_passages'
  /** Share of the ten nearest passages that graphs find, where graphs were tried. */
  readonly recall_at_10?: number
}

/** Throws where a choice is none, or cannot be had on this machine. */
export async function checkVectorIndex(chosen: string): Promise<void> {
  if (!(vectorIndexes as readonly string[]).includes(chosen))
    throw new QueryError('INVALID_PARAMETER', `vector_index must be one of ${vectorIndexes.join(', ')}`, {
      parameter: 'vector_index',
      value: chosen,
      allowed: vectorIndexes,
    })
  if (chosen === 'hnsw' && !(await native()))
    throw new QueryError(
      'INVALID_PARAMETER',
      'vector_index hnsw needs hnswlib-node, which is not installed or does not load: run "npm install hnswlib-node", or choose auto or exact',
      { parameter: 'vector_index', value: chosen },
    )
}
