import { formatDay, parseDay } from '../../credit/calendar.ts'
import { isAnnualForm } from '../../filing/report-form.ts'
import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import { dimensionsIn, dimensionsText } from './dimensions.ts'
import { type Reader, Refused } from './reader.ts'
import { dateIn, numberIn, textIn } from './source-cells.ts'

const FACTS = ['cik', 'concept', 'unit', 'start', 'end', 'dims', 'value'] as const
const INDEX = ['source', 'cik', 'facts', 'facts_no_dims'] as const

/** The known day of a report without a filing date: 90 days after an annual period, 45 after a quarterly one. */
export const knownByRule = (periodEnd: string, form: string | null, fiscalPeriod?: string | null): string =>
  formatDay(parseDay(periodEnd) + (isAnnualForm(form) || fiscalPeriod === 'FY' ? 90 : 45))

export const assumedKnown =
  'no filing date: figures count as known 90 days after the period of an annual report, 45 days after a quarter'

export const inlineFacts: Reader = {
  kind: 'inline-facts',
  doc: 'Table of inline XBRL facts, CSV: one row per fact with its dimensions.',
  recognises: file => hasColumns(headerOf(file), ...FACTS) || hasColumns(headerOf(file), ...INDEX),

  async read(file, sink, options) {
    let column: ((name: string) => number | undefined) | undefined
    let count = 0
    let assumed = false
    for await (const { at, cells, raw } of csvRecords(file)) {
      if (!column) {
        if (hasColumns(cells, ...INDEX)) throw new Refused('an index of documents without figures')
        if (!hasColumns(cells, ...FACTS)) throw new Refused(`the header needs ${FACTS.join(', ')}`)
        column = columnsOf(cells)
        continue
      }
      const cell = (name: string) => cells[column!(name) ?? -1]
      const value = numberIn(cell('value'))
      if (++count % 10_000 === 0) await sink.drain()
      const dimensions = dimensionsIn(cell('dims') ?? '')
      if (dimensions === null) {
        await sink.refuse(
          at,
          raw,
          `dims ${JSON.stringify(cell('dims'))} are not axis=member, with ; or | between several`,
        )
        continue
      }
      if (value === null || Number.isNaN(value)) {
        await sink.refuse(at, raw, `value ${JSON.stringify(cell('value') ?? '')} is not a number`)
        continue
      }
      const form = textIn(cell('form'))
      const fiscalPeriod = textIn(cell('fiscal_period'))
      const filed = dateIn(cell('filed'))
      const report = dateIn(cell('doc_period_end')) ?? dateIn(cell('end'))
      const source = textIn(cell('source')) ?? ''
      const stated = filed ?? options.known_from ?? null
      const known = stated ?? (report === null ? null : knownByRule(report, form, fiscalPeriod))
      if (stated === null && known !== null) assumed = true
      await sink.take(at, [
        {
          dataset: 'facts',
          values: {
            cik: textIn(cell('cik')),
            company_name: textIn(cell('entity')),
            ticker: textIn(cell('ticker')),
            concept: textIn(cell('concept')),
            unit: textIn(cell('unit')),
            period_start: dateIn(cell('start')) ?? textIn(cell('start')),
            period_end: dateIn(cell('end')) ?? textIn(cell('end')),
            value,
            decimals: decimalsOf(cell('decimals')),
            accession: accessionIn(textIn(cell('accession')) ?? '') ?? accessionIn(source),
            form,
            fiscal_year: numberIn(cell('fiscal_year')),
            fiscal_period: fiscalPeriod,
            report_date: dateIn(cell('doc_period_end')),
            filed_date: filed,
            dates_rounded: null,
            dimensions: dimensionsText(dimensions),
            known_from: known,
          },
        },
      ])
    }
    if (assumed) sink.note(assumedKnown)
  },
}

/** An accession number anywhere in a path, with or without dashes. */
export function accessionIn(path: string): string | null {
  const match = /(?<!\d)(\d{10})-?(\d{2})-?(\d{6})(?!\d)/.exec(path)
  return match ? `${match[1]}-${match[2]}-${match[3]}` : null
}

/** `INF` means exact and says nothing about rounding. */
export function decimalsOf(text: string | undefined): number | null {
  return /^[+-]?\d{1,3}$/.test(text?.trim() ?? '') ? Number(text) : null
}
