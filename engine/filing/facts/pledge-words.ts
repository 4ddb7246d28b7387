import { sentenceAround, words } from './flat-text.ts'

/** Where a text says that assets secure something. */
export interface Statement {
  readonly from: number
  /** Where the list of assets begins. */
  readonly at: number
  /** Where it ends; at the end of its sentence if null. */
  readonly until: number | null
  readonly rule: 'grant' | 'secured_by' | 'pledged_as' | 'collateral_defined'
  /** The property of a mortgage, which a text may call by its name alone. */
  readonly property?: string
}

const debtNamed = words(
  String.raw`\b(?:notes?|bonds?|certificates|facility|facilities|loans?|obligations|credit agreement|revolver|revolving credit|debt|indebtedness|borrowings|debentures|mortgages?|amounts|lines? of credit|credit lines?|(?<=\b(?:the|this|our) )line|loc|lease lines?|floor ?plan payables|floor ?plan notes payable|advances|balances? outstanding|outstanding balances?|agreements?)\b(?:[^.;]|\.\d){0,300}$`,
)
// What others owe: `notes receivable`, `loans to customers`.
const owedByOthers = words(
  String.raw`\b(?:(?:notes?|loans?|mortgages?) receivable|(?:customer|consumer|retail|dealer|wholesale|finance) (?:loans|receivables)|(?:loans?|advances) (?:made |extended )?to (?:[^.;,\s]{1,20} )?(?:customers|dealers|others|tenants|franchisees|affiliates|employees|officers|clients|members))\b[^.;]{0,80}$`,
)
const abbreviated = /\b(Inc|Corp|Co|Ltd|No|Bros|L\.P|N\.A|U\.S)\./g

/** Whether the words before `secured by` name a debt of the company. */
export function isDebtBefore(before: string): boolean {
  // `The line bears interest at 5%; is secured by`.
  const text = before
    .replace(abbreviated, name => name.replaceAll('.', ' '))
    .replace(/;(?=\s{0,3}(?:and\s{1,3})?$)/, ',')
  return debtNamed.test(text) && !owedByOthers.test(text)
}

// About others' debt, or not granted: `shall not grant`, `any Lender may pledge`, `to the extent secured by`.
export const notGranted = words(
  String.raw`\b(?:not|nor|no|neither|(?<!\bcase )may(?! \d)|might|could|would|if|whether|unless|permitted|requested?|fails? to|agrees? to|extent|any person|lenders?|banks?|participants?|assignees?|purchaser|indebtedness of (?:others|such|another)|accounts? (?:receivable )?(?:that|which))\b[^.;]{0,60}$`,
)

// `at December 31, 2024`, `the December 31, 2024 balance outstanding`.
const balanceDate = words(
  String.raw`\b(?:as of|at) [a-z]{3,9} \d{1,2}, (?:\d{4} and )?\d{4}\b|\bthe [a-z]{3,9} \d{1,2}, (?:\d{4} and )?\d{4} (?:outstanding )?(?:balances?|borrowings)\b`,
)

/** A sentence of the past that says what was pledged at the end of the year reported. */
export function isOfBalance(flat: string, at: number, year: string | null): boolean {
  const sentence = flat.slice(...sentenceAround(flat, at, 600))
  return year !== null && !hasEnded.test(sentence) && sentence.match(balanceDate)?.[0].includes(year) === true
}
export const hasEnded = words(
  String.raw`\b(?:repaid|terminated|retired|extinguished|redeemed|matured|cancell?ed|paid off|released)\b`,
)

/** The pledged assets are between the verb and `as collateral`, or before the verb. */
export function pledgeAt(flat: string, match: RegExpExecArray): Statement {
  const ours = match.groups?.['ours'] ?? match.groups?.['with']
  const [from] = sentenceAround(flat, match.index, 500)
  const at = ours === undefined ? Math.max(from, match.index - 200) : match.index + match[0].indexOf(ours)
  return { from, at, until: ours === undefined ? match.index : at + ours.length, rule: 'pledged_as' }
}

export const statement = (flat: string, match: RegExpExecArray, rule: Statement['rule']): Statement => ({
  until: null,
  from: sentenceAround(flat, match.index, 500)[0],
  at: match.index + match[0].length,
  rule,
})

/** Maximum characters of an asset list. */
const MOST = 3000

export const sentenceEnd = (flat: string, at: number): number => sentenceAround(flat, at, MOST)[1]
