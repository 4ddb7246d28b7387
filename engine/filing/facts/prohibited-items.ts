import { groupOf } from '../../base/elements.ts'
import type { CovenantName } from '../../schema/covenant-names.ts'
import { type Clause, clauseAt } from './clauses.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import { bareVerb, isNoCovenant, type Restriction, kinds as titles } from './negative-covenants.ts'
import type { Reading } from './reading.ts'

/** An item of a list under a lead-in that forbids: `The Company shall not, directly or indirectly: (a) … (p) …`. */
interface ProhibitedItem {
  /** Where its letter begins. */
  readonly from: number
  /** Where its words begin. */
  readonly body: number
  readonly to: number
  readonly clause: Clause | null
  /** Whether only what it negates itself is forbidden. */
  readonly isMixed: boolean
}

const OBLIGOR = `(?:borrowers?|company|companies|issuers?|parent|holdings|guarantors?|grantors?|obligors?|debtors?|makers?|(?:loan|credit|note|obligor) part(?:y|ies)|subsidiaries|co-issuers?|we|it)`
const BEGINS = String.raw`: ?(?=\((?:a|i|1)\)|a\. |\d{1,2}\.1 (?:create|incur|make|merge|sell|declare|pay|enter|permit|guarantee|assume|become|purchase|engage|dispose|mortgage|pledge)\b)`
const leadIn = everyWords(
  String.raw`\b${OBLIGOR}\b(?:,? (?:hereby )?(?:covenants?|agrees?)[^.;:]{0,80})? (?:shall|will|may|must)(?: not\b| (?:not )?nor\b)[^;:(]{0,400}?(?:\([^()]{0,120}\)[^;:(]{0,200}?)?${BEGINS}`,
)
// `No Loan Party shall, and no Loan Party shall permit any of its Subsidiaries to: (a)`, `Neither the Company nor any of its
// Subsidiaries shall, directly or indirectly: (a)`.
const leadInAll = everyWords(
  String.raw`\b(?:no (?:borrower|guarantor|grantor|obligor|(?:loan|credit|note|obligor) party)|(?:neither|none of) [^.;:()]{2,140}?) (?:shall|will|may)\b[^;:(]{0,300}?${BEGINS}`,
)
// `The Borrower will (a) own no other assets, (b) not incur any indebtedness`: what its own items negate.
const leadInMixed = everyWords(String.raw`\b${OBLIGOR} (?:shall|will)(?: at all times)?:? ?(?=\((?:a|i|1)\))`)
const inBrackets = /\((?<mark>[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s*/gi
const capital = /(?<=\s)(?<mark>[A-Z])\.\s+/g
const small = /(?<=\s)(?<mark>[a-z])\.\s+(?=[A-Z])/g
// `12.1 Create, incur or assume`, below `it will not do any of the following:`; with titles they are clauses.
const decimal = /(?<=\s)(?<mark>\d{1,2}\.\d{1,2})\s+(?=[A-Z])/g
/** Longest list, and longest item of one. */
const MOST = 24_000
const MOST_ITEM = 6000

/** The items of every prohibiting list in a text, in order. */
function prohibitedItemsIn({ flat, clauses }: Pick<Reading, 'flat' | 'clauses'>): ProhibitedItem[] {
  const found: ProhibitedItem[] = []
  let past = 0
  const leads = [
    ...[...flat.matchAll(leadIn), ...flat.matchAll(leadInAll)].map(match => ({ match, isMixed: false })),
    ...[...flat.matchAll(leadInMixed)].map(match => ({ match, isMixed: true })),
  ].sort((a, b) => a.match.index - b.match.index)
  for (const { match, isMixed } of leads) {
    const begin = match.index + match[0].length
    if (begin < past) continue
    const clause = clauseAt(clauses, match.index)
    const [start] = sentenceAround(flat, match.index)
    if (isNoCovenant(clause) || conditional.test(flat.slice(start, match.index))) continue
    if (ofAbility.test(match[0])) continue
    const marks = listedFrom(flat, begin)
    for (const [i, mark] of marks.entries()) {
      const next = marks[i + 1]?.from
      const title = titleOfItem.exec(flat.slice(mark.body, mark.body + LONGEST_TITLE))?.[0] ?? ''
      const said = mark.body + title.length
      const to = next ?? Math.max(said, sentenceAround(flat, said, MOST_ITEM)[1])
      found.push({
        ...mark,
        to: Math.min(to, mark.body + MOST_ITEM),
        clause: clauseAt(clauses, mark.from) ?? clause,
        isMixed,
      })
    }
    past = found.at(-1)?.to ?? begin
  }
  return found
}

// `any restriction on the ability of any Subsidiary to: (a) pay dividends`: the items are what must stay possible.
export const ofAbility = words(
  String.raw`\b(?:restrict\w*|encumbrances?)\b[^.;]{0,160}?\b(?:ability|right) of\b[^.;]{0,120}\bto:? ?$`,
)

const conditional = words(
  String.raw`\b(?:if|unless|in the event|to the extent|represents?|warrants?|provided,? (?:however,? )?that|means|failure|deemed)\b`,
)

/** The markers of one list from its first: each the successor of the one before, so that lists inside items are not cut. */
function listedFrom(flat: string, begin: number): { from: number; body: number }[] {
  const marks: { from: number; body: number }[] = []
  let wanted = ''
  const first = flat[begin]
  const marker =
    first === '(' ? inBrackets : first === 'a' ? small : /^\d/.test(first ?? '') ? decimal : capital
  // A letter with a full stop has white space before it.
  const least = begin - 1
  for (const match of flat.slice(least, begin + MOST).matchAll(marker)) {
    const mark = groupOf(match, 'mark').toLowerCase()
    if (marks.length > 0 && mark !== wanted) continue
    const from = least + match.index
    // `clause (b) above` is a reference.
    const before = flat.slice(Math.max(0, from - MOST_BEFORE), from)
    if (marks.length > 0 && !endsItem.test(before)) continue
    wanted = successor(mark, isRoman(flat, begin))
    marks.push({ from, body: from + match[0].length })
  }
  return marks
}

/** What may stand before the next item: the end of the last, and the number of a page. */
const endsItem = /(?:[;.,:]|\band|\bor)\s*(?:-?\s?\d{1,3}\s?-?\s+)?$/i
const MOST_BEFORE = 24

const roman = [
  'i',
  'ii',
  'iii',
  'iv',
  'v',
  'vi',
  'vii',
  'viii',
  'ix',
  'x',
  'xi',
  'xii',
  'xiii',
  'xiv',
  'xv',
  'xvi',
  'xvii',
  'xviii',
  'xix',
  'xx',
]

const isRoman = (flat: string, begin: number): boolean => /^\(i\)/i.test(flat.slice(begin, begin + 3))

/** `b` after `a`, `iv` after `iii`, `3` after `2`, `5.3` after `5.2`. */
function successor(mark: string, inRoman: boolean): string {
  if (/^\d+$/.test(mark)) return String(Number(mark) + 1)
  const [article, section] = mark.split('.')
  if (section !== undefined) return `${article}.${Number(section) + 1}`
  if (inRoman) return roman[roman.indexOf(mark) + 1] ?? ''
  return mark.length === 1 && mark < 'z'
    ? String.fromCharCode(mark.charCodeAt(0) + 1)
    : `a${mark.slice(1) || 'a'}`
}

const DEBT = '(?:indebtedness|debt|borrowings?|borrowed money)'
const acts: readonly (readonly [CovenantName, string])[] = [
  [
    'Limitation on Liens',
    String.raw`(?:create|incur|assume|grant|suffer|permit|allow|place|subject|encumber|mortgage|pledge)\b(?:(?!\b(?:prohibit|restrict|limit)\w*\b)[^.;]){0,160}?\b(?:liens?|security interests?|encumbrances?(?! or (?:\w+ )?restrictions?)|mortgages?)\b|(?:mortgage|pledge|encumber)\b[^.;]{0,80}\b(?:assets|propert)`,
  ],
  [
    'Limitation on Indebtedness',
    String.raw`(?:create|incur|assume|guarantee|issue|contract|become|borrow|permit|suffer)\b(?:(?!\b(?:liens?|mortgages?|encumbrances?|security interests?)\b)[^.;]){0,140}?\b${DEBT}\b(?! secured)`,
  ],
  [
    'Limitation on Restricted Payments',
    String.raw`(?:declare|make|pay|set aside|redeem|repurchase|purchase|retire|acquire)\b[^.;]{0,120}?\b(?:restricted payments?|dividends?|distributions?|(?:its|any|of) (?:\w+ ){0,3}(?:capital stock|equity interests?|shares|common stock|equity securities))\b`,
  ],
  [
    'Limitation on Asset Sales',
    String.raw`(?:sell|convey|transfer|lease|assign|dispose|license)\b(?![^.;]{0,80}\bsubstantially all(?! of its (?:assets|property)[^.;]{0,20}? or \(?[a-z]{1,4}\)? ?any of its\b))[^.;]{0,160}?\b(?:assets|propert(?:y|ies)|business)\b|(?:consummate|make|effect) (?:an|any) (?:asset (?:sale|disposition)|disposition)\b`,
  ],
  [
    'Limitation on Affiliate Transactions',
    String.raw`(?:enter|engage|conduct|effect|make|permit)\b[^.;]{0,260}?\b(?:transactions?|payment|contract|agreement)\b[^.;]{0,300}?\baffiliates?\b|(?:sell|lease|transfer)\b[^.;]{0,100}?\b(?:property|assets)\b[^.;]{0,60}? to\b[^.;]{0,120}?\bany of (?:its|their|the) affiliates\b`,
  ],
  [
    'Limitation on Mergers',
    String.raw`(?:merge|consolidate|amalgamate|be a party to any merger|enter into any (?:transaction of )?merger|liquidate|dissolve|wind[ -]up|engage in or suffer any [^.;]{0,80}?\b(?:consolidation|merger))\b`,
  ],
  [
    'Limitation on Investments',
    String.raw`(?:make|hold|own|acquire|purchase|permit)\b[^.;]{0,80}?\b(?:investments?|loans? (?:or advances? )?to|advances? to|acquisitions?)\b`,
  ],
  [
    'Limitation on Sale and Leaseback Transactions',
    String.raw`(?:enter|engage|become|permit|create|incur)\b[^.;]{0,80}?(?:\bobligations? as lessee\b[^.;]{0,120}?)?\bsale[ -](?:and[ -])?lease-?back`,
  ],
  [
    'Limitation on Prepayments of Indebtedness',
    String.raw`(?:prepay|redeem|defease|repurchase|repay|make|pay)\b[^.;]{0,160}?\b(?:(?:subordinated|junior|other) ${DEBT}\b|${DEBT} that is (?:contractually )?subordinated\b)|(?:voluntarily )?prepay\b[^.;]{0,80}\b${DEBT}\b`,
  ],
  [
    'Limitation on Restrictive Agreements',
    String.raw`(?:create|enter|cause|suffer|permit)\b[^.;]{0,200}?\b(?:restrict\w*|prohibit\w*|encumbrance)\b[^.;]{0,80}\b(?:ability|right) of (?:any|the|such|its) (?:\w+ ){0,2}(?:subsidiar|borrower|company|person|part(?:y|ies)\b)|(?:create|enter|permit|suffer|become)\b[^.;]{0,120}?\bagreements?\b[^.;]{0,80}?\b(?:prohibit|restrict|limit)\w*\b[^.;]{0,60}?\b(?:creation|assumption|incurrence|granting|existence)\b[^.;]{0,60}?\bliens?\b`,
  ],
  [
    'Limitation on Line of Business',
    String.raw`(?:engage\b[^.;]{0,80}?\b(?:business|line of business)\b|enter into any (?:new |other )?(?:line of )?business\b|conduct any business other\b|(?:make any )?(?:material(?:ly)? )?(?:change|alter) (?:in )?the (?:general )?(?:nature|character) of (?:its|their|the) business)`,
  ],
  [
    'Limitation on Guarantees',
    String.raw`(?:guarantee|guaranty|become (?:(?:contingently )?liable|an? (?:guarantor|surety))|assume|endorse)\b[^.;]{0,120}\b(?:debts?|obligations?|liabilit(?:y|ies)) of (?:any other|any|another|others)|guarantee,? (?:assume|endorse)\b[^.;]{0,60}?\bbecome responsible for\b`,
  ],
]
// Words allowed between the letter of an item and its verb.
const BEFORE = String.raw`^(?:[\s,:]|\b(?:directly|indirectly|or|and|otherwise|voluntarily|permit|cause|allow|suffer|any|each|of|its|their|the|restricted|subsidiar(?:y|ies)|to|at|time)\b|\bexcept [^,;]{0,120},|\bcease (?:its |all )?(?:operations|business),|\b(?:form|create|establish|organize) (?:any |new )*subsidiaries or\b|\beither:? ?\((?:i|a|1|x)\)|\bif [^.;:]{0,140}?,(?= (?:acquire|declare|make|pay|redeem)\b))*?`
const kinds = acts.map(([covenant_name, act]) => ({ covenant_name, says: words(`${BEFORE}\\b(?:${act})`) }))

/** `sell, lease or otherwise transfer any property … to … any of its Affiliates` restricts dealings, not sales. */
export const isToAffiliates = (covenant_name: CovenantName, text: string): boolean =>
  covenant_name === 'Limitation on Asset Sales' && toAffiliates.test(text)
const toAffiliates = words(
  String.raw`^[^.;]{0,260}?\b(?:sell|convey|transfer|lease|assign|dispose)\b[^.;]{0,300}?\b(?:to|with)\b[^.;]{0,160}?\b(?:any (?:of (?:its|their|the|such) )?(?:\w+ ){0,2})?affiliates?\b`,
)

const MOST_QUOTED = 700

/** The acts that an item forbids, each from its verb on. */
function actsOf(text: string, isMixed: boolean): string[] {
  const own = text.replace(titleOfItem, '')
  if (isMixed) return negatesItself.test(own) ? own.split(/\.\s|;/, 1).flatMap(negatedActs) : []
  // An item that is itself a list, `(1) engage in any other business; (2) merge with any other Person`.
  const parts = /^\((?:a|i|1)\)/.test(own) ? own.split(nestedItem) : [own]
  return parts.flatMap(part => {
    const [first = '', ...others] = part.split(otherAct)
    return isAct(first) && !exception.test(first) ? [first, ...others.slice(0, MOST_OTHERS)] : [part]
  })
}
const isAct = (text: string): boolean => kinds.some(({ says }) => says.test(text))
// `Dividends. `, before the words of an item.
const titleOfItem = /^[A-Z][A-Za-z,/'& -]{2,90}\.\s+(?=[A-Z(])/
const LONGEST_TITLE = 120
const negatesItself = /^(?:not|(?:own|have|hold)\s+no)\s/
const negatedActs = (sentence: string): string[] => sentence.split(ownNegation).slice(1)
const ownNegation = /(?:^|,\s+(?:and\s+)?(?:(?:shall|will)\s+)?)not\s+(?=[a-z])/
const nestedItem = /(?:^|[;,]\s+(?:(?:and|or)\s+)?)\((?:[a-h]|[ivx]{1,4}|\d{1,2})\)\s*/
// `merge with any other Person, or sell any assets`.
const otherAct =
  /,\s+or\s+(?=(?:sell|transfer|convey|lease|dispose|merge|consolidate|liquidate|declare|pay)\b)/
const MOST_OTHERS = 1
const exception = words(String.raw`\b(?:except|other than|provided|unless|so long as|to the extent)\b`)

/** Restrictions by the items of prohibiting lists, and by the parts of clauses of negative covenants. */
export const itemRestrictionsIn = (reading: Reading): Restriction[] => [
  ...listRestrictionsIn(reading),
  ...partRestrictionsIn(reading),
]

const listRestrictionsIn = (reading: Reading): Restriction[] =>
  prohibitedItemsIn(reading).flatMap(({ from, body, to, clause, isMixed }) => {
    const acts = actsOf(reading.flat.slice(body, to), isMixed)
    return kinds
      .filter(({ covenant_name, says }) =>
        acts.some(act => says.test(act) && !isToAffiliates(covenant_name, act)),
      )
      .map(
        ({ covenant_name }): Restriction => ({
          covenant_name,
          test: null,
          rule: 'restriction_item',
          confidence: 0.9,
          from,
          to: Math.min(to, from + MOST_QUOTED),
          clause,
        }),
      )
  })

const negativeArticle = /\bnegative\s+covenants?\b/i
const MOST_CLAUSE = 4000
// `(b) Engage in any other business. (d) Convey or sell any assets`, of one clause; `; guarantee the obligations of any Person`.
const letteredPart = /(?:^|[.;]\s+)\([a-h]\)\s+(?=[A-Z])/
const ofBusiness = words(String.raw`^\W*(?:materially )?(?:alter|change|engage)\b[^.;]{0,80}\bbusiness\b`)
const namelessPart = /;\s+(?:or\s+)?(?=[a-z])/

/** Restrictions by the later parts of a clause that begins with the bare verb, under an article of negative covenants. */
const partRestrictionsIn = ({ flat, clauses }: Reading): Restriction[] =>
  clauses.flatMap(clause => {
    if (!clause.isNumbered || !negativeArticle.test(clause.article ?? '')) return []
    const body = flat.slice(clause.body, Math.min(clause.to, clause.body + MOST_CLAUSE)).trim()
    if (!bareVerb.test(body.slice(0, 600))) return []
    const lettered = body.split(letteredPart)
    const [before = ''] = body.split(exception, 1)
    const [first = '', ...later] = before.split(namelessPart)
    // What a title does not tell, `Material Alteration`, the words may: `Materially alter the nature of its business`.
    const isUntitled = !titles.some(({ title }) => title.test(clause.title))
    const parts = [...(isUntitled && ofBusiness.test(first) ? [first] : []), ...lettered.slice(1), ...later]
    return parts.flatMap(part =>
      kinds
        .filter(({ covenant_name, says }) => says.test(part) && !isToAffiliates(covenant_name, part))
        .map(({ covenant_name }): Restriction => {
          const from = flat.indexOf(part, clause.body)
          return {
            covenant_name,
            test: null,
            rule: 'restriction_item',
            confidence: 0.85,
            from,
            to: from + Math.min(part.length, MOST_QUOTED),
            clause,
          }
        }),
    )
  })
