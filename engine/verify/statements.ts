import { type Day, parseDay } from '../credit/calendar.ts'
import { literal } from '../database/database.ts'
import { borrowedName } from '../derive/statements/borrowings.ts'
import { balances, bankItems, conceptsOf, flows, mappedConcepts } from '../derive/statements/concepts.ts'
import { minorUnits } from '../derive/statements/rows.ts'
import { statementItems } from '../schema/datasets/statements.ts'
import type { Difference, Workbench } from './recomputation.ts'
import { dayOf, grouped, RowBuffer, records } from './workbench.ts'

const items = Object.keys(statementItems)
/** Filed figures that no statement shows and company metrics are made of. */
const behind = [
  'secured_debt',
  'debt_excluding_finance',
  ...[1, 2, 3, 4, 5].map(years => `debt_due_${years}yr`),
]
const all = [...items, ...behind]
const balanceItems = new Set(['total_debt', 'debt_excluding_finance', ...Object.keys(balances)])

/** `_explain`: a fact with where it stands, or another figure of the row. */
interface Input {
  readonly concept?: string
  readonly item?: string
  readonly value: number | null
  readonly unit: string
  readonly period_start?: string | null
  readonly period_end?: string
  readonly source?: string
  readonly times: number
}
type Said = Readonly<
  Record<string, { readonly inputs: readonly Input[]; readonly null_because: string | null }>
>

interface Row {
  readonly company_id: string
  readonly tag: 'kept' | 'fact' | 'loaded'
  readonly known: string | null
  readonly accession: string | null
  readonly currency: string
  readonly start: Day | null
  readonly end: Day
  readonly fiscal_year: number
  readonly fiscal_quarter: number
  readonly basis: 'quarter' | 'ttm'
  readonly version: number
  readonly explain: string
  readonly source: string
  readonly concept: string
  readonly value: number
  readonly months: number
  /** Of a part of the company. */
  readonly dimensions: string | null
}

type Kept = Row & { readonly said: Said }
type Figures = Record<string, number | null>

interface Cited {
  readonly concept: string
  readonly sign: 1 | -1
  readonly value: number
  readonly days: number | null
  readonly end: Day
}

const marginParts = {
  gross_margin: 'gross_profit',
  operating_margin: 'operating_income',
  ebitda_margin: 'ebitda',
  net_margin: 'net_income',
}
const shareOf = (part: number | null | undefined, whole: number | null | undefined): number | null =>
  part == null || whole == null || whole <= 0 ? null : (part / whole) * 100

const YEAR = 365.25
const quartersIn = (days: number) => Math.round((days / YEAR) * 4)

/** What a company's sources say, ready to be looked up. */
class Sources {
  private readonly stated = new Map<string, Row[]>()
  private readonly periods = new Map<string, Row[]>()

  constructor(rows: readonly Row[]) {
    const put = (index: Map<string, Row[]>, key: string, row: Row) => {
      const those = index.get(key)
      if (those) those.push(row)
      else index.set(key, [row])
    }
    for (const row of rows) {
      put(this.stated, `${row.concept} ${row.source}`, row)
      if (row.dimensions === null)
        put(this.periods, `${row.concept} ${row.currency} ${row.start} ${row.end}`, row)
    }
  }

  /** The row that a cited fact stands in: its value, currency and period, known by then; dates as sources round them. */
  find(kept: Kept, fact: Input): Row | undefined {
    const [start, end] = [dayOrNull(fact.period_start), dayOrNull(fact.period_end)]
    const near = (a: Day | null, b: Day | null) => a === null || b === null || Math.abs(a - b) <= 16
    return this.stated
      .get(`${conceptOf(fact)} ${fact.source}`)
      ?.find(
        row =>
          row.value === fact.value &&
          row.currency === kept.currency &&
          near(row.end, end) &&
          near(row.start, start) &&
          (row.known === null || kept.known === null || row.known <= kept.known),
      )
  }

