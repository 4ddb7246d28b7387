import type { Column } from '../../../../engine/schema/column.ts'
import { companies, type Company as Row } from '../../../../engine/schema/resources/companies.ts'
import { exactly, money, NOTHING, withUnit } from '../../show/figures.ts'
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
  // The page says itself how stale figures are shown.
  const warnings = (company._metadata?.warnings ?? []).filter(text => !text.includes('max_age=none'))
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div className="tiles" role="group" aria-label="Metrics">
        {shownMetrics
          .filter(name => !occasional.has(name) || company[name])
          .map(name => {
            const column: Column = companies.columns[name]
            const value = company[name]
            return (
              <button
                key={name}
                type="button"
                title={[exactly(column, value), column.doc].filter(Boolean).join(': ')}
                aria-haspopup="dialog"
                onClick={() => openProof(name)}
              >
                <span className="name">{titleOf(name)}</span>
                <span className="value">
                  {isCount(name) && value === 0
                    ? NOTHING
                    : column.kind === 'cents'
                      ? money(value as number | null)
                      : column.kind === 'enum' && value !== null
                        ? wordsOf(String(value))
                        : withUnit(column, value)}
                </span>
              </button>
            )
          })}
      </div>
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
