import { addMonths, daysInMonth, formatDay, toDay } from '../../credit/calendar.ts'
import { BalanceSheets } from './balance-sheets.ts'
import { type Dimension, dimensionsIn, dimensionsText } from './dimensions.ts'
import { type Output, type Reader, Refused, type Sink, type SourceFile } from './reader.ts'
import { type Cell, eachTabRow, memberName, tabHeader } from './tab-separated.ts'

const SUB = ['adsh', 'cik', 'name', 'form', 'period', 'filed'] as const
const PRE = ['adsh', 'report', 'line', 'stmt', 'inpth', 'tag', 'version', 'negating'] as const
const NUM = ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value'] as const

const has = (names: readonly string[], wanted: readonly string[]) =>
  wanted.every(name => names.includes(name))

const isSub = (file: SourceFile) => has(tabHeader(file), SUB)
const isNum = (file: SourceFile) => has(tabHeader(file), NUM)
const isPre = (file: SourceFile) => has(tabHeader(file), PRE)
const isLabels = (file: SourceFile) =>
  has(tabHeader(file), ['tag', 'version', 'custom', 'abstract', 'datatype'])

export const statementDataSets: Reader = {
  kind: 'statement-data-sets',
  doc: 'SEC Financial Statement Data Sets: a quarter of filings with their figures, zip or folder of sub, num, tag and pre.',
  recognises: file => isSub(file) || isNum(file) || isPre(file) || isLabels(file),

  async read(file, sink) {
    if (isSub(file)) {
      await takeSubmissions(file, sink, 'row')
      return
    }
    if (isPre(file)) {
      const num = await file.beside?.('num.txt').catch(() => null)
      if (!num || !isNum(num))
        throw new Refused(
          'lines of statements without figures: pre.txt needs its num.txt in the same folder, or load the zip as published',
        )
      refuseNotes(num)
      const sheets = await sheetsOf(file, sink, 'row')
      await eachTabRow({ file: num, sink: SILENT, at: 'row', needed: NUM }, cell => addFigure(sheets, cell))
      await takeTotals(sheets, sink)
      return
    }
    if (!isNum(file)) throw new Refused(LABELS)
    refuseNotes(file)
    const sub = await file.beside?.('sub.txt').catch(() => null)
    if (!sub || !isSub(sub))
      throw new Refused(
        'figures without filings: num.txt needs its sub.txt in the same folder, or load the zip as published',
      )
    // The filings themselves are those of sub.txt, a file of its own.
    const filings = new Map<string, Filing>()
    await eachFiling(sub, SILENT, 'row', (_cell, _at, accession, filing) => {
      filings.set(accession, filing)
    })
    await takeFigures(file, filings, sink, 'row')
  },

  archive: {
    recognises: members =>
      ['sub.txt', 'num.txt'].every(name => members.some(m => memberName({ name: m }).toLowerCase() === name)),

    async read(members, sink) {
      const sub = members.find(isSub)
      const num = members.find(isNum)
      const pre = members.find(isPre)
      if (!sub || !num)
        throw new Refused('sub.txt and num.txt do not have the columns that the SEC publishes')
      refuseNotes(num)
      const filings = await takeSubmissions(sub, sink, `${memberName(sub)} row`)
      const sheets = pre ? await sheetsOf(pre, sink, `${memberName(pre)} row`) : new BalanceSheets()
      await takeFigures(num, filings, sink, `${memberName(num)} row`, sheets)
      if (pre) await takeTotals(sheets, sink)
      for (const other of members)
        if (other !== sub && other !== num && other !== pre) await sink.refuse(memberName(other), '', LABELS)
    },
  },
}

const LABELS = 'labels, not figures'

/** The data sets with notes tell dimensions by hash: without them a segment would be taken for the company. */
function refuseNotes(num: SourceFile): void {
  if (tabHeader(num).includes('dimh'))
    throw new Refused(
      'figures of the Financial Statement and Notes Data Sets, whose dimensions are in another table: load the Financial Statement Data Sets of the quarter',
    )
}

