import { useMemo, useState } from 'react'
import { memberOf as columnNamed } from '../../../../engine/base/elements.ts'
import type { Column, Columns } from '../../../../engine/schema/column.ts'
import { isNumeric } from '../../../../engine/schema/column.ts'
import { bonds } from '../../../../engine/schema/resources/bonds.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import { relativeValue } from '../../../../engine/schema/resources/relative-value.ts'
import { ratingBuckets } from '../../../../engine/schema/vocabulary.ts'
import type { PageProps } from '../../app/pages.ts'
import { go, href, setParams, useRoute } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Chart, type Region } from '../../parts/chart.tsx'
import { Grid } from '../../parts/grid.tsx'
import { Panel, Part } from '../../parts/part.tsx'
import { drawPoints, type Point } from '../../parts/points.ts'
import { Segments } from '../../parts/segments.tsx'
import { Empty } from '../../parts/state.tsx'
import { fixed, headingUnit, memberOf, shown } from '../../show/figures.ts'
import { fitCurve } from '../../show/fit.ts'
import { titleOf, wordsOf } from '../../show/words.ts'

interface Source {
  readonly call: 'search.bonds' | 'search.companies' | 'search.relative_value'
  readonly columns: Columns
  readonly filters: object
  readonly x: string
  readonly y: string
  /** Columns that name a row and lead to its page. */
  readonly names: readonly string[]
  readonly limit: number
}

const bondSource: Source = {
  call: 'search.bonds',
  columns: bonds.columns,
  filters: bonds.filters,
  x: 'pricing.duration',
  y: 'pricing.spread',
  names: ['id', 'display_name', 'cusip', 'company_ticker'],
  limit: bonds.limit.max,
}

const sources: Readonly<Record<string, Source>> = {
  bonds: bondSource,
  companies: {
    call: 'search.companies',
    columns: companies.columns,
    filters: companies.filters,
    x: 'leverage_ratio',
    y: 'interest_coverage',
    names: ['company_id', 'ticker', 'name'],
    limit: companies.limit.max,
  },
  'fitted curves': {
    call: 'search.relative_value',
    columns: relativeValue.columns,
    filters: relativeValue.filters,
    x: 'remaining_years',
    y: 'spread',
    names: ['cusip', 'bond_name', 'ticker'],
    limit: relativeValue.limit.max,
  },
}

const MOST = 3000
const MOST_LABELS = 60

const numbersOf = ({ columns }: Source): string[] =>
  Object.entries(columns).flatMap(([name, column]) => (isNumeric(column) ? [name] : []))

/** Any two columns of a list against one another, a curve through them, and what lies above and below it. */
// Over 80 lines: the controls and the parts of one page.
export function RelativeValue({ path: [, name = 'bonds'] }: PageProps) {
  const { query } = useRoute()
  const source = sources[name] ?? bondSource
  const column = (param: 'x' | 'y'): string => {
    const asked = query.get(param)
    return asked !== null && Object.hasOwn(source.columns, asked) ? asked : source[param]
  }
  const [x, y] = [column('x'), column('y')]
  const filters = Object.fromEntries([...query].filter(([key]) => Object.hasOwn(source.filters, key)))
  const fields = [...new Set([...source.names, x, y, ...('residual' in source.columns ? ['residual'] : [])])]
  const answer = useAllRows(source.call, { ...filters, fields, limit: source.limit } as object, MOST)
  const select = (param: 'x' | 'y', value: string) => (
    <label className="row">
      <span className="quiet">{param === 'x' ? 'Across' : 'Up'}</span>
      <select value={value} onChange={event => setParams({ [param]: event.target.value })}>
        {numbersOf(source).map(option => (
          <option key={option} value={option}>
            {titleOf(option)}
          </option>
        ))}
      </select>
    </label>
  )
  const bucket = ['All', ...ratingBuckets].find(b => b === query.get('rating_bucket')) ?? 'All'
  return (
    <div className="page">
      <header className="heading">
        <h1>Relative value</h1>
        <Segments
          label="Of"
          options={Object.keys(sources)}
          value={sources[name] ? name : 'bonds'}
          set={of => go(href(['relative-value', of], filters))}
          named={wordsOf}
        />
        {select('x', x)}
        {select('y', y)}
        <Segments
          label="Rating"
          options={['All', ...ratingBuckets]}
          value={bucket}
          set={chosen => setParams({ rating_bucket: chosen === 'All' ? null : chosen })}
        />
        <span className="spread" />
        {name !== 'fitted curves' && (
          <a className="button" href={href(['screen', name], filters)}>
            Filter in the screen
          </a>
        )}
      </header>
      <Part answer={answer} what={name}>
        {rows => <Plotted key={`${name}${x}${y}${bucket}`} rows={rows} source={source} x={x} y={y} />}
      </Part>
    </div>
  )
}

