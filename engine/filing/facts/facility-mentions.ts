import { listedFacilitiesIn } from './facility-lists.ts'
import { sentenceAround } from './flat-text.ts'
import { AMOUNT, amountIn, type Money, type Scale } from './money.ts'

/** A facility that a text names by its amount. */
export interface Mention {
  readonly kind: 'revolver' | 'term_loan'
  readonly words: string
  readonly commitment: Money
  /** The sentence says from what it was raised or reduced. */
  readonly isChanged: boolean
  /** Its amount is what the text says is available, which may be less than what is committed. */
  readonly isAvailable?: boolean
  /** Its amount is what may be borrowed, by the words around it. */
  readonly isCapacity?: boolean
  /** That which a list of facilities gives it. */
  readonly maturity?: string
  /** What the text calls it, where its name does not stand beside its amount. */
  readonly alias?: string
  /** Its amount is said of the report's day, or of one shortly before. */
  readonly isStanding?: boolean
  /** Of a numbered list: where it begins, and its first mark. */
  readonly list?: readonly [begin: number, mark: number]
  readonly from: number
  readonly to: number
}

const TENOR = '(?:\\w{3,6}|\\d{1,3})\\s{0,2}[ -]\\s{0,2}(?:year|day|month)'
const ADJECTIVE = `(?:new|joint|second|third|fourth|fifth|sixth|seventh|guaranty|security|abl|purchase|construction|equipment|acquisition|project|non-revolving|evergreen|sustainability-linked|reserve-based|cash-flow|inventory|floorplan|senior|unsecured|secured|committed|syndicated|revolving|bank|back-?up|corporate|bilateral|domestic|global|guaranteed|amended|restated|and|delayed|draw|delayed-draw|term|loan|credit|asset-based|asset|based|first|lien|first-lien|loan\\s{1,3}[ab]|receivables?|accounts|trade|securitization|warehouse|back-up|standby|liquidity|supplemental|superpriority|non-?recourse|multi-?year|multi-?currency|multiple|advance|variable|floating|variable-rate|floating-rate|rate|fee-paid|short-term|long-term|${TENOR}|\\w{3,6}-and-a-half-year)`
const NOUN =
  '(?:facility|agreement|revolver|term loan|term\\s{1,3}[abc]\\s{1,3}loan|line of credit|credit line|loc)'
/** `The term loan of $350 million`, `Our revolver has`, but not a balance `on the term loan`. */
const BARE =
  '(?<=\\b(?:the|an?|our|its)\\s{1,3})(?<!\\b(?:on|of|under|against|for|to)\\s{1,3}(?:the|an?|our|its)\\s{1,3})(?:term\\s{1,3}loan|revolver)'
