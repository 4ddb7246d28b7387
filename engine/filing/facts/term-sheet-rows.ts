import { flatten } from './flat-text.ts'

/** What a row of a term sheet states. */
export type Stated =
  | 'issuer'
  | 'title'
  | 'principal'
  | 'maturity'
  | 'coupon'
  | 'yield'
  | 'reference'
  | 'margin'
  | 'settlement'
  | 'make_whole'
  | 'par_call'
  | 'redemption'
  | 'put'
  | 'identifiers'

/** The terms of one or several series that stand side by side in a term sheet. */
export interface Sheet {
  /** How many series it has. */
  readonly columns: number
  /** What stands above the columns or before their values, `2029 Notes`; empty where nothing does. */
  readonly labels: readonly string[]
  readonly values: ReadonlyMap<Stated, readonly Value[]>
  /** Where its rows begin and end in the text. */
  readonly from: number
  readonly to: number
}

/** A value of one column; of all where `column` is null. */
interface Value {
  readonly column: number | null
  readonly text: string
}

const LABELS: readonly (readonly [RegExp, Stated])[] = [
  [/^(?:the )?issuer$/, 'issuer'],
  [
    /^(?:titles?(?: of (?:the )?(?:each )?(?:securit(?:y|ies)|notes|bonds|debentures|series))?|(?:debt )?securit(?:y|ies)(?: (?:description|offered|titles?|type))?|(?:notes|bonds) offered|description(?: of (?:the )?(?:securities|notes))?|issue|designation|name of (?:the )?(?:securit(?:y|ies)|notes|bonds))$/,
    'title',
  ],
  [
    /^(?:(?:aggregate |total )?(?:principal|face|par)(?: amounts?)?(?: offered| of (?:the )?(?:notes|bonds|securities)(?: offered)?)?|(?:offering |issue |tranche |deal |transaction )?(?:size|amount)(?: offered)?)$/,
    'principal',
  ],
  [/^(?:(?:stated|final|scheduled) )?maturity(?: date)?$|^date of maturity$|^due(?: date)?$/, 'maturity'],
  [
    /^(?:annual |fixed |initial )?(?:interest rates?|coupons?)(?: rate)?(?: \(coupon\)| \(interest rate\))?(?: per (?:annum|year))?(?: payments?)?$|^interest$|^interest rate ?\/ ?initial interest rate$/,
    'coupon',
  ],
  [/^re-?offer yield$/, 'yield'],
  [
    /^(?:initial )?(?:base rate|interest rate basis|interest basis|reference rate|benchmark rate|floating rate index|interest rate index|index)$/,
    'reference',
  ],
  [
    /^(?:floating rate )?(?:spread|margin)(?: \(plus or minus\))?$|^(?:spread|margin) (?:to|over) (?:the )?(?:\w{1,20} ){0,3}(?:sofr|libor|euribor|sonia|index|base rate|reference rate|benchmark rate)$/,
    'margin',
  ],
  [
    /^(?:expected )?(?:settlement|original issue|issue|issuance|closing|delivery)(?: dates?)?(?: ?(?:and|\/) ?(?:closing|delivery|settlement|issue)(?: dates?)?)?(?: dates?)?$|^date of (?:original )?issu(?:e|ance)$/,
    'settlement',
  ],
  [/^make[- ]whole\b[^:]{0,30}$/, 'make_whole'],
  [/^(?:optional )?par[- ](?:call|redemption)\b[^:]{0,20}$/, 'par_call'],
  [
    /^(?:optional (?:redemption|call)|redemption(?: provisions?| at (?:the )?(?:issuer's|company's) option)?|call (?:provisions?|features?)|early redemption)(?: provisions?| terms)?$/,
    'redemption',
  ],
  [/^change (?:of|in) control\b[^:]{0,40}$/, 'put'],
  [
    /^(?:cusips?|isins?)(?: ?(?:\/|and) ?(?:cusips?|isins?))?(?: (?:numbers?|no\.?|codes?))?s?$/,
    'identifiers',
  ],
]
/** Labels that begin another series where they come again. */
const BEGINS: ReadonlySet<Stated> = new Set([
  'issuer',
  'title',
  'principal',
  'maturity',
  'coupon',
  'settlement',
])

