import { elementAt, firstOf, memberOf } from '../base/elements.ts'

/**
 * Names of issuers as sources write them, in a form that can be compared:
 *
 * - accents, case, punctuation, `&`, AND, THE and of-the-security marks (MTN, 144A, REGS, FXD-FLT) are removed;
 * - common abbreviations are written one way (INTL, INTERNATIONAL; COMPANY, CO);
 * - legal forms at the end are removed and recorded as a family, because `Medtronic Inc` and `Medtronic plc`, or an
 *   operating LP and its REIT, are different debtors.
 *
 * Comparison ignores blanks: `INTERCONTINENTALEXCHANGE` and `AMAZON.COM` occur.
 */
export interface IssuerName {
  /** Readable, legal forms included: `HOME DEPOT INC`. */
  readonly full: string
  /** Without legal forms and blanks: `HOMEDEPOT`. */
  readonly base: string
  /** Family of the last legal form; null if the name has none. */
  readonly form: Form | null
  /** True where the source cut the name inside or before its legal form. */
  readonly cut: TruncatedName | null
}

/** The remainder of a truncated name: `AMERICAN ELECTRIC POWER COMPANY IN`. */
export interface TruncatedName {
  /** The whole remainder without blanks: a prefix of the full name. */
  readonly squashed: string
  /** The remainder without a last word that looks like the start of a legal form; null if there is none. */
  readonly base: string | null
  readonly forms: readonly Form[]
}

export type Form = 'corporation' | 'llc' | 'partnership' | 'plc' | 'bank' | 'continental'

const FORMS: Readonly<Record<string, Form>> = {
  INC: 'corporation',
  CORP: 'corporation',
  CO: 'corporation',
  LTD: 'corporation',
  PTY: 'corporation',
  KK: 'corporation',
  ULC: 'llc',
  LLC: 'llc',
  LP: 'partnership',
  LLP: 'partnership',
  PLC: 'plc',
  DAC: 'plc',
  UNLIMITED: 'plc',
  NA: 'bank',
  SA: 'continental',
  SAS: 'continental',
  SCA: 'continental',
  SARL: 'continental',
  SPA: 'continental',
  NV: 'continental',
  BV: 'continental',
  AG: 'continental',
  GMBH: 'continental',
  SE: 'continental',
  ASA: 'continental',
  AB: 'continental',
  OYJ: 'continental',
}

/** Words that only state a company's legal form. */
export const LEGAL_FORMS: ReadonlySet<string> = new Set(Object.keys(FORMS))

/** Legal forms in full, as people misspell and lists cut them. */
export const formsInFull = (): string[] =>
  [
    ...Object.entries(SAME)
      .filter(([, same]) => LEGAL_FORMS.has(same))
      .map(([word]) => word),
    ...LEGAL_FORMS,
  ].filter(word => word.length > 4)

const SAME: Readonly<Record<string, string>> = {
  CORPORATION: 'CORP',
  INCORPORATED: 'INC',
  COMPANY: 'CO',
  COMPANIES: 'COS',
  LIMITED: 'LTD',
  HLDG: 'HOLDING',
  HLDGS: 'HOLDINGS',
  INTL: 'INTERNATIONAL',
  FINL: 'FINANCIAL',
  FINCL: 'FINANCIAL',
  GRP: 'GROUP',
  GP: 'GROUP',
  NATL: 'NATIONAL',
  SVS: 'SERVICES',
  SVCS: 'SERVICES',
  SVC: 'SERVICE',
  PROP: 'PROPERTIES',
  PROPS: 'PROPERTIES',
  HLTHCARE: 'HEALTHCARE',
  MGMT: 'MANAGEMENT',
  MFG: 'MANUFACTURING',
  FNDG: 'FUNDING',
  FDG: 'FUNDING',
  RWY: 'RAILWAY',
  TELECOM: 'TELECOMMUNICATIONS',
  NY: 'NEW YORK',
  AND: '',
  THE: '',
}

// A legal form may be cut anywhere; `IN`, `LL` and `L` at the end of a long name are remains of one.
const FORM_WORDS: readonly (readonly [word: string, form: Form])[] = [
  ['INC', 'corporation'],
  ['INCORPORATED', 'corporation'],
  ['CORP', 'corporation'],
  ['CORPORATION', 'corporation'],
  ['COMPANY', 'corporation'],
  ['LIMITED', 'corporation'],
  ['LTD', 'corporation'],
  ['LLC', 'llc'],
  ['LP', 'partnership'],
  ['PLC', 'plc'],
]

/** A word in its comparable form: `INTL` is `INTERNATIONAL`; a word that does not count is empty. */
export const canonicalWord = (word: string): string =>
  Object.hasOwn(SAME, word) ? memberOf(SAME, word) : word

/** Sources cut names at 24 characters or more; a shorter name is complete. */
const SHORTEST_CUT = 20

// Marks of the security, not of its issuer: medium-term note, Rule 144A, Regulation S, fixed to floating.
const SECURITY_MARKS =
  /(?:\s|\()(?:MTN|144A|REG\s?S|FXD?(?:-| TO |-TO-)(?:FLT|FRN|FXD|FLOAT)|FXD|FLT|FRN|EMTN|GMTN|SR|UNSEC)\)?(?=\s|\)|\(|$)/g

