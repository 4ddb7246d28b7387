import { isWithdrawn, ratingRank } from '../../credit/rating-scale.ts'
import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import type { Output, Reader } from './reader.ts'
import { dateIn, textIn } from './source-cells.ts'

const COLUMNS = ['Rating', 'Name', 'Symbol', 'Rating Agency Name', 'Date']

/** The agency's code, or null for agencies other than the three covered. */
export function agencyCode(name: string): string | null {
  if (/standard\s*(&|and)\s*poor|^s\s*&\s*p\b/i.test(name)) return 'sp'
  if (/moody/i.test(name)) return 'moodys'
  return /fitch/i.test(name) ? 'fitch' : null
}

/** Whether a letter is on either long-term scale or marks a withdrawn rating. */
export const isRating = (letter: string): boolean => ratingRank('', letter) !== null || isWithdrawn(letter)

export const ratingActions: Reader = {
  kind: 'rating-actions',
  doc: 'Dated rating actions of issuers by agency, CSV with Rating, Name, Symbol, Rating Agency Name and Date.',
  recognises: file => hasColumns(headerOf(file), ...COLUMNS),

  async read(file, sink) {
    let column: ReturnType<typeof columnsOf> | undefined
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!column) {
        column = columnsOf(cells)
        continue
      }
      const made = outputOf(name => cells[column!(name) ?? -1])
      if (typeof made === 'string') await sink.refuse(at, raw, made)
      else await sink.take(at, [made])
    }
  },
}

function outputOf(get: (name: string) => string | undefined): Output | string {
  const rating = get('Rating')?.trim() ?? ''
  const agencyName = get('Rating Agency Name')?.trim() ?? ''
  const agency = agencyCode(agencyName)
  const effective_date = dateIn(get('Date'))
  const [ticker, company_name] = [textIn(get('Symbol')), textIn(get('Name'))]
  if (agency === null)
    return `agency ${JSON.stringify(agencyName)} is not one of S&P, Moody's and Fitch, whose ratings are covered`
  if (!isRating(rating)) return `Rating: ${JSON.stringify(rating)} is on neither long-term rating scale`
  if (effective_date === null)
    return `Date: ${JSON.stringify(get('Date') ?? '')} is not a date, month/day/year`
  if (ticker === null && company_name === null) return 'neither Symbol nor Name identifies the rated company'
  return {
    dataset: 'ratings',
    values: {
      ticker: ticker?.toUpperCase() ?? null,
      company_name,
      sector: textIn(get('Sector')),
      agency,
      rating,
      rating_type: 'issuer',
      effective_date,
      source_section_type: 'imported',
    },
  }
}