/** `Principal Amount: | $500,000,000`, `Maturity Date: August 6, 2027`. */
const inProse = /^\s{0,9}(?<label>[A-Za-z][^:|]{1,60}?)\s{0,20}:\s{0,40}(?<value>[^|]{0,2000})$/
const isNamed = /\b(?:notes|bonds|debentures)\b/i
/** `2028 Notes: ` before a value, where a cell has those of several series. */
const inner =
  /(?<label>\b(?:20\d\d |fixed[- ]rate |floating[- ]rate |the )(?:[A-Z][A-Za-z-]{1,20} ){0,4}(?:notes|bonds|debentures)) ?: /gi

/** What a label says, without marks of footnotes and what stands in brackets. */
function statedBy(label: string): Stated | null {
  const plain = label
    .replace(/[*:\u2020\u2021]|\(\d{1,2}\)|\(T ?\+ ?\d{1,2}(?: (?:business )?days?)?\)/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  return LABELS.find(([says]) => says.test(plain))?.[1] ?? null
}

/** A label with its value in the first cell of a line, beside a list of dealers, `CUSIP: 12345AAA1`. */
function ownTermIn(first: string): Readonly<Record<string, string | undefined>> | undefined {
  const groups = inProse.exec(first)?.groups
  return groups?.['value'] && statedBy(groups['label']?.trim() ?? '') !== null ? groups : undefined
}

const isOfRedemption =
  /^(?:on (?:or|and) after|prior to|thereafter|at any time|(?:and )?par call|make-whole call)\b/i

/** Whether the terms of a row may go on in a line without a label: what it says of redemption in one cell. */
const goesOn = ({ stated, cells }: Row): boolean =>
  cells.length === 1 &&
  (stated === 'redemption' || stated === 'make_whole' || stated === 'par_call' || stated === 'put')

interface Row {
  readonly stated: Stated | null
  readonly label: string
  readonly cells: readonly string[]
  readonly from: number
  readonly to: number
}

function rowsOf(text: string): Row[] {
  const rows: Row[] = []
  let from = 0
  for (const line of text.split('\n')) {
    const to = from + line.length
    // Cells are told apart before bars become blanks.
    const [first = '', ...rest] = line.split('|').map(cell => flatten(cell).replace(/\s+/g, ' ').trim())
    const prose = line.includes('|') ? ownTermIn(first) : inProse.exec(flatten(line))?.groups
    const label = prose?.['label']?.trim() ?? first
    const cells = (prose ? [prose['value'] ?? ''] : rest).map(cell => cell.trim()).filter(cell => cell !== '')
    const before = rows.at(-1)
    // What a row says of redemption may go on in the line below, beside an empty label.
    if (before !== undefined && cells.length === 0 && goesOn(before) && isOfRedemption.test(first))
      rows.push({ ...before, cells: [first], from, to })
    // A value may stand below its label.
    else if (
      before !== undefined &&
      before.stated !== null &&
      before.cells.length === 0 &&
      statedBy(first) === null
    ) {
      if (first !== '')
        rows[rows.length - 1] = { ...before, cells: [first, ...rest].filter(cell => cell !== ''), to }
    } else if (first !== '')
      rows.push({ stated: statedBy(label), label: label.toLowerCase(), cells, from, to })
    from = to + 1
  }
  return rows
}

interface Open {
  columns: number
  labels: readonly string[]
  readonly seen: Set<string>
  readonly values: Map<Stated, Value[]>
  readonly from: number
  to: number
}

const opened = (from: number): Open => ({
  columns: 1,
  labels: [],
  seen: new Set(),
  values: new Map(),
  from,
  to: from,
})

/**
 * The terms that a term sheet states in rows of a label and one value, or one value a series. A label that begins a
 * series and comes again begins the next sheet.
 */
export function sheetsIn(text: string): Sheet[] {
  const sheets: Open[] = []
  let sheet = opened(0)
  for (const { stated, label, cells, from, to } of rowsOf(text)) {
    if (stated === null) {
      const all = [label, ...cells]
      if (
        cells.length > 0 &&
        all.every(cell => isNamed.test(cell) && cell.length < 80) &&
        !sheet.values.has('maturity')
      )
        Object.assign(sheet, { columns: all.length, labels: all })
      continue
    }
    if (
      BEGINS.has(stated) &&
      sheet.seen.has(label) &&
      (sheet.values.has('maturity') || sheet.values.has('principal'))
    ) {
      sheets.push(sheet)
      sheet = opened(from)
    }
    sheet.seen.add(label)
    sheet.to = to
    const values = columnsOf(cells)
    const labels = values.flatMap(value => value.label ?? [])
    if (labels.length > 1 && sheet.labels.length === 0)
      Object.assign(sheet, { columns: labels.length, labels })
    if (labels.length === 0 && isCore(stated) && values.length > sheet.columns) sheet.columns = values.length
    const known = sheet.values.get(stated) ?? []
    sheet.values.set(stated, [...known, ...placed(values, sheet)])
  }
  return [...sheets, sheet].filter(each => each.values.has('maturity') || each.values.has('settlement'))
}

const isCore = (stated: Stated): boolean =>
  stated === 'principal' || stated === 'maturity' || stated === 'coupon'

interface Labelled {
  readonly label: string | null
  readonly text: string
}

/** The values of a row: its cells, or in one cell those after the names of series. */
function columnsOf(cells: readonly string[]): Labelled[] {
  const [only, ...others] = cells
  if (only === undefined) return []
  const marks = others.length === 0 ? [...only.matchAll(inner)] : []
  if (marks.length === 0) {
    const named = others.length === 0 ? labelledBehind(only) : []
    return named.length > 1 ? named : cells.map(text => ({ label: null, text }))
  }
  return marks.map((mark, i) => ({
    label: mark.groups?.['label'] ?? '',
    text: only.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? only.length).trim(),
  }))
}

