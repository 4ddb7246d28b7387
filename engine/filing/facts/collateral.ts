import { firstOf, groupOf } from '../../base/elements.ts'
import type { RowOf } from '../../schema/column.ts'
import type { collateral } from '../../schema/datasets/collateral.ts'
import type { liens } from '../../schema/vocabulary.ts'
import { assetsIn } from './asset-types.ts'
import { withWholeWords } from './broken-words.ts'
import { clauseAt, clausesIn } from './clauses.ts'
import { withoutDeleted } from './deleted-text.ts'
import { endedNames, isEnded } from './ended-names.ts'
import { quoted } from './evidence.ts'
import { type FiledSection, isOfAgreement, isOtherNote, voiceOf } from './filed-section.ts'
import { everyWords, flatten, oneLine, sentenceAround, words } from './flat-text.ts'
import {
  definedName,
  instrumentMentioned,
  instrumentName,
  isProspectus,
  shownName,
} from './instrument-name.ts'
import { recordId } from './record-id.ts'

export type CollateralRow = Partial<RowOf<typeof collateral.columns>>

// `hereby grants to the Agent … a security interest in`, `have pledged … as collateral`.
const grant = everyWords(
  String.raw`(?:\bhereby,? (?:[a-z]+,? (?:and )?){0,8}?(?:grants?|pledges?|assigns?|mortgages?)\b|\b(?:borrowers?|company|issuers?|grantors?|debtors?|pledgors?|assignors?|mortgagors?|trustors?|guarantors?|obligors?|part(?:y|ies)|subsidiaries|we|and|has|have) (?:each )?(?:granted|grants|pledged|pledges)\b)[^.;]{0,420}?\b(?:security interests?|liens?|mortgages?)\b(?: of [^.;]{0,40}priority)?(?: \([^)]{0,80}\))?,? (?:in|on|upon|over|in and to|in and (?:lien )?(?:on|upon)|and lien (?:on|upon|in))\b`,
)
// `The Notes are secured by`, `shall be secured … by`, `is guaranteed by … and secured by`; `was secured by` of a report's
// own balance date.
const secured = everyWords(
  String.raw`\bguaranteed by\b[^.;]{2,400}?,? and (?:is |are )?secured by\b|\b(?:is|are|be|been|each|became|(?<past>was|were))\b,? (?:(?:also|fully|initially|jointly|equally|ratably|and|further|currently|generally|collectively|subsequently|to be|senior secured obligations [^.;]{0,90},|subject to (?:certain |customary )?(?:exceptions|exclusions)(?: and (?:exceptions|exclusions))?,) ){0,3}(?:secured|collateralized)\b(?:,? (?:on|subject|equally|together|jointly|in)\b[^.;]{0,120}?)?,? (?:solely |primarily |only |in part )?by\b`,
)
const isDebtBefore = words(
  String.raw`\b(?:notes?|bonds?|certificates|facility|facilities|loans?|obligations|credit agreement|revolver|revolving credit|debt|indebtedness|borrowings|debentures|mortgages?|amounts|lines? of credit|lease lines?|advances|agreements?)\b(?:[^.;]|\.\d){0,160}$`,
)
const isOurDebtBefore = words(
  String.raw`\b(?:(?:the|all) (?:\w+ ){0,4}|our )(?:obligations|notes|loans|bonds|securities|indebtedness hereunder|advances)\b[^.;]{0,140}$|\bthis (?:\w+ ){0,2}(?:note|loan|bond|debenture)\b[^.;]{0,80}$`,
)
// `land and buildings have been pledged as security for bank loans`, `we have pledged our receivables as collateral for`.
const pledged = everyWords(
  String.raw`\b(?:(?:have been|has been|are|is|were) pledged|\b(?!(?:banks?|lenders?|customers?|counterpart(?:y|ies)|tenants?)\b)\w+ (?:have|has|(?<had>had)) pledged(?: or restricted)? (?<ours>(?:[^.;]|\.\d){2,299}?[^.;\s])) as (?:collateral|security) (?:for|to secure|under|against)\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|lines? of credit)\b)`,
)
// `We have a $20 million term loan secured by our headquarters`, `obtains loans secured by the receivables`.
const securedLoan = everyWords(
  String.raw`\b(?:(?:obtains?|obtained|borrowed|assumed) (?:[^.;,\s]{1,40} ){0,10}?loans?|(?:has|have|maintains?|entered into|obtained|assumed) (?:an?|our|its|two|three) (?:[^.;,\s]{1,40} ){0,10}?(?:term loan|mortgage (?:loan|note)|loan(?: agreement| facility)?|credit (?:facility|agreement)|line of credit|note payable)),? (?:(?:which|that) is )?(?:secured|collateralized) by\b`,
)
// A line of a list of debt: `Bank line of credit, with maximum borrowings of $1,250,000, secured by accounts receivable`.
const apposed = everyWords(
  String.raw`\b(?:lines? of credit|notes? payable|term loans?|mortgage (?:notes?|loans?)|credit facility|bank loans?)\b(?:[^.;]|\.\d){0,160}?, (?:and )?(?:secured|collateralized) by\b`,
)
// What a table says of a line that has no balance any more, `.... -- 1,096,397`.
const isRepaid = /^[^;]{0,300}?\.{3,}\s*(?:--|-|\u2014)\s+[\d,]{4}/
// `The bank has a first priority security interest in all accounts receivable`; `As collateral for the term loan, we pledged
// our inventory`.
const heldBy = everyWords(
  String.raw`\b(?:banks?|lenders?|facilit(?:y|ies)|agent|noteholders?|holders of (?:the|our) notes) (?:has|have|holds?) an? (?:[\w-]+ ){0,4}(?:security interests?|liens?) (?:in|on|over)\b|\bas (?:collateral|security) for (?:the|our|its|this|these|those) [^.;,]{3,80}, (?:we|[^.;,]{3,40}) (?:have |has )?(?:pledged|granted)\b`,
)
// `The land and all assets of the casino secure up to $3.35 billion of obligations outstanding under the facility`.
const secures = everyWords(
  String.raw`(?<!\b(?:to|not|may|will|would|could|which|that|and|or)) \bsecures? (?:up to \$(?:[\d,]|\.\d){1,15} (?:million |billion )?of |the entire amount of |all (?:of )?|(?:our|its|the|their|these|those) (?:\$(?:[\d,]|\.\d){1,15} (?:million |billion )?of )?)(?:obligations|borrowings|indebtedness|debt|loans|notes|bonds|(?:\w+ ){0,4}(?:credit facility|term loan))\b`,
)
// `The Mortgage Indenture constitutes a first lien, subject to Permitted Liens, on substantially all of our real property`.
const lienOf = everyWords(
  String.raw`\b(?:mortgage|indenture)\b[^.;]{0,40}? (?:constitutes|creates) an? (?:[\w-]+ ){0,3}?(?:lien|mortgage|security interest)\b(?:,[^.;,]{0,80},)? (?:on|upon|in)\b`,
)
// `certain real estate … serves as collateral for the debt`.
const serves = everyWords(
  String.raw`\b(?:serves?|serving|stands?|acts?) as (?:the )?(?:collateral|security) (?:for|under)\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|mortgages?|agreements?)\b)`,
)
// `Collateral for the loan consists of inventory`, `The collateral includes all accounts receivable`.
const consists = everyWords(
  String.raw`\bcollateral(?: (?:under|for|securing) (?:the|our|this|these) [^.;]{2,60})? (?:consists of|includes|comprises)\b`,
)
// `"Collateral" means all property of the Loan Parties that is subject to a Lien in favor of the Agent`.
const collateralMeans = everyWords(
  String.raw`"(?:pledged |mortgaged )?(?:collateral|property)" (?:means|shall mean)\b(?! (?:the meaning|collectively,? the (?:collateral|security) documents))|\bthe collateral (?:consists|shall consist) of\b`,
)
const isSecured = words(
  String.raw`\b(?:secured (?:obligations|parties)|shall be secured by|(?:collateral|security) documents|security agreement|pledge agreement)\b`,
)
const notListed = words(
  String.raw`^[^;.]{0,120}\b(?:has the meaning|meanings? (?:set forth|assigned|given|specified)|defined in)\b`,
)
// About others' debt, or not granted: `shall not grant`, `any Lender may pledge`, `to the extent secured by`.
const notGranted = words(
  String.raw`\b(?:not|nor|no|neither|may|might|could|would|if|whether|unless|permitted|requested?|fails? to|agrees? to|extent|any person|lenders?|banks?|participants?|assignees?|purchaser|indebtedness of (?:others|such|another)|accounts? (?:receivable )?(?:that|which))\b[^.;]{0,60}$`,
)
const elsewhereOwed = words(
  String.raw`\b(?:if|unless|to the extent|whether or not|may be|permitted|any (?:other )?(?:indebtedness|debt|person)|such person|means|not(?! (?:less|more) than))\b[^.;]{0,110}$`,
)

