import { SaxesParser } from 'saxes'
import { isLei } from '../../credit/identifiers.ts'
import { columnsOf, csvRecords, hasColumns, headerOf } from './csv-records.ts'
import { type Output, type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn, numberIn, textIn } from './source-cells.ts'

/** A relationship record of either form: text by CSV column name. */
interface Relation {
  readonly at: string
  readonly raw: string
  get(name: string): string | null
}

export const gleifRelationships: Reader = {
  kind: 'gleif-relationships',
  doc: 'Consolidation relationships of GLEIF (level 2 golden copy), CSV or XML.',
  recognises: file =>
    /<(?:\w+:)?(?:RelationshipData|RRData)\b[^<>]*gleif\.org\/data\/schema\/rr\//.test(file.head) ||
    hasColumns(
      headerOf(file),
      'Relationship.StartNode.NodeID',
      'Relationship.EndNode.NodeID',
      'Relationship.RelationshipType',
    ),

  async read(file, sink) {
    let count = 0
    for await (const record of isXml(file) ? xmlRecords(file) : csvRows(file)) {
      const made = outputsOf(record)
      if (typeof made === 'string') await sink.refuse(record.at, record.raw, made)
      else await sink.take(record.at, made)
      if (++count % 10_000 === 0) await sink.drain()
    }
  },
}

const KINDS: Readonly<{ [type: string]: 'direct' | 'ultimate' }> = {
  IS_DIRECTLY_CONSOLIDATED_BY: 'direct',
  IS_ULTIMATELY_CONSOLIDATED_BY: 'ultimate',
}

function outputsOf({ get }: Relation): Output[] | string {
  const type = get('Relationship.RelationshipType') ?? ''
  const relationship = KINDS[type]
  if (relationship === undefined) return `${type || 'no type'}: not a consolidation of one company by another`
  const child_lei = get('Relationship.StartNode.NodeID')
  const parent_lei = get('Relationship.EndNode.NodeID')
  for (const lei of [child_lei, parent_lei])
    if (lei === null || !isLei(lei))
      return `LEI: ${JSON.stringify(lei ?? '')} is not an LEI with valid check digits`
  if (child_lei === parent_lei) return 'a company that consolidates itself'
  const registration = get('Registration.RegistrationStatus')
  if (/^(ANNULLED|DUPLICATE|CANCELLED|ERRONEOUS|PENDING_VALIDATION)$/.test(registration ?? ''))
    return `registration status ${registration}: not a current record`
  const begun = dayOf(get('Registration.InitialRegistrationDate'))
  const updated = dayOf(get('Registration.LastUpdateDate'))
  const isOver = get('Relationship.RelationshipStatus') === 'INACTIVE' || registration === 'RETIRED'
  const isShare = get('Relationship.Quantifiers.1.QuantifierUnits') === 'PERCENTAGE'
  const values = {
    child_lei,
    parent_lei,
    relationship,
    ownership_pct: isShare ? numberIn(get('Relationship.Quantifiers.1.QuantifierAmount') ?? '') : null,
  }
  const stands: Output = { dataset: 'ownership', values: { ...values, known_from: begun ?? updated } }
  if (!isOver) return [stands]
  const ended_date = endOf(get) ?? updated
  const ends: Output = { dataset: 'ownership', values: { ...values, ended_date, known_from: updated } }
  return begun !== null && updated !== null && begun < updated ? [stands, ends] : [ends]
}

/** Of several periods the relationship's own counts: the first may be a fiscal year. */
function endOf(get: Relation['get']): string | null {
  for (let n = 1; n <= 5; n++)
    if (get(`Relationship.Period.${n}.periodType`) === 'RELATIONSHIP_PERIOD')
      return dayOf(get(`Relationship.Period.${n}.endDate`))
  return null
}

const dayOf = (stamp: string | null): string | null => (stamp === null ? null : dateIn(stamp.slice(0, 10)))

const isXml = (file: SourceFile): boolean => /^[\s\uFEFF]*</.test(file.head)

async function* csvRows(file: SourceFile): AsyncGenerator<Relation> {
  let column: ReturnType<typeof columnsOf> | undefined
  for await (const { at, cells, raw } of csvRecords(file)) {
    if (!column) {
      column = columnsOf(cells)
      continue
    }
    const columnOf = column
    yield { at, raw, get: name => textIn(cells[columnOf(name) ?? -1]) }
  }
}

/** Elements by their CSV names; periods and quantifiers are numbered. */
const NAMES: Readonly<{ [element: string]: string }> = {
  RelationshipPeriod: 'Period',
  RelationshipQuantifier: 'Quantifiers',
  StartDate: 'startDate',
  EndDate: 'endDate',
  PeriodType: 'periodType',
}

async function* xmlRecords(file: SourceFile): AsyncGenerator<Relation> {
  const parser = new SaxesParser()
  const found: Relation[] = []
  const path: string[] = []
  let fields: Map<string, string> | undefined
  let counts = new Map<string, number>()
  let text = ''
  let count = 0
  parser.on('opentag', ({ name }) => {
    const element = name.slice(name.indexOf(':') + 1)
    text = ''
    if (element === 'RelationshipRecord') {
      fields = new Map()
      counts = new Map()
      path.length = 0
      return
    }
    if (/^Relationship(Period|Quantifier|Qualifier)s$/.test(element)) path.push('')
    else if (/^Relationship(Period|Quantifier)$/.test(element)) {
      const n = (counts.get(element) ?? 0) + 1
      counts.set(element, n)
      path.push(`${NAMES[element]}.${n}`)
    } else path.push(NAMES[element] ?? element)
  })
  parser.on('text', part => {
    text += part
  })
  parser.on('closetag', ({ name }) => {
    const element = name.slice(name.indexOf(':') + 1)
    if (element === 'RelationshipRecord' && fields) {
      const record = fields
      const raw = [...record].map(([key, value]) => `${key}=${value}`).join('; ')
      found.push({ at: `record ${++count}`, raw, get: key => textIn(record.get(key)) })
      fields = undefined
    } else {
      if (fields && text.trim() !== '') fields.set(path.filter(part => part !== '').join('.'), text.trim())
      path.pop()
    }
    text = ''
  })
  parser.on('error', error => {
    throw new Refused(`not well-formed XML (${error.message}): fetch the file again`)
  })
  const source = await file.open()
  source.setEncoding('utf8')
  let begun = false
  for await (const chunk of source as AsyncIterable<string>) {
    const part: string = begun ? chunk : chunk.replace(/^[\s\uFEFF]+/, '')
    begun ||= part !== ''
    parser.write(part)
    yield* found.splice(0)
  }
  parser.close()
  yield* found
}