/** `2.50% per annum for the 2027 Notes 3.00% per annum for the 2032 Notes`: each value before its series. */
const outer =
  /\bfor the (?<label>(?:20\d\d |fixed[- ]rate |floating[- ]rate )(?:[A-Z][A-Za-z-]{1,20} ){0,3}?(?:notes|bonds|debentures))\b[;,.]?/gi
/** Longest value that stands before the name of its series. */
const BRIEF = 80

function labelledBehind(only: string): Labelled[] {
  const marks = [...only.matchAll(outer)]
  const values = marks.map((mark, i) => {
    const before = marks[i - 1]
    const from = before === undefined ? 0 : before.index + before[0].length
    return { label: mark.groups?.['label'] ?? '', text: only.slice(from, mark.index).trim() }
  })
  return values.every(({ text }) => /^(?:and )?\W{0,2}[\dA-Z]/.test(text) && text.length < BRIEF)
    ? values
    : []
}

const plain = (label: string): string => label.toLowerCase().replace(/^the /, '')

/** The column of each value. One value is of all columns; other numbers than there are columns are of none. */
function placed(values: readonly Labelled[], { columns, labels }: Open): Value[] {
  if (values.every(({ label }) => label === null)) {
    if (values.length === 1) return values.map(({ text }) => ({ column: null, text }))
    return values.length === columns ? values.map(({ text }, column) => ({ column, text })) : []
  }
  return values.flatMap(({ label, text }) => {
    const column = labels.findIndex(each => plain(each) === plain(label ?? ''))
    return column < 0 ? [] : [{ column, text }]
  })
}

/** What a sheet states of a column, all its values joined; null if it says nothing. */
export function statedOf({ values }: Sheet, stated: Stated, column: number): string | null {
  const own = (values.get(stated) ?? []).filter(value => value.column === null || value.column === column)
  return own.length === 0 ? null : own.map(({ text }) => text).join(' ; ')
}
