import { SaxesParser } from 'saxes'
import { formatDay, parseDay } from '../../credit/calendar.ts'
import { indexEntry } from './filing-index.ts'
import {
  fundName,
  type Holding,
  notCorporateDebt,
  ReportedDebt,
  sentence,
  tallyNotes,
} from './nport-holdings.ts'
import { type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn } from './source-cells.ts'

/** What a report says of itself before its holdings. */
interface Heading {
  readonly date: string
  readonly fund: string
}

/** Days from a report's period to its publication, where no index beside it gives the filing date. */
const PUBLIC_AFTER = 60

export const nport: Reader = {
  kind: 'nport',
  doc: 'SEC Form N-PORT, the monthly portfolio of a fund, XML: corporate bonds and loans with the marks of the fund.',
  recognises: file =>
    /<(?:[\w.-]+:)?edgarSubmission\b[^<>]*sec\.gov\/edgar\/nport\b/.test(file.head.slice(0, 4096)),

  async read(file, sink, options) {
    const tally = { unpriced: 0, unnamed: 0 }
    const known = options.known_from ?? (await indexEntry(file.name))?.filed
    let debt: ReportedDebt | undefined
    for await (const event of holdings(file)) {
      if ('date' in event) {
        const known_from = known ?? formatDay(parseDay(event.date) + PUBLIC_AFTER)
        debt = new ReportedDebt({ ...event, known_from }, sink, tally)
        continue
      }
      if (!debt) throw new Refused('the report does not give its date (repPdDate) before its holdings')
      const other = notCorporateDebt(event.fields)
      if (other !== null) await sink.refuse(event.at, event.raw, sentence(other))
      else await debt.add(event)
    }
    if (!debt) throw new Refused('the report does not give its date (repPdDate)')
    await debt.end()
    for (const note of [...debt.notes, ...tallyNotes(tally)]) sink.note(note)
  },
}

/** The report's date once known, then each holding, streamed. */
async function* holdings(file: SourceFile): AsyncGenerator<Heading | Holding> {
  const parser = new SaxesParser()
  const found: (Heading | Holding)[] = []
  const path: string[] = []
  const envelope: Record<string, string> = {}
  let fields: Record<string, string> | undefined
  let raw = ''
  let text = ''
  let holdingDepth = 0
  let count = 0

  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    const element = localName(name)
    path.push(element)
    text = ''
    if (element === 'invstOrSec' && !fields) {
      if (count++ === 0) found.push(reportOf(envelope))
      fields = {}
      raw = ''
      holdingDepth = path.length
    }
    if (!fields) return
    raw += `<${element}`
    for (const [key, value] of Object.entries(attributes as Record<string, string>)) {
      raw += ` ${key}="${escaped(value)}"`
      keep(fields, `${path.slice(holdingDepth).join('/')}@${localName(key)}`, value)
    }
    raw += isSelfClosing ? '/>' : '>'
  })
  parser.on('text', part => {
    text += part
  })
  parser.on('cdata', part => {
    text += part
  })
  parser.on('closetag', ({ name, isSelfClosing }) => {
    const element = localName(name)
    const value = text.trim()
    text = ''
    if (fields) {
      if (!isSelfClosing) raw += `${escaped(value)}</${element}>`
      if (path.length === holdingDepth) {
        found.push({ at: `invstOrSec ${count}`, raw, fields })
        fields = undefined
      } else if (value !== '') keep(fields, path.slice(holdingDepth).join('/'), value)
    } else if (value !== '' && count === 0) keep(envelope, element, value)
    path.pop()
  })
  parser.on('error', error => {
    throw new Refused(`not well-formed XML (${error.message}): fetch the file again`)
  })

  const source = await file.open()
  source.setEncoding('utf8')
  let begun = false
  for await (const chunk of source as AsyncIterable<string>) {
    // Some filed reports begin with a blank line or byte order mark, which no XML declaration may follow.
    const part: string = begun ? chunk : chunk.replace(/^[\s\uFEFF]+/, '')
    begun ||= part !== ''
    parser.write(part)
    yield* found.splice(0)
  }
  parser.close()
  if (count === 0) found.push(reportOf(envelope))
  yield* found
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The first value of a name is used: derivatives repeat names further down. */
function keep(fields: Record<string, string>, name: string, value: string): void {
  fields[name] ??= value
}

function reportOf(envelope: Readonly<Record<string, string>>): Heading {
  const date = dateIn(envelope['repPdDate'])
  if (date === null) throw new Refused('the report does not give the date of its holdings (repPdDate)')
  return { date, fund: fundName(envelope['regName'], envelope['seriesName']) }
}
