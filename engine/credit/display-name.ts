import { formatDay } from './calendar.ts'

/** The facts that make up an instrument's desk name. */
export interface NamedInstrument {
  /** Ticker of the company, else the short name of the issuer. */
  readonly issuer: string
  /** Percent a year. */
  readonly coupon: number | null
  /** Days since 1970. */
  readonly maturity: number | null
  readonly floats: boolean
  readonly instrument: string | null
  /** The name given by its source. */
  readonly name: string | null
  /** Whether its source says that it has no maturity. */
  readonly perpetual?: boolean
}

const LOANS: Readonly<Record<string, string>> = {
  term_loan: 'TL',
  term_loan_a: 'TLA',
  term_loan_b: 'TLB',
  revolver: 'RCF',
  commercial_paper: 'CP',
}

/** Funds write the maturity of a perpetual as the end of a year this far away. */
const FIRST_PERPETUAL_YEAR = 2079
/** The day by which a list without identifiers tells a perpetual from an issuer's other bonds. */
export const PERPETUAL_DAY = `${FIRST_PERPETUAL_YEAR}-12-31`

/** `AAPL 3.25 08/08/29`; `FRN` for a floating coupon, `PERP` for no maturity. */
export function displayName(bond: NamedInstrument): string {
  return [bond.issuer, couponOf(bond), maturityOf(bond)].filter(part => part !== null).join(' ')
}

function couponOf({ coupon, floats, instrument }: NamedInstrument): string | null {
  const loan = instrument === null ? undefined : LOANS[instrument]
  if (loan) return loan
  if (floats) return 'FRN'
  return coupon === null ? null : String(Number(coupon.toFixed(5)))
}

function maturityOf({ maturity, name, perpetual }: NamedInstrument): string | null {
  if (maturity === null) return perpetual || /\bperp/i.test(name ?? '') ? 'PERP' : null
  const [year, month, day] = formatDay(maturity).split('-') as [string, string, string]
  if (Number(year) >= FIRST_PERPETUAL_YEAR && month === '12' && day === '31') return 'PERP'
  // Two-digit years are in this century.
  return `${month}/${day}/${year.startsWith('20') ? year.slice(2) : year}`
}

/** Names with ` A`, ` B` ... appended to duplicates, in list order. */
export function disambiguated(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const used = new Map<string, number>()
  return names.map(name => {
    if (counts.get(name) === 1) return name
    const place = used.get(name) ?? 0
    used.set(name, place + 1)
    return `${name} ${letters(place)}`
  })
}

/** A ... Z, AA, AB ... */
function letters(place: number): string {
  const last = String.fromCharCode(65 + (place % 26))
  return place < 26 ? last : letters(Math.floor(place / 26) - 1) + last
}
