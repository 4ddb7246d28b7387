import {
  borrowings,
  conceptsUnder,
  dueOf,
  isCompanyLine,
  type Line,
} from '../engine/derive/statements/borrowings.ts'
import { open } from '../engine/main.ts'

/**
 * How much of the debt that companies tag a lake shows, on the newest figures of each company, as two shares: of
 * companies that tag borrowings, those with total debt; of those that also tag a total, those whose total debt is
 * within 1% of it. A total may exclude short-term borrowings, finance leases or related-party notes (as
 * `LongTermDebt` does), so it is compared with and without them. What a filing tags for one date only comes from a
 * note, such as the principal of listed repayments, and is not a balance sheet total; nor is a line that total debt is added up
 * from where the balance sheet shows others beside it.
 */
const [lake, ...options] = process.argv.slice(2)
if (lake === undefined) throw new Error('usage: node dist/scripts/debt-coverage.js LAKE [--list]')

const LEAST_SHOWN = 0.9
const LEAST_AGREEING = 0.99
const WITHIN = 0.01

interface Company {
  readonly name: string
  readonly day: string
  /** In units of the currency. */
  readonly debt: number | null
  readonly because: string | null
  /** Balances of the whole company, by concept. */
  readonly balances: Map<string, number>
  /** Concepts that the filing also tags for another date, as it does its balance sheet. */
  readonly compared: Set<string>
  /** The concepts that total debt is added up from, if these are lines of a balance sheet that adds up; else none. */
  readonly lines: readonly string[]
  tagsBorrowings: boolean
}

interface OwnTotal {
  readonly concept: string
  readonly value: number
  readonly agrees: boolean
}

const leases: readonly Line[] = [borrowings.leases, borrowings.leasesCurrent, borrowings.leasesNoncurrent]
const borrowed = new Set(
  Object.values(borrowings)
    .filter(line => !leases.includes(line))
    .flatMap(conceptsUnder),
)

const companies = await companiesIn(lake)
const borrowers = companies.filter(company => company.tagsBorrowings)
const shown = borrowers.filter(company => company.debt !== null)
const totals = shown
  .map(company => ({ company, total: ownTotal(company) }))
  .filter(({ total }) => total !== null)
const agreeing = totals.filter(({ total }) => total!.agrees)
const percent = (part: number, whole: number) => `${whole === 0 ? '-' : ((100 * part) / whole).toFixed(1)}%`

console.log(`companies with a balance sheet   ${companies.length}`)
console.log(`that tag borrowings              ${borrowers.length}`)
console.log(`  with total debt                ${shown.length}  ${percent(shown.length, borrowers.length)}`)
console.log(`  that tag a total of their own  ${totals.length}`)
console.log(`  within 1% of it                ${agreeing.length}  ${percent(agreeing.length, totals.length)}`)
if (options.includes('--list')) {
  for (const { name, day, because } of borrowers.filter(company => company.debt === null))
    console.log(`no total debt  ${day}  ${name}: ${because}`)
  for (const { company, total } of totals.filter(({ total }) => !total!.agrees))
    console.log(
      `not its total  ${company.day}  ${company.name}: ${company.debt} against ${total!.value} (${total!.concept})`,
    )
}
if (shown.length < LEAST_SHOWN * borrowers.length || agreeing.length < LEAST_AGREEING * totals.length)
  process.exitCode = 1