  /** All that is said of a concept for exactly these days. */
  said = (concept: string, currency: string, start: Day | null, end: Day): readonly Row[] =>
    this.periods.get(`${concept} ${currency} ${start} ${end}`) ?? []
}

const dayOrNull = (day: string | null | undefined): Day | null => (day ? parseDay(day) : null)
const conceptOf = ({ concept, item }: Input): string => concept ?? `statement:${item}`

/** A figure from the facts that the row cites, none of them taken on trust. */
interface Proved {
  readonly value: number | null
  /** Quarters that the facts cover; 0 for a balance. */
  readonly quarters: number
  /** The lines it is made of: itself, or those of EBITDA. */
  readonly parts: readonly string[]
  readonly faults: readonly string[]
}

function proved(kept: Kept, item: string, sources: Sources): Proved {
  const inputs = kept.said[item]?.inputs ?? []
  if (inputs.length === 0 || kept.said[item]!.null_because !== null) return nothing
  const faults: string[] = []
  const cited: Cited[] = []
  for (const input of inputs) {
    // Another figure of the row stands for the facts behind it.
    const isFact = input.period_end !== undefined
    for (const fact of isFact ? [input] : (kept.said[input.item!]?.inputs ?? [])) {
      const row = sources.find(kept, fact)
      const concept = conceptOf(fact)
      if (!row)
        faults.push(
          `cites ${concept} ${fact.value} at ${fact.source}, which no row known by ${kept.known} states`,
        )
      const [start, end] = [dayOrNull(fact.period_start), parseDay(fact.period_end!)]
      const stated = row && row.months > 0 && !balanceItems.has(item) ? (row.months / 12) * YEAR : null
      // Money spent is positive, however its source signs it.
      const turned = outflows.has(concept) && fact.value! < 0
      cited.push({
        concept,
        sign: fact.times * (isFact ? 1 : input.times) < 0 !== turned ? -1 : 1,
        value: turned ? -fact.value! : fact.value!,
        days: start === null ? stated : end - start + 1,
        end,
      })
    }
  }
  if (cited.length === 0) return nothing
  const last = Math.max(...cited.map(c => c.end))
  if (Math.abs(last - kept.end) > 10) faults.push('the facts end on another day than the period')
  if (balanceItems.has(item)) {
    if (cited.some(c => c.days !== null)) faults.push('a balance made of flows')
    return { value: signedSum(cited), quarters: 0, parts: [item], faults }
  }
  // EBITDA is made of lines that may cover different times.
  const lines = new Map<string, Cited[]>()
  for (const c of cited) {
    const line = item === 'ebitda' ? lineOf(c.concept) : item
    lines.set(line, [...(lines.get(line) ?? []), c])
  }
  let value = 0
  let least = 4
  for (const [line, own] of lines) {
    const days = coverage(own.filter(c => !subtrahends.get(item)?.has(c.concept)))
    const quarters = quartersIn(days)
    if (kept.basis === 'quarter' ? quarters !== 1 : quarters < 1 || quarters > 4)
      faults.push(`the facts of ${line} cover ${Math.round(days)} days`)
    value += kept.basis === 'ttm' && quarters > 0 ? (signedSum(own) * 4) / quarters : signedSum(own)
    least = Math.min(least, quarters)
  }
  return { value, quarters: least, parts: [...lines.keys()], faults }
}

const nothing: Proved = { value: null, quarters: 0, parts: [], faults: [] }

const signedSum = (cited: readonly Cited[]): number =>
  cited.reduce((sum, { sign, value }) => sum + sign * value, 0)

const conceptsOfItem = (item: keyof typeof flows): ReadonlySet<string> =>
  new Set([...flows[item].flatMap(way => conceptsOf(way.formula)), `statement:${item}`])