const SILENT: Sink = { take() {}, refuse() {}, async drain() {}, note() {} }

interface Filing {
  readonly cik: string
  readonly name: string
  readonly form: string
  readonly fiscalYear: number | null
  readonly fiscalPeriod: string | null
  readonly period: string | null
  readonly filed: string | null
}

/** `20090630` as `2009-06-30`; anything else unchanged, so that the column's check reports it. */
const dateOf = (text: string): string | null =>
  text === ''
    ? null
    : /^\d{8}$/.test(text)
      ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
      : text

/** Each filing of `sub.txt`, with its row. */
const eachFiling = (
  file: SourceFile,
  sink: Sink,
  at: string,
  onFiling: (cell: Cell, at: string, accession: string, filing: Filing) => void | Promise<void>,
): Promise<void> =>
  eachTabRow({ file, sink, at, needed: SUB }, (cell, at) =>
    onFiling(cell, at, cell('adsh'), {
      cik: cell('cik').padStart(10, '0'),
      name: cell('name'),
      form: cell('form'),
      fiscalYear: /^\d{4}$/.test(cell('fy')) ? Number(cell('fy')) : null,
      fiscalPeriod: cell('fp') || null,
      period: dateOf(cell('period')),
      filed: dateOf(cell('filed')),
    }),
  )

async function takeSubmissions(file: SourceFile, sink: Sink, at: string): Promise<Map<string, Filing>> {
  const filings = new Map<string, Filing>()
  const seen = new Set<string>()
  await eachFiling(file, sink, at, (cell, at, accession, filing) => {
    const { cik, name } = filing
    filings.set(accession, filing)
    const outputs: Output[] = [
      {
        dataset: 'filings',
        values: {
          cik,
          company_name: name,
          accession,
          form: filing.form,
          filed_date: filing.filed,
          // Rounded to a month-end: exact only if fiscal years end on one.
          report_date: endsOnMonthEnd(cell('fye')) ? filing.period : null,
          accepted: cell('accepted') || null,
          primary_document: null,
          items: null,
          is_xbrl: true,
          source_url: `https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${accession.replaceAll('-', '')}/`,
        },
      },
    ]
    if (!seen.has(cik)) outputs.push(directoryRow(cik, name, seen.size + 1, cell))
    seen.add(cik)
    return sink.take(at, outputs)
  })
  return filings
}

function directoryRow(cik: string, name: string, position: number, cell: Cell): Output {
  const state = [cell('countryinc'), cell('stprinc')].filter(part => part !== '').join('-')
  return {
    dataset: 'directory',
    values: {
      // Names at filing time: after the current ones of the registry `sec`.
      registry: 'sec_filers',
      name,
      position,
      ticker: null,
      cik,
      lei: null,
      jurisdiction: state || null,
      other_names: cell('former') === '' ? null : [cell('former')],
      status: null,
      sic: cell('sic') || null,
    },
  }
}

function endsOnMonthEnd(fye: string): boolean {
  const [month, day] = [Number(fye.slice(0, -2)), Number(fye.slice(-2))]
  return month >= 1 && month <= 12 && day >= daysInMonth(2023, month)
}

/** First day of a flow of `quarters` that ends on a month-end; null for a balance. */
export function flowStart(monthEnd: string, quarters: number): string | null {
  if (quarters === 0) return null
  const [year, month] = [Number(monthEnd.slice(0, 4)), Number(monthEnd.slice(5, 7))]
  return formatDay(addMonths(toDay(year, month, 1), 1 - 3 * quarters))
}

