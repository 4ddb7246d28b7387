import type { Column } from '../../../../engine/schema/column.ts'
import { companies, type Company as Row } from '../../../../engine/schema/resources/companies.ts'
import { caveatsOf } from '../../show/company-caveats.ts'
import { dayText } from '../../show/days.ts'
import { exactly, fixed, money, NOTHING, withUnit } from '../../show/figures.ts'
import { whyMissing } from '../../show/missing.ts'
import { staleness } from '../../show/stale.ts'
import { titleOf, wordsOf } from '../../show/words.ts'
import { openProof } from './proof.tsx'

const shownMetrics = [
  'total_debt',
  'debt_excluding_finance',
  'secured_debt',
  'net_debt',
  'cash',
  'ebitda_ttm',
  'leverage_ratio',
  'is_annualized',
  'net_leverage_ratio',
  'secured_leverage',
  'interest_coverage',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
  'nearest_maturity',
  'weighted_avg_maturity',
  'rating_bucket',
  'bond_count',
  'entity_count',
  'guarantor_count',
] as const satisfies readonly (keyof typeof companies.columns)[]

/** Shown as a number of known ones: none known does not mean none. */
const isCount = (name: string): boolean => /_count$/.test(name)

/** Shown only if not empty. */
const occasional: ReadonlySet<string> = new Set(['debt_excluding_finance', 'is_annualized'])

/** A company's figures, each with its explanation a click away. */
export function Metrics({ company }: { company: Row }) {
  const warnings = caveatsOf(company)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div className="tiles" role="group" aria-label="Metrics">
        {shownMetrics
          .filter(name => !occasional.has(name) || company[name])
          .map(name => {
            const column: Column = companies.columns[name]
            const value = company[name]
            const why = value === null ? whyMissing(name, company) : null
            return (
              <button
                key={name}
                type="button"
                title={[why ?? staleness(name, company), exactly(column, value, company.currency), column.doc]
                  .filter(Boolean)
                  .join(': ')}
                aria-haspopup="dialog"
                onClick={() => openProof(name)}
              >
                <span className="name">{titleOf(name)}</span>
                <span
                  className={staleness(name, company) === null || value === null ? 'value' : 'value stale'}
                >
                  {isCount(name) && value === 0
                    ? NOTHING
                    : column.kind === 'cents'
                      ? money(value as number | null, company.currency ?? 'USD')
                      : column.kind === 'enum' && value !== null
                        ? wordsOf(String(value))
                        : withUnit(column, value)}
                </span>
                {name === 'rating_bucket' && why !== null && <span className="quiet small">{why}</span>}
              </button>
            )
          })}
      </div>
      <Days company={company} />
      {warnings.length > 0 && (
        <ul className="warnings" aria-label="Caveats">
          {warnings.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Of which day the figures are: those of statements, of their filing, and of what is known of its bonds. */
function Days({ company }: { company: Row }) {
  const { period_end_date, figures_null_because, figures_age_days } = company
  if (period_end_date === null || figures_null_because !== null) return null
  return (
    <p className="quiet small">
      Figures of statements are of {dayText(period_end_date)}, {fixed(figures_age_days ?? 0, 0)} days before
      the as-of day. Debt due counts from the as-of day.
    </p>
  )
}