/** Money spent, which some sources write with a minus. */
const outflows = conceptsOfItem('capex')
/** What the formulas of an item take off: it covers the same days as what it is taken from. */
const subtrahends: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(flows).map(([item, ways]) => [
    item,
    new Set(
      ways.flatMap(({ formula }) =>
        typeof formula === 'object' && 'less' in formula ? conceptsOf(formula.less[1]) : [],
      ),
    ),
  ]),
)
const ebitdaLines = [
  'operating_income',
  'pretax_income',
  'interest_expense',
  'net_interest',
  'depreciation_amortization',
] as const
const lineSets = ebitdaLines.map(line => [line, conceptsOfItem(line)] as const)
const lineOf = (concept: string): string =>
  lineSets.find(([, concepts]) => concepts.has(concept))?.[0] ?? 'ebitda'

/**
 * The days that flows cover once they are added and subtracted. Concepts stated for the very same intervals stand side
 * by side and each covers the whole; where a concept gave way to another they follow each other, and each interval counts once.
 */
function coverage(cited: readonly Cited[]): number {
  const intervals = new Map<string, number>()
  for (const { sign, days, end } of cited) intervals.set(`${sign} ${days} ${end}`, sign * (days ?? 0))
  return Math.abs([...intervals.values()].reduce((a, b) => a + b, 0))
}

interface Statement extends Kept {
  readonly figures: Figures
  readonly quarters: number
  readonly annualized: boolean
  readonly formed: string | null
  readonly estimated: boolean
}

/** How EBITDA was formed, told from the lines that its facts belong to. */
function sourceOf({ value, parts }: Proved): { formed: string | null; estimated: boolean } {
  if (value === null) return { formed: null, estimated: false }
  if (parts.includes('ebitda')) return { formed: 'reported', estimated: false }
  const charged = parts.includes('depreciation_amortization')
  const interest = parts.includes('interest_expense') ? 'interest_expense' : 'net_interest'
  const earned = parts.includes('operating_income') ? 'operating_income' : `pretax_income + ${interest}`
  return { formed: charged ? `${earned} + depreciation_amortization` : earned, estimated: !charged }
}

function statementOf(
  kept: Kept,
  sources: Sources,
  complain: (field: string, value: number | null, fault: string) => void,
): Statement {
  const lines = new Map(all.map(item => [item, proved(kept, item, sources)]))
  const figures: Figures = Object.fromEntries(all.map(item => [item, lines.get(item)!.value]))
  for (const [item, { value, faults }] of lines) for (const fault of faults) complain(item, value, fault)
  const core =
    ['ebitda', ...items].map(item => lines.get(item)!).find(line => line.quarters > 0)?.quarters ?? 0
  return {
    ...kept,
    figures,
    quarters: core,
    annualized: core > 0 && core < 4,
    ...sourceOf(lines.get('ebitda')!),
  }
}

const labelsBack = (year: number, quarter: number, count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const at = year * 4 + quarter - 1 - (count - 1 - i)
    return `${Math.floor(at / 4)}Q${(at % 4) + 1}`
  })

interface MadeStatement {
  readonly [column: string]: string | number | boolean | null
}

/** One concept that alone states an item, in the filer's own words. */
const plainConcepts = new Map(
  [...Object.entries(flows), ...Object.entries(balances)].map(([item, ways]) => [
    item,
    ways
      .filter(way => way.tier === 0 && typeof way.formula === 'string')
      .flatMap(way => conceptsOf(way.formula)),
  ]),
)

/** A figure that the row leaves out though a filing known by then states it for the very period. */
function overlooked(kept: Kept, item: string, sources: Sources): Row | undefined {
  if (/quarantine/.test(kept.said[item]?.null_because ?? '')) return undefined
  const earliest = kept.end - (kept.basis === 'quarter' ? 93 : 372)
  const starts = balanceItems.has(item) ? [null] : Array.from({ length: 10 }, (_, i) => earliest + i)
  for (const concept of plainConcepts.get(item) ?? [])
    for (const start of starts) {
      const found = sources
        .said(concept, kept.currency, start, kept.end)
        .find(row => row.known !== null && kept.known !== null && row.known <= kept.known)
      if (found) return found
    }
  return undefined
}

