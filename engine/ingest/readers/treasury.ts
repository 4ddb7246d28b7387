import { groupOf } from '../../base/elements.ts'
import { csvRecords, headerOf } from './csv-records.ts'
import { RatesInPercent } from './rates-in-percent.ts'
import { type Output, type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn, isMissing, numberIn } from './source-cells.ts'

const LABEL = /^(?:BC_)?(\d{1,3}(?:[._]\d)?)[ _]?(mo|month|months|yr|year|years)$/i

/** `1.5 Month`, `10 Yr`, `BC_1_5MONTH` or `BC_10YEAR` in months. */
function tenorMonths(label: string): number | null {
  const match = LABEL.exec(label.trim())
  if (!match) return null
  return (
    Number(groupOf(match, 1).replace('_', '.')) * (groupOf(match, 2).toLowerCase().startsWith('y') ? 12 : 1)
  )
}

// The last column of the Treasury's feed repeats the 30-year rate; its first one numbers the entries.
const isIgnored = (label: string) => /^(BC_30YEARDISPLAY|Id)$/i.test(label.trim())
const isDateLabel = (label: string) => /^(date|new_date)$/i.test(label.trim())

const isCurveHeader = (header: readonly string[]): boolean =>
  header.filter(isDateLabel).length === 1 &&
  header.length >= 3 &&
  header.every(label => isDateLabel(label) || isIgnored(label) || tenorMonths(label) !== null)

// The file of real yields has the same labels, but only for these tenors.
const isRealCurve = (header: readonly string[]): boolean =>
  header.flatMap(label => tenorMonths(label) ?? []).join() === '60,84,120,240,360'

/** The feed of the Treasury, an entry a day. */
const isFeed = ({ head }: SourceFile): boolean => /<feed\b/.test(head.slice(0, 2000)) && /<d:BC_\d/.test(head)

interface Row {
  readonly at: string
  readonly raw: string
  readonly cells: readonly string[]
}

/** The entries of the feed as rows below a header. */
async function* feedRows(file: SourceFile): AsyncGenerator<Row> {
  const text = await file.text()
  if (!text.trimEnd().endsWith('</feed>')) throw new Refused('the feed is truncated: download it again')
  const entries = text.split('<m:properties>').slice(1)
  const values = entries.map(entry => {
    const [raw = ''] = entry.split('</m:properties>')
    const cells = [...raw.matchAll(/<d:([A-Za-z0-9_]{1,40})\b[^<>]{0,200}>([^<>]{0,200})/g)]
    return { raw: raw.trim(), cells: new Map(cells.map(([, name = '', value = '']) => [name, value])) }
  })
  const names = [...new Set(values.flatMap(({ cells }) => [...cells.keys()]))]
  yield { at: 'feed', raw: '', cells: names }
  for (const [i, { raw, cells }] of values.entries())
    yield { at: `entry ${i + 1}`, raw, cells: names.map(name => cells.get(name) ?? '') }
}

export const treasury: Reader = {
  kind: 'treasury',
  doc: 'US Treasury daily par yield curve rates, CSV or XML.',
  recognises: file => isCurveHeader(headerOf(file)) || isFeed(file),

  async read(file, sink) {
    let columns: { at: number; months: number; label: string }[] | undefined
    let dateAt = 0
    const percent = new RatesInPercent()
    for await (const { at, cells, raw } of isFeed(file) ? feedRows(file) : csvRecords(file)) {
      if (!columns) {
        if (!isCurveHeader(cells))
          throw new Refused('the header must be Date and tenors such as `1 Mo`, `10 Yr`')
        if (isRealCurve(cells))
          throw new Refused('tenors 5, 7, 10, 20 and 30 years only: these are real yields, not par yields')
        dateAt = cells.findIndex(isDateLabel)
        columns = cells.flatMap((label, i) => {
          const months = isIgnored(label) ? null : tenorMonths(label)
          return months === null ? [] : [{ at: i, months, label: label.trim() }]
        })
        continue
      }
      const date = dateIn(cells[dateAt])
      if (date === null) {
        await sink.refuse(at, raw, `${JSON.stringify(cells[dateAt] ?? '')} is not a date`)
        continue
      }
      const given = columns.filter(column => !isMissing(cells[column.at]))
      for (const { at, months, label } of given) percent.add(months, numberIn(cells[at]), label)
      const bad = given.find(column => Number.isNaN(numberIn(cells[column.at])))
      const outputs = given.map(
        ({ at, months }): Output => ({
          dataset: 'treasury_yields',
          values: { date, tenor_months: months, rate: numberIn(cells[at]), publisher: 'treasury' },
        }),
      )
      if (bad) await sink.refuse(at, raw, `${bad.label}: ${JSON.stringify(cells[bad.at])} is not a rate`)
      else if (outputs.length === 0) await sink.refuse(at, raw, 'no rate for any tenor')
      else await sink.take(at, outputs)
    }
    percent.check()
  },
}
