import { assetsIn } from './asset-types.ts'
import { everyWords, words } from './flat-text.ts'
import {
  isDebtBefore,
  isOfBalance,
  notGranted,
  type Statement,
  sentenceEnd,
  statement,
} from './pledge-words.ts'
import { reportPledgesIn } from './report-pledges.ts'

// `hereby grants to the Agent … a security interest in`, `have pledged … as collateral`.
const grant = everyWords(
  String.raw`(?:\bhereby,? (?:[a-z]+,? (?:and )?){0,8}?(?:grants?|pledges?|assigns?|mortgages?)\b|\b(?:borrowers?|company|issuers?|grantors?|debtors?|pledgors?|assignors?|mortgagors?|trustors?|guarantors?|obligors?|part(?:y|ies)|subsidiaries|we|and|has|have) (?:each )?(?:granted|grants|pledged|pledges)\b)[^.;]{0,420}?\b(?:security interests?|liens?|mortgages?)\b(?: of [^.;]{0,40}priority)?(?: \([^)]{0,80}\))?,? (?:in|on|upon|over|in and to|in and (?:lien )?(?:on|upon)|and lien (?:on|upon|in))\b|\bhereby (?:irrevocably )?(?:[a-z]+,? (?:and )?){1,6}?to (?:the )?(?:trustee|mortgagee|beneficiary|lender)\b[^.;]{0,60}?\b(?:in trust|with power of sale)\b`,
)
// `The Notes are secured by`, `shall be secured … by`, `is guaranteed by … and secured by`; `was secured by` of a report's
// own balance date.
const secured = everyWords(
  String.raw`\b(?:(?<once>was|were|had been) )?guaranteed (?:on an? [a-z, -]{3,40}? basis )?by\b(?:[^.;]|\.(?=\S)){2,400}?,? and (?:is |are )?secured by\b|\b(?:is|are|be|(?<!\bhad )been|each|became|(?<past>was|were|had been))\b,? (?:(?:also|fully|initially|jointly|equally|ratably|and|further|currently|generally|collectively|subsequently|to be|senior secured obligations(?: [^.;]{0,90})?,|subject to (?:certain |customary )?(?:exceptions|exclusions)(?: and (?:exceptions|exclusions))?,) ){0,3}(?:secured|collateralized)\b(?:,? (?:on|subject|equally|together|jointly|in)\b[^.;]{0,120}?)?,? (?:(?:solely |primarily |principally |mainly |only |in part )?by\b|with (?=the following\b|(?:an? )?(?:first|second|senior|preferred|mortgages?|liens?|security interests?)\b))`,
)
// `does hereby grant, bargain, sell, mortgage, pledge and confirm unto the Trustee all of its properties`, in a mortgage bond
// indenture.
const conveyed = everyWords(
  String.raw`\b(?:does|do|doth) hereby (?:[a-z]+,? ){2,20}?(?:unto|to) (?:the |said )?trustee\b`,
)
const isMortgaged = words(String.raw`\b(?:mortgage|pledge)s?\b`)
// `the Mortgaged Properties represent at least 90% of the value of the Oil and Gas Properties`, of a loan with a borrowing base.
const mortgagedShare = everyWords(
  String.raw`\bmortgaged propert(?:y|ies) (?:shall )?(?:represents?|constitutes?|comprises?) (?:at least|not less than|no less than) \d{2,3}(?:\.\d{1,2})? ?(?:%|percent\b)`,
)
// `the Liens granted by it under the Collateral Documents on substantially all of its assets continue`.
const continued = everyWords(
  String.raw`\bliens? (?:and security interests? )?granted\b[^.;]{0,80}? (?:on|in|over)(?= (?:substantially )?all (?:of )?(?:its|their|the)\b)`,
)
const isOurDebtBefore = words(
  String.raw`\b(?:(?:the|all) (?:\w+ ){0,4}|our )(?:obligations|notes|loans|bonds|securities|indebtedness hereunder|advances)\b[^.;]{0,140}$|\bthis (?:\w+ ){0,2}(?:note|loan|bond|debenture)\b[^.;]{0,80}$`,
)
// `The Mortgage Indenture constitutes a first lien, subject to Permitted Liens, on substantially all of our real property`.
const lienOf = everyWords(
  String.raw`\b(?:(?:mortgage|indenture)\b[^.;]{0,40}? (?:constitutes|creates) an?|(?:mortgages|indentures)\b(?:[^.;]|\.(?= (?:and|or)\b)){0,60}? (?:constitute|create)(?: an?)?) (?:[\w-]+ ){0,3}?(?:liens?|mortgages?|security interests?)\b(?:,[^.;,]{0,80},)? (?:on|upon|in)\b`,
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
const elsewhereOwed = words(
  String.raw`\b(?:if|unless|to the extent|whether or not|may be|permitted|any (?:other )?(?:indebtedness|debt|person)|such person|means|not(?! (?:less|more) than))\b[^.;]{0,110}$`,
)

/** Words before a grant without those for whom it is, if the obligor is its subject: `owed to Bank, Borrower hereby grants`. */
const ownedBefore = (before: string): string =>
  byObligor.test(before) ? before.replace(/\b(?:banks?|lenders?)\b/gi, ' ') : before
const byObligor =
  /,\s{1,9}(?:each\s{1,9}|the\s{1,9})?(?:borrowers?|grantors?|debtors?|pledgors?|company|guarantors?)\s{1,9}$/i

const isPossible = /\b(?:may|might|could|would)\s+$/i

/** Every statement of a text that assets secure a debt of the company, in order. */
export function statementsIn(flat: string, isContract: boolean, year: string | null): Statement[] {
  const grants = [...flat.matchAll(grant)]
    .filter(match => !notGranted.test(ownedBefore(flat.slice(Math.max(0, match.index - 160), match.index))))
    .filter(match => !/\b(?:not|may|if|unless|license)\b/i.test(match[0]))
    .map(match => statement(flat, match, 'grant'))
  const owed = [...flat.matchAll(secured)]
    .filter(match => {
      const before = flat.slice(Math.max(0, match.index - 420), match.index)
      if (/\bnot\b/i.test(match[0]) || elsewhereOwed.test(before) || isPossible.test(before)) return false
      const { past, once } = match.groups!
      if ((past || once) && !isOfBalance(flat, match.index, year)) return false
      return isContract ? isOurDebtBefore.test(before) : isDebtBefore(before)
    })
    .map(match => statement(flat, match, 'secured_by'))
  const put = isContract ? [] : reportPledgesIn(flat, year)
  const liens = [...flat.matchAll(lienOf)].map(match => statement(flat, match, 'secured_by'))
  const contracted = isContract
    ? [
        ...[...flat.matchAll(conveyed)].filter(match => isMortgaged.test(match[0])),
        ...flat.matchAll(mortgagedShare),
        ...flat.matchAll(continued),
      ].map(match => statement(flat, match, 'grant'))
    : []
  const stated = [...grants, ...owed, ...liens, ...contracted, ...put].sort((a, b) => a.at - b.at)
  if (!isContract) return stated
  // A grant of `the Collateral` names no asset: its definition does.
  const namesAssets = stated.some(({ at }) => assetsIn(flat.slice(at, sentenceEnd(flat, at))).length > 0)
  if (namesAssets || (stated.length === 0 && !isSecured.test(flat))) return stated
  return [...flat.matchAll(collateralMeans)]
    .map(match => ({
      from: match.index,
      at: match.index + match[0].length,
      until: definitionEnd(flat, match.index + match[0].length),
      rule: 'collateral_defined' as const,
    }))
    .filter(({ at }) => !notListed.test(flat.slice(at, at + 200)))
}

/** Where the definition of collateral ends: with its sentence, or where the next term is defined. */
function definitionEnd(flat: string, at: number): number | null {
  const next = flat.slice(at, sentenceEnd(flat, at)).search(nextDefinition)
  return next < 0 ? null : at + next
}
const nextDefinition =
  /[.;]\s{1,9}(?:\([a-z]{1,2}\)\s{1,9})?"[^"]{2,60}"\s(?:means|shall\smean|has\sthe\smeaning)\b/