interface PlottedProps {
  readonly rows: readonly object[]
  readonly source: Source
  readonly x: string
  readonly y: string
}

// Over 80 lines: the chart and the list share the points and what is chosen.
function Plotted({ rows, source, x, y }: PlottedProps) {
  const [region, setRegion] = useState<Region | null>(null)
  const [isLabelled, setLabelled] = useState(false)
  const { points, curve, isModel } = useMemo(() => pointsOf(rows, source, x, y), [rows, source, x, y])
  const [xColumn, yColumn] = [columnNamed(source.columns, x), columnNamed(source.columns, y)]
  const options = useMemo(() => {
    const named = (name: string, column: Column) =>
      [titleOf(name), headingUnit(column)].filter(Boolean).join(' ')
    return {
      points,
      curve,
      xName: named(x, xColumn),
      yName: named(y, yColumn),
      xText: (value: number) => shown(xColumn, value),
      yText: (value: number) => shown(yColumn, value),
      // Only of a spread or a yield is more than the curve cheap.
      isPrice: /spread|ytm|ytw|z_spread/.test(y),
      isLabelled: isLabelled || points.length <= MOST_LABELS / 4,
    }
  }, [points, curve, x, y, xColumn, yColumn, isLabelled])
  const draw = useMemo(() => drawPoints(options), [options])
  const listed = useMemo(() => listOf(points, region), [points, region])
  const to = (point: Point) => href([source.call === 'search.companies' ? 'company' : 'bond', point.id])
  if (points.length === 0)
    return (
      <Empty>
        <p>
          <strong>Nothing to draw.</strong> No row has both figures: choose other columns, or remove a filter.
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
          ['Name', titleOf(x), titleOf(y), 'From the curve'],
          ...points.map(p => [
            p.name,
            options.xText(p.x),
            options.yText(p.y),
            p.residual === null ? null : fixed(p.residual, 1),
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
            <label className="row small">
              <input type="checkbox" checked={isLabelled} onChange={() => setLabelled(!isLabelled)} /> Labels
            </label>
          </>
        }
      />
      <Panel
        title={
          region ? `${fixed(listed.length, 0)} chosen` : `All ${fixed(points.length, 0)}, farthest first`
        }
        tools={
          region && (
            <button type="button" className="plain" onClick={() => setRegion(null)}>
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
                name: point.name,
                [x]: point.x,
                [y]: point.y,
                from_the_curve: point.residual,
                to: to(point),
              }
            )
          }}
          height={420}
        />
      </Panel>
    </>
  )
}

/** Rows with both figures, measured against the model's own residuals, else against a fit of these points. */
function pointsOf(rows: readonly object[], source: Source, x: string, y: string) {
  const text = (row: object, ...names: readonly string[]): string =>
    String(names.map(name => memberOf(row, name)).find(value => typeof value === 'string') ?? '')
  const isModel = source.call === 'search.relative_value' && x === source.x && y === source.y
  const known = rows.flatMap((row): Point[] => {
    const [across, up] = [memberOf(row, x), memberOf(row, y)]
    const residual = isModel ? memberOf(row, 'residual') : null
    return typeof across === 'number' && typeof up === 'number'
      ? [
          {
            id: text(row, 'ticker' in row && !('cusip' in row) ? 'ticker' : 'cusip', 'id', 'company_id'),
            name: text(row, 'display_name', 'bond_name', 'ticker', 'name'),
            x: across,
            y: up,
            residual: typeof residual === 'number' ? residual : null,
          },
        ]
      : []
  })
  if (isModel) return { points: known, curve: [], isModel }
  const fit = fitCurve(known)
  const points = known.map(point => ({ ...point, residual: fit ? point.y - fit.at(point.x) : null }))
  return { points, curve: fit?.curve ?? [], isModel }
}

const listOf = (points: readonly Point[], region: Region | null): readonly Point[] =>
  points
    .filter(
      ({ x, y }) => !region || (x >= region.x[0] && x <= region.x[1] && y >= region.y[0] && y <= region.y[1]),
    )
    .toSorted((a, b) => Math.abs(b.residual ?? 0) - Math.abs(a.residual ?? 0))