async function takeFigures(
  file: SourceFile,
  filings: ReadonlyMap<string, Filing>,
  sink: Sink,
  at: string,
  sheets: BalanceSheets | null = null,
): Promise<void> {
  await eachTabRow({ file, sink, at, needed: NUM }, (cell, at, raw) => {
    if (sheets) addFigure(sheets, cell)
    const dimensions = dimensionsOf(cell('segments'), cell('coreg'))
    if (dimensions === null)
      return sink.refuse(at, raw, `segments ${JSON.stringify(cell('segments'))} are not axis=member;`)
    const filing = filings.get(cell('adsh'))
    if (!filing) return sink.refuse(at, raw, `no filing ${cell('adsh')} in sub.txt`)
    const value = cell('value')
    if (value === '') return sink.refuse(at, raw, 'no value')
    if (!Number.isFinite(Number(value)))
      return sink.refuse(at, raw, `value ${JSON.stringify(value)} is not a number`)
    const quarters = Number(cell('qtrs'))
    const end = dateOf(cell('ddate'))
    if (end === null || !/^\d+$/.test(cell('qtrs')) || !/^\d{4}-(0[1-9]|1[0-2])-\d{2}$/.test(end))
      return sink.refuse(
        at,
        raw,
        `no period in ddate ${JSON.stringify(cell('ddate'))}, qtrs ${JSON.stringify(cell('qtrs'))}`,
      )
    return sink.take(at, [
      {
        dataset: 'facts',
        values: {
          cik: filing.cik,
          company_name: filing.name,
          ticker: null,
          concept: conceptOf(cell),
          unit: cell('uom'),
          period_start: flowStart(end, quarters),
          period_end: end,
          value: Number(value),
          decimals: null,
          accession: cell('adsh'),
          form: filing.form,
          fiscal_year: filing.fiscalYear,
          fiscal_period: filing.fiscalPeriod,
          report_date: filing.period,
          filed_date: filing.filed,
          dates_rounded: true,
          dimensions: dimensionsText(dimensions),
        },
      },
    ])
  })
}

/** The lines of the balance sheets in `pre.txt`, without those in brackets. */
async function sheetsOf(file: SourceFile, sink: Sink, at: string): Promise<BalanceSheets> {
  const sheets = new BalanceSheets()
  await eachTabRow({ file, sink, at, needed: PRE }, cell => {
    if (cell('stmt') !== 'BS' || cell('inpth') === '1') return
    sheets.addLine(cell('adsh'), {
      concept: conceptOf(cell),
      report: Number(cell('report')),
      line: Number(cell('line')),
      sign: cell('negating') === '1' ? -1 : 1,
    })
  })
  return sheets
}

/** Adds a row of `num.txt` to the balance sheet of its filing, if it is a balance of the whole company. */
function addFigure(sheets: BalanceSheets, cell: Cell): void {
  if (cell('qtrs') !== '0' || cell('segments') !== '' || cell('coreg') !== '' || cell('value') === '') return
  const value = Number(cell('value'))
  if (Number.isFinite(value))
    sheets.addValue(cell('adsh'), conceptOf(cell), `${cell('ddate')} ${cell('uom')}`, value)
}

/** The totals of balance sheets, as links; a note says of how many filings. */
async function takeTotals(sheets: BalanceSheets, sink: Sink): Promise<void> {
  let [all, added] = [0, 0]
  for (const { accession, outputs } of sheets.links()) {
    all++
    if (outputs.length === 0) continue
    added++
    await sink.take(`balance sheet of ${accession}`, outputs)
  }
  sink.note(`the lines of ${added} of ${all} balance sheets add up to their liabilities`)
}

/** Segments, and the co-registrant as a legal entity unless they name it already. */
function dimensionsOf(segments: string, registrant: string): readonly Dimension[] | null {
  const dimensions = dimensionsIn(segments)
  if (dimensions === null || registrant === '' || dimensions.some(({ axis }) => axis === LEGAL_ENTITY))
    return dimensions
  return [...dimensions, { axis: LEGAL_ENTITY, member: registrant }]
}

const LEGAL_ENTITY = 'LegalEntity'

const conceptOf = (cell: Cell): string => `${taxonomyOf(cell('version'))}:${cell('tag')}`

// The company's own concepts have the accession number as version.
function taxonomyOf(version: string): string {
  const name = version.slice(0, Math.max(0, version.indexOf('/')))
  return name === '' ? 'custom' : name === 'ifrs' ? 'ifrs-full' : name
}
