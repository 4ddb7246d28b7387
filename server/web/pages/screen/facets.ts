import type { Resource } from '../../../../engine/resource.ts'
import type { Asked, Control } from './asked.ts'

/** How the rows of a screen fall on a column, whatever that column's own filter says. */
export interface Facet {
  readonly values: readonly { readonly value: string | null; readonly count: number }[]
  readonly bins: readonly { readonly low: number; readonly high: number; readonly count: number }[]
}

export const useFacets = (
  _resource: Resource,
  _asked: Asked,
  _controls: readonly Control[],
): ReadonlyMap<string, Facet> => new Map()

export const facetOf = (facets: ReadonlyMap<string, Facet>, column: string): Facet | undefined =>
  facets.get(column)
