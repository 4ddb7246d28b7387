import t, { type Test } from 'tap'
import { addMonths, type Day, parseDay } from '../../engine/credit/calendar.ts'
import { inOrder } from '../../engine/derive/statements/fact-order.ts'
import type { FactRow } from '../../engine/derive/statements/filings.ts'
import type { LoadedRow } from '../../engine/derive/statements/loaded-row.ts'
import {
  type CompanyFigures,
  type CompanyRead,
  CompanyReader,
  readCompany,
} from '../../engine/derive/statements/read-company.ts'
import { companyStatements, newestStatements } from '../../engine/derive/statements/rows.ts'
import type { StatementRow } from '../../engine/derive/statements/statement-row.ts'
import { isUnchanged } from '../../engine/derive/statements/unchanged-statements.ts'

/** Numbers from 0 to 1, the same in each run. */
function numbersOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

const flows = [
  'Revenues',
  'GrossProfit',
  'OperatingIncomeLoss',
  'DepreciationDepletionAndAmortization',
  'InterestExpense',
]
const balances = ['Assets', 'Liabilities', 'LongTermDebtNoncurrent', 'LongTermDebtCurrent', 'Deposits']

interface Filed {
  readonly accession: string
  readonly form: string
  readonly known: Day
  readonly rounded?: boolean
}

const fact = (filed: Filed, concept: string, value: number, end: Day, start: Day | null = null): FactRow => ({
  cik: '0000000001',
  concept: concept.includes(':') ? concept : `us-gaap:${concept}`,
  unit: 'USD',
  start,
  end,
  value,
  decimals: -6,
  accession: filed.accession,
  form: filed.form,
  fiscalYear: null,
  fiscalPeriod: null,
  report: null,
  filed: filed.known,
  known: filed.known,
  rounded: filed.rounded ?? false,
  source: 'facts.json',
  dimensions: null,
})

/**
 * Five years of quarterly reports of a company that now and then restates a year, slips by a factor of a thousand, changes the end
 * of its fiscal year, files late or adds to a filing, and whose facts come from two sources, one of which rounds dates; a plain one only
 * restates and files late.
 */
// Over 80 lines: one report, with what may befall it.
function history(seed: number, { isPlain = false } = {}): FactRow[] {
  const next = numbersOf(seed)
  const isLikely = (share: number) => next() < share
  const befalls = (share: number) => isLikely(share) && !isPlain
  const facts: FactRow[] = []
  const level = new Map<string, number>()
  const amountOf = (concept: string, end: Day, quarters: number): number => {
    const key = `${concept} ${end} ${quarters}`
    if (!level.has(key)) level.set(key, Math.round((100 + next() * 40) * (quarters || 20)) * 1e6)
    if (isLikely(0.04)) level.set(key, Math.round(level.get(key)! * 1.05))
    return level.get(key)!
  }
  const weeks = befalls(0.3)
  let yearEnd = parseDay('2011-12-31')
  for (let year = 0; year < 5; year++) {
    const months = year === 3 && befalls(0.4) ? 9 : 12
    const first = yearEnd + 1
    for (let quarter = 1; quarter <= months / 3; quarter++) {
      const end = addMonths(yearEnd, 3 * quarter, true) - (weeks ? quarter % 3 : 0)
      const isLast = quarter === months / 3
      const known = end + 40 + Math.floor(next() * (isLikely(0.1) ? 300 : 20))
      const filed: Filed = {
        accession: `a-${seed}-${year}-${quarter}`,
        form: isLast ? '10-K' : '10-Q',
        known,
      }
      const slip = befalls(0.05) ? 1000 : 1
      for (const concept of flows) {
        // Gross profit is stated from the third year on; cash flows are since the beginning of the year.
        if (concept === 'GrossProfit' && year < 2) continue
        const start = addMonths(yearEnd, 3 * (quarter - 1), true) + 1
        const earlier = (day: Day) => addMonths(day, -12, true)
        const isSinceStart = concept === 'DepreciationDepletionAndAmortization'
        const repeats = year > 0 && !isLikely(0.3)
        if (!isSinceStart || quarter === 1) {
          facts.push(fact(filed, concept, amountOf(concept, end, 1) * slip, end, start))
          if (repeats)
            facts.push(
              fact(filed, concept, amountOf(concept, earlier(end), 1), earlier(end), earlier(start - 1) + 1),
            )
        }
        if (quarter > 1) {
          facts.push(fact(filed, concept, amountOf(concept, end, quarter), end, first))
          if (repeats)
            facts.push(
              fact(
                filed,
                concept,
                amountOf(concept, earlier(end), quarter),
                earlier(end),
                earlier(first - 1) + 1,
              ),
            )
        }
      }
      for (const concept of [...balances, ...(seed % 2 ? ['acme:SeniorSecuredTermLoanNoncurrent'] : [])]) {
        facts.push(fact(filed, concept, amountOf(concept, end, 0) * slip, end))
        facts.push(fact(filed, concept, amountOf(concept, yearEnd, 0), yearEnd))
      }
      // The same filing by a source that knows more of it later, and rounds dates.
      if (befalls(0.15)) {
        const monthEnd = addMonths(yearEnd, 3 * quarter, true)
        const later = { ...filed, known: known + 30, rounded: true }
        facts.push(fact(later, 'Assets', amountOf('Assets', end, 0), monthEnd))
        facts.push(fact(later, 'InterestPaidNet', 5e6, monthEnd, first))
      }
      if (isLikely(0.1)) {
        const dimensions = 'us-gaap:LongtermDebtTypeAxis=us-gaap:SeniorNotesMember'
        facts.push({ ...fact(filed, 'LongTermDebt', 70e6, end), dimensions })
      }
    }
    yearEnd = addMonths(yearEnd, months, true)
  }
  return inOrder(facts)
}

