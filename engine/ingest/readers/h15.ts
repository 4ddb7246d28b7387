import { groupOf } from '../../base/elements.ts'
import { headerOf } from './csv-records.ts'
import { Refused, type SourceFile } from './reader.ts'

/** A file of the Federal Reserve's H.15 release: lines that describe its series, and from `Time Period` on a day a line. */
export const isH15 = (file: SourceFile): boolean =>
  /^(series description|time period)$/i.test(headerOf(file)[0]?.trim() ?? '') &&
  /RIF[A-Z0-9]{3,16}_/.test(file.head)

/** `RIFLGFCY10_N.B` in months: nominal, of business days. Averages (`.M`) and real yields (`_XII_N`) are others. */
export function h15Months(series: string): number | null {
  const match = /^RIFLGFC([MY])(\d\d)_N\.B$/.exec(series)
  return match ? Number(groupOf(match, 2)) * (groupOf(match, 1) === 'Y' ? 12 : 1) : null
}

/** Reads the lines before the days: the series of `Time Period`, null for a line before it. */
export function h15Header(): (cells: readonly string[]) => readonly string[] | null {
  let units: readonly string[] = []
  let multipliers: readonly string[] = []
  return ([label = '', ...cells]) => {
    const values = cells.map(cell => cell.trim())
    if (/^unit/i.test(label)) units = values
    else if (/^multiplier/i.test(label)) multipliers = values
    if (!/^time period/i.test(label)) return null
    for (const [i, series] of values.entries()) {
      const [unit = 'Percent:_Per_Year', multiplier = '1'] = [units[i], multipliers[i]]
      if (h15Months(series) !== null && (unit !== 'Percent:_Per_Year' || Number(multiplier) !== 1))
        throw new Refused(`${series} is in ${unit} times ${multiplier}, not in percent`)
    }
    return values
  }
}
