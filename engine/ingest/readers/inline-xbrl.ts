import { Parser } from 'htmlparser2'
import { sheetOf } from '../../schema/datasets/calculations.ts'
import { type Dimension, dimensionsText } from './dimensions.ts'
import { inlineSheetLinks, type ShownFigure } from './inline-balance-sheet.ts'
import { decimalsOf } from './inline-facts.ts'
import { numberInWords } from './number-words.ts'
import type { Sink } from './reader.ts'
import { type Context, XbrlContexts } from './xbrl-contexts.ts'
import { LONGEST_SHOWN, standardName, XBRLDI, XBRLI } from './xbrl-names.ts'

/** The inline namespaces of 2008 to 2013. */
const INLINE = /^http:\/\/www\.xbrl\.org\/20\d\d\/inlineXBRL$/

/** A figure that a page shows and tags. */
interface InlineFigure {
  readonly concept: string
  readonly context: string
  readonly unit: string
  readonly decimals: string | undefined
  readonly format: string | undefined
  readonly scale: number
  readonly isNegative: boolean
  readonly isNil: boolean
  /** As the page shows it, at most 300 characters. */
  text: string
}

/** The tagged figures of a page, with what they refer to. */
interface InlineDocument {
  readonly contexts: ReadonlyMap<string, Context>
  readonly units: ReadonlyMap<string, string>
  readonly figures: readonly InlineFigure[]
  /** Facts of the document itself, as `DocumentFiscalYearFocus`. */
  readonly about: ReadonlyMap<string, string>
}

type Attributes = Readonly<Record<string, string>>

/** Reads the figures of a page; null if it has no inline XBRL. */
function inlineDocument(source: string): InlineDocument | null {
  if (!/inlineXBRL["']/.test(source.slice(0, 20_000))) return null
  const reader = new InlineReader()
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => reader.open(tag, attributes),
      ontext: text => reader.text(text),
      onclosetag: tag => reader.close(tag),
    },
    { recognizeSelfClosing: true, decodeEntities: true },
  )
  parser.write(source)
  parser.end()
  return reader
}

/** The parser gives names of tags and attributes in lower case, so prefixes are looked up so. */
class InlineReader implements InlineDocument {
  readonly figures: InlineFigure[] = []
  readonly about = new Map<string, string>()
  private readonly namespaces = new Map<string, string>()
  /** Open figures, of which one may show another. */
  private readonly openFigures: (InlineFigure | null)[] = []
  private readonly structure = new XbrlContexts()
  private dimension: { axis: string; member: string } | null = null
  private named: { readonly name: string; text: string } | null = null
  private excluded = 0
  private value = ''

  readonly contexts = this.structure.contexts
  readonly units = this.structure.units

  private readonly resolve = (prefix: string) => this.namespaces.get(prefix.toLowerCase())

  open(tag: string, attributes: Attributes): void {
    for (const [name, uri] of Object.entries(attributes))
      if (name.startsWith('xmlns:')) this.namespaces.set(name.slice('xmlns:'.length), uri)
    const { uri, local } = this.split(tag)
    this.value = ''
    if (uri === XBRLI) this.structure.open(local, attributes)
    else if (INLINE.test(uri)) this.openInline(local, attributes)
    else if (this.structure.context) this.openDimension(uri, tag, attributes)
  }

  text(piece: string): void {
    if (this.excluded > 0) return
    for (const figure of this.openFigures)
      if (figure && figure.text.length < LONGEST_SHOWN) figure.text += piece
    if (this.named && this.named.text.length < LONGEST_SHOWN) this.named.text += piece
    if (this.value.length < LONGEST_SHOWN) this.value += piece
  }

  close(tag: string): void {
    const { uri, local } = this.split(tag)
    const value = this.value.trim()
    this.value = ''
    if (uri === XBRLI) this.structure.close(local, value)
    else if (INLINE.test(uri)) this.closeInline(local)
    else if (this.dimension && value !== '') this.dimension.member = standardName(this.resolve, value)
    if (uri === XBRLDI) this.dimension = null
  }

  private split(tag: string): { uri: string; local: string } {
    const at = tag.indexOf(':')
    return at < 0
      ? { uri: '', local: tag }
      : { uri: this.namespaces.get(tag.slice(0, at)) ?? '', local: tag.slice(at + 1) }
  }

  private openDimension(uri: string, tag: string, { dimension }: Attributes): void {
    // Inside a typed member its value has a tag of its own.
    if (uri !== XBRLDI && this.dimension) return
    const opened = { axis: standardName(this.resolve, uri === XBRLDI ? (dimension ?? '') : tag), member: '' }
    this.dimension = opened
    this.structure.context?.dimensions.push(opened satisfies Dimension)
  }

  private openInline(local: string, attributes: Attributes): void {
    const { name = '', contextref = '', unitref = '' } = attributes
    if (local === 'exclude') this.excluded++
    else if (local === 'nonfraction') {
      const figure = {
        concept: standardName(this.resolve, name),
        context: contextref,
        unit: unitref,
        decimals: attributes['decimals'],
        format: attributes['format']?.replace(/^[^:]*:/, ''),
        scale: Number(attributes['scale'] ?? 0),
        isNegative: attributes['sign'] === '-',
        isNil: Object.entries(attributes).some(
          ([key, value]) => /(?:^|:)nil$/.test(key) && /^(?:true|1)$/.test(value),
        ),
        text: '',
      }
      this.figures.push(figure)
      this.openFigures.push(figure)
    } else if (local === 'nonnumeric' && /^dei:/.test(name))
      this.named = { name: name.slice('dei:'.length), text: '' }
  }