const loadedRow = (end: Day, year: number, quarter: number, known: Day): LoadedRow => ({
  fiscalYear: year,
  fiscalQuarter: quarter,
  months: 3,
  end,
  currency: 'USD',
  form: null,
  filed: known,
  known,
  accession: null,
  source: 'loaded.csv',
  figures: { revenue: 12_345_00, total_assets: 1_000_00 * known } as unknown as LoadedRow['figures'],
})

const knownBy = ({ facts, loaded, ...rest }: CompanyFigures, day: Day): CompanyFigures => ({
  ...rest,
  facts: facts.filter(({ known }) => known! <= day),
  loaded: loaded.filter(({ known }) => known! <= day),
})

const shown = (read: CompanyRead) => JSON.stringify([newestStatements(read), companyStatements(read)])

/** Compares each day's reading with that of what was known by it. Returns the number of days. */
function compare(t: Test, name: string, figures: CompanyFigures): number {
  const days = [...new Set([...figures.facts, ...figures.loaded].map(({ known }) => known!))].sort(
    (a, b) => a - b,
  )
  const reader = new CompanyReader(figures)
  for (const day of days)
    if (shown(reader.readTo(day)) !== shown(readCompany(knownBy(figures, day))))
      t.strictSame(shown(reader.readTo(day)), shown(readCompany(knownBy(figures, day))), `${name}: ${day}`)
  return days.length
}

t.test('a company read day by day is that which is read at once of what was known', async t => {
  let days = 0
  let rows = 0
  let quarantined = 0
  for (let seed = 1; seed <= 12; seed++) {
    const figures: CompanyFigures = { facts: history(seed), loaded: [], bank: seed % 5 === 0 }
    days += compare(t, `history ${seed}`, figures)
    const read = readCompany(figures)
    rows += companyStatements(read).rows.length
    quarantined += read.quarantined.length
  }
  t.ok(days > 200, `${days} days`)
  t.ok(rows > 500, `${rows} statements`)
  t.ok(quarantined > 10, `${quarantined} slips`)
})

t.test('so is one with loaded statements', async t => {
  for (let seed = 50; seed < 54; seed++) {
    const loaded = [1, 2, 3, 4].flatMap(quarter => {
      const end = addMonths(parseDay('2012-12-31'), 3 * quarter, true)
      return [loadedRow(end, 2013, quarter, end + 20), loadedRow(end, 2013, quarter, end + 200)]
    })
    const days = compare(t, `history ${seed}`, { facts: history(seed), loaded, bank: false })
    t.ok(days > 20, `${days} days`)
  }
})

t.test('days may be left out', async t => {
  const figures: CompanyFigures = { facts: history(7), loaded: [], bank: false }
  const reader = new CompanyReader(figures)
  for (const day of ['2013-01-01', '2013-01-02', '2015-06-30', '2017-12-31'].map(parseDay))
    t.equal(shown(reader.readTo(day)), shown(readCompany(knownBy(figures, day))), String(day))
})

t.test('a version of a statement is that which was derived on the day from which it was known', async t => {
  let versions = 0
  for (let seed = 1; seed <= 12; seed++) {
    const figures: CompanyFigures = { facts: history(seed, { isPlain: true }), loaded: [], bank: false }
    const reader = new CompanyReader(figures)
    const then = new Map<string, string>()
    const nameOf = ({ end, basis, known }: StatementRow) => `${end} ${basis} ${known}`
    for (const day of new Set(figures.facts.map(({ known }) => known!)))
      for (const row of companyStatements(reader.readTo(day)).rows)
        if (row.known === day) then.set(nameOf(row), row.explain)
    for (const row of companyStatements(readCompany(figures)).rows) {
      const before = then.get(nameOf(row))
      if (before === undefined) continue
      versions++
      t.equal(row.explain, before, `history ${seed}: ${nameOf(row)}`)
    }
  }
  t.ok(versions > 300, `${versions} versions`)
})

/** The statements of a reading that were known by a day, as the last known of their period then. */
function knownRows(rows: readonly StatementRow[], day: Day): Omit<StatementRow, 'latest'>[] {
  const known = rows.filter(row => row.known <= day)
  const last = new Map(known.map(row => [`${row.end} ${row.basis}`, row.version]))
  return known.map(row => ({ ...row, latest: row.version === last.get(`${row.end} ${row.basis}`) }))
}

t.test(
  'statements of a day that is unchanged are those known by then, and slips, sources and calendars change some',
  async t => {
    let unchanged = 0
    let changed = 0
    for (let seed = 1; seed <= 12; seed++) {
      const figures: CompanyFigures = {
        facts: history(seed, { isPlain: seed % 2 === 0 }),
        loaded: [],
        bank: false,
      }
      const reader = new CompanyReader(figures)
      const days = [...new Set(figures.facts.map(({ known }) => known!))]
      const readings = days.map(day => {
        const read = reader.readTo(day)
        return { day, read, rows: companyStatements(read).rows }
      })
      const { rows, read: all } = readings.at(-1)!
      const shown = (some: readonly Omit<StatementRow, 'latest'>[]) => JSON.stringify(some)
      for (const { day, read, rows: then } of readings)
        if (!isUnchanged(read, day, all)) changed++
        else {
          unchanged++
          t.equal(shown(knownRows(rows, day)), shown(then), `history ${seed}: ${day}`)
        }
    }
    t.ok(unchanged > 60, `${unchanged} unchanged`)
    t.ok(changed > 20, `${changed} changed`)
  },
)
