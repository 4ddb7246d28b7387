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
    const letters: Letters = { plain: 0, modified: 0, foreign: 0 }
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!column) {
        column = columnsOf(cells)
        continue
      }
      const made = outputOf(name => cells[column!(name) ?? -1])
      if (typeof made === 'string') await sink.refuse(at, raw, made)
      else {
        count(letters, String(made.values['agency']), String(made.values['rating']))
        await sink.take(at, [made])
      }
    }
    for (const note of notesOf(letters)) sink.note(note)
  },
}

interface Letters {
  plain: number
  modified: number
  /** Of Moody's, in the letters of S&P. */
  foreign: number
}

/** Of so many ratings some have a modifier, unless a list gives whole letters. */
const ENOUGH = 30

function count(letters: Letters, agency: string, rating: string): void {
  // `AAA` has no modifier, nor has what is below `CCC`.
  if (/^(?:AA|A|BBB|BB|B|CCC|Aa|Baa|Ba|Caa)$/.test(rating)) letters.plain += 1
  else if (/^(?:AA|A|BBB|BB|B|CCC)[+-]|^(?:Aa|A|Baa|Ba|B|Caa)[123]/.test(rating)) letters.modified += 1
  if (agency === 'moodys' && /^(?:AAA|AA|BBB|BB|CCC|CC)(?![a-z])/.test(rating)) letters.foreign += 1
}

function notesOf({ plain, modified, foreign }: Letters): string[] {
  const notes = []
  if (modified === 0 && plain >= ENOUGH)
    notes.push(
      `none of ${plain.toLocaleString('en')} ratings has a + or -, or a digit: they may be whole letters, of which the notch is not known; each counts as the middle of its letter`,
    )
  if (foreign > 0)
    notes.push(`${foreign.toLocaleString('en')} ratings of Moody's are in S&P's letters: BBB is read as Baa2`)
  return notes
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