/** `revolving credit facilities of $2.5 billion which is scheduled to expire in December 2028 and $500 million which ...`. */
const severalFacilities = new RegExp(
  `${AMOUNT},?\\s{1,3}(?:which|that)\\s{1,3}(?:(?:is|are)\\s{1,3})?(?:scheduled\\s{1,3}to\\s{1,3})?(?:expires?|matures?)\\b`,
  'gi',
)
/** `$2.0 billion five-year senior unsecured revolving credit facility`. */
const amountFirst = new RegExp(
  `${AMOUNT}(?:\\s{0,2},)?\\s{1,3}(?<words>(?:${ADJECTIVE}(?:\\s{0,2},)?\\s{1,3}){0,11}${NOUN})\\b(?!\\s{1,3}(?:sub|fee))`,
  'gi',
)
/** `revolving credit facility in an aggregate amount of $4.0 billion`, `revolving credit agreement with various banks permitting aggregate borrowings of up to $5.0 billion`. */
const amountLast = new RegExp(
  `\\b(?<words>(?:${ADJECTIVE}\\s{1,3}){1,9}${NOUN}|${BARE})\\b(?<between>(?:(?!(?:facility|revolver|term loan|revolving credit line|revolving line of credit|entered into an?)\\b(?!["')]))(?:[^.;$\\u20ac\\u00a3\\u00a5]|(?<=\\b(?:N|N\\.A|Inc|Corp|Ltd))\\.)){0,160}?)\\b(?<key>amounts?\\s+(?:of|not\\s+to\\s+exceed)|(?:it|we|company)\\s+borrowed|of|up\\s+to|provid(?:es|ing)(?:\\s+for)?)\\s{1,3}(?:an?\\s+|approximately\\s+|the\\s+lesser\\s+of\\s+(?:\\(\\w{1,3}\\)\\s+)?)?${AMOUNT}`,
  'gi',
)
/** `a revolving line of credit for $3 million`. */
const lineFor = new RegExp(
  `\\b(?<words>(?:${ADJECTIVE}\\s{1,3}){1,9}${NOUN})\\s{1,3}(?:in\\s{1,3}the\\s{1,3}amount\\s{1,3})?for\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?${AMOUNT}`,
  'gi',
)
/** `has a line of credit available in the amount of $5,000,000`, `have a revolving line of credit with Alfa Bank for up to $10 million`. */
const lineHeld = new RegExp(
  `(?<=\\b(?:has|have|had|maintains?)\\s{1,3}an?\\s{1,3})(?<words>(?:${ADJECTIVE}\\s{1,3}){0,9}line\\s{1,3}of\\s{1,3}credit)(?:\\s{1,3}available)?(?:\\s{1,3}with\\s{1,3}(?:[A-Z][\\w.&]*,?\\s{1,3}){1,5}?)?\\s{0,3}(?:in\\s{1,3}the\\s{1,3}amount\\s{1,3}of|for|of)\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?${AMOUNT}`,
  'g',
)
/** `a revolving credit facility with $1.75 billion in aggregate total commitments`. */
const committed = new RegExp(
  `\\b(?<words>(?:${ADJECTIVE}\\s{1,3}){1,9}${NOUN})\\s{1,3}with\\s{1,3}${AMOUNT}\\s{1,3}(?:in|of)\\s{1,3}(?:(?:aggregate|total|lender|revolving)\\s{1,3}){0,3}commitments?\\b`,
  'gi',
)
/** `Credit Agreement (the "Credit Facility") with a revolving credit commitment of $410 million`. */
const withCommitment = new RegExp(
  `\\b(?<words>(?:${ADJECTIVE}\\s{1,3}){1,9}${NOUN})(?:\\s{1,3}\\([^()]{2,60}\\))?\\s{1,3}with\\s{1,3}(?:an?\\s{1,3})?(?:(?:aggregate|total|revolving|credit|lender|borrowing|maximum|initial)\\s{1,3}){0,4}commitments?\\s{1,3}of\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?${AMOUNT}`,
  'gi',
)
const CURRENCY = '(?:USD|U\\.?S\\.?\\s{1,3}dollar|dollar|euro|EUR|GBP|sterling)'
/** `a new $2,650 USD Tranche B loan and a new €800 Euro Tranche B loan`. */
const trancheLoan = new RegExp(
  `${AMOUNT}\\s{1,3}(?:of\\s{1,3})?(?<words>(?:(?:new|senior|secured|unsecured)\\s{1,3}){0,3}(?:${CURRENCY}(?:-denominated)?\\s{1,3})?(?:tranche|term(?:\\s{1,3}loan)?)\\s{1,3}[A-C](?:-\\d)?\\s{1,3}(?:term\\s{1,3})?loans?)\\b`,
  'gi',
)
/** `term loans denominated in euros in an aggregate principal amount of €440.0 million`. */
const loansIn = new RegExp(
  `\\b(?<words>(?:(?:senior|secured|unsecured|incremental|fixed\\s{1,3}rate)\\s{1,3}){0,4}term\\s{1,3}loans?)\\s{1,3}denominated\\s{1,3}in\\s{1,3}(?:U\\.?S\\.?\\s{1,3})?[a-z]{4,9}\\s{1,3}in\\s{1,3}(?:an?|the)\\s{1,3}(?:(?:initial|aggregate|principal)\\s{1,3}){0,3}amount\\s{1,3}of\\s{1,3}${AMOUNT}`,
  'gi',
)
/** `financing of up to $225 million in a revolving line of credit`. */
const financing = new RegExp(
  `(?<=\\bprovid(?:es|ed|ing)\\s{1,3}(?:for\\s{1,3})?(?:(?:financing|borrowings)\\s{1,3}of\\s{1,3})?up\\s{1,3}to\\s{1,3})${AMOUNT}\\s{1,3}in\\s{1,3}an?\\s{1,3}(?<words>(?:${ADJECTIVE}\\s{1,3}){1,9}${NOUN})\\b`,
  'gi',
)
/** `entered into a $325 million Incremental Term Loan`, which is lent, not what may be. */
const enteredLoan = new RegExp(
  `(?<=\\bentered\\s{1,3}into\\s{1,3}an?\\s{1,3})${AMOUNT}\\s{1,3}(?<words>(?:(?:senior|secured|unsecured)\\s{1,3}){0,3}incremental\\s{1,3}term\\s{1,3}loan)\\b(?!\\s{1,3}(?:facility|commitment))`,
  'gi',
)
const PLAIN = AMOUNT.replace(/\?<\w+>/g, '?:')
/** `to an aggregate principal amount of up to $800 million`. */
const TO_AMOUNT = `to\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?(?:an\\s{1,3}aggregate\\s{1,3}(?:principal\\s{1,3})?amount\\s{1,3}of\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?)?${AMOUNT}`
const CHANGE = '(?:increas|reduc|decreas|lower|rais|upsiz|expand)\\w*'
const WORDS = `(?<words>(?:${ADJECTIVE},?\\s{1,3}){1,9}${NOUN}|${BARE})`
const UP_TO = '[^.;$\\u20ac\\u00a3\\u00a5]'
/** As `UP_TO`, before a commercial paper program or a sublimit, whose change is no change of a facility. */
const OF_ITSELF = `(?:(?!\\b(?:programs?|sub-?limits?|sub-?facilit\\w+)\\b)${UP_TO})`
/** A facility whose commitment was changed: it is what it was changed to. */
const changes = [
  // `a $500 million secured revolving credit facility with a lender, which we subsequently increased to $620 million`
  `\\ban?\\s{1,3}${PLAIN}\\s{1,3}${WORDS}\\b${UP_TO}{0,120}?\\bwhich\\s{1,3}(?:we|the\\s{1,3}company|it)\\s{1,3}(?:have\\s{1,3}|has\\s{1,3})?(?:subsequently|since|later)\\s{1,3}(?:increased|reduced|decreased)\\s{1,3}to\\s{1,3}${AMOUNT}`,
  // `increased the unsecured revolving credit facility commitments from $4.0 billion to $5.0 billion`
  `\\b${WORDS}\\s{1,3}(?:commitments?|capacity|size|amount)?(?:\\s{0,3},?\\s{0,3}(?:that|which)\\s{1,3}(?:is|was)\\s{1,3}${UP_TO}{0,60}?)?(?:\\s{0,3}\\((?:the\\s{1,3})?"[A-Z][^()"]{2,40}"\\))?\\s{0,3}from\\s{1,3}${PLAIN}\\s{1,3}${TO_AMOUNT}`,
  // `364-day credit facility, which was reduced from $3.5 billion to $2.0 billion`
  `\\b${WORDS}\\b${UP_TO}{0,220}?\\b${CHANGE}\\b${OF_ITSELF}{0,60}?\\bfrom\\s{1,3}${PLAIN}\\s{1,3}${TO_AMOUNT}`,
  // `increased total commitments under its revolving credit facility to $1,750 from $1,250`
  `\\b${CHANGE}\\b${UP_TO}{0,80}\\b${WORDS}\\s{1,3}to\\s{1,3}(?:the\\s{1,3})?${AMOUNT}\\s{1,3}from\\s{1,3}${PLAIN}`,
  // `amended our $8.0 billion credit facility to increase the availability to $9.0 billion`
  `\\b(?:our|its|the)\\s{1,3}${PLAIN}\\s{1,3}${WORDS}\\s{1,3}(?:to|and)\\s{1,3}${CHANGE}\\b${UP_TO}{0,60}?\\bto\\s{1,3}${AMOUNT}`,
  // `reduced the total borrowing capacity of our five-year, $11.2 billion facility to $10.0 billion`
  `\\b${CHANGE}\\b${UP_TO}{0,60}\\b(?:of|under)\\s{1,3}(?:our|its|the)\\s{1,3}(?<tenor>${TENOR}),?\\s{1,3}${PLAIN}\\s{1,3}(?<words>(?:${ADJECTIVE},?\\s{1,3}){0,9}${NOUN})\\s{1,3}to\\s{1,3}${AMOUNT}`,
  // `amended our revolving credit facility to increase our borrowing capacity thereunder to $850 million`
  `\\b${WORDS}\\b${UP_TO}{0,160}?\\b${CHANGE}\\s{1,3}${OF_ITSELF}{0,30}?\\b(?:capacity|size|commitments?|amount|availability)(?:\\s{1,3}(?:thereunder|available|under\\s{1,3}(?:the|that|such)\\s{1,3}\\w+))?\\s{1,3}to\\s{1,3}${AMOUNT}`,
  // `exercised our option to increase our revolving credit facility by $250 million to $1.5 billion`
  `\\b${CHANGE}\\b${UP_TO}{0,60}?\\b${WORDS}\\s{1,3}(?:(?:commitments?|capacity|size)\\s{1,3})?by\\s{1,3}${PLAIN}\\s{1,3}to\\s{1,3}(?:a\\s{1,3}total\\s{1,3}of\\s{1,3})?${AMOUNT}`,
  // `increasing the aggregate commitment amount of the revolving credit facility (the "Revolving Credit Facility") to $40 million`
  `\\b${CHANGE}\\s{1,3}the\\s{1,3}(?:(?:total|aggregate|maximum|revolving|borrowing)\\s{1,3}){0,3}(?:commitments?(?:\\s{1,3}amounts?)?|amounts?|size|capacity)\\s{1,3}(?:of|under|available\\s{1,3}under)\\s{1,3}(?:the|its|our)\\s{1,3}${WORDS}(?:\\s{1,3}to\\s{1,3}(?:us|the\\s{1,3}(?:Company|Borrowers?)(?:\\s{1,3}Entities)?))?\\s{1,3}\\((?:the\\s{1,3})?"[A-Z][^()]{2,50}\\)\\s{1,3}to\\s{1,3}${AMOUNT}`,
  // `the aggregate principal amount of the Revolving LOC was reduced to $1,500,000`
  `\\b(?:(?:total|aggregate|maximum|principal|borrowing)\\s{1,3}){0,3}(?:amount|commitments?|availability|capacity|size|limit)\\s{1,3}(?:of|under)\\s{1,3}(?:the|our|its)\\s{1,3}(?<words>(?:${ADJECTIVE}\\s{1,3}){0,9}(?:${NOUN}|line))\\s{1,3}(?:was|were|has\\s{1,3}been|have\\s{1,3}been)\\s{1,3}(?:increased|reduced|decreased|raised|lowered)\\s{1,3}(?:from\\s{1,3}${PLAIN}\\s{1,3})?${TO_AMOUNT}`,
].map(pattern => new RegExp(pattern, 'gi'))
/** `The Third Restated Credit Agreement increases the Credit Facility to an aggregate principal amount of $450 million`. */
const raised = new RegExp(
  `(?<!\\b(?:may|can|could|will|would|to|not)\\s{1,3})\\b(?:increase[sd]|reduce[sd]|upsize[sd])\\s{1,3}(?:the|its|our)\\s{1,3}${WORDS}\\s{1,3}${TO_AMOUNT}`,
  'gi',
)
/** `amended the facility to reduce the commitments from $900 million to $600 million`. */
const commitmentsChanged = new RegExp(
  `\\b${CHANGE}\\s{1,3}(?:the\\s{1,3}|its\\s{1,3}|our\\s{1,3})?(?:(?:total|aggregate|maximum|lender|revolving|borrowing)\\s{1,3}){0,2}(?:commitments?|capacity|size)(?:\\s{1,3}(?:thereunder|of\\s{1,3}the\\s{1,3}facility))?\\s{1,3}from\\s{1,3}${PLAIN}\\s{1,3}${TO_AMOUNT}`,
  'gi',
)
const ofRevolver = /\brevolv\w+\b/i
/** `drew $300 million under a new 18-month term loan`. */
const drawnLoan = new RegExp(
  `\\b(?:drew|borrowed)\\s{1,3}(?:down\\s{1,3})?${AMOUNT}\\s{1,3}under\\s{1,3}an?\\s{1,3}${WORDS}\\b`,
  'gi',
)
/** `has a $400.0 million North Revolving Credit Facility`: a name in capitals that begins with that of its borrower. */
const namedFirst = new RegExp(
  `${AMOUNT}\\s{1,3}(?<words>(?:(?![MB]illion\\b)[A-Z][\\w.&]{1,14}\\s{1,3}){1,2}(?:Senior\\s{1,3}|Secured\\s{1,3}|Unsecured\\s{1,3}){0,2}(?:Revolving\\s{1,3}(?:Credit|Loan)|Term\\s{1,3}Loan|Credit|Liquidity)\\s{1,3}(?:Facility|Agreement))\\b`,
  'g',
)
const ofRefinancing = /\b(?:repa(?:id|y)|prepa(?:id|y)|refinanc|replac|terminat)\w*/i
/** A change that may be asked for. */
const isOption =
  /\b(?:may(?!\s{1,3}(?:\d|in\b))|can|could|options?|rights?|requests?|ability|able|permit\w*|allow\w*|would|will|seek|subject\s{1,3}to|up\s{1,3}to\s{1,3}an)\b/i