  private closeInline(local: string): void {
    if (local === 'exclude') this.excluded = Math.max(0, this.excluded - 1)
    else if (local === 'nonfraction') this.openFigures.pop()
    else if (local === 'nonnumeric' && this.named) {
      const { name, text } = this.named
      this.named = null
      if (text.trim() !== '' && !this.about.has(name)) this.about.set(name, text.trim())
    }
  }
}

/** Zero, by any name that the registries of transformations gave it. */
const ZERO = /^(?:fixed-?zero|zerodash|numdash|zero-dash)$/
const DOT = /^num-?dot-?decimal(?:in)?$/
const COMMA = /^num-?comma-?decimal$/
const WORDS = /^num-?words?-?en$/

/** The number that a figure states; null if its text is in a form that is not read. */
function statedValue({ text, format, scale, isNegative }: InlineFigure): number | null {
  const digits = digitsOf(text, format)
  if (digits === null || !/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(digits) || !Number.isInteger(scale)) return null
  // As text, so that 1.1 in millions is exactly 1100000.
  const value = Number(`${digits}e${scale}`)
  return isNegative && value !== 0 ? -value : value
}

function digitsOf(text: string, format: string | undefined): string | null {
  const shown = text.replace(/[\s\u00a0]/g, '')
  if (format === undefined) return shown
  if (ZERO.test(format)) return '0'
  if (DOT.test(format)) return shown.replaceAll(',', '')
  if (COMMA.test(format)) return shown.replaceAll('.', '').replace(',', '.')
  const said = WORDS.test(format) ? numberInWords(text) : null
  return said === null ? null : String(said)
}

/** What a filing says of all its figures. */
export interface FilingOfFigures {
  readonly cik: string | null
  readonly company_name: string | null
  readonly ticker: string | null
  readonly accession: string | null
  readonly form: string
  readonly period: string | null
  readonly filed: string | null
  readonly known: string | null
}

/** Takes the figures that a page tags. Those without a value, or in a form that is not read, are counted in notes. */
export async function takeInlineFigures(
  source: string,
  of: FilingOfFigures,
  at: string,
  sink: Sink,
): Promise<void> {
  const page = inlineDocument(source)
  if (page === null || page.figures.length === 0) return
  const year = Number(page.about.get('DocumentFiscalYearFocus'))
  let elsewhere = 0
  let nil = 0
  const shown: ShownFigure[] = []
  const [first] = page.figures
  const cik = page.contexts.get(first?.context ?? '')?.cik ?? of.cik
  for (const [i, figure] of page.figures.entries()) {
    const place = `${at}, figure ${i + 1}`
    const context = page.contexts.get(figure.context)
    const unit = page.units.get(figure.unit)
    if (context === undefined || unit === undefined) {
      elsewhere++
      continue
    }
    if (figure.isNil) {
      nil++
      continue
    }
    const value = statedValue(figure)
    const cik = context.cik ?? of.cik
    const reason =
      value === null
        ? `${JSON.stringify(figure.text.slice(0, 80))} is no number${figure.format === undefined ? '' : ` in the form ${figure.format}`}`
        : context.end === null
          ? 'no date: the period is forever'
          : cik === null
            ? `the entity ${JSON.stringify(context.entity)} is no SEC CIK`
            : null
    if (value !== null && context.end !== null && context.dimensions.length === 0)
      shown.push({ concept: figure.concept, unit, start: context.start, end: context.end, value })
    if (reason !== null)
      await sink.refuse(place, `${figure.concept} ${figure.context} ${figure.text}`, reason)
    else
      await sink.take(place, [
        {
          dataset: 'facts',
          values: {
            cik,
            company_name: of.company_name,
            ticker: of.ticker,
            concept: figure.concept,
            unit,
            period_start: context.start,
            period_end: context.end,
            value,
            decimals: decimalsOf(figure.decimals),
            accession: of.accession,
            form: of.form,
            fiscal_year: Number.isInteger(year) && year > 0 ? year : null,
            fiscal_period: page.about.get('DocumentFiscalPeriodFocus') ?? null,
            report_date: of.period,
            filed_date: of.filed,
            dates_rounded: null,
            dimensions: dimensionsText(context.dimensions),
            known_from: of.filed ?? of.known,
          },
        },
      ])
    if (i % 1000 === 999) await sink.drain()
  }
  const sheet = sheetOf({ ...of, cik, report_date: of.period, filed_date: of.filed })
  const links = inlineSheetLinks(sheet, shown)
  if (links.length > 0) await sink.take(`${at}, balance sheet`, links)
  const counted = (n: number) => n.toLocaleString('en')
  if (nil > 0) sink.note(`${at}: tagged figures without a value (nil): ${counted(nil)}`)
  if (elsewhere > 0)
    sink.note(
      `${at}: tagged figures of periods or units that another document of the filing defines: ${counted(elsewhere)}`,
    )
}