const isPossible = /\b(?:may|might|could|would)\s+$/i

/** Maximum characters of an asset list. */
const MOST = 3000
const MOST_QUOTED = 2000

/** Rows of the dataset `collateral` in a section, each with its words. */
export function collateralIn(section: FiledSection): CollateralRow[] {
  const voice = voiceOf(section)
  if (voice === null || section.section_type === 'covenants') return []
  const isContract = voice === 'agreement'
  const flat = withoutDeleted(withWholeWords(flatten(section.text)))
  const clauses = isContract ? clausesIn(section.text) : []
  const namer = isContract ? 'agreement' : 'announcement'
  const name = isOfAgreement(section) && !isProspectus(section) ? instrumentName(section.text, namer) : null
  const found = new Map<string, CollateralRow>()
  const ended = isContract ? new Set<string>() : endedNames(flat)
  const year = (section.period_end ?? section.filing_date)?.slice(0, 4) ?? null
  for (const { from, at, until, rule } of statementsIn(flat, isContract, year)) {
    const end = until ?? sentenceEnd(flat, at)
    const list = flat.slice(at, end)
    if (isForLettersOfCredit.test(list.slice(0, 200))) continue
    if (isOtherNote(section) && !isOwedToLenders(flat.slice(from, sentenceEnd(flat, at)))) continue
    const pledged = assetsIn(list)
    if (pledged.length === 0) continue
    const quote = quoted(
      section,
      from,
      Math.min(sentenceEnd(flat, at), from + MOST_QUOTED),
      clauseAt(clauses, at),
    )
    const mentioned =
      instrumentMentioned(flat.slice(from, at)) ??
      (rule === 'pledged_as' ? instrumentMentioned(flat.slice(at, sentenceEnd(flat, at))) : null)
    const instrument = name ?? definedName(flat, mentioned)
    if (isEnded(ended, instrument)) continue
    const priority = priorityOf(flat.slice(from, Math.min(end, at + 300)))
    for (const { type, assets } of pledged) {
      const key = `${instrument} ${type} ${priority}`.toLowerCase()
      if (found.has(key)) continue
      found.set(key, {
        id: recordId(section, instrument, type, priority),
        company_name: section.company_name,
        cik: section.cik,
        instrument_name: shownName(instrument),
        type,
        description: oneLine(quote.evidence, 400),
        assets: [...assets],
        priority,
        jurisdiction: jurisdictionOf(list),
        extraction_confidence: confidenceOf(rule, isContract),
        source_document_date: section.filing_date,
        accession: section.accession,
        rule,
        ...quote,
      })
    }
  }
  return [...found.values()]
}

