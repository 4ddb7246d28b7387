import type { HoldingField } from './holdings-columns.ts'
import { textIn } from './source-cells.ts'

/** Non-corporate holdings of broad bond funds, by the sector names of holdings files. */
export const NOT_CORPORATE =
  /treasur|^agency|agencies|^abs\b|asset.?backed|mbs|mortgage|whole (business|loan)|supranational|sovereign|local authority|government|municipal|covered|pfandbrief|cash|derivative|staatsanleihe|staatlich|agentur|kommunal|bargeld|besichert|etats?\b|état|souverain|liquidit|titoli di stato/i

/** Asset classes of bonds in the languages of the files. */
const BONDS =
  /fixed.?income|bond|debt|debenture|corporate|\bnotes?\b|\bloans?\b|credit|anleihe|renten|verzinslich|obligation|revenu fixe|taux fixe|obbligaz|reddito fisso|renta fija/i
/** Asset classes of everything else. */
const NOT_BONDS =
  /equit|stock|aktie|\bactions?\b|azion|cash|money market|geldmarkt|bargeld|liquid|tresorerie|trésorerie|monetaire|monétaire|future|swap|forward|option|\bfx\b|currenc|devisen|derivat|dérivé|\betf\b|mutual fund|\bfunds?\b|repo\b|repurchase|preferred|warrant|bills?\b|short.?term/i

/** Names of holdings that are no bonds, where the file gives no asset class. */
const NAMED_OTHERS: readonly (readonly [name: RegExp, says: string])[] = [
  [/\b(futures?|fut)\b|\b(eurex|cbot|cme) /i, 'a future'],
  [/\b(swaps?|cds|cdx|itraxx|irs|trs)\b/i, 'a swap'],
  [/\b(fx|currency|fwd)\b.{0,40}\b(forward|contract|fwd)\b|\bfwd\b/i, 'a currency forward'],
  [/\b(repo|repurchase agreement|tri-?party)\b/i, 'a repurchase agreement'],
  [
    /\bcash\b|\bmoney market\b|\bliquidity fund\b|^(us|u\.s\.)? ?dollars?$|\bcurrency\b|\b(treasury|government|govt|institutional) (fund|portfolio|reserves?|obligations fund)\b|\bmargin\b|\bcollateral (held|posted)\b|market liquidity/i,
    'cash',
  ],
]
const NAMED_GOVERNMENTS =
  /\btreasury (note|bond|bill|n\/b|nts|bds|inflation|floating|frn|strip)|\b(us|u\.s\.|united states) treas(ury|uries)?\b|\bt-?bills?\b|\b(fnma|fhlmc|gnma|umbs|fannie mae|freddie mac|ginnie mae|federal home loan)\b/i

/** Sectors of funds that a fund of bonds holds, which its publisher counts among bonds. */
const FUND_SECTOR = /^(etfs?|((exchange.traded|mutual|investment|money market) )?funds?)$/i
const FUND_NAME = /\betf\b|\b(bond|credit|income|index|mutual|yield) fund\b/i

type Get = (field: HoldingField) => string | undefined

/** Why a holding is not a corporate bond, or null if it is one. */
export function notCorporateBond(
  get: Get,
  dateIn: (cell: string | undefined) => string | null,
): string | null {
  const name = textIn(get('name'))
  const assetClass = textIn(get('assetClass'))
  const sector = textIn(get('sector'))
  const hasMaturity = dateIn(get('maturity')) !== null
  if (name === null) return 'not a holding: text of the publisher'
  // A whole asset class of its own file names what it holds, so it is read before names.
  if (assetClass === null && get('assetClass') !== undefined && !hasMaturity)
    return 'not a holding: text of the publisher'
  const isBond = assetClass !== null && BONDS.test(assetClass)
  if (assetClass !== null && !isBond && NOT_BONDS.test(assetClass))
    return `not a bond: asset class ${assetClass}`
  if (!hasMaturity && (FUND_SECTOR.test(sector ?? '') || FUND_NAME.test(name.slice(0, 200))))
    return 'not a bond: a fund'
  if (sector !== null && NOT_CORPORATE.test(sector)) return `not corporate debt: sector ${sector}`
  if (isBond) {
    if (NOT_CORPORATE.test(assetClass) && !/corporate/i.test(assetClass))
      return `not corporate debt: asset class ${assetClass}`
    return NAMED_GOVERNMENTS.test(name) ? 'not corporate debt: a government or agency' : null
  }
  const other = NAMED_OTHERS.find(([pattern]) => pattern.test(name.slice(0, 200)))
  if (other && (!hasMaturity || other[1] !== 'cash')) return `not a bond: ${other[1]}`
  if (NAMED_GOVERNMENTS.test(name)) return 'not corporate debt: a government or agency'
  return hasMaturity ? null : 'not a bond: no maturity'
}
