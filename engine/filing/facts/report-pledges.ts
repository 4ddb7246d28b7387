import { assetsIn } from './asset-types.ts'
import { everyWords, sentenceAround, words } from './flat-text.ts'
import {
  hasEnded,
  isDebtBefore,
  isOfBalance,
  notGranted,
  pledgeAt,
  type Statement,
  statement,
} from './pledge-words.ts'

// `land and buildings have been pledged as security for bank loans`, `we have pledged our receivables as collateral for`.
const pledged = everyWords(
  String.raw`\b(?:(?:have been|has been|are|is|were|was) (?:pledged|posted|designated)|\b(?!(?:banks?|lenders?|customers?|counterpart(?:y|ies)|tenants?)\b)\w+ (?:have|has|(?<had>had)) (?:pledged|posted)(?: or restricted)? (?<ours>(?:[^.;]|\.\d){2,299}?[^.;\s])) as (?:collateral|security) (?:for|to secure|to the lenders?|under|against|on|upon|in connection with)\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|lines? of credit|(?:bank|credit|loan|financing) agreements?|(?:prepaid forward|VPF) [^.;,]{0,30}(?:contracts?|agreements?|transactions?))\b)`,
)
// `Substantially all our assets, rents and revenues are pledged as collateral.`, after words on the debt.
const pledgedAlone = everyWords(
  String.raw`\b(?:substantially )?all (?:of )?(?:our|its|the company's) (?:[^.;]{3,120}? )?(?:are|is|have been) pledged as (?:collateral|security)(?=\.)`,
)
// `We have a $20 million term loan secured by our headquarters`, `obtains loans secured by the receivables`.
const securedLoan = everyWords(
  String.raw`\b(?:(?:financed|purchased|acquired|funded) (?=\S)[^.;]{3,80}?(?<=\S) (?:with|by|through) an? (?:[^.;,\s]{1,40} ){0,6}?(?:term |mortgage )?(?:loan|note)|(?:obtains?|obtained|borrowed|assumed) (?:[^.;,\s]{1,40} ){0,10}?loans?|(?:has|have|maintains?|entered into|obtained|assumed) (?:an?|our|its|two|three) (?:[^.;,\s]{1,40} ){0,10}?(?:term loan|mortgage (?:loan|note)|loan(?: agreement| facility)?|credit (?:facility|agreement)|line of credit|note payable)|(?:has|have|had|issued) (?:outstanding )?(?:EETCs|(?:enhanced )?equipment (?:trust )?(?:notes|certificates)|pass[- ]through certificates)(?: \([^()]{3,60}\))?),? (?:(?:which|that) is )?(?:secured|collateralized) by\b`,
)
// A line of a list of debt: `Bank line of credit, with maximum borrowings of $1,250,000, secured by accounts receivable`.
const apposed = everyWords(
  String.raw`\b(?:lines? of credit|notes? payable|term loans?|(?:secured|asset-backed) notes|mortgage (?:notes?|loans?)|credit facility|bank loans?)\b(?:[^.;]|\.\d){0,160}?, (?:and )?(?:secured|collateralized) by\b`,
)
// What a table says of a line that has no balance any more, `.... -- 1,096,397`.
const isRepaid = /^[^;]{0,300}?\.{3,}\s*(?:--|-|\u2014)\s+[\d,]{4}/
// `The bank has a first priority security interest in all accounts receivable`; `As collateral for the term loan, we pledged
// our inventory`.
const heldBy = everyWords(
  String.raw`\b(?:banks?|lenders?|facilit(?:y|ies)|agent|noteholders?|holders of (?:the|our) notes) (?:has|have|holds?|maintains?|retains?) an? (?:[\w-]+ ){0,4}(?:security interests?|liens?) (?:in|on|over)\b|\b(?:facility|agreement|line of credit|loan) (?:gives|grants) [^.;,]{2,30}(?:, N\.A\.)? an? (?:[\w-]+ ){0,4}(?:security interests?|liens?) (?:in|on|over)\b|\b(?:maintains?|holds?|retains?|has|have) an? (?:(?:first|senior|perfected|priority|first-priority) ){0,3}blanket (?:security interest|lien) (?:in|on|over)\b|\bas (?:collateral|security) for (?:the|our|its|this|these|those) [^.;,]{3,80}, (?:(?:we|[^.;,]{3,40}) (?:have |has )?(?:pledged|granted)\b|[^.;,]{3,40} (?:has|holds) an? (?:[\w-]+ ){0,4}(?:security interests?|liens?) (?:in|on|over)\b)`,
)
// `The land and all assets of the casino secure up to $3.35 billion of obligations outstanding under the facility`.
const secures = everyWords(
  String.raw`(?<!\b(?:to|not|may|will|would|could|which|that|and|or))(?<!\s) \b(?:secures?|collateralizes?) (?:up to \$(?:[\d,]|\.\d){1,15} (?:million |billion )?of |the entire amount of |all (?:of )?|(?=(?:loans?|mortgage notes|notes payable|bank debt) )|(?:our|its|the|their|these|those) (?:\$(?:[\d,]|\.\d){1,15} (?:million |billion )?of )?)(?:(?:mortgage|term|senior|bank|first) ){0,2}(?:obligations|borrowings|indebtedness|debt|loans|notes|bonds|(?:\w+ ){0,4}(?:credit facility|term loan|lines? of credit))\b`,
)
// `certain real estate … serves as collateral for the debt`.
const serves = everyWords(
  String.raw`\b(?:serves?|serving|stands?|acts?) as (?:the )?(?:collateral|security) (?:for|under)\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|mortgages?|agreements?)\b)`,
)
// `Collateral for the loan consists of inventory`, `The collateral includes all accounts receivable`.
const consists = everyWords(
  String.raw`\b(?:collateral(?: (?:under|for|securing) (?:the|our|this|these) [^.;]{2,60})?|security (?:under|for) (?:the|our|this|these) [^.;]{2,60}) (?:consists of|includes|comprises)\b`,
)
// `The bank received a security interest in our receivables`, `Collateral for the facility is the accounts receivable`.
const received = everyWords(
  String.raw`\b(?:banks?|lenders?|agent|noteholders?) (?:received|obtained|was granted|were granted) an? (?:[\w-]+ ){0,4}(?:security interests?|liens?) (?:in|on|over)\b|\bcollateral for (?:the|our|this|these) [^.;]{2,60}? is (?=the |our |its |all )|\b(?:notes|bonds|debentures|loans?|facility) (?:has|have|carry|carries) an? (?:[\w-]+ ){0,4}(?:security interests?|liens?) (?:in|on|over)\b`,
)
// `We are required to pledge a portion of our cash as collateral for debt`, which holds of what is owed.
const mustPledge = everyWords(
  String.raw`\b(?:we|company|corporation|borrower|subsidiar(?:y|ies)) (?:are|is) required to (?:pledge|post)(?: or otherwise restrict)? (?<ours>(?:[^.;]|\.\d){2,299}?[^.;\s]) (?:(?:primarily|mainly|principally) )?as (?:collateral|security) (?:for|under)\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|lines? of credit)\b)`,
)
const isConditional = words(String.raw`\b(?:if|when|unless|upon|event|case|downgrade\w*|derivatives?)\b`)
// `pledged the shares of its subsidiary to secure the bridge loan`.
const pledgedTo = everyWords(
  String.raw`\b(?!(?:banks?|lenders?|customers?|counterpart(?:y|ies)|tenants?)\b)\w+ (?:(?:have|has) )?pledged (?<ours>(?:[^.;]|\.\d){2,200}?[^.;\s]) to secure\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|lines? of credit|obligations)\b)`,
)
// `In connection with the margin loan, the Company pledged shares as collateral`; `pledged its receivables as collateral when
// it entered into the loan agreement`.
const pledgedWith = everyWords(
  String.raw`\b(?:in connection with|under|pursuant to|to secure) (?:the|our|its|this|an?) [^.;,]{0,60}\b(?:loans?|credit|facility|notes?|financing|borrowings?|indebtedness)\b[^.;,]{0,30}, (?:we|the (?:company|corporation|borrower)|certain of (?:our|its) subsidiaries) (?:(?:have|has|had) )?pledged (?<with>(?:[^.;]|\.\d){2,200}?[^.;\s]) as (?:collateral|security)\b|\b(?:we|company|corporation|borrower|subsidiar(?:y|ies)) pledged (?<ours>(?:[^.;]|\.\d){2,200}?[^.;\s]) as (?:collateral|security) (?:for|under|when|upon|in connection with)\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|lines? of credit|(?:bank|credit|loan|financing) agreements?)\b)`,
)
// `We maintain a restricted deposit account as security for the credit line`.
const heldAs = everyWords(
  String.raw`\b(?:maintains?|holds?|keeps?|deposited|placed) (?<ours>(?:[^.;]|\.\d){3,160}?[^.;\s]) as (?:cash )?(?:collateral|security) (?:for|under)\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|(?:lines? of )?credit)\b)`,
)
// `Inventories are pledged under the line of credit`.
const pledgedUnder = everyWords(
  String.raw`\b(?:is|are|have been|has been) pledged (?:to (?:the|our|its) (?:\w+ )?(?:lenders?|banks?|agent|noteholders|bondholders)|(?:under|to secure) (?:the|our|its|this|these|all|certain))\b(?=[^.;]{0,10}[.;,]|[^.;]{0,100}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|lines? of credit|(?:credit|loan|bank|security) agreements?)\b)`,
)
// `The building is subject to a mortgage securing the term loan`.
const encumbered = everyWords(
  String.raw`\b(?:is|are) (?:subject to|encumbered by) (?:an? |the )?(?:first |second |senior )?(?:mortgages?|liens?|deeds? of trust|security interests?)\b(?=[^.;]{0,40}?\b(?:secur(?:ing|es?)|in favor of)\b[^.;]{0,120}?\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|bank|lenders?)\b)`,
)
// `Funds are held in restricted cash accounts to provide additional collateral for borrowings`.
const provides = everyWords(
  String.raw`\bto (?:provide|serve as|act as) (?:additional |further )?(?:collateral|security) for\b(?=[^.;]{0,120}\b(?:notes?|bonds?|loans?|debt|borrowings?|facility|facilities|indebtedness|lines? of credit)\b)`,
)
// `The notes are backed by receivables transferred to the issuer`: by assets, not by a guarantee or another facility.
const backed = everyWords(
  String.raw`\b(?:notes?|bonds?|certificates|debt|borrowings|loans?|securities|facility|facilities|obligations)\b[^.;]{0,100}? (?:is|are) backed by\b`,
)
const MOST_BACKING = 60

