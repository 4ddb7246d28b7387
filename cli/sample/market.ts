import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { elementAt } from '../../engine/base/elements.ts'
import { type Day, isBusinessDay, parseDay, toDay } from '../../engine/credit/calendar.ts'
import { CurveHistory } from '../../engine/credit/curve-history.ts'

export const TRADING_DAYS = 598
export const firstDay: Day = toDay(2023, 3, 1)

/** The trading days of the sample, on the calendar of the US bond market. */
export const tradingDays: readonly Day[] = (() => {
  const days: Day[] = []
  for (let day = firstDay; days.length < TRADING_DAYS; day++) if (isBusinessDay(day)) days.push(day)
  return days
})()

export const lastDay: Day = tradingDays.at(-1)!

/** Real par yields, published by the Treasury and republished by the Federal Reserve. */
export const curveFiles = ['treasury-par-yields.csv', 'treasury-yields-2025-07.csv'] as const

/** The folder with the committed inputs, whether run from source or compiled. */
export function inputFolder(from: string = import.meta.dirname): string {
  const folder = join(from, 'data', 'sample')
  if (existsSync(folder)) return folder
  if (dirname(from) === from) throw new Error('data/sample, which the sample is made from, is missing')
  return inputFolder(dirname(from))
}

const lines = (file: string) =>
  readFileSync(join(inputFolder(), file), 'utf8')
    .trim()
    .split('\n')
    .map(line => line.split(','))

/** Tenor in months of a Treasury column headed `1.5 Mo` or `10 Yr`. */
const monthsOf = (head: string) => Number.parseFloat(head) * (head.endsWith('Yr') ? 12 : 1)

export function readCurves(): CurveHistory {
  const [head, ...days] = lines(curveFiles[0])
  const points = days.flatMap(([date, ...rates]) =>
    rates.flatMap((rate, i) =>
      rate === '' ? [] : [[parseDay(date!), monthsOf(elementAt(head!, i + 1)), Number(rate)] as const],
    ),
  )
  const [, ...later] = lines(curveFiles[1])
  for (const [date, months, rate] of later) points.push([parseDay(date!), Number(months), Number(rate)])
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  return new CurveHistory({
    day: points.map(p => p[0]),
    tenorYears: points.map(p => p[1] / 12),
    ratePct: points.map(p => p[2]),
  })
}
