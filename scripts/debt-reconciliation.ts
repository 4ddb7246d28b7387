import { open } from '../engine/main.ts'

/**
 * How many companies' instruments add up to the debt that their filings tag, within 2%: of those that tag both. With
 * `--list` the others, each with the difference and its likely causes.
 */
const [lake, ...options] = process.argv.slice(2)
if (lake === undefined) throw new Error('usage: node dist/scripts/debt-reconciliation.js LAKE [--list]')

const LEAST_RECONCILED = 0.9

interface Reconciliation {
  readonly company_name: string
  readonly balance_date: string
  readonly form: string | null
  readonly instruments: number
  readonly tagged_debt: number | null
  readonly difference: number | null
  readonly difference_pct: number | null
  readonly reconciles: boolean | null
  readonly likely_causes: readonly string[] | null
  readonly [column: string]: unknown
}

const engine = await open(lake)
const rows = await engine.sql<Reconciliation>(
  `SELECT company_name, CAST(balance_date AS VARCHAR) AS balance_date, form, instruments, tagged_debt / 1e8 AS tagged_debt, difference / 1e8 AS difference,
     difference_pct, reconciles, likely_causes FROM debt_reconciliations ORDER BY company_name`,
)
await engine.close()

const compared = rows.filter(({ instruments, tagged_debt }) => instruments > 0 && (tagged_debt ?? 0) > 0)
const reconciled = compared.filter(({ reconciles }) => reconciles)
const share = compared.length === 0 ? 0 : reconciled.length / compared.length
console.log(`companies with a table of debt       ${rows.length}`)
console.log(`that tag instruments and total debt  ${compared.length}`)
console.log(`  within 2% of it                    ${reconciled.length}  ${(100 * share).toFixed(1)}%`)
if (options.includes('--list'))
  for (const row of rows.filter(({ reconciles }) => !reconciles))
    console.log(
      `${row.balance_date}  ${row.company_name}${row.form ? ` (${row.form})` : ''}: ${
        row.tagged_debt === null
          ? `${row.instruments} instruments, no tagged total`
          : `${row.instruments} instruments, ${row.difference?.toFixed(1)} of ${row.tagged_debt.toFixed(1)} million left (${row.difference_pct?.toFixed(1) ?? '-'}%): ${(row.likely_causes ?? []).join(', ') || 'no likely cause'}`
      }`,
    )
if (share < LEAST_RECONCILED) process.exitCode = 1