// A note on another subject tells of what others owe to the company as well.
const owedToLenders = words(
  String.raw`\b(?:credit (?:facilit(?:y|ies)|agreements?)|lines? of credit|term loans?|notes payable|mortgages? payable|borrowings?|indebtedness|debt|revolver|bank loans?|loan agreements?|(?:capital |finance |master )?lease (?:agreements|obligations)|financings?|securitizations?|bonds|debentures|(?:our|its|the company's) obligations)\b`,
)
const owedByOthers = words(
  String.raw`\b(?:(?:notes?|loans?) receivable|receivables? from (?:customers|affiliates|tenants|related)|(?:loans?|advances?|sales?) to|borrowers?|customers?|tenants?|buyers?|purchasers?|(?:asset|mortgage)-backed securities|repurchase agreements?|investee|unconsolidated|joint ventures?|affiliates?)\b`,
)
const isOwedToLenders = (statement: string): boolean =>
  owedToLenders.test(statement) && !owedByOthers.test(statement)

interface Statement {
  readonly from: number
  /** Where the list of assets begins. */
  readonly at: number
  /** Where it ends; at the end of its sentence if null. */
  readonly until: number | null
  readonly rule: 'grant' | 'secured_by' | 'pledged_as' | 'collateral_defined'
}

const balanceDate = words(String.raw`\b(?:as of|at) [a-z]{3,9} \d{1,2}, (?:\d{4} and )?(?<year>\d{4})\b`)

/** A sentence of the past that says what was pledged at the end of the year reported. */
function isOfBalance(flat: string, at: number, year: string | null): boolean {
  const sentence = flat.slice(...sentenceAround(flat, at, 600))
  return year !== null && !hasEnded.test(sentence) && sentence.match(balanceDate)?.[0].includes(year) === true
}
const hasEnded = words(String.raw`\b(?:repaid|terminated|retired|extinguished|redeemed|matured)\b`)

