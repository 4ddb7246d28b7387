import type { Bond } from '../../../../engine/schema/resources/bonds.ts'
import { seniorities } from '../../../../engine/schema/vocabulary.ts'
import { href } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { spanText } from '../../show/days.ts'
import { basisPoints, fixed, MILLION, NOTHING } from '../../show/figures.ts'
import { shownIssuers } from '../../show/issuer-names.ts'
import { pricedTogether } from '../../show/priced-together.ts'
import { wordsOf } from '../../show/words.ts'
import { InstrumentsAsFiled, InstrumentsInstead } from './instruments.tsx'
import { MaturityWall } from './maturity-wall.tsx'

const seniorityOf = (bond: Bond): string => bond.seniority ?? 'unknown'

interface Layer {
  readonly seniority: string
  readonly issuer: string
  readonly bonds: readonly Bond[]
  /** Those priced at the time of the newest price of the company. */
  readonly priced: readonly Bond[]
  /** Over the bonds with a known amount; null if none has one. */
  readonly amount: number | null
  readonly amountsKnown: number
}

const issuerOf = ({ issuer, company_name }: Bond): string | null => issuer?.name ?? company_name

/** Bonds by rank and issuer, most senior first. */
export function layersOf(bonds: readonly Bond[]): Layer[] {
  const order = [...seniorities, 'unknown'] as readonly string[]
  const shown = shownIssuers(bonds.flatMap(bond => issuerOf(bond) ?? []))
  const together = new Set(pricedTogether(bonds))
  const groups = new Map<string, Bond[]>()
  for (const bond of bonds) {
    const key = `${order.indexOf(seniorityOf(bond))}|${shown.get(issuerOf(bond) ?? '') ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), bond])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, members]) => ({
      seniority: order[Number(key.split('|')[0])]!,
      issuer: key.slice(key.indexOf('|') + 1),
      bonds: members,
      priced: members.filter(bond => together.has(bond)),
      amount: sumOf(members),
      amountsKnown: members.filter(hasAmount).length,
    }))
}

const hasAmount = ({ outstanding }: Bond): boolean => outstanding !== null

/** Amount outstanding over the bonds with a known amount; null if none has one. */
export const sumOf = (bonds: readonly Bond[]): number | null =>
  bonds.some(hasAmount) ? bonds.reduce((sum, bond) => sum + (bond.outstanding ?? 0), 0) : null

/** Weighted by amount outstanding; a plain mean if no amount is known. */
const average = (bonds: readonly Bond[], of: (bond: Bond) => number | null | undefined): number | null => {
  const isPlain = !bonds.some(hasAmount)
  const known = bonds.flatMap(bond => {
    const value = of(bond)
    const weight = isPlain ? 1 : bond.outstanding
    return value === null || value === undefined || !weight ? [] : [[value, weight] as const]
  })
  const weight = known.reduce((sum, [, amount]) => sum + amount, 0)
  return weight === 0 ? null : known.reduce((sum, [value, amount]) => sum + value * amount, 0) / weight
}

const figure = (value: number | null, text: (value: number) => string): string =>
  value === null ? NOTHING : text(value)

/** `32 bonds, issued by T-MOBILE USA INC`: the issuers, largest number first. */
export function issuedBy(bonds: readonly Bond[]): string {
  const names = bonds.flatMap(bond => issuerOf(bond) ?? [])
  const spelled = shownIssuers(names)
  const counts = new Map<string, number>()
  for (const written of names) {
    const name = spelled.get(written)
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const issuers = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const shown = issuers.slice(0, 3).join(', ')
  const more = issuers.length > 3 ? ` and ${issuers.length - 3} more` : ''
  return `${bonds.length} ${bonds.length === 1 ? 'bond' : 'bonds'}${shown ? `, issued by ${shown}${more}` : ''}`
}

/** Of which days the prices behind the averages are, and how many are left out as older. */
function PricedOn({ bonds }: { bonds: readonly Bond[] }) {
  const together = pricedTogether(bonds)
  const days = spanText(together.flatMap(({ pricing }) => pricing?.last_trade_date ?? []))
  if (days === null) return null
  const older = bonds.filter(({ pricing }) => pricing?.last_trade_date).length - together.length
  return (
    <p className="note quiet small">
      YTM and spread: prices of {days}
      {older > 0 && `, without ${older} older`}.
    </p>
  )
}

// Over 80 lines: the markup of one panel.
export function CapitalStructure({ ticker }: { ticker: string }) {
  const answer = useAllRows('search.bonds', { ticker, sort: 'maturity_date', limit: 100 })
  return (
    <>
      <Panel
        title="Capital structure"
        className="w6"
        tools={
          <span className="quiet small">
            {answer.data?.length === 0
              ? 'instruments as filed'
              : `USD, by rank and issuer${answer.data ? `: ${issuedBy(answer.data)}` : ''}`}
          </span>
        }
      >
        <Part answer={answer} what="bonds and loans">
          {bonds =>
            bonds.length === 0 ? (
              <InstrumentsInstead ticker={ticker} />
            ) : (
              <Scroll label="Capital structure">
                <table className="plain">
                  <thead>
                    <tr>
                      <th>Ranking</th>
                      <th>Issuer</th>
                      <th className="number">Issues</th>
                      <th className="number">Outstanding $mm</th>
                      <th className="number">Coupon</th>
                      <th className="number">YTM</th>
                      <th className="number">Spread</th>
                    </tr>
                  </thead>
                  <tbody>
                    {layersOf(bonds).map(layer => (
                      <tr key={layer.seniority + layer.issuer}>
                        <td>{wordsOf(layer.seniority)}</td>
                        <td>{layer.issuer}</td>
                        <td className="number">
                          <a
                            href={href(['screen', 'bonds'], {
                              ticker,
                              ...(layer.seniority !== 'unknown' && { seniority: layer.seniority }),
                            })}
                          >
                            {layer.bonds.length}
                          </a>
                        </td>
                        <td className="number">
                          {figure(layer.amount, value => fixed(value / MILLION, 1))}
                          {layer.amountsKnown > 0 && layer.amountsKnown < layer.bonds.length && (
                            <div className="quiet small">of {layer.amountsKnown}</div>
                          )}
                        </td>
                        <td className="number">
                          {figure(
                            average(layer.bonds, b => b.coupon_rate),
                            value => `${fixed(value, 2)}%`,
                          )}
                        </td>
                        <td className="number">
                          {figure(
                            average(layer.priced, b => b.pricing?.ytm),
                            value => `${fixed(value, 2)}%`,
                          )}
                        </td>
                        <td className="number">
                          {figure(
                            average(layer.priced, b => b.pricing?.spread),
                            value => basisPoints(value),
                          )}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <PricedOn bonds={bonds} />
                {bonds.every(hasAmount) || (
                  <p className="note quiet small">
                    {fixed(bonds.length - bonds.filter(hasAmount).length, 0)} of {fixed(bonds.length, 0)} have
                    no known amount: lists of holdings do not say it; averages without amounts are plain
                    means. Load a bonds table with <code>outstanding</code>.
                  </p>
                )}
              </Scroll>
            )
          }
        </Part>
      </Panel>
      <div className="w6">
        <MaturityWall ticker={ticker} />
      </div>
      {answer.data && answer.data.length > 0 && <InstrumentsAsFiled ticker={ticker} />}
    </>
  )
}
