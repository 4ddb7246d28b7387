import { SaxesParser, type SaxesTagNS } from 'saxes'
import { cikOf } from './companyfacts.ts'
import { instrumentsIn, isDebtNote, textOfNote } from './debt-note.ts'
import { dimensionsText } from './dimensions.ts'
import { indexEntry } from './filing-index.ts'
import { assumedKnown, decimalsOf, knownByRule } from './inline-facts.ts'
import { type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn } from './source-cells.ts'
import { type Context, XbrlContexts } from './xbrl-contexts.ts'
import { LINK, LONGEST_SHOWN, prefixOf, standardName, XBRLDI, XBRLI, XSI } from './xbrl-names.ts'

/** The parser looks up namespaces in every open element; instances have fewer than ten levels. */
const DEEPEST = 200

const rootNamed = (name: string) =>
  new RegExp(`^[\\s\\ufeff]*(?:<[?!][^>]*>\\s*)*<(?:[\\w.-]+:)?${name}[\\s>]`)
const INSTANCE_ROOT = rootNamed('xbrl')
const LINKBASE_ROOT = rootNamed('linkbase')
const SCHEMA_ROOT = rootNamed('schema')

/** A figure as instances write it; a longer text is not one. */
const FIGURE = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/
const LONGEST_FIGURE = 300
/** Notes on debt are read up to this many characters of HTML. */
const LONGEST_NOTE = 3_000_000

function figureIn(text: string): number | null {
  return text.length <= LONGEST_FIGURE && FIGURE.test(text) ? Number(text) : null
}

export const xbrlInstance: Reader = {
  kind: 'xbrl-instance',
  doc: 'XBRL instance, XML: the figures of one filing, and the instruments that its note on debt tells.',
  recognises: ({ head }) => INSTANCE_ROOT.test(head) && head.includes(XBRLI),

  async read(file, sink, options) {
    const { contexts, units, facts } = await parseInstance(file)
    const about = new Map(
      facts
        .filter(f => f.concept.startsWith('dei:') && contexts.get(f.context)?.dimensions.length === 0)
        .map(f => [f.concept, f.text]),
    )
    const form = about.get('dei:DocumentType')?.trim() || null
    const report = dateIn(about.get('dei:DocumentPeriodEndDate'))
    const year = Number(about.get('dei:DocumentFiscalYearFocus'))
    const fiscalPeriod = about.get('dei:DocumentFiscalPeriodFocus')?.trim() || null
    const registrant = cikOf(about.get('dei:EntityCentralIndexKey'))
    const latest = [...contexts.values()].reduce<string | null>(
      (end, c) => (c.dimensions.length > 0 || c.end === null || (end !== null && c.end <= end) ? end : c.end),
      null,
    )
    const ends = report ?? latest
    const index = await indexEntry(file.name)
    const stated = index?.filed ?? options.known_from ?? null
    const known = stated ?? (ends === null ? null : knownByRule(ends, form, fiscalPeriod))
    const noteOf = (fact: Fact) =>
      instrumentsIn(
        {
          ...textOfNote(fact.text),
          section_type: 'debt_footnote',
          offset: 0,
          doc_type: form ?? '',
          accession: index?.accession ?? null,
          filing_date: index?.filed ?? null,
          period_end: report,
          company_name: about.get('dei:EntityRegistrantName')?.trim() || null,
          cik: contexts.get(fact.context)?.cik ?? registrant,
        },
        { ticker: null, known },
      )
    for (const [i, fact] of facts.entries()) {
      const at = `fact ${i + 1}`
      const told = fact.isNote && contexts.get(fact.context)?.dimensions.length === 0 ? noteOf(fact) : []
      if (told.length > 0) {
        await sink.take(at, told)
        await sink.drain()
        continue
      }
      const figure = figureOf(fact, contexts, units, registrant)
      if (typeof figure === 'string')
        await sink.refuse(at, `${fact.concept} ${fact.context} ${fact.text.slice(0, LONGEST_SHOWN)}`, figure)
      else
        await sink.take(at, [
          {
            dataset: 'facts',
            values: {
              cik: figure.cik,
              company_name: about.get('dei:EntityRegistrantName')?.trim() || null,
              ticker: about.get('dei:TradingSymbol')?.trim() || null,
              concept: fact.concept,
              unit: figure.unit,
              period_start: figure.context.start,
              period_end: figure.context.end,
              value: figure.value,
              decimals: decimalsOf(fact.decimals),
              accession: index?.accession ?? null,
              form,
              fiscal_year: Number.isInteger(year) && year > 0 ? year : null,
              fiscal_period: fiscalPeriod,
              report_date: report,
              filed_date: index?.filed ?? null,
              dates_rounded: null,
              dimensions: dimensionsText(figure.context.dimensions),
              known_from: known,
            },
          },
        ])
      if (i % 10_000 === 9_999) await sink.drain()
    }
    if (stated === null) sink.note(assumedKnown)
  },
}

/** A fact that is a figure of a company, or why it is not. */
function figureOf(
  fact: Fact,
  contexts: ReadonlyMap<string, Context>,
  units: ReadonlyMap<string, string>,
  registrant: string | null,
): { context: Context; cik: string; unit: string; value: number } | string {
  const context = contexts.get(fact.context)
  if (!context) return `context ${JSON.stringify(fact.context)} is not in the file`
  if (fact.nil) return 'nil'
  if (fact.unit === null) return 'text, not a figure'
  const unit = units.get(fact.unit)
  if (unit === undefined) return `unit ${JSON.stringify(fact.unit)} is not in the file`
  const value = figureIn(fact.text)
  if (value === null) return `value ${JSON.stringify(fact.text.slice(0, LONGEST_SHOWN))} is not a number`
  if (context.end === null) return 'no date: the period is forever'
  const cik = context.cik ?? registrant
  if (cik === null) return `the entity ${JSON.stringify(context.entity)} is no SEC CIK`
  return { context, cik, unit, value }
}