/** What a later filing known by then says otherwise of the one fact that a figure is. */
function restated(kept: Kept, item: string, sources: Sources): Row | undefined {
  const [fact, ...others] = kept.said[item]?.inputs ?? []
  if (!fact || others.length > 0 || fact.period_end === undefined) return undefined
  const own = sources.find(kept, fact)
  if (!own || own.known === null || own.tag === 'loaded' || own.dimensions !== null) return undefined
  return sources
    .said(own.concept, own.currency, own.start, own.end)
    .find(
      row =>
        row.known !== null &&
        row.known > own.known! &&
        row.known <= kept.known! &&
        row.accession !== own.accession &&
        !isRounding(row.value, own.value),
    )
}

/** Two figures that only differ by how many digits each shows. */
function isRounding(a: number, b: number): boolean {
  const unit = (x: number) => {
    let n = 1
    while (x !== 0 && n < 1e9 && x % (n * 10) === 0) n *= 10
    return n
  }
  return Math.abs(a - b) <= 0.5 * Math.max(unit(a), unit(b))
}

/** `made_financials`: every figure from the facts it cites, which must be in the batches; every ratio from the figures. */
export async function makeStatements(
  { db }: Workbench,
  report: (difference: Difference) => void,
): Promise<void> {
  await db.run(`CREATE TABLE bank AS SELECT DISTINCT k.company_id FROM kept_companies k
    LEFT JOIN (SELECT ticker, cik, name, max(sic) AS sic FROM raw_companies GROUP BY ALL) c
      ON c.cik = k.cik OR (c.cik IS NULL AND c.ticker = k.ticker) OR (c.cik IS NULL AND c.ticker IS NULL AND c.name = k.name)
    LEFT JOIN (SELECT cik, max(sic) AS sic FROM raw_directory GROUP BY cik) d ON d.cik = k.cik
    WHERE CASE WHEN coalesce(c.sic, d.sic) IS NOT NULL THEN try_cast(coalesce(c.sic, d.sic) AS INTEGER) >= 6000 AND try_cast(coalesce(c.sic, d.sic) AS INTEGER) < 6500
      WHEN k.industry IS NOT NULL THEN regexp_matches(lower(k.industry), 'bank|insur|thrift|savings institution|consumer finance')
      ELSE regexp_matches(lower(k.sector), 'bank|insur|^financial') END`)
  const banks = new Set((await db.rows<{ company_id: string }>('FROM bank')).map(row => row.company_id))
  const text = {
    ticker: 'VARCHAR',
    known_from: 'VARCHAR',
    company_id: 'VARCHAR',
    basis: 'VARCHAR',
    currency: 'VARCHAR',
  }
  const numbers = [
    ...all,
    ...Object.keys(marginParts),
    'free_cash_flow',
    'leverage_ratio',
    'net_leverage_ratio',
    'interest_coverage',
  ]
  const quality = '_metadata.leverage_data_quality.'
  const columns: Record<string, string> = {
    ...text,
    period_end_date: 'VARCHAR',
    fiscal_year: 'INTEGER',
    fiscal_quarter: 'INTEGER',
    version: 'INTEGER',
    ...Object.fromEntries(numbers.map(name => [name, 'DOUBLE'])),
    is_annualized: 'BOOLEAN',
    ebitda_estimated: 'BOOLEAN',
    is_original: 'BOOLEAN',
    is_latest: 'BOOLEAN',
    is_newest: 'BOOLEAN',
    is_bank: 'BOOLEAN',
    [`${quality}ebitda_source`]: 'VARCHAR',
    [`${quality}ebitda_quarters`]: 'INTEGER',
    [`${quality}is_annualized`]: 'BOOLEAN',
    [`${quality}ebitda_estimated`]: 'BOOLEAN',
    [`${quality}ttm_quarters`]: 'VARCHAR',
  }
  const made = await RowBuffer.table<MadeStatement>(db, 'made_financials', columns)
  const rows = records<Row>(
    db,
    `WITH filer AS (SELECT cik, min(company_id) AS company_id FROM (
        SELECT cik, company_id FROM company_of WHERE cik IS NOT NULL
        UNION ALL SELECT cik, company_id FROM kept_companies WHERE cik IS NOT NULL) GROUP BY cik),
      concepts AS (SELECT unnest([${mappedConcepts.map(literal).join(', ')}]) AS concept),
      stated AS (SELECT * FROM raw_facts WHERE concept IN (FROM concepts)
        OR (NOT starts_with(concept, 'us-gaap:') AND regexp_matches(concept, ${literal(borrowedName)}, 'i')))
    SELECT company_id, 'kept' AS tag, CAST(known_from AS VARCHAR) AS known, accession, currency, NULL AS start, ${dayOf('period_end_date')} AS "end",
      CAST(fiscal_year AS INTEGER) AS fiscal_year, CAST(fiscal_quarter AS INTEGER) AS fiscal_quarter, basis, CAST(version AS INTEGER) AS version,
      _explain AS explain, NULL AS concept, NULL AS source, CAST(NULL AS DOUBLE) AS value, CAST(NULL AS INTEGER) AS months, NULL AS dimensions FROM kept_financials
    UNION ALL
    SELECT f.company_id, 'fact', CAST(r.known_from AS VARCHAR), r.accession, r.unit, ${dayOf('r.period_start')}, ${dayOf('r.period_end')},
      NULL, NULL, NULL, NULL, NULL, r.concept, r.source, r.value, NULL, r.dimensions
    FROM stated r JOIN filer f USING (cik)
    UNION ALL
    SELECT who.company_id, 'loaded', CAST(r.known_from AS VARCHAR), r.accession, coalesce(r.currency, 'USD'), NULL, ${dayOf('r.period_end_date')},
      NULL, NULL, NULL, NULL, NULL, r.item, r.source, CAST(r.amount AS DOUBLE), CAST(coalesce(r.period_months, 3) AS INTEGER), NULL
    FROM (SELECT ticker, cik, company_name, source, known_from, accession, currency, period_end_date, period_months, unnest([
        ${all.map(item => `{'item': 'statement:${item}', 'amount': ${item}}`).join(', ')}], recursive := true) FROM raw_financials) r
    JOIN company_of who ON who.ticker IS NOT DISTINCT FROM r.ticker AND who.cik IS NOT DISTINCT FROM r.cik
      AND who.name IS NOT DISTINCT FROM r.company_name AND who.lei IS NULL
    WHERE r.amount IS NOT NULL
    ORDER BY company_id`,
  )
  for await (const group of grouped(rows, r => r.company_id)) {
    const kept = group
      .filter(row => row.tag === 'kept')
      .map((row): Kept => ({ ...row, said: JSON.parse(row.explain) as Said }))
    if (kept.length === 0) continue
    const sources = new Sources(
      group
        .filter(row => row.tag !== 'kept')
        .map(row => (row.tag === 'loaded' ? { ...row, value: row.value / minorUnits(row.currency) } : row)),
    )
    const bank = banks.has(group[0]!.company_id)
    const say = (row: Kept, field: string, stored: number | null, cause: string, recomputed: number | null) =>
      report({
        dataset: 'financials',
        key: [row.company_id, row.fiscal_year, row.fiscal_quarter, row.basis, row.version].join(' '),
        field,
        stored: stored === null ? null : String(stored * minorUnits(row.currency)),
        recomputed: recomputed === null ? null : String(recomputed * minorUnits(row.currency)),
        difference: null,
        cause,
      })
    const statements = kept.map(row =>
      statementOf(row, sources, (field, value, fault) => say(row, field, value, fault, null)),
    )
    for (const row of statements) {
      if (row.version === lastVersion(statements, row))
        for (const item of items) {
          const later = restated(row, item, sources)
          if (later)
            say(
              row,
              item,
              row.figures[item]!,
              `${later.concept} was restated by ${later.accession} on ${later.known}`,
              later.value,
            )
          if (row.figures[item] !== null || (bankItems.has(item) && !bank)) continue
          const found = overlooked(row, item, sources)
          if (found)
            say(
              row,
              item,
              null,
              `${found.concept} of ${found.accession} states it for the period`,
              found.value,
            )
        }
      await made.add(rowOf(row, statements, bank))
    }
  }
  await made.flush()

  function rowOf(row: Statement, statements: readonly Statement[], bank: boolean): MadeStatement {
    const minor = minorUnits(row.currency)
    const trailing =
      row.basis === 'ttm'
        ? row
        : statements
            .filter(s => s.basis === 'ttm' && isSamePeriod(s, row) && (s.known ?? '') <= (row.known ?? ''))
            .reduce<Statement | undefined>(
              (last, s) => (last && last.version > s.version ? last : s),
              undefined,
            )
    const ebitda = trailing?.figures['ebitda'] ?? null
    const { total_debt: debt, cash_and_equivalents: cash } = row.figures
    const interest = trailing?.figures['interest_expense'] ?? null
    const can = !bank && ebitda !== null && ebitda > 0
    const leverage = can && debt !== null ? debt! / ebitda : null
    const annualized = trailing?.annualized ?? false
    const origin = ebitda !== null ? trailing! : row
    const own = row.basis === 'ttm' || leverage !== null ? annualized : false
    const amounts = Object.fromEntries(
      all.map(item => {
        const value = row.figures[item] ?? null
        return [item, value === null ? null : Math.round(value * minor)]
      }),
    ) as Figures
    const { operating_cash_flow: inflow, capex } = amounts
    const newest = Math.max(...statements.filter(s => s.basis === row.basis).map(s => s.end))
    const latest = row.version === lastVersion(statements, row)
    const ttm_quarters = labelsBack(row.fiscal_year, row.fiscal_quarter, trailing?.quarters ?? 0)
    return {
      ...amounts,
      company_id: row.company_id,
      ticker: null,
      known_from: row.known,
      basis: row.basis,
      currency: row.currency,
      period_end_date: new Date(row.end * 86_400_000).toISOString().slice(0, 10),
      fiscal_year: row.fiscal_year,
      fiscal_quarter: row.fiscal_quarter,
      version: row.version,
      free_cash_flow: inflow == null || capex == null ? null : inflow - capex,
      ...Object.fromEntries(
        Object.entries(marginParts).map(([name, part]) => [name, shareOf(amounts[part], amounts['revenue'])]),
      ),
      leverage_ratio: leverage,
      net_leverage_ratio: leverage === null || cash == null ? null : (debt! - cash) / ebitda!,
      interest_coverage: can && interest !== null && interest > 0 ? ebitda / interest : null,
      is_annualized: own,
      ebitda_estimated: row.estimated,
      is_original: row.version === 1,
      is_latest: latest,
      is_newest: latest && row.end === newest,
      is_bank: bank,
      [`${quality}ebitda_source`]: origin.formed,
      [`${quality}ebitda_quarters`]: ebitda === null ? null : trailing!.quarters,
      [`${quality}is_annualized`]: own,
      [`${quality}ebitda_estimated`]: row.estimated,
      [`${quality}ttm_quarters`]: `[${ttm_quarters.join(', ')}]`,
    }
  }
}

const isSamePeriod = (a: Row, b: Row) =>
  a.fiscal_year === b.fiscal_year && a.fiscal_quarter === b.fiscal_quarter

const lastVersion = (rows: readonly Row[], row: Row): number =>
  Math.max(...rows.filter(r => r.basis === row.basis && isSamePeriod(r, row)).map(r => r.version))
