import { useMemo, useState } from 'react'
import { memberOf as columnNamed } from '../../../../engine/base/elements.ts'
import type { Column } from '../../../../engine/schema/column.ts'
import { go, href } from '../../app/route.ts'
import { Chart, type Region } from '../../parts/chart.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Panel } from '../../parts/part.tsx'
import { drawPoints, type Point } from '../../parts/points.ts'
import { Empty } from '../../parts/state.tsx'
import { fixed, headingUnit, memberOf, shown } from '../../show/figures.ts'
import { fitCurve } from '../../show/fit.ts'
import { isRating, letterOf, rankOf, staleRating } from '../../show/issuer-axes.ts'
import { staleness } from '../../show/stale.ts'
import { titleOf } from '../../show/words.ts'
import type { Source } from './relative-value.tsx'

const MOST_LABELS = 60

interface PlottedProps {
  readonly rows: readonly object[]
  readonly source: Source
  readonly x: string
  readonly y: string
}

/** The chart and the list below it. */
// Over 80 lines: both share the points and what is chosen.
export function Plotted({ rows, source, x, y }: PlottedProps) {
  const [region, setRegion] = useState<Region | null>(null)
  const [isLabelled, setLabelled] = useState(false)
  const [isFresh, setFresh] = useState(false)
  const all = useMemo(() => pointsOf(rows, source, x, y), [rows, source, x, y])
  const { curve, isModel } = all
  const stale = all.points.filter(point => point.stale).length
  const points = useMemo(
    () => (isFresh ? all.points.filter(point => !point.stale) : all.points),
    [all, isFresh],
  )
  const [xColumn, yColumn] = [columnNamed(source.columns, x), columnNamed(source.columns, y)]
  const options = useMemo(() => {
    const named = (name: string, column: Column) =>
      [titleOf(name), headingUnit(column)].filter(Boolean).join(' ')
    return {
      points,
      curve,
      xName: named(x, xColumn),
      yName: named(y, yColumn),
      xText: textOf(x, xColumn),
      yText: textOf(y, yColumn),
      residualText: isRating(y) ? (value: number) => fixed(value, 1) : textOf(y, yColumn),
      isInverted: isRating(y),
      // Only of a spread or a yield is more than the curve cheap.
      isPrice: /spread|ytm|ytw|z_spread/.test(y),
      isLabelled: isLabelled || points.length <= MOST_LABELS / 4,
    }
  }, [points, curve, x, y, xColumn, yColumn, isLabelled])
  const draw = useMemo(() => drawPoints(options), [options])
  const listed = useMemo(() => listOf(points, region), [points, region])
  const to = (point: Point) => href([source.call === 'search.companies' ? 'company' : 'bond', point.id])
  if (all.points.length === 0)
    return (
      <Empty>
        <p>
          <strong>Nothing to draw.</strong> No row of {fixed(rows.length, 0)} has both figures: choose other
          columns, or remove a filter.
        </p>
      </Empty>
    )
  const headings = [
    { name: 'name', column: { kind: 'text', doc: 'Name.', nullable: false } as Column },
    { name: x, column: xColumn },
    ...(x === y ? [] : [{ name: y, column: yColumn }]),
    { name: 'from_the_curve', column: { ...yColumn, doc: 'Distance from the curve.' } },
  ]
  return (
    <>
      <Chart
        title={`${titleOf(y)} against ${titleOf(x)}`}
        label={`${titleOf(y)} against ${titleOf(x)} of ${points.length} rows, with a fitted curve`}
        height={460}
        draw={draw}
        onPick={({ data }) => {
          const { point } = data as { point?: Point }
          if (point) go(to(point))
        }}
        onBrush={setRegion}
        table={() => [
          ['Name', titleOf(x), titleOf(y), 'From the curve', 'Stale'],
          ...points.map(p => [
            p.name,
            options.xText(p.x),
            options.yText(p.y),
            p.residual === null ? null : fixed(p.residual, 1),
            p.stale ?? null,
          ]),
        ]}
        tools={
          <>
            <span className="quiet small">
              {curve.length === 0
                ? isModel
                  ? 'residuals to each bond’s own curve'
                  : 'too few points for a curve'
                : 'robust fit of a + b·x + c·ln(1 + x)'}
              ; drag over points to list them
            </span>
            {stale > 0 && (
              <label className="row small">
                <input type="checkbox" checked={isFresh} onChange={() => setFresh(!isFresh)} /> Leave out{' '}
                {fixed(stale, 0)} stale (hollow)
              </label>
            )}
            <label className="row small">
              <input type="checkbox" checked={isLabelled} onChange={() => setLabelled(!isLabelled)} /> Labels
            </label>
          </>
        }
      />
      <Listed
        all={points}
        listed={listed}
        headings={headings}
        x={x}
        y={y}
        region={region}
        clear={() => setRegion(null)}
        to={to}
      />
    </>
  )
}