function statementsIn(flat: string, isContract: boolean, year: string | null): Statement[] {
  const grants = [...flat.matchAll(grant)]
    .filter(match => !notGranted.test(flat.slice(Math.max(0, match.index - 160), match.index)))
    .filter(match => !/\b(?:not|may|if|unless|license)\b/i.test(match[0]))
    .map(match => statement(flat, match, 'grant'))
  const owed = [...flat.matchAll(secured)]
    .filter(match => {
      const before = flat.slice(Math.max(0, match.index - 260), match.index)
      if (/\bnot\b/i.test(match[0]) || elsewhereOwed.test(before) || isPossible.test(before)) return false
      if (match.groups!['past'] && !isOfBalance(flat, match.index, year)) return false
      return (isContract ? isOurDebtBefore : isDebtBefore).test(before)
    })
    .map(match => statement(flat, match, 'secured_by'))
  const put = isContract
    ? []
    : [...flat.matchAll(pledged)]
        .filter(match => !match.groups!['had'] || isOfBalance(flat, match.index, year))
        .map(match => pledgeAt(flat, match))
        .concat(
          [...flat.matchAll(serves)]
            .filter(match => !notGranted.test(flat.slice(Math.max(0, match.index - 80), match.index)))
            .map(match => pledgeAt(flat, match)),
        )
        .concat(
          [...flat.matchAll(secures)]
            .filter(match => !notGranted.test(flat.slice(Math.max(0, match.index - 80), match.index)))
            .map(match => pledgeAt(flat, match)),
        )
        .concat(
          [...flat.matchAll(securedLoan), ...flat.matchAll(heldBy)]
            .filter(match => !notGranted.test(flat.slice(Math.max(0, match.index - 120), match.index)))
            .concat(apposedIn(flat))
            .filter(match => !hasEnded.test(flat.slice(...sentenceAround(flat, match.index, 600))))
            .map(match => statement(flat, match, 'secured_by')),
        )
        .concat(
          [...flat.matchAll(consists)]
            .filter(match =>
              isDebtBefore.test(flat.slice(Math.max(0, match.index - 200), match.index + match[0].length)),
            )
            .map(match => statement(flat, match, 'secured_by')),
        )
  const liens = [...flat.matchAll(lienOf)].map(match => statement(flat, match, 'secured_by'))
  const stated = [...grants, ...owed, ...liens, ...put].sort((a, b) => a.at - b.at)
  if (!isContract) return stated
  // A grant of `the Collateral` names no asset: its definition does.
  const namesAssets = stated.some(({ at }) => assetsIn(flat.slice(at, sentenceEnd(flat, at))).length > 0)
  if (namesAssets || (stated.length === 0 && !isSecured.test(flat))) return stated
  return [...flat.matchAll(collateralMeans)]
    .map(match => ({
      from: match.index,
      at: match.index + match[0].length,
      until: null,
      rule: 'collateral_defined' as const,
    }))
    .filter(({ at }) => !notListed.test(flat.slice(at, at + 200)))
}

/** The pledged assets are between the verb and `as collateral`, or before the verb. */
function pledgeAt(flat: string, match: RegExpExecArray): Statement {
  const ours = match.groups?.['ours']
  const [from] = sentenceAround(flat, match.index, 500)
  const at = ours === undefined ? Math.max(from, match.index - 200) : match.index + match[0].indexOf(ours)
  return { from, at, until: ours === undefined ? match.index : at + ours.length, rule: 'pledged_as' }
}

const statement = (flat: string, match: RegExpExecArray, rule: Statement['rule']): Statement => ({
  until: null,
  from: sentenceAround(flat, match.index, 500)[0],
  at: match.index + match[0].length,
  rule,
})

/** Lines of a list of debt with a balance, not what would be secured. */
const apposedIn = (flat: string): RegExpExecArray[] =>
  [...flat.matchAll(apposed)].filter(match => {
    const end = match.index + match[0].length
    const [from] = sentenceAround(flat, match.index, 600)
    return !isPlanned.test(flat.slice(from, end)) && !isRepaid.test(flat.slice(end, end + 400))
  })
const isPlanned = words(String.raw`\b(?:if|would|may|could|will|expected|negotiat\w+|propos\w+|becomes?)\b`)

const sentenceEnd = (flat: string, at: number): number => sentenceAround(flat, at, MOST)[1]

// An account that covers letters of credit after a default secures nothing today.
const isForLettersOfCredit = words(
  String.raw`\bcash collateral|\bcollateral account|\b(?:letters? of credit|l/c|lc) (?:account|collateral|obligations|exposure)|\bsuch (?:cash|account|deposit)`,
)

function priorityOf(text: string): (typeof liens)[number] | null {
  const isFirst = /\bfirst[\s-]+(?:priority|lien|ranking|mortgage|perfected)/i.test(text)
  const isSecond = /\bsecond[\s-]+(?:priority|lien|ranking|mortgage)/i.test(text)
  return isFirst === isSecond ? null : isFirst ? 'first_lien' : 'second_lien'
}

const place =
  /\b(?:located|situated)\s+in\s+the\s+(?:State|Commonwealth|Province)\s+of\s+(?<place>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)/g

/** The only state mentioned in an asset description. */
function jurisdictionOf(list: string): string | null {
  const places = new Set([...list.matchAll(place)].map(m => groupOf(m, 'place').replace(/\s+/g, ' ')))
  return places.size === 1 ? firstOf([...places]) : null
}

const confidenceOf = (rule: Statement['rule'], isContract: boolean): number => {
  if (rule === 'collateral_defined') return 0.8
  return rule === 'grant' ? (isContract ? 0.95 : 0.85) : isContract ? 0.9 : 0.8
}