const exercised = /\bexercised\s{1,3}(?:our|its|the|an)\s{1,3}(?:option|right)s?\s{1,3}to\s{1,3}$/i
/** `$1.5 billion available under a revolving credit facility`. */
const availableUnder = new RegExp(
  `${AMOUNT}\\s{1,3}(?:of\\s{1,3})?(?:available|commitments?|capacity|borrowing\\s{1,3}capacity|availability)\\s{1,3}(?:under|of)\\s{1,3}(?:an?|our|its|the)\\s{1,3}(?<words>(?:${ADJECTIVE}\\s{1,3}){1,9}${NOUN})\\b`,
  'gi',
)
/** `committed credit lines of $19 billion, consisting of $13.5 billion of our corporate credit facility, and $2 billion of our 364-day facility`. */
const ofOur = new RegExp(
  `${AMOUNT}\\s{1,3}(?:of|under)\\s{1,3}(?:our|its|the)\\s{1,3}(?<words>(?:${ADJECTIVE}\\s{1,3}){1,9}${NOUN})\\b`,
  'gi',
)
/** Before the parts of all that is committed. */
const isOfCommitted =
  /\bcommitted\b(?:[^.;]|\.\d){0,160}\b(?:consist\w*|compris\w*|made\s{1,3}up|includ\w+)\b(?:[^.;]|\.\d){0,400}$/i
