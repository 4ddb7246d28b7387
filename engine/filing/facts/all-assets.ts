/** Words that may stand between `all` and `assets` by themselves. */
const plain = new Set(
  (
    'the our its their respective such other present existing future after-acquired material tangible intangible personal fixture consolidated unencumbered and or ' +
    'utility operating corporate business borrower borrowers company debtor debtors grantor grantors guarantor guarantors issuer issuers ' +
    "parent subsidiaries subsidiaries'"
  ).split(' '),
)
/** Pairs of words that may. */
const pairs = /^(?:after acquired|domestic subsidiaries'?|(?:loan|credit) part(?:y|ies)(?:'s|s')?)$/
const owner = /^(?:borrowers?|company|debtors?|grantors?|guarantors?|issuers?|parent)(?:'s|s')$/
const possessive = /^[\w&]+'s?$/
const named = /^[\w&-]+$/
/** Words of a name before the one with an apostrophe: `Acme Gas & Oil Co's assets`. */
const LONGEST_NAME = 3
/** Words between `all` and `assets`. */
const MOST_WORDS = 24

// The words between are few, of any kind, and looked at afterwards: a pattern that repeats a choice of lists of words
// has as many ways to fail as there are ways to cut a text into them.
const everything = new RegExp(
  String.raw`\b(?:substantially\s{1,200})?all\s{1,200}(?:of\s{1,200})?((?:[\w&'-]{1,60}\s{1,200}){0,${MOST_WORDS}}?)` +
    String.raw`(?:assets|propert(?:y|ies)(?:\s{1,200}(?:and|or)\s{1,200}assets)?)\b` +
    String.raw`(?!\s{1,200}(?:and|or)\s{1,200}(?:proceeds\s{1,200})?(?:consisting|described|used))`,
  'gi',
)
const atStart =
  /^\s{0,200}(?:the|our|its|their|the\s{1,200}(?:company|borrower|issuer)'s)\s{1,200}assets(?=\s{1,200}of\s{1,200}|\.|,)/i

// `a general lien on the assets of the Company`.
const blanket =
  /\b(?:general|blanket)\s{1,200}(?:lien|security\s{1,200}interest)\s{1,200}(?:on|in|over|against)\s{1,200}(?:the|our|its)\s{1,200}assets\b/i

/** Whether words say whose and which assets: `the borrower's present and future`. */
function isPossession(words: readonly string[]): boolean {
  // By number of words: whether so many can be read.
  const reached = [true]
  for (let at = 0; at < words.length; at++) {
    if (!reached[at]) continue
    const word = words[at] ?? ''
    if (plain.has(word) || owner.test(word)) reached[at + 1] = true
    if (pairs.test(`${word} ${words[at + 1] ?? ''}`)) reached[at + 2] = true
    for (let end = at; end <= at + LONGEST_NAME && end < words.length; end++) {
      if (possessive.test(words[end] ?? '')) reached[end + 1] = true
      if (!named.test(words[end] ?? '')) break
    }
  }
  return reached[words.length] === true
}

/** Where a text speaks of all assets of a company: `substantially all of the Borrower's present and future assets`. */
export function allAssets(text: string): string[] {
  const found: string[] = []
  const start = atStart.exec(text) ?? blanket.exec(text)
  if (start) found.push(start[0])
  everything.lastIndex = 0
  for (let match = everything.exec(text); match !== null; match = everything.exec(text)) {
    const words = (match[1] ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '')
    if (isPossession(words)) found.push(match[0])
    // The words in between may hold the beginning of another.
    else everything.lastIndex = match.index + 3
  }
  return found
}
