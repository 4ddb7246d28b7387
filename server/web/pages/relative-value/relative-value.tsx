import type { Columns } from '../../../../engine/schema/column.ts'
import { isNumeric } from '../../../../engine/schema/column.ts'
import { bonds } from '../../../../engine/schema/resources/bonds.ts'
import { companies } from '../../../../engine/schema/resources/companies.ts'
import { relativeValue } from '../../../../engine/schema/resources/relative-value.ts'
import { ratingBuckets } from '../../../../engine/schema/vocabulary.ts'
import type { PageProps } from '../../app/pages.ts'
import { go, href, setParams, useRoute } from '../../app/route.ts'
import { useAllRows } from '../../ask/rows.ts'
import { Part } from '../../parts/part.tsx'
import { Segments } from '../../parts/segments.tsx'
import { isIssuers, isRating, issuerColumns, ratingColumn } from '../../show/issuer-axes.ts'
import { titleOf, wordsOf } from '../../show/words.ts'
import { Plotted } from './plotted.tsx'
import { useIssuers } from './use-issuers.ts'

export interface Source {
  readonly call: 'search.bonds' | 'search.companies' | 'search.relative_value'
  readonly columns: Columns
  readonly filters: object
  readonly x: string
  readonly y: string
  /** Columns that name a row and lead to its page. */
  readonly names: readonly string[]
  /** The column with the issuer's ticker, where figures of the issuer can be drawn. */
  readonly issuer: string | null
  /** Columns that say how old prices and figures are. */
  readonly ages: readonly string[]
  readonly limit: number
}

const bondSource: Source = {
  call: 'search.bonds',
  columns: { ...bonds.columns, ...issuerColumns },
  filters: bonds.filters,
  x: 'pricing.duration',
  y: 'pricing.spread',
  names: ['id', 'display_name', 'cusip', 'company_ticker'],
  issuer: 'company_ticker',
  ages: ['pricing.staleness_days'],
  limit: bonds.limit.max,
}

const sources: Readonly<Record<string, Source>> = {
  bonds: bondSource,
  companies: {
    call: 'search.companies',
    columns: { ...companies.columns, ...ratingColumn },
    filters: companies.filters,
    x: 'leverage_ratio',
    y: 'interest_coverage',
    names: ['company_id', 'ticker', 'name'],
    issuer: null,
    ages: ['figures_age_days', 'sp_rating', 'moodys_rating', 'fitch_rating', 'rating_age_days'],
    limit: companies.limit.max,
  },
  'fitted curves': {
    call: 'search.relative_value',
    columns: { ...relativeValue.columns, ...issuerColumns },
    filters: relativeValue.filters,
    x: 'remaining_years',
    y: 'spread',
    names: ['cusip', 'bond_name', 'ticker'],
    issuer: 'ticker',
    ages: ['staleness_days'],
    limit: relativeValue.limit.max,
  },
}

const MOST = 3000

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
  const own = [x, y].filter(column => !isIssuers(column) && !isRating(column))
  const model = 'residual' in source.columns ? ['residual'] : []
  const fields = [...new Set([...source.names, ...own, ...source.ages, ...model])]
  const listed = useAllRows(source.call, { ...filters, fields, limit: source.limit } as object, MOST)
  const answer = useIssuers(
    listed,
    source.issuer !== null && (isIssuers(x) || isIssuers(y)) ? source.issuer : null,
  )
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