async function companiesIn(lake: string): Promise<Company[]> {
  const engine = await open(lake)
  const rows = (await engine.sql(`
    WITH newest AS (SELECT company_id, company_name, period_end_date, total_debt, currency,
        json_extract_string(_explain, '$.total_debt.null_because') AS because,
        CASE WHEN json_extract_string(_explain, '$.total_debt.formula') = 'lines of the balance sheet'
          THEN CAST(json_extract_string(_explain, '$.total_debt.inputs[*].concept') AS VARCHAR[]) ELSE [] END AS lines
      FROM financials WHERE is_latest
      QUALIFY row_number() OVER (PARTITION BY company_id ORDER BY period_end_date DESC, basis = 'ttm' DESC, fiscal_year DESC, fiscal_quarter DESC) = 1)
    SELECT n.company_id, n.company_name AS name, CAST(n.period_end_date AS VARCHAR) AS day, n.total_debt / 100.0 AS debt, n.because, n.lines,
      f.concept, f.dimensions IS NULL AS whole, CAST(f.value AS DOUBLE) AS value,
      EXISTS (FROM facts o WHERE o.cik = f.cik AND o.concept = f.concept AND o.accession IS NOT DISTINCT FROM f.accession AND o.dimensions IS NULL
        AND abs(date_diff('day', o.period_end, f.period_end)) > 10) AS compared
    FROM newest n JOIN companies c USING (company_id) JOIN facts f ON f.cik = c.cik AND f.unit = n.currency AND f.period_start IS NULL
      AND abs(date_diff('day', f.period_end, n.period_end_date)) <= 10
    ORDER BY ALL`)) as readonly Record<string, unknown>[]
  await engine.close()
  const found = new Map<unknown, Company>()
  for (const row of rows) {
    const company = found.get(row['company_id']) ?? {
      name: String(row['name']),
      day: String(row['day']),
      debt: row['debt'] as number | null,
      because: row['because'] as string | null,
      balances: new Map<string, number>(),
      compared: new Set<string>(),
      lines: (row['lines'] ?? []) as readonly string[],
      tagsBorrowings: false,
    }
    found.set(row['company_id'], company)
    const [concept, value] = [String(row['concept']), Number(row['value'])]
    if (borrowed.has(concept) && value > 0) company.tagsBorrowings = true
    if (row['compared'] === true) company.compared.add(concept)
    if (row['whole'] === true)
      company.balances.set(concept, Math.max(value, company.balances.get(concept) ?? 0))
  }
  return [...found.values()]
}

/** The widest total of debt that a company tags; null if none or zero. */
function ownTotal({ balances, compared, debt, lines }: Company): OwnTotal | null {
  const tagged = (line: Line) => line.names.map(name => balances.get(name)).find(value => value !== undefined)
  const sum = (line: Line): number => tagged(line) ?? line.holds.reduce((total, held) => total + sum(held), 0)
  const {
    allDebt,
    longTermWithLeases,
    longTerm,
    allCurrent,
    currentPortion,
    shortTerm,
    notesAndLoans,
    noncurrent,
  } = borrowings
  const current = tagged(allCurrent) ?? 0
  const leased = sum(borrowings.leases) || sum(borrowings.leasesCurrent) + sum(borrowings.leasesNoncurrent)
  const own = [...balances]
    .filter(([name]) => compared.has(name) && isCompanyLine(name) && dueOf(name) === 'current')
    .reduce((total, [, value]) => total + value, 0)
  // What a total may exclude: short-term lines or all current debt, also under own names, finance leases, related-party
  // notes.
  const short = [0, sum(shortTerm), sum(notesAndLoans), current, current - sum(currentPortion), own]
  for (const line of [allDebt, longTermWithLeases, longTerm]) {
    const concept = line.names.find(name => balances.get(name) && compared.has(name) && !lines.includes(name))
    const value = balances.get(concept ?? '') ?? 0
    // A figure below its noncurrent part is not a total, but that part or one facility.
    const least = Math.max(tagged(noncurrent) ?? 0, tagged(borrowings.noncurrentWithLeases) ?? 0)
    if (concept === undefined || value < least) continue
    const readings = short.flatMap(more =>
      [0, leased, sum(borrowings.leasesNoncurrent)].flatMap(lease =>
        [0, sum(borrowings.fromRelatedParties)].map(related => value + more + lease + related),
      ),
    )
    // If one line holds all current debt, part of it is the current portion included in the total.
    const isBetween =
      line === longTerm && value <= debt! * (1 + WITHIN) && debt! - current <= value * (1 + WITHIN)
    const agrees = isBetween || readings.some(reading => Math.abs(debt! - reading) <= WITHIN * reading)
    return { concept, value, agrees }
  }
  return null
}