const OF_WORDS = `(?:under|of|for|on)\\s{1,3}(?:an?|our|its|the|this)\\s{1,3}${WORDS}`
const APPROXIMATELY = '(?:approximately\\s{1,3}|up\\s{1,3}to\\s{1,3})?'
/** Capacities of facilities, where words say that they are no part of them. */
const capacities = [
  // `the ability to borrow up to $2.25 billion under our unsecured revolving credit facility`
  `\\b(?:borrow|draw)\\s{1,3}up\\s{1,3}to\\s{1,3}(?:an\\s{1,3}aggregate\\s{1,3}(?:principal\\s{1,3})?(?:amount\\s{1,3})?of\\s{1,3})?${AMOUNT}${UP_TO}{0,40}\\bunder\\s{1,3}(?:an?|our|its|the|this)\\s{1,3}${WORDS}\\b`,
  // `Borrowing capacity under our unsecured revolving line of credit is $400 million`
  `(?<!\\b(?:available|unused|remaining|additional|undrawn|excess)\\s{1,3})\\bborrowing\\s{1,3}capacity\\s{1,3}${OF_WORDS}\\s{1,3}(?:is(?:\\s{1,3}now)?|of)\\s{1,3}${APPROXIMATELY}${AMOUNT}`,
  // `The maximum availability under the ABL Facility is $700 million`, `aggregate lender commitments under the credit facility were $1.2 billion`
  `\\b(?:maximum\\s{1,3}(?:(?:available|permitted|aggregate|principal)\\s{1,3}){0,2}(?:amount|borrowings|borrowing\\s{1,3}capacity|capacity|availability|commitments?|credit)|(?:total|aggregate)\\s{1,3}(?:amount\\s{1,3}of\\s{1,3})?(?:(?:lender|lending|revolving|bank|credit)\\s{1,3}){0,2}(?:commitments?|borrowing\\s{1,3}capacity))(?:\\s{1,3}(?:available|permitted))?\\s{1,3}${OF_WORDS}\\s{1,3}(?:is|are|was|were|totals?|totall?ed|of)\\s{1,3}${APPROXIMATELY}${AMOUNT}`,
  // `The Revolving Credit Facility has capacity of $300.0 million`
  `\\b${WORDS}\\s{1,3}(?:currently\\s{1,3})?(?:has|had)\\s{1,3}(?:an?\\s{1,3})?(?:(?:total|aggregate|maximum|borrowing|financing)\\s{1,3}){0,2}capacity\\s{1,3}of\\s{1,3}${APPROXIMATELY}${AMOUNT}`,
  // `The credit facility, which had $1.1 billion of total commitments`, `provides $2.5 billion of borrowing capacity`
  `\\b${WORDS}(?:\\s{1,3}\\([^()]{2,60}\\))?,?\\s{1,3}(?:(?:that|which)\\s{1,3})?(?:(?:currently|also|now)\\s{1,3})?(?:has|had|carries|provides?(?:\\s{1,3}(?:us|the\\s{1,3}company)\\s{1,3}with)?|offers)\\s{1,3}${APPROXIMATELY}${AMOUNT}\\s{1,3}(?:of|in)\\s{1,3}(?:(?:total|aggregate|maximum|lender|revolving|borrowing|credit)\\s{1,3}){0,3}(?:commitments?|capacity)\\b`,
  // `The Second Amended Credit Facility maintains the borrowing limit of $120 million`, `has an aggregate commitment of $1.5 billion`
  `\\b(?:the|our|its)\\s{1,3}(?<words>(?:[a-z][\\w-]{1,14}\\s{1,3}){0,3}credit\\s{1,3}(?:facility|agreement))\\s{1,3}(?:has|maintains|provides\\s{1,3}for)\\s{1,3}(?:an?|the)\\s{1,3}(?:(?:aggregate\\s{1,3}|total\\s{1,3}|maximum\\s{1,3})?borrowing\\s{1,3}limit|(?:aggregate|total)\\s{1,3}commitment)\\s{1,3}of\\s{1,3}${AMOUNT}`,
].map(pattern => new RegExp(pattern, 'gi'))
/** `total revolving commitments of $500.0 million`. */
const totalCommitments = new RegExp(
  `\\btotal\\s{1,3}revolving\\s{1,3}(?:credit\\s{1,3})?commitments\\s{1,3}of\\s{1,3}${AMOUNT}`,
  'gi',
)
const LENT =
  '(?:in\\s{1,3}(?:an?|the)\\s{1,3}(?:initial\\s{1,3})?(?:aggregate\\s{1,3})?(?:principal\\s{1,3})?amount\\s{1,3}of|of)\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?'