export const isLinkbase = ({ head }: SourceFile): boolean => LINKBASE_ROOT.test(head) && head.includes(LINK)

export const xbrlDescriptions: Reader = {
  kind: 'xbrl-linkbase',
  doc: 'XBRL schemas and other linkbases, XML. Recognised and refused: they describe concepts.',
  recognises: file =>
    isLinkbase(file) ||
    (SCHEMA_ROOT.test(file.head) &&
      file.head.includes('http://www.w3.org/2001/XMLSchema') &&
      file.head.includes('xbrl.org')),
  async read() {
    throw new Refused('a linkbase or schema: describes concepts, holds no figures')
  },
}

interface Fact {
  readonly concept: string
  /** A note on debt, of which the text is read. */
  readonly isNote: boolean
  readonly context: string
  readonly unit: string | null
  readonly decimals: string | undefined
  readonly nil: boolean
  text: string
}

/** Contexts, units and facts in file order; a fact may precede its context. */
async function parseInstance(file: SourceFile): Promise<InstanceParser> {
  const instance = new InstanceParser()
  const stream = await file.open()
  stream.setEncoding('utf8')
  try {
    for await (const chunk of stream as AsyncIterable<string>) instance.parser.write(chunk)
    instance.parser.close()
  } catch (error) {
    if (error instanceof Error && /^(?:file:)?.*\d:\d+: /.test(error.message))
      throw new Refused(`not well-formed XML (${error.message}): fetch the file again`)
    throw error
  } finally {
    stream.destroy()
  }
  return instance
}

class InstanceParser {
  private readonly structure = new XbrlContexts()
  readonly contexts = this.structure.contexts
  readonly units = this.structure.units
  readonly facts: Fact[] = []
  readonly parser = new SaxesParser({ xmlns: true })
  private fact: Fact | undefined
  private factDepth = 0
  private dimension: { axis: string; member: string } | undefined
  private dimensionDepth = 0
  private depth = 0
  private text = ''

  constructor() {
    this.parser.on('opentag', tag => this.open(tag))
    this.parser.on('text', piece => this.add(piece))
    this.parser.on('cdata', piece => this.add(piece))
    this.parser.on('closetag', tag => this.close(tag))
  }

  private open(tag: SaxesTagNS): void {
    if (++this.depth > DEEPEST)
      throw new Refused(`elements nest deeper than ${DEEPEST} levels: no XBRL instance`)
    if (this.fact) return
    this.text = ''
    const { context } = this.structure
    if (tag.uri === XBRLI) this.structure.open(tag.local.toLowerCase(), idAndScheme(tag))
    else if (context) this.openDimension(tag, context)
    else this.openFact(tag)
  }

  /** Everything in a segment or scenario narrows the context; a typed member's content is its value. */
  private openDimension(tag: SaxesTagNS, context: Context): void {
    if (tag.uri === LINK || (tag.uri !== XBRLDI && this.dimension !== undefined)) return
    const named = tag.uri === XBRLDI ? attribute(tag, 'dimension') : `${tag.prefix}:${tag.local}`
    this.dimension = { axis: standardName(prefix => this.parser.resolve(prefix), named ?? ''), member: '' }
    context.dimensions.push(this.dimension)
    this.dimensionDepth = this.depth
  }

  private openFact(tag: SaxesTagNS): void {
    const context = attribute(tag, 'contextRef')
    if (context === undefined) return
    this.factDepth = this.depth
    const concept = `${prefixOf(tag)}:${tag.local}`
    this.fact = {
      concept,
      isNote: isDebtNote(concept),
      context,
      unit: attribute(tag, 'unitRef') ?? null,
      decimals: attribute(tag, 'decimals'),
      nil: Object.values(tag.attributes).some(
        a => a.uri === XSI && a.local === 'nil' && /^(true|1)$/.test(a.value),
      ),
      text: '',
    }
  }

  private add(piece: string): void {
    if (!this.fact) this.text += piece
    else if (this.fact.text.length < (this.fact.isNote ? LONGEST_NOTE : LONGEST_SHOWN))
      this.fact.text += piece
  }

  private close(tag: SaxesTagNS): void {
    const depth = this.depth--
    if (this.fact) {
      if (depth !== this.factDepth) return
      this.facts.push(this.fact)
      this.fact = undefined
      return
    }
    const text = this.text.trim()
    this.text = ''
    if (this.dimension) {
      if (text !== '') this.dimension.member = standardName(prefix => this.parser.resolve(prefix), text)
      if (this.depth < this.dimensionDepth) this.dimension = undefined
    } else if (tag.uri === XBRLI) this.structure.close(tag.local.toLowerCase(), text)
  }
}

const idAndScheme = (tag: SaxesTagNS) => ({
  id: attribute(tag, 'id') ?? '',
  scheme: attribute(tag, 'scheme') ?? '',
})

const attribute = (tag: SaxesTagNS, name: string): string | undefined => tag.attributes[name]?.value
