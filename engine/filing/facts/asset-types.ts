import type { assetTypes } from '../../schema/vocabulary.ts'
import { allAssets } from './all-assets.ts'
import { everyWords } from './flat-text.ts'

export type AssetType = (typeof assetTypes)[number]

const kinds: readonly (readonly [AssetType, RegExp])[] = [
  [
    'real_estate',
    everyWords(
      String.raw`\b(?:real propert(?:y|ies)|real estate(?! (?:loans?|mortgage|notes))(?: assets| inventory)?|mortgaged propert(?:y|ies)|land|buildings?|deeds? of trust|leasehold (?:interests?|estates?)|(?<!\bship )mortgages? on(?! not less than)(?! (?:\w+ ){0,3}reserves)(?![^.;,]{0,70}?\b(?:vessels?|ships?|aircraft|tankers?|carriers?|m/v|m/t)\b)|mortgage lien on|hotel propert(?:y|ies)|hotels?(?=[,.;]| (?:and|in|at|located)\b)|shopping centers?|distribution centers?|office buildings?|warehouses?|apartment (?:communities|complex(?:es)?|buildings?|properties)|(?:corporate |company |our |its |the )headquarters(?! of\b)|(?:corporate |office |the |its |our |company's )campus|(?:manufacturing|production|assembly) (?:plants?|facilit(?:y|ies))|(?:our|its|their|company's) (?:[\w-]+ ){0,2}(?:facilit(?:y|ies)|plants?|propert(?:y|ies)) (?:(?:located|situated) )?(?:in|at)(?! (?:which|that|respect|connection|an? |any ))|title to (?:the |our |its )?(?:company's )?propert(?:y|ies)|propert(?:y|ies) (?:located|situated) (?:in|at|on))\b`,
    ),
  ],
  ['equipment', everyWords(String.raw`\b(?:machinery|equipment|fixtures|drilling rigs?)\b`)],
  [
    'receivables',
    everyWords(
      String.raw`\b(?:accounts receivable|customer financing(?: assets)?|(?:trade |credit card |lease |loan |notes )?receivables?(?<=s|notes receivable)|(?:(?:mortgage|real estate|residential|commercial|consumer|student|auto|business|sba|portfolio) )+loans(?! (?:agreement|facilit|payable))|(?<!deposit |securities |commodity |bank |brokerage |collection |collateral |blocked |trust |reserve |control |cash )accounts(?! (?:of|maintained|with|held))|payment intangibles|chattel paper)\b`,
    ),
  ],
  [
    'inventory',
    everyWords(
      String.raw`\b(?:inventory|inventories|raw materials|finished goods)\b(?<!real estate inventory)`,
    ),
  ],
  [
    'securities',
    everyWords(
      String.raw`\b(?:(?:capital |common |outstanding )?stock|(?:pledged )?equity interests?|equity securities|(?<=pledge of (?:the |our |its )?)equity(?= (?:in|of)\b)|ownership interests?|shares|membership interests?|partnership interests?|limited liability company interests?|investment property|pledged (?:shares|securities|stock|debt)|(?:debt|investment|marketable|trading|government|treasury|agency|municipal|mortgage-backed|fixed[ -]income|available-for-sale|(?:firm|company)[ -]owned|customers?) securities|treasury bills|short-term investments|securities entitlements|portfolio (?:securities|investments)|(?:first |general |refunding |collateral |and ){1,4}mortgage bonds|all (?:of )?(?:the |its |our )?(?:\w+ )?investments(?= (?:of|held|owned)\b))\b`,
    ),
  ],
  [
    'vehicles',
    everyWords(
      String.raw`\b(?:(?:motor |scooter |revenue earning |rental )?vehicles?(?! inventor)|scooters|trucks|trailers|aircraft|vessels?|ships|m/[vt](?= )|railcars|rolling stock)\b`,
    ),
  ],
  [
    'ip',
    everyWords(
      String.raw`\b(?:intellectual property|patents?|trademarks?|copyrights?|trade names|(?:platform )?technology assets)\b`,
    ),
  ],
  [
    'cash',
    everyWords(
      String.raw`\b(?:(?:(?<!\()all|unrestricted|restricted|our|its|their|and) cash(?! (?:and cash equivalents|flows?|collateral|consideration|proceeds|interest|dominion|management|payments?|purchase|price))|cash(?<=\$[\d.,]{1,12} (?:million |thousand )?(?:in|of) (?:restricted )?cash)(?! (?:flows?|payments?|consideration))|cash (?:deposits?|balances?)|^ ?cash(?= ?$)|cash and cash equivalents|certificates? of deposit|deposit accounts?|collection accounts?|concentration accounts?|money)\b`,
    ),
  ],
  [
    'energy_assets',
    everyWords(
      String.raw`\b(?:oil and (?:natural )?gas (?:properties|reserves|interests)|proved reserves|hydrocarbon\w*|mineral interests|solar energy systems?|pipelines?|gathering systems?|power plants?|generating (?:plants?|facilities|stations?)|(?:electric|gas|utility) (?:utility )?(?:plants?|properties|facilities)|transmission (?:lines|facilities|assets))\b`,
    ),
  ],
]

export interface PledgedAssets {
  readonly type: AssetType
  /** Distinct asset words in the text. */
  readonly assets: readonly string[]
}

/** What a description of collateral pledges, without its exclusions. */
export function assetsIn(description: string): PledgedAssets[] {
  const text = withoutExcluded(description)
  const found: [AssetType, string[]][] = [
    ['general_lien', allAssets(text)],
    ...kinds.map(([type, pattern]): [AssetType, string[]] => [type, text.match(pattern) ?? []]),
  ]
  return found.flatMap(([type, words]) => {
    const assets = words.map(word => word.toLowerCase().replace(/\s+/g, ' ').trim())
    return assets.length > 0 ? { type, assets: [...new Set(assets)] } : []
  })
}

/** Maximum characters of a description. */
const LONGEST = 3000

// at most 3000 characters: `withoutExcluded` reads no more than LONGEST
const excluded =
  /\bexcept\b[^;]{0,300}?\bfollowing\b.*|\((?:other\s+than|excluding|except|but\s+not|subject\s+to)[^)]*\)|\bas\s+(?:more\s+fully\s+)?described\s+(?:[a-z]+\s+){1,6}under\s+"[^"]*"|\bunder\s+the\s+(?:heading|caption)\s+"[^"]*(?:"|$)|\b(?:other\s+than|excluding|except(?:ing(?:\s+and\s+excluding)?|\s+for)?|exclusive\s+of|but\s+(?:not|excluding|in\s+no\s+event)|provided,?\s+(?:however,?\s+)?that|(?:shall|does|do)\s+not\s+include|notwithstanding)\b.*?(?=;|\((?:[ivx]+|[a-z])\)\s|$)/gis

/** `all assets other than real property` is all assets. */
const withoutExcluded = (text: string): string => text.slice(0, LONGEST).replace(excluded, ' ')