/** Loans and commitments to lend with the name that the text gives them, before or behind their amount. */
const definedLoans = [
  // `term loans (the "Term Loan Facility") in an aggregate amount of $5.0 billion`
  `\\b(?:(?:delayed\\s{1,3}draw\\s{1,3})?term\\s{1,3}(?:[a-c](?:-\\d)?\\s{1,3})?loans?|revolving\\s{1,3}(?:(?:loan|credit)\\s{1,3})?commitments)\\s{1,3}\\((?:the\\s{1,3})?"(?<words>[A-Z][\\w -]{3,40}(?:Facility|Loans?|Commitments))"\\)\\s{1,3}${LENT}${AMOUNT}`,
  // `revolving loan commitments of $1.75 billion (the "Revolving Credit Facility")`
  `\\b(?<words>revolving\\s{1,3}(?:(?:loan|credit)\\s{1,3})?commitments)\\s{1,3}${LENT}${AMOUNT}(?=\\s{0,3}\\((?:the\\s{1,3})?"[A-Z])`,
  // `$300 million in revolving credit commitments (the "2024 Revolver"`
  `${AMOUNT}\\s{1,3}(?:in|of)\\s{1,3}(?<words>revolving\\s{1,3}(?:(?:loan|credit)\\s{1,3})?commitments)(?=\\s{0,3}\\((?:the\\s{1,3})?"[A-Z0-9])`,
  // `revolving commitments in an aggregate principal amount of up to $750 million, with a letter of credit sub-facility (the "Revolving Loan Facility")`
  `\\b(?<words>revolving\\s{1,3}(?:(?:loan|credit)\\s{1,3})?commitments)\\s{1,3}${LENT}${AMOUNT}(?=,\\s{1,3}(?:with|including)\\b(?:[^.;()]{0,160}\\((?:the\\s{1,3})?"Revolving|\\s{1,3}a\\s{1,3}letter\\s{1,3}of\\s{1,3}credit\\s{1,3}sub-?facility))`,
].map(pattern => new RegExp(pattern, 'gi'))
/** `entered into $2.0 billion of term loans maturing on April 22, 2030`. */
const loansDue = new RegExp(
  `(?<=\\bentered\\s{1,3}into\\s{1,3})${AMOUNT}\\s{1,3}of\\s{1,3}(?<words>(?:(?:new|senior|secured|unsecured)\\s{1,3}){0,3}term\\s{1,3}loans)(?=\\s{1,3}(?:maturing|due)\\b)`,
  'gi',
)
/** `provides for $725.0 million of senior secured first lien term loans`. */
const loansOf = new RegExp(
  `(?<=\\b(?:provid(?:es|ed|ing)\\s{1,3}for|consist(?:s|ed|ing)\\s{1,3}of|compris(?:ed|ing)\\s{1,3}of)\\s{1,3})${AMOUNT}\\s{1,3}(?:of|in)\\s{1,3}(?:an?\\s{1,3})?(?<words>(?:(?:new|senior|secured|unsecured|first|second|lien|delayed|draw)\\s{1,3}){0,5}term\\s{1,3}(?:[a-c]\\s{1,3})?loans?)\\b(?!\\s{1,3}(?:agreement|facilit))`,
  'gi',
)
/** `entered into a $34.5 million mortgage loan`, in a report of what was agreed. */
const lentLoan = new RegExp(
  `(?<=\\b(?:entered\\s{1,3}into(?:\\s{1,3}loan\\s{1,3}(?:documents|agreements?)\\s{1,3}to\\s{1,3}(?:secure|obtain)|\\s{1,3}an?\\s{1,3}loan\\s{1,3}agreement\\s{1,3}with\\s{1,3}[^.;$]{3,90}?\\s{1,3}for)?|obtained|closed(?:\\s{1,3}on)?),?\\s{1,3}(?:in\\s{1,3}(?:the\\s{1,3})?aggregate,?\\s{1,3})?an?\\s{1,3})${AMOUNT}\\s{1,3}(?<words>(?:(?:new|senior|secured|unsecured|non-?recourse|mortgage|mezzanine|construction|first|fixed-rate|floating-rate|variable-rate|interest-only|${TENOR}),?\\s{1,3}){0,5}loan)\\b(?!\\s{1,3}(?:agreement|facilit))`,
  'gi',
)
/** `The agreement provides for term loans in the aggregate principal amount of $100 million`, `for revolving loans up to an aggregate`. */
const lentBy = new RegExp(
  `\\bprovid(?:es|ed|ing)\\s{1,3}(?:us\\s{1,3}with\\s{1,3}|the\\s{1,3}(?:company|borrower)\\s{1,3}with\\s{1,3}|for\\s{1,3})(?:an?\\s{1,3})?(?<words>(?:(?:new|senior|secured|unsecured|initial|delayed\\s{1,3}draw|multiple\\s{1,3}draw)\\s{1,3}){0,4}(?:term\\s{1,3}|revolving\\s{1,3})?loans?)(?:\\s{1,3}\\((?:the\\s{1,3})?"[^"]{3,50}"\\))?\\s{1,3}(?:of\\s{1,3}up\\s{1,3}to|(?:in|up\\s{1,3}to)\\s{1,3}(?:the|an?)\\s{1,3}(?:initial\\s{1,3})?(?:aggregate\\s{1,3})?(?:original\\s{1,3})?(?:principal\\s{1,3})?amount\\s{1,3}(?:of|not\\s{1,3}to\\s{1,3}exceed)(?:\\s{1,3}up\\s{1,3}to)?)\\s{1,3}(?:an\\s{1,3}aggregate\\s{1,3}(?:principal\\s{1,3})?amount\\s{1,3}of\\s{1,3})?${AMOUNT}`,
  'gi',
)
const LOAN_KIND = `(?:(?:new|senior|secured|unsecured|non-?recourse|first|second|lien|mortgage|mezzanine|construction|bank|bridge|fixed-rate|floating-rate|term|sustainability-linked|${TENOR}),?\\s{1,3})`
const NAMED = '(?:\\s{1,3}\\((?:the\\s{1,3})?"[^"]{3,50}"\\))?'
const SUM = '(?:of|equal\\s{1,3}to|totall?ing)\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?'
const IN_SUM = `(?:,?\\s{1,3}in\\s{1,3}(?:an?|the)\\s{1,3}(?:(?:initial|original|maximum|aggregate|principal)\\s{1,3}){0,4}amount)\\s{1,3}${SUM}`
/** Loans that were lent, with their lender between them and their amount. */
const lentTo = [
  // `obtained a first mortgage loan (the "Alfa Loan") from Alfa Bank in an amount equal to $14.5 million`
  `(?<=\\b(?:entered\\s{1,3}into|obtained|received|closed(?:\\s{1,3}on)?)\\s{1,3}an?\\s{1,3})(?<words>${LOAN_KIND}{1,6}loan)${NAMED}(?:\\s{1,3}(?:from|with)\\s{1,3}(?:(?!\\s(?:and|to)\\s)[^.;$()]){3,80}?)?${IN_SUM}${AMOUNT}`,
  // `entered into a facility agreement with Alfa Bank for a $21,000 term loan`
  `(?<=\\bentered\\s{1,3}into\\s{1,3}an?\\s{1,3}(?:(?:[\\w-]+\\s{1,3}){0,4}?agreement)\\s{1,3}[^;$]{3,240}?\\s{1,3}for\\s{1,3}an?\\s{1,3})${AMOUNT}\\s{1,3}(?<words>${LOAN_KIND}{0,6}loan)\\b(?!\\s{1,3}(?:agreement|facilit))`,
  // `for a secured term loan facility of up to $100.0 million`, `for a term loan in the amount of $5.5 million`
  `(?<=\\bentered\\s{1,3}into\\s{1,3}an?\\s{1,3}(?:(?:[\\w-]+\\s{1,3}){0,4}?agreement)\\s{1,3}[^;$]{3,300}?\\s{1,3}for\\s{1,3}an?\\s{1,3})(?<words>${LOAN_KIND}{1,6}loan(?:\\s{1,3}facility)?)(?:\\s{1,3}${SUM}|${IN_SUM})${AMOUNT}`,
  // `agreed to make a senior secured term loan to the Company in an aggregate principal amount of up to $250,000`
  `(?<=\\bagreed\\s{1,3}to\\s{1,3}(?:make|provide|lend|extend)\\s{1,3}(?:an?\\s{1,3}|available\\s{1,3})?)(?<words>${LOAN_KIND}{0,5}(?:term|secured|long-term)\\s{1,3}loans?)(?:\\s{1,3}to\\s{1,3}(?:us|the\\s{1,3}(?:Company|Borrowers?)))?${IN_SUM}${AMOUNT}`,
  // `for an aggregate amount of up to $150.0 million (the "Alfa Term Loan")`
  `(?<=\\bentered\\s{1,3}into\\s{1,3}an?\\s{1,3}(?:(?:[\\w-]+\\s{1,3}){0,4}?agreement)\\s{1,3}[^;$]{3,300}?\\s{1,3}for\\s{1,3}an?\\s{1,3}aggregate\\s{1,3}(?:principal\\s{1,3})?amount\\s{1,3}of\\s{1,3}(?:up\\s{1,3}to\\s{1,3})?)${AMOUNT}\\s{1,3}\\((?:the\\s{1,3})?"(?<words>(?:[A-Z][\\w&]*\\s{1,3}){0,3}(?:Term\\s{1,3})?Loans?)"\\)`,
  // `entered into a loan and security agreement with Alfa Finance, under which we may borrow up to a total of $30.5 million`
  `(?<=\\bentered\\s{1,3}into\\s{1,3}an?\\s{1,3})(?<words>(?:[\\w-]+\\s{1,3}){0,3}?loan(?:\\s{1,3}and\\s{1,3}security)?\\s{1,3}agreement)\\b[^;$]{0,300}?\\b(?:under|pursuant\\s{1,3}to)\\s{1,3}which\\s{1,3}(?:we|the\\s{1,3}(?:Company|Borrowers?))\\s{1,3}(?:may|can)\\s{1,3}borrow\\s{1,3}up\\s{1,3}to\\s{1,3}(?:an?\\s{1,3}(?:aggregate|total)\\s{1,3}(?:(?:principal\\s{1,3})?amount\\s{1,3})?of\\s{1,3})?${AMOUNT}`,
  // `modified an existing $85.3 million loan`
  `(?<=\\b(?:modified|amended|extended)\\s{1,3}an\\s{1,3}existing\\s{1,3})${AMOUNT}\\s{1,3}(?<words>${LOAN_KIND}{0,6}loan)\\b(?!\\s{1,3}(?:agreement|facilit))`,
  // `under which the Company has borrowed an aggregate of $32.5 million of term loans`
  `(?<=\\bunder\\s{1,3}which\\s{1,3}(?:we|the\\s{1,3}Company)\\s{1,3}(?:has\\s{1,3}|have\\s{1,3})?borrowed\\s{1,3}(?:an?\\s{1,3}(?:aggregate|total)\\s{1,3}of\\s{1,3})?)${AMOUNT}\\s{1,3}of\\s{1,3}(?<words>term\\s{1,3}loans)\\b`,
].map(pattern => new RegExp(pattern, 'gi'))
/** `a credit facility which consists of $1.55 billion of term loans`: the amount is that of the loans. */
const ofLoans =
  /^\s{1,3}(?:of|in)\s{1,3}(?:an?\s{1,3})?(?:(?:senior|secured|unsecured|first|second|lien)\s{1,3}){0,4}(?:term\s{1,3}loans?|notes|bonds)\b/i
