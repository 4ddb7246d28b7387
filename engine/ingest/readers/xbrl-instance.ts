import { SaxesParser, type SaxesTagNS } from 'saxes'
import { formatDay, parseDay } from '../../credit/calendar.ts'
import { cikOf } from './companyfacts.ts'
import { type Dimension, dimensionsText } from './dimensions.ts'
import { assumedKnown, decimalsOf, knownByRule } from './inline-facts.ts'
import { type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn } from './source-cells.ts'

const XBRLI = 'http://www.xbrl.org/2003/instance'
const LINK = 'http://www.xbrl.org/2003/linkbase'
const XBRLDI = 'http://xbrl.org/2006/xbrldi'
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'
const LONGEST_SHOWN = 300
/** The parser looks for a namespace in every open element; instances have less than ten levels. */
const DEEPEST = 200

const rootNamed = (name: string) =>
  new RegExp(`^[\\s\\ufeff]*(?:<[?!][^>]*>\\s*)*<(?:[\\w.-]+:)?${name}[\\s>]`)
const INSTANCE_ROOT = rootNamed('xbrl')
const LINKBASE_ROOT = rootNamed('linkbase')
const SCHEMA_ROOT = rootNamed('schema')

/** A figure as instances write it; a longer text is none. */
const FIGURE = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/
const LONGEST_FIGURE = 300

function figureIn(text: string): number | null {
  return text.length <= LONGEST_FIGURE && FIGURE.test(text) ? Number(text) : null
}

export const xbrlInstance: Reader = {
  kind: 'xbrl-instance',
  doc: 'XBRL instance, XML: the figures of one filing.',
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
    const known = options.known_from ?? (ends === null ? null : knownByRule(ends, form, fiscalPeriod))
    for (const [i, fact] of facts.entries()) {
      const at = `fact ${i + 1}`
      const context = contexts.get(fact.context)
      const value = figureIn(fact.text)
      const unit = fact.unit === null ? null : (units.get(fact.unit) ?? null)
      const reason =
        context === undefined
          ? `context ${JSON.stringify(fact.context)} is not in the file`
          : fact.nil
            ? 'nil'
            : fact.unit === null
              ? 'text, not a figure'
              : unit === null
                ? `unit ${JSON.stringify(fact.unit)} is not in the file`
                : value === null
                  ? `value ${JSON.stringify(fact.text.slice(0, LONGEST_SHOWN))} is not a number`
                  : context.end === null
                    ? 'no date: the period is forever'
                    : (context.cik ?? registrant) === null
                      ? `the entity ${JSON.stringify(context.entity)} is no SEC CIK`
                      : null
      if (reason !== null)
        await sink.refuse(at, `${fact.concept} ${fact.context} ${fact.text.slice(0, LONGEST_SHOWN)}`, reason)
      else
        await sink.take(at, [
          {
            dataset: 'facts',
            values: {
              cik: context!.cik ?? registrant,
              company_name: about.get('dei:EntityRegistrantName')?.trim() || null,
              ticker: about.get('dei:TradingSymbol')?.trim() || null,
              concept: fact.concept,
              unit,
              period_start: context!.start,
              period_end: context!.end,
              value,
              decimals: decimalsOf(fact.decimals),
              accession: null,
              form,
              fiscal_year: Number.isInteger(year) && year > 0 ? year : null,
              fiscal_period: fiscalPeriod,
              report_date: report,
              filed_date: null,
              dates_rounded: null,
              dimensions: dimensionsText(context!.dimensions),
              known_from: known,
            },
          },
        ])
      if (i % 10_000 === 9_999) await sink.drain()
    }
    if (options.known_from === undefined) sink.note(assumedKnown)
  },
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

interface Context {
  entity: string
  cik: string | null
  start: string | null
  end: string | null
  /** What narrows the context: axis and member of each. */
  dimensions: Dimension[]
}

interface Fact {
  readonly concept: string
  readonly context: string
  readonly unit: string | null
  readonly decimals: string | undefined
  readonly nil: boolean
  text: string
}