// `a $9,000,000 mortgage payable secured by the Harbor Hotel Newport (the "Newport Note")`, which says no kind of property.
const mortgaged = everyWords(
  String.raw`\bmortgages? (?:notes? |loans? )?(?:payable )?(?:that (?:is|are) |which (?:is|are) )?(?:secured|collateralized) by (?:the |our )?`,
)
/** The name of the property, up to what defines the loan. */
const propertyNamed = /^[A-Z](?:[^,;()$]){3,70}?(?=\s\((?:the\s)?"|,|;|\.\s|\sand\s(?:is|was|has|bears)\b)/

/** Mortgages on a property that is called by its name alone. */
const mortgagesNamed = (flat: string): Statement[] =>
  [...flat.matchAll(mortgaged)].flatMap(match => {
    const at = match.index + match[0].length
    const property = propertyNamed.exec(flat.slice(at, at + 90))?.[0]
    if (property === undefined || notGranted.test(flat.slice(Math.max(0, match.index - 80), match.index)))
      return []
    const begins = sentenceAround(flat, match.index, 600)[0]
    const from = Math.max(begins, flat.lastIndexOf(')', match.index) + 1)
    const until = at + property.length
    return { from, at, until, rule: 'secured_by' as const, property: property.replace(/\s+/g, ' ') }
  })

/** Lines of a list of debt with a balance, not what would be secured. */
const apposedIn = (flat: string): RegExpExecArray[] =>
  [...flat.matchAll(apposed)].filter(match => {
    const end = match.index + match[0].length
    const [from] = sentenceAround(flat, match.index, 600)
    return !isPlanned.test(flat.slice(from, end)) && !isRepaid.test(flat.slice(end, end + 400))
  })
const isPlanned = words(String.raw`\b(?:if|would|may|could|will|expected|negotiat\w+|propos\w+|becomes?)\b`)

/** How a report says that something of the company is pledged. */
export function reportPledgesIn(flat: string, year: string | null): Statement[] {
  const isGranted = (most: number) => (match: RegExpExecArray) =>
    !notGranted.test(flat.slice(Math.max(0, match.index - most), match.index))
  const isOpen = (match: RegExpExecArray) =>
    !hasEnded.test(flat.slice(...sentenceAround(flat, match.index, 600)))
  const before = [
    ...[...flat.matchAll(pledged)].filter(
      match => !match.groups!['had'] || isOfBalance(flat, match.index, year),
    ),
    ...[serves, secures].flatMap(p => [...flat.matchAll(p)].filter(isGranted(80))),
    ...[...flat.matchAll(mustPledge)].filter(
      match => isOpen(match) && !isConditional.test(flat.slice(...sentenceAround(flat, match.index, 600))),
    ),
    ...[pledgedTo, pledgedWith, pledgedUnder, heldAs, encumbered, provides].flatMap(p =>
      [...flat.matchAll(p)].filter(isGranted(80)).filter(isOpen),
    ),
  ]
  const alone = [...flat.matchAll(pledgedAlone)].filter(
    match =>
      isGranted(80)(match) &&
      isDebtBefore(flat.slice(Math.max(0, match.index - 300), match.index).replaceAll('.', ',')),
  )
  const after = [
    ...[securedLoan, heldBy, received]
      .flatMap(p => [...flat.matchAll(p)])
      .filter(isGranted(120))
      .concat(apposedIn(flat))
      .filter(isOpen),
    ...[...flat.matchAll(consists)].filter(match =>
      isDebtBefore(flat.slice(Math.max(0, match.index - 200), match.index + match[0].length)),
    ),
    ...[...flat.matchAll(backed)].filter(match => {
      const end = match.index + match[0].length
      return isGranted(80)(match) && assetsIn(flat.slice(end, end + MOST_BACKING)).length > 0
    }),
  ]
  return [
    ...mortgagesNamed(flat),
    ...before.map(match => pledgeAt(flat, match)),
    ...after.map(match => statement(flat, match, 'secured_by')),
    ...alone.map(match => ({
      from: sentenceAround(flat, match.index, 500)[0],
      at: match.index,
      until: match.index + match[0].length,
      rule: 'pledged_as' as const,
    })),
  ]
}
