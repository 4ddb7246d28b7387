import { isCsv } from './content-checks.ts'
import type { Session } from './session.ts'

export interface TreasuryRequest {
  readonly source: 'treasury'
  /** First day of interest; the curve comes by year. */
  readonly since: string
}

/** A year is complete once the first month of the next one is over. */
const isComplete = (year: number, fetched: string | undefined): boolean =>
  fetched !== undefined && fetched >= `${year + 1}-02`

/** The daily par yield curve, a CSV a year. */
export async function fetchTreasury(session: Session, { since }: TreasuryRequest): Promise<void> {
  const last = session.now().getUTCFullYear()
  for (let year = Number(since.slice(0, 4)); year <= last; year++) {
    const file = `treasury/daily-treasury-rates-${year}.csv`
    const found = await session.file({
      url: curveUrl(year),
      file,
      check: isCsv('Date'),
      isFinal: isComplete(year, session.folder.record(file)?.checked),
    })
    if (found === null) session.notes.push(`the Treasury has no par yields of ${year}`)
  }
}

const curveUrl = (year: number): string =>
  'https://home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/' +
  `${year}/all?type=daily_treasury_yield_curve&field_tdr_date_value=${year}&page&_format=csv`
