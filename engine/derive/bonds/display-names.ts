import { disambiguated, displayName, PERPETUAL_DAY } from '../../credit/display-name.ts'
import type { Database } from '../../database/database.ts'
import { issuerName, LEGAL_FORMS } from '../../names/issuer-name.ts'
import { dayNumber } from './instruments.ts'

interface NamedRow {
  readonly id: string
  readonly ticker: string | null
  readonly issuer: string | null
  readonly name: string | null
  readonly coupon: number | null
  readonly maturity: number | null
  readonly floats: boolean
  readonly instrument: string | null
}

/** `bonds_base.display_name`: the desk name of each instrument, unique. */
export async function deriveDisplayNames(db: Database): Promise<void> {
  const rows = await db.rows<NamedRow>(`
    SELECT b.id, c.ticker, coalesce(b.issuer_name, c.name, b.company_name) AS issuer, b.name, b.coupon_rate AS coupon,
      ${dayNumber('b.maturity_date')} AS maturity, coalesce(b.rate_structure = 'floating' OR b.rate_type = 'floating', FALSE) AS floats,
      b.instrument_type AS instrument
    FROM bonds_base b LEFT JOIN companies_base c ON c.company_id = b.company_id ORDER BY b.id`)
  const names = disambiguated(
    rows.map(row => {
      const issuer = row.ticker ?? (row.issuer === null ? '' : shortened(row.issuer))
      // A list without identifiers keys a perpetual by its name and this day.
      const perpetual = row.maturity === null && row.id.endsWith(`|${PERPETUAL_DAY}`)
      // Without terms, only the identifier distinguishes it from the issuer's others.
      if (issuer === '' || (row.coupon === null && row.maturity === null && !perpetual))
        return `${issuer} ${row.id}`.trim()
      return displayName({ ...row, issuer, perpetual })
    }),
  )
  await db.run('CREATE OR REPLACE TABLE display_names (id VARCHAR, display_name VARCHAR)')
  await db.append('display_names', [rows.map(row => row.id), names], rows.length)
  await db.run(`
    CREATE OR REPLACE TABLE bonds_base AS
    SELECT b.*, d.display_name FROM bonds_base b LEFT JOIN display_names d USING (id)`)
}

/** The name of an issuer without its legal form. */
function shortened(name: string): string {
  const words = issuerName(name).full.split(' ')
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1)!)) words.pop()
  return words.join(' ')
}