/** `The Credit Agreement consisted of term loans in an aggregate amount of`: the amount is that of the loans. */
const ofTermLoans =
  /\b(?:consist|compris|provid|includ)\w*\s{1,3}(?:of\s{1,3}|for\s{1,3})?(?:an?\s{1,3})?(?:(?:senior|secured|unsecured|initial|new)\s{1,3}){0,4}term\s{1,3}(?:loans|[a-c]\s{1,3}loans?)\b(?!(?:[^.;]|\.\d)*\brevolv)/i
const isOfLender = /(?:^|\s)credit\s{1,3}(?:agreement|facility)$/i
const ofTranche =
  /\b(?:an?|the)\s{1,3}(?:\w+\s{1,3}){0,2}tranche\s{1,3}of\s{1,3}(?:\w+\s{1,3})?(?:loans|notes)\b/i
const REVOLVING = 'revolving credit facility'
/** Between a facility and its amount: words by which the amount is the facility's own. */
const isOwnAmount =
  /^[^.;]{0,90}\b(?:aggregate|total|maximum|up to|provid(?:es|ing)|permitting|commitments?|consists?|amount|capacity|borrow\w*)\b[^.;]{0,60}$|^\s{0,3}(?:of\s{1,3})?$/i
/** `in an aggregate principal amount not to exceed`, right behind a facility: not what its agreement permits of other debt. */
const inAmount = /^\s{1,3}in\s{1,3}an?\s{1,3}(?:(?:maximum|aggregate|principal)\s{1,3}){0,3}$/i
/** `provides for a revolving credit commitment up to`, before an amount. */
const isOfCommitment = /\brevolving\s{1,3}(?:credit\s{1,3})?commitments?\s{0,3}$/i
/** The full stop of a company's name, `Alfa Bank, N.A.` */
const ofCompany = /(?<=\b(?:N|N\.A|Inc|Corp|Ltd))\./g
const isLoanOrCredit =
  /revolv|credit|loan|\bloc\b|\bterm facility\b|line of credit|receivable|securitization|warehouse|\babl\b|\byear\b|\bday\b|\b(?:unsecured|secured|committed|syndicated)\s{1,3}facility\b/i
/** Before `a $1.0 billion facility`: that it is one of several. */
const ofSeveral =
  /\b(?:revolving|credit|bank)\s{1,3}(?:credit\s{1,3})?facilities\b[^.;]{0,160}\b(?:consist\w+|compris\w+|includ\w+|of which)\b/i

/** How facilities are named, the surer ways first; of a report of agreements also loans that it tells. */
const patternsOf = (isReport: boolean): readonly RegExp[] => [
  ...changes,
  ...(isReport ? [raised] : []),
  committed,
  withCommitment,
  trancheLoan,
  enteredLoan,
  loansIn,
  financing,
  amountFirst,
  amountLast,
  lineFor,
  lineHeld,
  availableUnder,
  ...capacities,
  commitmentsChanged,
  drawnLoan,
  totalCommitments,
  namedFirst,
  ...definedLoans,
  loansDue,
  ...(isReport ? [lentLoan, lentBy, loansOf, ...lentTo] : []),
  ofOur,
]

