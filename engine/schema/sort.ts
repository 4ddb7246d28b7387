import type { Resource } from './resource.ts'

export interface Sort {
  readonly column: string
  readonly descending: boolean
}

export const parseSort = (key: string): Sort =>
  key.startsWith('-') ? { column: key.slice(1), descending: true } : { column: key, descending: false }

/** The requested order, completed by `rest` to be total. */
export function totalOrder(requested: readonly Sort[], rest: readonly string[]): Sort[] {
  const order = [...requested]
  for (const key of rest) {
    const sort = parseSort(key)
    if (!order.some(o => o.column === sort.column)) order.push(sort)
  }
  return order
}

/** The order of a table's rows in its file: total, because it ends in the key. Nulls are last. */
export const fileOrder = ({ clusterBy, sort, key }: Resource): readonly Sort[] =>
  totalOrder((clusterBy ?? sort).map(parseSort), key)