/** Contexts, units and facts in the order of the file; facts may stand before the contexts they name. */
async function parseInstance(file: SourceFile) {
  const contexts = new Map<string, Context>()
  const units = new Map<string, string>()
  const facts: Fact[] = []
  let context: Context | undefined
  let unit: { id: string; over: string[]; under: string[]; below: boolean } | undefined
  let fact: Fact | undefined
  let dimension: { axis: string; member: string } | undefined
  let dimensionDepth = 0
  let factDepth = 0
  let depth = 0
  let text = ''

  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', tag => {
    if (++depth > DEEPEST) throw new Refused(`elements nest deeper than ${DEEPEST} levels: no XBRL instance`)
    if (fact) return
    text = ''
    const attribute = (name: string) => tag.attributes[name]?.value
    if (tag.uri === XBRLI) {
      if (tag.local === 'context') {
        context = { entity: '', cik: null, start: null, end: null, dimensions: [] }
        contexts.set(attribute('id') ?? '', context)
      } else if (tag.local === 'unit') unit = { id: attribute('id') ?? '', over: [], under: [], below: false }
      else if (tag.local === 'unitDenominator' && unit) unit.below = true
      else if (tag.local === 'identifier' && context)
        context.cik = /\/CIK$/i.test(attribute('scheme') ?? '') ? '' : null
      return
    }
    if (context) {
      if (tag.uri === LINK) return
      // Whatever stands in a segment or scenario narrows the context; what a typed member holds is its value.
      if (tag.uri !== XBRLDI && dimension !== undefined) return
      const named = tag.uri === XBRLDI ? attribute('dimension') : `${tag.prefix}:${tag.local}`
      dimension = { axis: standardName(parser, named ?? ''), member: '' }
      context.dimensions.push(dimension)
      dimensionDepth = depth
      return
    }
    const about = attribute('contextRef')
    if (about === undefined) return
    factDepth = depth
    fact = {
      concept: `${prefixOf(tag)}:${tag.local}`,
      context: about,
      unit: attribute('unitRef') ?? null,
      decimals: attribute('decimals'),
      nil: Object.values(tag.attributes).some(
        a => a.uri === XSI && a.local === 'nil' && /^(true|1)$/.test(a.value),
      ),
      text: '',
    }
  })
  const onText = (piece: string) => {
    if (fact) {
      if (fact.text.length < LONGEST_SHOWN) fact.text += piece
    } else text += piece
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', tag => {
    if (fact) {
      if (depth-- === factDepth) {
        facts.push(fact)
        fact = undefined
      }
      return
    }
    depth--
    if (dimension) {
      if (text.trim() !== '') dimension.member = standardName(parser, text.trim())
      if (depth < dimensionDepth) dimension = undefined
      text = ''
      return
    }
    if (tag.uri === XBRLI) {
      const value = text.trim()
      if (tag.local === 'context') context = undefined
      else if (tag.local === 'identifier' && context) {
        context.entity = value
        if (context.cik === '') context.cik = cikOf(value)
      } else if (tag.local === 'instant' && context) context.end = lastDay(value)
      else if (tag.local === 'startDate' && context) context.start = dateIn(value) ?? value
      else if (tag.local === 'endDate' && context) context.end = lastDay(value)
      else if (tag.local === 'measure' && unit)
        unit[unit.below ? 'under' : 'over'].push(value.replace(/^[^:]*:/, ''))
      else if (tag.local === 'unitDenominator' && unit) unit.below = false
      else if (tag.local === 'unit' && unit) {
        const under = unit.under.length ? `/${unit.under.join('*')}` : ''
        units.set(unit.id, unit.over.join('*') + under)
        unit = undefined
      }
    }
    text = ''
  })

  const stream = await file.open()
  stream.setEncoding('utf8')
  try {
    for await (const chunk of stream as AsyncIterable<string>) parser.write(chunk)
    parser.close()
  } catch (error) {
    if (error instanceof Error && /^(?:file:)?.*\d:\d+: /.test(error.message))
      throw new Refused(`not well-formed XML (${error.message}): fetch the file again`)
    throw error
  } finally {
    stream.destroy()
  }
  return { contexts, units, facts }
}

// A day with a time of midnight is the end of the day before.
function lastDay(text: string): string {
  const day = dateIn(text)
  if (day === null) return text
  return /T00:00:00/.test(text) ? formatDay(parseDay(day) - 1) : day
}

/** A name in a text, with the prefix that its taxonomy goes by everywhere; what is no name stays as it is. */
function standardName(parser: SaxesParser<{ xmlns: true }>, text: string): string {
  // at most 300 characters: a longer text is no name
  const [, prefix, local] = text.length <= LONGEST_SHOWN ? (/^([\w.-]+):([\w.-]+)$/.exec(text) ?? []) : []
  if (prefix === undefined || local === undefined) return text.slice(0, LONGEST_SHOWN)
  return `${prefixOf({ prefix, uri: parser.resolve(prefix) ?? '' })}:${local}`
}

/** The name a taxonomy goes by in the SEC's own tables, whatever prefix and year this file uses. */
function prefixOf({ uri, prefix }: Pick<SaxesTagNS, 'uri' | 'prefix'>): string {
  const standard = /^https?:\/\/(?:fasb\.org|xbrl\.us|xbrl\.sec\.gov|xbrl\.fasb\.org)\/([a-z-]+)\/\d{4}/.exec(
    uri,
  )
  if (standard) return standard[1]!
  if (/^https?:\/\/xbrl\.ifrs\.org\/taxonomy\/.*\/ifrs-full$/.test(uri)) return 'ifrs-full'
  return prefix || 'custom'
}