interface ListedProps {
  readonly all: readonly Point[]
  readonly listed: readonly Point[]
  readonly headings: readonly { readonly name: string; readonly column: Column }[]
  readonly x: string
  readonly y: string
  readonly region: Region | null
  readonly clear: () => void
  readonly to: (point: Point) => string
}

/** The points under the rectangle, or all, farthest from the curve first. */
function Listed({ all, listed, headings, x, y, region, clear, to }: ListedProps) {
  return (
    <Panel
      title={region ? `${fixed(listed.length, 0)} chosen` : `All ${fixed(all.length, 0)}, farthest first`}
      tools={
        region && (
          <button type="button" className="plain" onClick={clear}>
            List all
          </button>
        )
      }
    >
      <Grid
        label="Listed"
        headings={headings}
        total={listed.length}
        rowAt={index => {
          const point = listed[index]
          return (
            point && {
              ...point.ages,
              name: point.name,
              [x]: isRating(x) ? letterOf(point.x) : point.x,
              [y]: isRating(y) ? letterOf(point.y) : point.y,
              from_the_curve: point.residual,
              to: to(point),
            }
          )
        }}
        height={420}
      />
    </Panel>
  )
}

/** A value of an axis; a rating as its letter. */
const textOf = (name: string, column: Column) => (value: number) =>
  isRating(name) ? letterOf(value) : shown(column, value)

/** With fewer fresh points, stale ones shape the curve too. */
const FEWEST_FRESH = 5

/** Rows with both figures, measured against the model's own residuals, else against a fit of the fresh points. */
function pointsOf(rows: readonly object[], source: Source, x: string, y: string) {
  const text = (row: object, ...names: readonly string[]): string =>
    String(names.map(name => memberOf(row, name)).find(value => typeof value === 'string') ?? '')
  const isModel = source.call === 'search.relative_value' && x === source.x && y === source.y
  const known = rows.flatMap((row): Point[] => {
    const [across, up] = [figureOf(row, x), figureOf(row, y)]
    const residual = isModel ? memberOf(row, 'residual') : null
    return typeof across === 'number' && typeof up === 'number'
      ? [
          {
            id: text(row, 'ticker' in row && !('cusip' in row) ? 'ticker' : 'cusip', 'id', 'company_id'),
            name: text(row, 'display_name', 'bond_name', 'ticker', 'name'),
            x: across,
            y: up,
            residual: typeof residual === 'number' ? residual : null,
            stale: staleOf(row, x) ?? staleOf(row, y),
            ages: Object.fromEntries(source.ages.map(name => [name, memberOf(row, name)])),
          },
        ]
      : []
  })
  if (isModel) return { points: known, curve: [], isModel }
  const fresh = known.filter(({ stale }) => stale === null)
  const fit = fitCurve(fresh.length >= FEWEST_FRESH ? fresh : known)
  const points = known.map(point => ({ ...point, residual: fit ? point.y - fit.at(point.x) : null }))
  return { points, curve: fit?.curve ?? [], isModel }
}

const figureOf = (row: object, name: string): unknown =>
  name === 'rating' ? rankOf(row) : memberOf(row, name)

/** Why a figure of a row, or of its issuer, is stale; null if it is not. */
function staleOf(row: object, name: string): string | null {
  if (!name.startsWith('issuer.')) return isRating(name) ? staleRating(row) : staleness(name, row)
  const figures_age_days = memberOf(row, 'issuer.figures_age_days')
  const rating_age_days = memberOf(row, 'issuer.rating_age_days')
  return isRating(name)
    ? staleRating({ rating_age_days })
    : staleness(name.slice('issuer.'.length), { figures_age_days })
}

const listOf = (points: readonly Point[], region: Region | null): readonly Point[] =>
  points
    .filter(
      ({ x, y }) => !region || (x >= region.x[0] && x <= region.x[1] && y >= region.y[0] && y <= region.y[1]),
    )
    .toSorted((a, b) => Math.abs(b.residual ?? 0) - Math.abs(a.residual ?? 0))
