import { type Day, formatDay } from '../../credit/calendar.ts'
import { isCompanyLine } from './borrowings.ts'
import { companyFlowOf } from './company-flows.ts'
import type { Term } from './concepts.ts'
import { debtFlags } from './debt-tiers.ts'
import { ALWAYS, type Fact, type Filing, type Observation } from './filings.ts'
import type { Figure, Formed, Part } from './periods.ts'

/** A figure of a statement as shown: `value` in `unit`, which for amounts is the currency's minor unit. */
export interface ExplainedFigure {
  readonly value: number | null
  readonly unit: string
  readonly formula: string | null
  /** JSON texts. */
  readonly inputs: readonly string[]
  readonly flags: readonly string[]
  readonly because: string | null
}

/**
 * `_explain` of a row as JSON text, by field: `{value, unit, formula, inputs, flags, null_because}`. An input is a
 * fact (`concept`) or another figure of the row (`item`); the value is the sum of the inputs, each `times` its
 * factor, unless the formula says otherwise.
 */
export function explainJson(fields: Iterable<readonly [name: string, shown: ExplainedFigure]>): string {
  const text: string[] = []
  for (const [name, { value, unit, formula, inputs, flags, because }] of fields) {
    text.push(
      text.length === 0 ? '{"' : ',"',
      name,
      '":{"value":',
      String(value),
      ',"unit":"',
      unit,
      '","formula":',
    )
    text.push(JSON.stringify(formula), ',"inputs":[')
    for (const [i, input] of inputs.entries()) text.push(i === 0 ? '' : ',', input)
    text.push(
      '],"flags":',
      flags.length ? JSON.stringify(flags) : '[]',
      ',"null_because":',
      JSON.stringify(because),
      '}',
    )
  }
  return text.length === 0 ? '{}' : `${text.join('')}}`
}

/** How a figure was computed; `formula` is used if its basis does not name one. */
export function explainedFigure(
  figure: Figure,
  { value, unit, currency, formula, items, flags = [] }: ShownAs,
): ExplainedFigure {
  if (figure.value === null)
    return {
      value: null,
      unit,
      formula: null,
      inputs: figure.parts ? factsOf(figure.parts, currency) : [],
      flags: [],
      because: figure.reason,
    }
  return {
    value,
    unit,
    formula: formula === undefined ? figure.method : `${formula}: ${figure.method}`,
    inputs: items ?? factsOf(figure.parts, currency),
    flags: [...flagsOf(figure), ...flags],
    because: null,
  }
}

interface ShownAs {
  readonly value: number | null
  readonly unit: string
  readonly currency: string
  readonly formula?: string
  /** Inputs that are figures of the same row rather than facts. */
  readonly items?: readonly string[]
  readonly flags?: readonly string[]
}

/** Another figure of the same row as an input. */
export const itemJson = (item: string, value: number | null, unit: string, times: number): string =>
  `{"item":"${item}","value":${value},"unit":"${unit}","times":${times}}`

function factsOf(parts: readonly Part[], currency: string): string[] {
  const inputs: string[] = []
  for (const { observation, times } of parts) {
    const turned = isTurned(observation) ? -times : times
    for (const { fact, sign } of observation.terms)
      inputs.push(`${factJson(fact, observation.filing, currency)},"times":${turned * sign}}`)
  }
  return inputs
}

const written = new WeakMap<Fact, string>()
const dated = (day: Day | null) => (day === null || day === ALWAYS ? 'null' : `"${formatDay(day)}"`)

function factJson(fact: Fact, { accession, form, filed }: Filing, currency: string): string {
  const before = written.get(fact)
  if (before !== undefined) return before
  const [, item] = /^statement:(.*)$/.exec(fact.concept) ?? []
  const named = item === undefined ? `"concept":${JSON.stringify(fact.concept)}` : `"item":"${item}"`
  const text =
    `{${named},"value":${fact.value},"unit":"${currency}","period_start":${dated(fact.start)}` +
    `,"period_end":${dated(fact.end)},"accession":${JSON.stringify(accession)},"form":${JSON.stringify(form)}` +
    `,"filed":${dated(filed)},"source":${JSON.stringify(fact.source)}` +
    (fact.dimensions === null ? '' : `,"dimensions":${JSON.stringify(fact.dimensions)}`)
  written.set(fact, text)
  return text
}

const isTurned = ({ value, terms }: Observation): boolean =>
  value > 0 && terms.reduce((sum, { fact, sign }) => sum + sign * fact.value, 0) < 0

const isOwn = ({ fact: { concept, start } }: Term<Fact>): boolean =>
  start === null ? isCompanyLine(concept) : companyFlowOf(concept) !== null

function flagsOf({ parts, annualized, beforeRestatement }: Formed): string[] {
  const flags = new Set<string | null | undefined>()
  if (annualized) flags.add('annualized')
  if (beforeRestatement) flags.add('before_restatement')
  for (const { observation } of parts) {
    if (isTurned(observation)) flags.add('sign_turned')
    const { item, tier, terms } = observation
    if (item !== 'total_debt' && item !== 'debt_excluding_finance')
      flags.add(tier > 0 ? 'approximation' : null)
    else if (tier >= 0) for (const flag of debtFlags(tier)) flags.add(flag)
    if (tier >= 0 && terms.some(isOwn)) flags.add('company_lines')
  }
  return [...flags].filter(flag => typeof flag === 'string')
}
