import { elementAt } from '../base/elements.ts'
import { isPromise } from '../base/maybe-promise.ts'
import { isCalled, nicknamesOf } from '../names/nicknames.ts'
import { integer, nullable, oneOf, type RowOf, text } from '../schema/column.ts'
import { valueSchema } from '../schema/json-schema.ts'
import { fallback, many, one, required } from '../schema/params.ts'
import { dayNumber } from '../search/text/section.ts'
import { bestCompletions, type Completion, Typeahead } from '../search/typeahead.ts'
import { type Context, operation, type Page, type RowsAnswer } from './operation.ts'
import { offsetParam, timeParams } from './params.ts'

const kinds = ['company', 'title'] as const

const columns = {
  kind: oneOf(kinds, 'What it is: a company, or the title of sections of filings.'),
  text: text('Name of the company, or the title without its number.'),
  ticker: nullable(text('Ticker of the company; null for a title.')),
  company_id: nullable(text('Id of the company; null for a title.')),
  sections: nullable(integer('Sections with the title, known by the day under `as_of`; null for a company.')),
}

export type Suggestion = RowOf<typeof columns>

const shown = Object.entries(columns).map(([name, column]) => ({ name, column }))

export const suggest = operation({
  name: 'suggest',
  method: 'GET',
  path: '/v1/suggest',
  command: 'suggest',
  doc: 'Companies and titles of filing sections that a text being typed may become, for search fields.',
  tier: 'any',
  cost: 'simple',
  answers: 'rows',
  envelope: 'data',
  columns,
  meta: { query: valueSchema(text('The text as given.')) },
  positional: ['q'],
  examples: ['krev', '"ris fac" --kind title'],
  params: {
    q: required(
      one(text('What was typed: each word begins a word of a name, ticker or title.'), { length: 200 }),
    ),
    kind: many(oneOf(kinds, 'Only suggestions of these kinds.')),
    limit: fallback(one(integer('Rows to return.'), { min: 1, max: 50 }), 10),
    ...offsetParam,
    ...timeParams,
  },
  async run(context, { q, kind = kinds, as_of, limit, offset }) {
    const companies = kind.includes('company') ? await companiesNamed(context, q) : []
    const titles = kind.includes('title') ? await titlesOf(context, q, as_of) : []
    const rows = merged(companies, titles, limit ?? Infinity)
    const page = rows.slice(offset, offset + (limit ?? rows.length))
    return {
      kind: 'rows',
      columns: shown,
      total: rows.length,
      limit,
      offset,
      chunks: () => [
        {
          rowCount: page.length,
          columns: shown.map(({ name }) => page.map(row => row[name as keyof Suggestion])),
        },
      ],
      meta: { query: q },
    } satisfies RowsAnswer
  },
  out: undefined as Page<Suggestion> | undefined,
})

interface Ranked extends Completion {
  readonly row: Suggestion
}

/** Companies before titles, but at most half of a page of them where there are titles; no misspelt one beside an exact one. */
function merged(companies: readonly Ranked[], titles: readonly Ranked[], page: number): Suggestion[] {
  const isExact = [...companies, ...titles].some(({ off }) => off === 0)
  const [names, others] = [companies, titles].map(list =>
    list.filter(({ off }) => !isExact || off === 0),
  ) as [Ranked[], Ranked[]]
  const first = Math.max(Math.ceil(page / 2), page - others.length)
  return [...names.slice(0, first), ...others, ...names.slice(first)].map(({ row }) => row)
}

async function titlesOf(context: Context, q: string, asOf: string | undefined): Promise<Ranked[]> {
  const index = await context.search()
  const found = await index.completeTitle(q, {
    ...(asOf !== undefined && { knownBy: dayNumber(asOf) }),
    ...(context.coverage === 'standard' && { standardOnly: true }),
  })
  return found.map(({ title, sections, ...completion }) => ({
    ...completion,
    row: { kind: 'title', text: title, ticker: null, company_id: null, sections },
  }))
}

interface Company {
  readonly company_id: string
  readonly ticker: string | null
  readonly name: string
  readonly coverage: string
}

interface CompanyNames {
  readonly companies: readonly Company[]
  readonly typeahead: Typeahead
  readonly bytes: number
}

/** Of a company with its words in two indexes of prefixes, measured. */
const BYTES_PER_COMPANY = 4000

async function companiesNamed(context: Context, q: string): Promise<Ranked[]> {
  const reading = context.cached('companies by name', () => readNames(context))
  const { companies, typeahead } = isPromise(reading) ? await reading : reading
  const found = typeahead.complete(q).flatMap(completion => {
    const company = elementAt(companies, completion.text)
    return context.coverage === 'standard' && company.coverage === 'extended'
      ? []
      : [{ ...completion, at: placeInName(completion.at, company), company }]
  })
  // What is written whole comes first: `GM` is General Motors before GameStop, `P&G` no name of which P and G begin words.
  const isMeant = ({ company }: { company: Company }) => isCalled(company, q)
  const best = bestCompletions(found, {
    weightOf: ({ company }) => Number(company.ticker !== null),
    textOf: ({ company }) => company.name,
  })
  return [...best.filter(isMeant), ...best.filter(one => !isMeant(one))].map(
    ({ company: { name, ticker, company_id }, ...completion }) => ({
      ...completion,
      row: { kind: 'company', text: name, ticker, company_id, sections: null },
    }),
  )
}

/** The ticker stands before the name, and is as much its beginning as the name's first word. */
const placeInName = (at: number, { ticker }: Company): number => (ticker === null ? at : Math.max(0, at - 1))

async function readNames(context: Context): Promise<CompanyNames> {
  // In the order of their ids.
  const known = await context.companyNames()
  const companies = [...known].sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
  const typeahead = await Typeahead.open(
    companies.map(company => [company.ticker ?? '', company.name, ...nicknamesOf(company)].join(' ')),
  )
  return { companies, typeahead, bytes: companies.length * BYTES_PER_COMPANY }
}