const marksInAnyCase = new RegExp(SECURITY_MARKS.source, 'gi')

/** A name as written, without marks of the security: `JPMORGAN CHASE & CO (FXD-FRN)`, `CITIC LTD MTN RegS`. */
export function withoutSecurityMarks(name: string): string {
  const text = name.replace(marksInAnyCase, ' ').replace(/\s+/g, ' ').trim()
  return text === '' || text === name ? name : withoutSecurityMarks(text)
}

const BRACKETED = /\(([^()]*)\)/g
const BRANCH = /\b(?:BRANCH|BRNCH|BR)\b|^(?:CLASS [A-Z]|NEW YORK|THE|NEW|NY)$/
const withoutBranch = (name: string): string =>
  name.replace(BRACKETED, (whole, inside: string) => (BRANCH.test(inside) ? ' ' : whole))

// EDGAR distinguishes companies of the same name by state: `WHIRLPOOL CORP /DE/`, `BOEING CO/THE`.
const SLASHED = /(?<!\s)\s*[/\\]\s*(?:THE|NEW|[A-Z]{2,3})\s*(?:[/\\]\s*)?$/

/** Text beyond this length is not part of a name. */
const LONGEST_NAME = 1000

/** Upper case without accents, marks, branch and state. */
function stripped(name: string): string {
  let text = name
    .slice(0, LONGEST_NAME)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .trim()
  for (;;) {
    const next = withoutBranch(text.replace(SECURITY_MARKS, ' ')).replace(SLASHED, '').trim()
    if (next === text) return text
    text = next
  }
}

export function issuerName(name: string): IssuerName {
  const plain = stripped(name)
  const open = plain.lastIndexOf('(')
  const isOpen = open > 0 && !plain.includes(')', open)
  const closed = (isOpen ? plain.slice(0, open) : plain)
    .replace(/['’`.](?=S\b)/g, '')
    .replace(/['’`]/g, '')
    .replace(/\b([A-Z])\.(?=[A-Z]\b)/g, '$1')
  const words = closed
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .map(word => SAME[word] ?? word)
    .filter(word => word !== '')
  joinSpelledForm(words)
  const { end, form } = withoutForms(words)
  const isWhole = form !== null || isOpen || plain.length < SHORTEST_CUT
  return {
    full: words.join(' '),
    base: words.slice(0, end).join('').replaceAll(' ', ''),
    form,
    cut: isWhole ? null : cutOf(words),
  }
}

/** `TELEFONICA S A`, `ENTERPRISE PRODUCTS PARTNERS L P`: a legal form at the end in separate letters. */
function joinSpelledForm(words: string[]): void {
  for (let count = 4; count > 1; count--) {
    const letters = words.slice(-count)
    if (
      words.length <= count ||
      letters.some(word => word.length !== 1) ||
      !Object.hasOwn(FORMS, letters.join(''))
    )
      continue
    words.splice(-count, count, letters.join(''))
    return
  }
}

/**
 * Where the trailing legal forms begin, and the family of the last one. A name never consists of legal forms only.
 */
function withoutForms(words: readonly string[]): { end: number; form: Form | null } {
  let end = words.length
  while (end > 1 && Object.hasOwn(FORMS, elementAt(words, end - 1))) end--
  return { end, form: end < words.length ? memberOf(FORMS, words.at(-1)!) : null }
}

function cutOf(words: readonly string[]): TruncatedName {
  const last = words.at(-1) ?? ''
  const forms = FORM_WORDS.filter(([word]) => word.startsWith(last)).map(([, form]) => form)
  const rest = words.slice(0, -1)
  return {
    squashed: words.join('').replaceAll(' ', ''),
    base:
      forms.length > 0 && rest.length > 1
        ? rest.slice(0, withoutForms(rest).end).join('').replaceAll(' ', '')
        : null,
    forms: [...new Set(forms)],
  }
}

const GENERIC = new Set(
  'AMERICAN UNITED GENERAL NATIONAL INTERNATIONAL FIRST GLOBAL NEW US BANK GROUP GREAT SOUTHERN NORTHERN WESTERN EASTERN PACIFIC ATLANTIC CENTRAL CAPITAL ENERGY UNIVERSAL STANDARD'.split(
    ' ',
  ),
)

/**
 * Whether two names may be the same company, given equal tickers: equal, one a prefix of the other, the same
 * distinctive first word, or most words shared.
 */
export function namesAgree(one: IssuerName, other: IssuerName): boolean {
  const [short, long] = one.base.length < other.base.length ? [one.base, other.base] : [other.base, one.base]
  if (long === short || (short.length > 3 && long.startsWith(short))) return true
  const [a, b] = [one.full.split(' '), other.full.split(' ')]
  if (a[0] === b[0] && (a[1] === b[1] || (firstOf(a).length > 2 && !GENERIC.has(firstOf(a))))) return true
  const words = new Set(b.filter(word => !(word in FORMS)))
  const own = a.filter(word => !(word in FORMS))
  const shared = own.filter(word => words.has(word)).length
  return shared * 2 > Math.max(own.length, words.size)
}
