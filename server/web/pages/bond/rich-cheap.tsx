import type { Column } from '../../../../engine/schema/column.ts'
import type { Bond } from '../../../../engine/schema/resources/bonds.ts'
import { relativeValue } from '../../../../engine/schema/resources/relative-value.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { useSeen } from '../../parts/use-seen.ts'
import { IssuerCurve } from '../company/curve.tsx'
import { FactList } from './facts.tsx'

const columns: Readonly<Record<string, Column>> = relativeValue.columns
const names = [
  'residual',
  'fitted_spread',
  'spread',
  'z_score',
  'percentile',
  'carry',
  'roll_down',
  'curve_level',
  'curve_group',
  'curve_bonds',
  'observations',
  'price_date',
] as const

/** Why a bond has no residual; codes are those of the column `null_because`. */
const sentences: Readonly<Record<string, string>> = {
  stale_price: 'its price is over a week old',
  no_spread: 'its price has no spread',
  outside_maturities: 'it matures outside the maturities of curves',
  few_bonds: 'too few bonds are priced for a curve',
}

/** How far the bond is from its fitted spread curve, beside the other bonds of its issuer. */
export function RichCheap({ bond: { cusip, company_ticker } }: { bond: Bond }) {
  const [body, seen] = useSeen<HTMLDivElement>()
  const answer = useAllRows(
    'search.relative_value',
    seen && cusip !== null ? { cusip, fields: [...names, 'null_because'], limit: 1 } : null,
  )
  if (cusip === null) return null
  return (
    <>
      <div className="w8" ref={body}>
        {company_ticker === null ? (
          <Panel title="Curve and every bond" className="whole">
            <Empty>
              <p>Its issuer is not linked to a company.</p>
            </Empty>
          </Panel>
        ) : (
          <IssuerCurve ticker={company_ticker} seen={seen} own={cusip} />
        )}
      </div>
      <Panel title="Rich or cheap" className="w4">
        <Part answer={answer} what="the residual">
          {([row]) =>
            row === undefined ? (
              <Empty>
                <p>It has no price that curves of the day could use.</p>
              </Empty>
            ) : (
              <>
                {row.null_because && (
                  <p className="quiet reason">
                    No residual: {sentences[row.null_because] ?? row.null_because}.
                  </p>
                )}
                <FactList label="Rich or cheap" columns={columns} row={row} names={names} />
              </>
            )
          }
        </Part>
      </Panel>
    </>
  )
}
