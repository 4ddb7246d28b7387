import { useMemo } from 'react'
import type { Column } from '../../../../engine/schema/column.ts'
import { bonds, type Bond as Row } from '../../../../engine/schema/resources/bonds.ts'
import type { PageProps } from '../../app/pages.ts'
import { href } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { barsTable, drawBars } from '../../parts/bars.ts'
import { Chart } from '../../parts/chart.tsx'
import { Panel, Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { NotePanel } from '../../saved/note.tsx'
import { WatchMenu } from '../../saved/watch-menu.tsx'
import { dayText } from '../../show/days.ts'
import { fixed, withUnit } from '../../show/figures.ts'
import { priceReason } from '../../show/price-reasons.ts'
import { staleness } from '../../show/stale.ts'
import { titleOf } from '../../show/words.ts'
import { Facts, hint } from './facts.tsx'
import { flowsOf } from './flows.ts'
import { History } from './history.tsx'
import { Peers } from './peers.tsx'
import { Redemptions, schedules } from './redemptions.tsx'
import { RichCheap } from './rich-cheap.tsx'
import './bond.css'

const columns: Readonly<Record<string, Column>> = bonds.columns
const named = Object.keys(columns) as (keyof typeof bonds.columns)[]
const plain = named.filter(name => bonds.columns[name].kind !== 'json')
const names = [...plain, ...schedules]
const analytics = plain.filter(name => name.startsWith('pricing.'))
const terms = plain.filter(name => !name.startsWith('pricing.') && name !== 'ticker')

/** One bond or loan: its terms, price, cash flows and peers. */
export function Bond({ path: [, id = ''] }: PageProps) {
  const isCusip = /^[0-9A-Z*@#]{9}$/i.test(id)
  const byCusip = useAnswer('search.bonds', isCusip ? { cusip: id, fields: names } : null)
  const resolved = useAnswer('resolve.bond', isCusip ? null : { q: id, limit: 1 })
  return (
    <div className="page">
      {isCusip ? (
        <Part answer={byCusip} what={id}>
          {({ data, meta }) => <Found bond={data[0]} asOf={String(meta['as_of'])} />}
        </Part>
      ) : (
        <Part answer={resolved} what={id}>
          {({ data, meta }) => (
            <Found
              bond={(data.matches[0] as unknown as { bond: Row } | undefined)?.bond}
              asOf={String((meta as Record<string, unknown>)['as_of'])}
            />
          )}
        </Part>
      )}
    </div>
  )
}

function Found({ bond, asOf }: { bond: Row | undefined; asOf: string }) {
  if (!bond)
    return (
      <Empty>
        <p>
          <strong>This bond was not yet known on that day.</strong> Choose a later as-of day, or look for it
          in the bond screen.
        </p>
      </Empty>
    )
  const { pricing } = bond
  return (
    <>
      <header className="heading">
        <h1>{bond.display_name}</h1>
        {bond.company_ticker && <a href={href(['company', bond.company_ticker])}>{bond.company_name}</a>}
        <span className="quiet">{[bond.cusip, bond.isin].filter(Boolean).join(' · ')}</span>
        <span className="spread" />
        <span className="quiet">as of {dayText(asOf)}</span>
        {bond.cusip && <WatchMenu subject={`bond:${bond.cusip}`} />}
      </header>
      <dl className="figures">
        {(['last_price', 'ytm', 'ytw', 'spread', 'z_spread', 'duration', 'dv01'] as const).map(name => (
          <div key={name} title={hint(columns[`pricing.${name}`]!, pricing?.[name])}>
            <dt>{titleOf(name)}</dt>
            <dd className={staleness(name, pricing ?? {}) === null ? undefined : 'stale'}>
              {withUnit(columns[`pricing.${name}`]!, pricing?.[name])}
            </dd>
          </div>
        ))}
      </dl>
      {pricing?.last_trade_date && (
        <p className="quiet small">
          {pricing.price_source === 'fund_mark' ? 'Marked by a fund on' : 'Traded on'}{' '}
          {dayText(pricing.last_trade_date)}
          {typeof pricing.staleness_days === 'number' &&
            `, ${fixed(pricing.staleness_days, 0)} days before the as-of day`}
          .
        </p>
      )}
      {pricing && bond.cusip && (pricing.ytm === null || pricing.spread === null) && (
        <WhyMissing cusip={bond.cusip} />
      )}
      <div className="grid">
        <div className="w8">
          <History bond={bond} />
        </div>
        <Facts title="Price and analytics" columns={columns} row={bond} names={analytics} />
        <RichCheap bond={bond} />
        <div className="w8">
          <Payments bond={bond} asOf={asOf} />
        </div>
        <Facts title="Terms" columns={columns} row={bond} names={terms} />
        <Redemptions bond={bond} />
        <Peers bond={bond} />
        {bond.cusip && <NotePanel subject={`bond:${bond.cusip}`} />}
      </div>
    </>
  )
}

/** Why a priced bond has no yield or spread. */
function WhyMissing({ cusip }: { cusip: string }) {
  const { data: found } = useAnswer('search.pricing', {
    cusip,
    fields: ['yield_null_because', 'spread_null_because', 'ytm_withheld'],
    limit: 1,
  })
  const row = found?.data[0]
  if (!row) return null
  const { yield_null_because: ofYield, spread_null_because: ofSpread, ytm_withheld: withheld } = row
  if (!ofYield && !ofSpread) return null
  return (
    <p className="quiet">
      {ofYield ? `No yield: ${priceReason(ofYield)}` : `No spread: ${priceReason(ofSpread!)}`}
      {typeof withheld === 'number' && ` (it would be ${withheld.toFixed(3)}%)`}.
    </p>
  )
}

/** Maximum number of bars. */
const DRAWN = 24

function Payments({ bond, asOf }: { bond: Row; asOf: string }) {
  const flows = useMemo(() => flowsOf(bond, asOf), [bond, asOf])
  const options = useMemo(() => {
    const all = flows ?? []
    // For long bonds, one bar per year.
    const keyOf = (day: string) => (all.length > DRAWN ? day.slice(0, 4) : day)
    const keys = [...new Set(all.map(({ day }) => keyOf(day)))]
    const sum = (key: string, of: 'coupon' | 'principal') =>
      all.reduce((total, flow) => (keyOf(flow.day) === key ? total + flow[of] : total), 0)
    return {
      names: keys,
      unit: 'per 100',
      reading: (value: number) => fixed(value, 3),
      stacks: [
        { name: 'Coupon', values: keys.map(key => sum(key, 'coupon')), hue: 0 },
        { name: 'Principal', values: keys.map(key => sum(key, 'principal') || null), hue: 2 },
      ],
    }
  }, [flows])
  const draw = useMemo(() => drawBars(options), [options])
  if (flows === null)
    return (
      <Panel title="Cash flows" className="whole">
        <Empty>
          <p>Only fixed coupons have known cash flows.</p>
        </Empty>
      </Panel>
    )
  return (
    <Chart
      title="Cash flows to maturity, per 100 of par"
      label="Coupons and principal by day"
      draw={draw}
      table={() => barsTable(options, 'Day')}
    />
  )
}
