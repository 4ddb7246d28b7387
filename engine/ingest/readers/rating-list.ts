import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import { isRating } from './rating-actions.ts'
import type { Output, Reader } from './reader.ts'
import { dateIn, textIn } from './source-cells.ts'

const AGENCIES = ['sp', 'moodys', 'fitch'] as const

export const ratingList: Reader = {
  kind: 'rating-list',
  doc: 'Current ratings of issuers, one issuer per line, CSV with symbol, retrieved and a column per agency (sp, moodys, fitch).',
  recognises: file => {
    const header = headerOf(file)
    return hasColumns(header, 'symbol', 'retrieved') && AGENCIES.some(agency => hasColumns(header, agency))
  },

  async read(file, sink, options) {
    let column: ReturnType<typeof columnsOf> | undefined
    const verified = { no: 0, of: 0 }
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!column) {
        column = columnsOf(cells)
        continue
      }
      const get = (name: string) => cells[column!(name) ?? -1]
      const outputs = outputsOf(get, options.known_from ?? options.date)
      if (typeof outputs === 'string') await sink.refuse(at, raw, outputs)
      else {
        if (textIn(get('verified')) !== null) verified.of++
        if (/^(no?|false|0)$/i.test(textIn(get('verified')) ?? '')) verified.no++
        await sink.take(at, outputs)
      }
    }
    if (verified.no > 0)
      sink.note(`${verified.no} of ${verified.of} rows are marked as not verified; they are taken anyway`)
  },
}

/** A row gives the current rating of each agency named in it, not since when: it has no effective date. */
function outputsOf(
  get: (name: string) => string | undefined,
  otherwise: string | undefined,
): Output[] | string {
  const ticker = textIn(get('symbol'))
  if (ticker === null) return 'no symbol'
  const retrieved = textIn(get('retrieved'))
  const known_from = retrieved === null ? (otherwise ?? null) : dateIn(retrieved)
  if (retrieved !== null && known_from === null)
    return `retrieved: ${JSON.stringify(retrieved)} is not a date`
  const ratings = AGENCIES.flatMap(agency => {
    const rating = textIn(get(agency))
    return rating === null ? [] : [{ agency, rating }]
  })
  const bad = ratings.find(({ rating }) => !isRating(rating))
  if (bad) return `${bad.agency}: ${JSON.stringify(bad.rating)} is on neither long-term rating scale`
  if (ratings.length === 0) return 'no rating by any agency'
  return ratings.map(({ agency, rating }) => ({
    dataset: 'ratings',
    values: {
      ticker: ticker.toUpperCase(),
      company_name: textIn(get('name')),
      agency,
      rating,
      rating_type: 'issuer',
      effective_date: null,
      source_section_type: 'imported',
      known_from,
    },
  }))
}