/** The facilities that a text names by their amounts, in order, also those that are not in force; of a report of agreements loans too. */
export function mentionsIn(flat: string, scale: Scale, isReport = false): Mention[] {
  const found: Mention[] = listedFacilitiesIn(flat, scale).map(each => ({
    ...each,
    kind: kindOf(each.words),
    isChanged: false,
  }))
  const lists = found.flatMap(({ list, from }) => (list === undefined ? [] : [[list[0], from] as const]))
  const add = (mention: Mention) => {
    // What a list adds up to is no facility beside them.
    if (lists.some(([begin, first]) => mention.from >= begin && mention.from < first)) return
    if (!found.some(each => each.from < mention.to && mention.from < each.to)) found.push(mention)
  }
  for (const pattern of patternsOf(isReport))
    for (const match of flat.matchAll(pattern)) {
      if (pattern === ofOur && !isOfCommitted.test(flat.slice(...beforeIn(flat, match.index)))) continue
      const { words: own = REVOLVING, tenor, between, key, named } = match.groups ?? {}
      const isOne =
        /^facility$/i.test(own) &&
        ofSeveral.test(flat.slice(sentenceAround(flat, match.index)[0], match.index))
      const lends = between !== undefined && isOfLender.test(own) && ofTermLoans.test(between)
      const words =
        tenor === undefined ? (lends ? 'term loans' : isOne ? 'credit facility' : own) : `${tenor} ${own}`
      const stated = amountIn(match.groups ?? {}, scale)
      const lent =
        between === undefined ? null : lentOfMost(flat, between + (key ?? ''), match.index + match[0].length)
      const commitment = lent === null ? stated : amountIn(lent, scale)
      const isChanged = changes.includes(pattern) || pattern === commitmentsChanged || pattern === raised
      const sentence = () => flat.slice(...sentenceAround(flat, match.index))
      if (pattern === commitmentsChanged && !ofRevolver.test(sentence())) continue
      // What is drawn under a revolver is not what it commits.
      if (pattern === drawnLoan && (kindOf(words) !== 'term_loan' || ofRefinancing.test(sentence()))) continue
      if (isInQuotes(flat, match.index)) continue
      if (commitment === null || (!isLoanOrCredit.test(words) && named === undefined)) continue
      if (
        isChanged &&
        isOption.test(
          flat.slice(Math.max(0, match.index - 40), match.index).replace(exercised, '') + match[0],
        )
      )
        continue
      // `the credit agreement provided for an incremental tranche of term loans in the amount of`: a part of it.
      if (between !== undefined && ofTranche.test(between) && !/\bloans?\b/i.test(words)) continue
      if (between !== undefined && (isRaisable.test(between) || ofLetters.test(between))) continue
      if (/exceed$/i.test(key ?? '') && !inAmount.test(between ?? '')) continue
      if (
        between !== undefined &&
        !/^amount|borrowed$/i.test(key ?? '') &&
        !isOwnAmount.test(between.replace(ofCompany, ' '))
      )
        continue
      const [from, to] = [match.index, match.index + match[0].length]
      if (ofLoans.test(flat.slice(to, to + 40))) continue
      // `we had outstanding borrowings under the Credit Agreement of $803.2 million`: what is owed.
      if (pattern === amountLast && key === 'of' && isOwedUnder.test(flat.slice(from - 80, from))) continue
      const isAvailable = pattern === availableUnder && /\bavailab/i.test(match[0])
      const isRevolver =
        ofLoanAgreement.test(words) &&
        (ofLine.test(between ?? '') || (isReport && revolvesUnder.test(sentence())))
      const kind = isRevolver ? 'revolver' : kindOf(words)
      const isCapacity =
        pattern === lineHeld || capacities.includes(pattern) || isOfCommitment.test(between ?? '')
      add({ kind, words, commitment, isChanged, isAvailable, isCapacity, from, to })
    }
  for (const match of flat.matchAll(severalFacilities)) {
    const commitment = amountIn(match.groups ?? {}, scale)
    const [begin] = sentenceAround(flat, match.index)
    const words = plural.exec(flat.slice(begin, match.index))?.[0].replace(/ies$/i, 'y')
    if (commitment === null || words === undefined) continue
    const [from, to] = [match.index, match.index + match[0].length]
    add({ kind: kindOf(words), words, commitment, isChanged: false, from, to })
  }
  return withBorrowers(flat, ofTheirOwn(flat, found))
}

const ofLoanAgreement = /^(?:[\w-]+\s)?loan (?:and security )?agreement$/i
/** `The Loan Agreement provides an initial line of credit`, before its amount. */
const ofLine = /\blines?\s{1,3}of\s{1,3}credit\s{0,3}$/i
/** `the revolving credit facility under the Loan Agreement`. */
const revolvesUnder =
  /\brevolving\s{1,3}(?:credit\s{1,3}|loan\s{1,3})?(?:facility|commitments?|loans?)\s{1,3}under\s{1,3}the\s{1,3}(?:[\w-]+\s{1,3}){0,4}?loan\b/i

/** In order, without what is left under a facility whose commitment the text states by the same words, and without sums. */
function ofTheirOwn(flat: string, found: readonly Mention[]): Mention[] {
  const isLeft = (each: Mention) =>
    each.isAvailable === true &&
    found.some(other => other.words === each.words && other.commitment.value > each.commitment.value)
  const inOrder = found.filter(each => !isLeft(each)).sort((a, b) => a.from - b.from)
  return inOrder.filter(each => !isSumOfParts(flat, each, inOrder))
}

/** Share by which a sum that is called approximate may differ from its parts. */
const ROUNDED = 0.02
/** `facilities of up to $1.1 billion, made available through a $500 million revolving facility and a $600 million term loan facility`. */
function isSumOfParts(
  flat: string,
  { commitment, list, from, to }: Mention,
  all: readonly Mention[],
): boolean {
  const [, end] = endOfParts(flat, from)
  // An item of a list may be as large as those behind it.
  const isBeside = (each: Mention) => list !== undefined && each.list?.[0] === list[0]
  const parts = all.filter(each => each.from >= to && each.from < end && !isBeside(each))
  const sum = parts.reduce((total, each) => total + each.commitment.value, 0)
  const slack = /\bapproximately\b/i.test(flat.slice(from, to)) ? commitment.value * ROUNDED : 0
  return parts.length > 1 && Math.abs(sum - commitment.value) <= slack
}

/** Where the sentence ends that may name the parts of a sum: its own, or the next, `The Credit Facilities are comprised of`. */
function endOfParts(flat: string, from: number): readonly [number, number] {
  const own = sentenceAround(flat, from)
  const next = sentenceAround(flat, Math.min(own[1] + 2, flat.length))
  return ofParts.test(flat.slice(...next)) ? [own[0], next[1]] : own
}
const ofParts =
  /^\s{0,9}(?:the|these|such)\s{1,3}(?:[\w-]+\s{1,3}){0,5}?(?:facilities|facility|loans)\s{1,3}(?:is|are|consists?|compris\w+)\s{1,3}(?:compris\w+\s{1,3}|made\s{1,3}up\s{1,3})?of\b/i

