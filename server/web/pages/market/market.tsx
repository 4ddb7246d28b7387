import { useState } from 'react'
import { ratingBuckets } from '../../../../engine/schema/vocabulary.ts'
import { setParams, useRoute } from '../../app/route.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Segments } from '../../parts/segments.tsx'
import { useSeen } from '../../parts/use-seen.ts'
import { tenors } from '../company/spreads.tsx'
import { Curves } from './curves.tsx'
import { FittedCurves } from './fitted-curves.tsx'
import { HeatMap } from './heat-map.tsx'
import { Indices } from './indices.tsx'
import { Movers } from './movers.tsx'
import { type Group, RichCheap } from './rich-cheap.tsx'
import { Series } from './series.tsx'
import './market.css'

const sourceNames: Readonly<Record<string, string>> = {
  bond_spread_proxy: 'from the bonds of each company',
  trade_repository: 'from a trade repository',
  settlement_price: 'from settlement prices',
}

const windows = [
  ['1m', 30],
  ['3m', 91],
  ['6m', 182],
  ['1y', 365],
] as const

/** Spreads now and before, and the largest movers. */
export function Market() {
  const { query } = useRoute()
  const tenor = tenors.find(t => t === query.get('tenor')) ?? '5Y'
  const bucket = ratingBuckets.find(b => b === query.get('rating_bucket'))
  const sector = query.get('sector') ?? undefined
  const [days, setDays] = useState(91)
  const known = useAnswer('aggregate.spreads', { group_by: ['sector'], metrics: ['count'] }).data
  const sectors = known?.data ?? []
  const group: Group = {
    ...(bucket && { rating_bucket: [bucket] }),
    ...(sector && { sector: [sector] }),
  }
  const narrowed = { tenor: [tenor], ...group }
  return (
    <div className="page">
      <header className="heading market-tools">
        <h1>Market</h1>
        <Segments label="Tenor" options={tenors} value={tenor} set={value => setParams({ tenor: value })} />
        <label>
          <span className="hidden">Rating bucket</span>
          <select value={bucket ?? ''} onChange={event => setParams({ rating_bucket: event.target.value })}>
            <option value="">All ratings</option>
            {ratingBuckets.map(b => (
              <option key={b}>{b}</option>
            ))}
          </select>
        </label>
        <label>
          <span className="hidden">Sector</span>
          <select value={sector ?? ''} onChange={event => setParams({ sector: event.target.value })}>
            <option value="">All sectors</option>
            {sectors.flatMap(({ sector: name }) =>
              typeof name === 'string' ? [<option key={name}>{name}</option>] : [],
            )}
          </select>
        </label>
        <span className="quiet small">Spreads to Treasury {sourceNames[String(known?.meta['source'])]}</span>
      </header>
      <div className="grid">
        <div className="w8">
          <Series narrowed={narrowed} />
        </div>
        <div className="w4">
          <Curves {...group} />
        </div>
        <div className="w8">
          <HeatMap tenor={tenor} />
        </div>
        <div className="w4">
          <Movers
            narrowed={narrowed}
            days={days}
            tools={
              <Segments
                label="Over"
                options={windows.map(([name]) => name)}
                value={windows.find(([, d]) => d === days)![0]}
                set={name => setDays(windows.find(([n]) => n === name)![1])}
              />
            }
          />
        </div>
        <Fitted group={group} />
        <Indices />
      </div>
    </div>
  )
}

/** Fitting a day's curves costs more than the rest of the page, so it waits until its panels come into view. */
function Fitted({ group }: { group: Group }) {
  const [body, seen] = useSeen<HTMLDivElement>()
  return (
    <>
      <div className="w8" ref={body}>
        <FittedCurves group={group} seen={seen} />
      </div>
      <div className="w4">
        <RichCheap group={group} seen={seen} />
      </div>
    </>
  )
}
