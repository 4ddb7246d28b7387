import { stored } from '../database/views.ts'
import { CAPPED } from '../filing/facts/add-backs.ts'
import type { statementItems } from '../schema/datasets/statements.ts'
import { type Print, printFlags } from '../schema/resources/shared.ts'
import type { KeyedRows } from './keyed-rows.ts'

/** What a company's trailing statements tag of the charges that agreements add back; in minor units. */
export interface Charges extends Readonly<Record<ChargeItem, number | null>> {
  readonly company_id: string
  readonly period_end_date: string
  readonly is_annualized: boolean
}

const chargeItems = [
  'share_based_compensation',
  'impairments',
  'restructuring_charges',
] as const satisfies readonly (keyof typeof statementItems)[]
type ChargeItem = (typeof chargeItems)[number]

const chargesOf = (print: Print): KeyedRows<Charges> => ({
  name: `trailing charges of companies, ${print}`,
  tables: ['financials'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT company_id, CAST(period_end_date AS VARCHAR) AS period_end_date, is_annualized, ${chargeItems.join(', ')}
     FROM ${stored('financials')} WHERE company_id IS NOT NULL AND basis = 'ttm' AND ${printFlags[print]}
       AND coalesce(${chargeItems.join(', ')}) IS NOT NULL ${among('company_id')}
     ORDER BY company_id, period_end_date DESC, fiscal_quarter DESC`,
})

/** Charges of each trailing period as first or as most recently reported, newest first. */
export const trailingCharges: Readonly<Record<Print, KeyedRows<Charges>>> = {
  latest: chargesOf('latest'),
  original: chargesOf('original'),
}

/** One thing that the agreement adds to net income, and what the statements say of it. */
export interface AddBack {
  readonly stated: string
  /** The item of the statements; `ebitda` if EBITDA has it already; null if no statement line says it. */
  readonly item: ChargeItem | 'ebitda' | null
  readonly amount: number | null
}

/** EBITDA as an agreement defines it, as far as the statements tag what it adds back. */
export interface AgreementEbitda {
  readonly term: string
  readonly addBacks: readonly AddBack[]
  /** What is added to EBITDA of the statements. */
  readonly added: number
  /** Whether every add-back is known: then the agreement's EBITDA is. */
  readonly isWhole: boolean
}

interface Definition {
  readonly term: string
  readonly add_backs?: readonly string[]
}

/** Null if the test has no definition of earnings with what it adds back. */
export function agreementEbitda(
  definitions: string | null,
  charges: Charges | undefined,
): AgreementEbitda | null {
  if (definitions === null) return null
  const defined = (JSON.parse(definitions) as readonly Definition[]).find(
    ({ add_backs }) => add_backs?.length,
  )
  if (!defined) return null
  const addBacks = defined.add_backs!.map((stated): AddBack => {
    const item = itemOf(stated)
    return { stated, item, amount: item === null || item === 'ebitda' ? null : (charges?.[item] ?? null) }
  })
  const amounts = new Map(addBacks.flatMap(({ item, amount }) => (amount === null ? [] : [[item, amount]])))
  return {
    term: defined.term,
    addBacks,
    added: [...amounts.values()].reduce((sum, amount) => sum + amount, 0),
    isWhole: addBacks.every(({ item, amount }) => item === 'ebitda' || amount !== null),
  }
}

/** The statement item that an add-back names; null if it names none, or more than one. */
function itemOf(stated: string): AddBack['item'] {
  if (stated.endsWith(CAPPED)) return null
  if (
    /non-?cash|extraordinary|unusual|non-?recurring|transaction|loss(?:es)?\b|pro\s?forma|payroll/i.test(
      stated,
    )
  ) {
    // "Non-cash stock-based compensation" is one thing, "other non-cash charges" are many.
    return /^[^,;]{0,40}\b(?:stock|share|equity)[- ]based compensation[^,;]{0,60}$/i.test(stated)
      ? 'share_based_compensation'
      : null
  }
  if (/\b(?:stock|share|equity)[- ]?(?:based)?\s*(?:compensation|awards)/i.test(stated))
    return 'share_based_compensation'
  if (/impairment/i.test(stated)) return 'impairments'
  if (/restructuring/i.test(stated)) return 'restructuring_charges'
  if (/rent/i.test(stated)) return null
  return /\binterest\b|\btax(?:es)?\b|depreciation|amorti[sz]ation/i.test(stated) ? 'ebitda' : null
}
