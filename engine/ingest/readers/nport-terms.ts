import { elementAt } from '../../base/elements.ts'
import type { Holding } from './nport-holdings.ts'

/** Columns of tables beside the holdings, and the elements of Form N-PORT that they are. */
export const TERMS = {
  MATURITY_DATE: 'debtSec/maturityDt',
  COUPON_TYPE: 'debtSec/couponKind',
  ANNUALIZED_RATE: 'debtSec/annualizedRt',
  IS_DEFAULT: 'debtSec/isDefault',
  ARE_ANY_INTEREST_PAYMENT: 'debtSec/areIntrstPmntsInArrs',
  IS_CONVTIBLE_MANDATORY: 'debtSec/isMandatoryConvrtbl',
  IDENTIFIER_ISIN: 'identifiers/isin@value',
} as const

export type Term = keyof typeof TERMS

const terms = Object.entries(TERMS) as readonly [Term, string][]

/**
 * What other tables say of the wanted holdings, by their ids. A quarter has millions of them and few distinct texts, so
 * it is kept as numbers of texts in columns: 37 bytes a holding in place of an object of some hundreds.
 */
export class HoldingTerms {
  private readonly ids: Float64Array
  private readonly columns: ReadonlyMap<Term, Uint32Array>
  private readonly debts: Uint8Array
  private readonly texts = ['']
  private readonly numbers = new Map<string, number>([['', 0]])

  constructor(ids: Float64Array) {
    this.ids = ids.sort()
    this.debts = new Uint8Array(ids.length)
    this.columns = new Map(terms.map(([name]) => [name, new Uint32Array(ids.length)]))
  }

  /** The first text of a term stays, as a holding's first identifier does in the form. */
  set(at: number, term: Term, text: string): void {
    const column = this.columns.get(term)
    if (column && column[at] === 0) column[at] = this.numberOf(text)
  }

  /** Notes that a holding has a row of debt terms, whatever is in it. */
  setDebt(at: number): void {
    this.debts[at] = 1
  }

  hasDebt(id: number): boolean {
    return this.debts[this.placeOf(id)] === 1
  }

  /** Adds what is known of a holding to its fields. */
  addTo(fields: Record<string, string>, id: number): Holding['fields'] {
    const at = this.placeOf(id)
    if (at >= 0)
      for (const [name, element] of terms) {
        const number = this.columns.get(name)?.[at] ?? 0
        if (number > 0) fields[element] = elementAt(this.texts, number)
      }
    return fields
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    // A piece of a text keeps the whole of it in memory: here a chunk of the file for each text.
    const own = Buffer.from(text).toString()
    this.numbers.set(own, this.texts.length)
    return this.texts.push(own) - 1
  }

  /** The place of a wanted holding; negative for any other. */
  placeOf(id: number): number {
    const { ids } = this
    let low = 0
    let high = ids.length - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = elementAt(ids, middle)
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/** Numbers whose count is not known before, 8 bytes each. */
export class NumberList {
  private values = new Float64Array(1024)
  private length = 0

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float64Array(this.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length++] = value
  }

  taken(): Float64Array {
    return this.values.slice(0, this.length)
  }
}