/** `an accordion feature under which it can be increased to a maximum of`: no facility of that amount is in force. */
const isRaisable =
  /\baccordion\b|\b(?:request|seek|elect|obtain)\s{1,3}(?:an?\s{1,3}|for\s{1,3})?(?:increases?|(?:additional|incremental|further)\s{1,3}(?:commitments?|(?:term\s{1,3})?loans?|borrowings?))\b|\b(?:can|may|could|might)\s{1,3}be\s{1,3}(?:increased|expanded|raised|upsized)\b/i

/** `also provides for the issuance of letters of credit in an aggregate `, before an amount: a part of it. */
const ofLetters = /\bletters?\s{1,3}of\s{1,3}credit\b(?:(?!\b(?:revolv\w+|loans?|borrow\w*)\b)[^.;]){0,60}$/i

const isOwedUnder =
  /\b(?:outstanding\s{1,3}(?:borrowings|balances?|amounts?|indebtedness|loans)|(?:borrowings|balances?|amounts?|indebtedness|loans)\s{1,3}outstanding)\s{1,3}(?:under|on|of)\s{1,3}(?:the|our|its)\s{1,3}$/i

const isMost = /\bmaximum\s{1,3}(?:loan|credit|facility)\s{1,3}amount\s{1,3}of$/i
const commitmentsBehind = new RegExp(
  `^,?\\s{1,3}(?:and\\s{1,3})?(?:(?:current|currently|initial|aggregate|total|elected|lender)\\s{1,3}){1,4}commitments\\s{1,3}of\\s{1,3}${AMOUNT}`,
  'i',
)

/** What lenders have committed, stated behind the most that they may: `a maximum loan amount of $2.5 billion, current aggregate lender commitments of $1.5 billion`. */
const lentOfMost = (flat: string, between: string, to: number) =>
  isMost.test(between) ? (commitmentsBehind.exec(flat.slice(to, to + 140))?.groups ?? null) : null

/** Words in capitals right before a name, `The North `. */
const ofBorrower =
  /(?:^|[^\w.])(?:(?:The|Our|Its|An?|In|On|Under)\s{1,3})?(?<own>(?:(?![MB]illion)[A-Z][\w&]{1,14}\s{1,3}){1,2})$/

/** `The North Revolving Credit Facility is a `, before an amount. */
const isOfName =
  /(?:^|[^\w.])(?:The\s{1,3})?(?<name>(?:[A-Z][\w&]{1,14}\s{1,3}){2,5}(?:Facility|Agreement|Loan))\s{1,3}is\s{1,3}an?\s{1,3}$/

/** Facilities of one name, each with the words in capitals before it that tell them apart, `North Revolving Credit Facility`. */
function withBorrowers(flat: string, all: readonly Mention[]): Mention[] {
  return all.map(mention => {
    const { words, from } = mention
    const isAlone = all.every(
      each => each === mention || !each.words.toLowerCase().endsWith(words.toLowerCase()),
    )
    if (isAlone) return mention
    const name = isOfName.exec(flat.slice(Math.max(0, from - 90), from))?.groups?.['name']
    if (name !== undefined) return { ...mention, words: name.replace(/\s+/g, ' ') }
    if (!/^[A-Z]/.test(words)) return mention
    const at = flat.indexOf(words, from)
    const own = at < 0 ? undefined : ofBorrower.exec(flat.slice(Math.max(0, at - 50), at))?.groups?.['own']
    return own === undefined || /^(?:The|Our|Its|An?|In|On|Under)\s/.test(own)
      ? mention
      : { ...mention, words: `${own}${words}`.replace(/\s+/g, ' ') }
  })
}

/** The words of a sentence before a position in it. */
const beforeIn = (flat: string, at: number): readonly [number, number] => [sentenceAround(flat, at)[0], at]

/** Whether a position is inside a name between quotes: what follows it is said of what the name stands for. */
const isInQuotes = (flat: string, at: number): boolean =>
  /\("[^")]{0,40}$/.test(flat.slice(Math.max(0, at - 60), at))

const OF_FACILITY =
  '(?:size|capacity|limit|amount(?:\\s{1,3}available(?:\\s{1,3}for\\s{1,3}borrowing)?)?|commitments?|availability)(?:\\s{1,3}(?:of|under)\\s{1,3}(?:the|our|its)\\s{1,3}(?:[\\w-]+\\s{1,3}){0,4}?(?:facility|agreement|revolver)|(?:\\s{1,3}provided\\s{1,3}by\\s{1,3}the\\s{1,3}lenders)?\\s{1,3}thereunder)?'
const IS_CHANGED = `\\b(?:was|were|been|we|company|amended|amendment|modified)\\b${UP_TO}{0,200}\\b${CHANGE}\\s{1,3}(?:to\\s{1,3})?(?:the\\s{1,3})?(?:(?:total|aggregate|maximum|borrowing)\\s{1,3}){0,2}${OF_FACILITY}`
/** `the agreement was amended to increase the size of the credit facility to $750 million`. */
const changedTo = new RegExp(`${IS_CHANGED}\\s{1,3}to\\s{1,3}${AMOUNT}`, 'i')
/** `was modified to increase the borrowing capacity by ¥30 billion for a total borrowing capacity of ¥90 billion`. */
const changedBy = new RegExp(
  `${IS_CHANGED}\\s{1,3}by\\s{1,3}${PLAIN}(?:${UP_TO}{0,60}\\btotal\\b${UP_TO}{0,40}\\bof\\s{1,3}${AMOUNT})?`,
  'i',
)

/**
 * The commitment to which later sentences say that a facility was changed; null if they say only by how much, and
 * undefined if they say nothing of it.
 */
export function changedIn(sentences: readonly string[], scale: Scale): Money | null | undefined {
  return sentences
    .flatMap(said => {
      const sentence = said.replace(ofCompany, ' ')
      const match = changedTo.exec(sentence) ?? changedBy.exec(sentence)
      return match === null || isOption.test(match[0]) ? [] : [amountIn(match.groups ?? {}, scale)]
    })
    .at(-1)
}

const plural = new RegExp(`\\b(?:${ADJECTIVE}\\s{1,3}){1,6}facilities\\b`, 'i')

const kindOf = (words: string): Mention['kind'] =>
  /\bterm\s{1,3}(?:loan|facility|credit|[a-c](?:-\d)?\s{1,3}(?:loan|facility))|\bloans?\b/i.test(words) &&
  !/revolv/i.test(words)
    ? 'term_loan'
    : 'revolver'
