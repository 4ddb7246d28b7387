import { elementAt, firstOf } from '../base/elements.ts'
import { smallest } from '../base/lists.ts'
import { issuerName, LEGAL_FORMS } from './issuer-name.ts'
import { type Sector, sectorsAgree } from './sector.ts'

/** A company that may be the parent of an issuer. */
export interface GroupCompany {
  readonly names: readonly string[]
  readonly ticker: string | null
  readonly sector: Sector | null
  /** Position in the list of tickers, which starts with the largest companies. */
  readonly position: number
}

export interface GroupMatch<C> {
  readonly company: C
  readonly reason: string
}

export interface GroupSearch<C> {
  /** The one company whose group the name identifies. */
  readonly found: GroupMatch<C> | null
  /** Possible parents, if the name does not decide. */
  readonly candidates: readonly GroupMatch<C>[]
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Words with which groups name the companies through which they borrow or operate. */
const FINANCING = words(
  `FINANCE FINANCIAL FINANCIALS FINANCING FINANCIERA FINCO FINANCIERINGSMAATSCHAPPIJ FUNDING CAPITAL CREDIT TREASURY ISSUER
  ISSUERS ISSUANCE BORROWER ESCROW ACCEPTANCE LEASING OPERATING OPERATIONS OP OPT OPCO PARTNERSHIP INTERMEDIATE PARENT BANK BANKING
  BORROWINGS MIDCO HOLDCO TOPCO BIDCO NOTES FIN CAP`,
)

/** Countries and regions of subsidiaries. A region does not make another company. */
const PLACES = words(
  `US USA AMERICA AMERICAS NORTH EUROPE EUROPEAN UK BRITAIN CANADA CANADIAN LUX LUXEMBOURG NETHERLANDS DUTCH IRELAND IRISH
  SWITZERLAND SWISS JAPAN ASIA PACIFIC AUSTRALIA GERMANY DEUTSCHLAND FRANCE SPAIN ITALY MEXICO BRASIL BRAZIL CHILE PERU COLOMBIA
  ARGENTINA INDIA CHINA SINGAPORE BERMUDA CAYMAN JERSEY LONDON YORK DELAWARE OVERSEAS`,
)

/** Words that tell group members apart and that other companies also use. */
const LOOSE = words(
  `HOLDING HOLDINGS GROUP INTERNATIONAL GLOBAL WORLDWIDE PARTNERS SERVICES SERVICE INVESTMENT INVESTMENTS COS COMPANIES SUB
  ACQUISITION MERGER MARKETS BANCORP BANCORPORATION BANCSHARES NATIONAL NEW OF FOR IN DE ENTERPRISES I II III IV V VI VII VIII IX X`,
)

/** Words of vehicles that a group manages or sponsors without owning them. */
const APART = words(
  `FUND FUNDS LENDING INCOME BDC OPPORTUNITIES OPPORTUNITY SECURED STRATEGIC PRIVATE DEBT SPECIALTY ROYALTY TRUST CLO MORTGAGE
  RECEIVABLES AUTO MASTER EQUIPMENT STUDENT PASS THROUGH CERTIFICATES WAREHOUSE INFRASTRUCTURES TERM SPAC`,
)

/** First words shared by unrelated companies. */
const GENERIC = words(
  `AMERICAN AMERICA UNITED GENERAL NATIONAL INTERNATIONAL FIRST SECOND THIRD GLOBAL NEW US USA UK BANK BANCO GROUP GREAT SOUTHERN NORTHERN
  WESTERN EASTERN SOUTH NORTH EAST WEST MID CENTRAL PACIFIC ATLANTIC CAPITAL ENERGY UNIVERSAL STANDARD PUBLIC SERVICE FEDERAL CITY STATE
  NEW YORK CALIFORNIA TEXAS FLORIDA OHIO VIRGINIA GEORGIA CAROLINA ILLINOIS INDIANA MICHIGAN PENNSYLVANIA JERSEY ENGLAND LONDON
  ALABAMA ALASKA ARIZONA ARKANSAS COLORADO CONNECTICUT DELAWARE HAWAII IDAHO IOWA KANSAS KENTUCKY LOUISIANA MAINE MARYLAND MASSACHUSETTS
  MINNESOTA MISSISSIPPI MISSOURI MONTANA NEBRASKA NEVADA HAMPSHIRE MEXICO DAKOTA OKLAHOMA OREGON RHODE TENNESSEE UTAH VERMONT WASHINGTON
  WISCONSIN WYOMING COLUMBIA BOSTON CHICAGO HOUSTON DALLAS DENVER DIEGO FRANCISCO ANGELES PUERTO CHILE PERU
  REPUBLIC ROYAL IMPERIAL CROWN STAR SUN BLUE RED GREEN BLACK WHITE GOLDEN SILVER ONE TRUST FINANCIAL FINANCE CREDIT HOLDINGS
  COMMUNITY PEOPLES CITIZENS FARMERS MERCHANTS LIBERTY HERITAGE PIONEER SUMMIT PREMIER PRIME NATURAL RESOURCES WATER GAS ELECTRIC POWER
  OIL LIFE HEALTH HOME LAND AIR CO COMPANY SAN SANTA LOS LA EL SAINT ST PARK RIVER LAKE VALLEY MOUNTAIN ALLIANCE ALLIED ASSOCIATED
  CONSOLIDATED INDEPENDENT MUTUAL CHINA JAPAN KOREA INDIA CANADA CANADIAN AUSTRALIA MEXICO BRAZIL EUROPE ASIA`,
)

/** Prefixes before a group's common name: `American Honda Finance`, `John Deere Capital`, `Banco Santander`. */
const BEFORE = words('AMERICAN JOHN BANCO GRUPO COMPANIA COMPANHIA')

/** Companies this high in the list of tickers have subsidiaries that borrow and of which nothing else is known. */
const LARGE = 2000

const isGroupWord = (word: string): boolean =>
  FINANCING.has(word) ||
  PLACES.has(word) ||
  LOOSE.has(word) ||
  LEGAL_FORMS.has(word) ||
  /^\d{1,4}$/.test(word)
const isStrong = (word: string): boolean => FINANCING.has(word) || PLACES.has(word)

/** Only co-issuers are written this way: `CHARTER COMM OPT LLC/CAP`, `DELL INTERNATIONAL LLC / EMC CORP`. */
const CO_ISSUER = /(?<!\s)\s+\/\s|(?<=\b(?:LLC|LP|INC|CORP|LTD|CO|BV|NV|SA|PLC|AG|SE|DAC))\/(?=[A-Z]{3})/i

/** Abbreviations used by lists with narrow columns. */
const SHORT: Readonly<Record<string, string>> = {
  EN: 'ENERGY',
  ENGY: 'ENERGY',
  GEN: 'GENERATION',
  ELEC: 'ELECTRIC',
  PWR: 'POWER',
  RES: 'RESOURCES',
  AMER: 'AMERICA',
  AM: 'AMERICA',
  GLOB: 'GLOBAL',
  PHARM: 'PHARMACEUTICALS',
  TECH: 'TECHNOLOGIES',
}

/** The words of a name that identify its group. */
function lettersOf(name: string): { words: string[]; isCut: boolean } {
  const { full, cut } = issuerName(firstOf(name.split(CO_ISSUER)))
  const all = full.split(' ').filter(word => word !== '')
  const own = all.flatMap((word, i) => (i === 0 ? word : LEGAL_FORMS.has(word) ? [] : (SHORT[word] ?? word)))
  const last = own.at(-1) ?? ''
  const isFragment =
    cut !== null &&
    own.length > 1 &&
    [...FINANCING, ...LOOSE, ...LEGAL_FORMS].some(word => word !== last && word.startsWith(last))
  // Drops the rest of a word at which the source cut the name, where it may begin a legal form.
  if (isFragment && last.length <= 3) return { words: own.slice(0, -1), isCut: true }
  const whole = isFragment ? [...FINANCING, ...LOOSE].find(word => word.startsWith(last)) : undefined
  return { words: whole ? [...own.slice(0, -1), whole] : own, isCut: cut !== null }
}

interface Entry<C> {
  readonly company: C
  readonly words: readonly string[]
  /** The same with the first legal form, whose letters count in initials. */
  readonly initials: readonly string[]
  /** How many of the words are written as one, with hyphens: `Coca-Cola`. */
  readonly hyphenated: number
}

const isDistinctive = (lead: readonly string[]): boolean =>
  lead.some(word => !GENERIC.has(word) && !isGroupWord(word)) && lead.join('').length >= 2

/**
 * Finds the group that an issuer's name belongs to. Group members carry its name and a purpose: `Charter
 * Communications Operating`, `T-Mobile USA`, `Ford Motor Credit`. The longest prefix shared with any company decides,
 * if only one company has it; a single word also needs a word of financing or a place, and the same business.
 */
export class GroupNames<C extends GroupCompany> {
  private readonly byFirst = new Map<string, Entry<C>[]>()
  private readonly byTicker = new Map<string, C>()
  private readonly byInitials = new Map<string, Set<C>>()

  constructor(companies: readonly C[]) {
    for (const company of companies) {
      if (company.ticker && !this.byTicker.has(company.ticker)) this.byTicker.set(company.ticker, company)
      for (const name of company.names) this.add(company, name)
    }
  }

  private add(company: C, name: string): void {
    const own = lettersOf(name).words
    if (own.length === 0) return
    const initials = initialsOf(name)
    const hyphenated = hyphenatedWords(name)
    for (const written of [own, ...(BEFORE.has(firstOf(own)) && own.length > 1 ? [own.slice(1)] : [])]) {
      const list = this.byFirst.get(firstOf(written))
      const entry = { company, words: written, initials, hyphenated: written === own ? hyphenated : 1 }
      if (list) list.push(entry)
      else this.byFirst.set(firstOf(written), [entry])
    }
    for (const letters of initials) {
      const set = this.byInitials.get(letters)
      if (set) set.add(company)
      else this.byInitials.set(letters, new Set([company]))
    }
  }

  find(name: string, label: string | null = null): GroupSearch<C> {
    const own = lettersOf(name).words
    if (own.length === 0) return { found: null, candidates: [] }
    const direct = this.byLead(own, label, false)
    if (direct.found) return direct
    const further = BEFORE.has(firstOf(own)) && own.length > 1 ? this.byLead(own.slice(1), label, true) : null
    if (further?.found) return further
    const abbreviated = this.byAbbreviation(own, label)
    if (abbreviated) return { found: abbreviated, candidates: [] }
    const all = [...direct.candidates, ...(further?.candidates ?? [])]
    return {
      found: null,
      candidates: all.filter((c, i) => all.findIndex(o => o.company === c.company) === i),
    }
  }

  /** By the longest prefix that the name shares with companies. */
  private byLead(own: readonly string[], label: string | null, isFurther: boolean): GroupSearch<C> {
    const sharing = this.byFirst.get(firstOf(own)) ?? []
    for (let length = own.length; length > 0; length--) {
      const lead = own.slice(0, length)
      // A match of a whole name of several words is significant, however common the words: `BANK OF AMERICA NA`.
      if (!isDistinctive(lead) && !(length === own.length && length > 1)) break
      const rest = own.slice(length)
      const begun = sharing.filter(
        entry => startsWith(entry.words, lead) && isGroupHead(entry.words.slice(length), rest),
      )
      if (begun.length === 0) continue
      const named = begun.filter(entry => entry.words.slice(length).every(isGroupWord))
      const nearest = leastBy(named, entry => entry.words.length)
      const chosen = sameOnly(nearest.length > 0 ? nearest : begun, nearest[0]?.words.length === length)
      if (
        chosen &&
        this.isTold(chosen, {
          lead,
          rest,
          isOneWord:
            length === 1 || begun.some(entry => entry.company === chosen && length <= entry.hyphenated),
          isNamed: nearest.length > 0,
          isWhole: nearest[0]?.words.length === length,
          isAlone: distinct(begun.map(entry => entry.company)).length === 1,
          label,
          isFurther,
        })
      )
        return { found: { company: chosen, reason: reasonOf(lead, rest) }, candidates: [] }
      const shown = distinct((named.length > 0 ? named : begun).map(entry => entry.company))
      return {
        found: null,
        candidates: shown.map(company => ({ company, reason: `its name begins with ${lead.join(' ')} too` })),
      }
    }
    return { found: null, candidates: [] }
  }

  /** Whether the words shared with the company, and the rest, put the issuer in its group. */
  private isTold(
    company: C,
    on: {
      lead: readonly string[]
      rest: readonly string[]
      isOneWord: boolean
      isNamed: boolean
      isWhole: boolean
      isAlone: boolean
      label: string | null
      isFurther: boolean
    },
  ): boolean {
    const { lead, rest, isOneWord, isNamed, isWhole, isAlone, label, isFurther } = on
    const agrees = sectorsAgree(label, company.sector)
    if (rest.includes('BANK') || rest.includes('BANKING')) {
      if (company.sector !== null && company.sector !== 'Financials') return false
    } else if (rest.some(word => APART.has(word))) return false
    const unknown = rest.filter(
      word => !isGroupWord(word) && !(rest.includes('BANK') && APART.has(word)),
    ).length
    const strong = rest.some(isStrong)
    const fits = agrees === true || (agrees === null && isAlone && company.position <= LARGE)
    if (!isDistinctive(lead)) return rest.length === 0 && (isNamed || (isAlone && agrees === true))
    if (isFurther) return fits && strong && unknown === 0
    if (!isOneWord) return unknown === 0 ? isNamed || strong || isAlone : isNamed && rest.length <= 4
    const word = lead.join('')
    if (word.length < 3 && !(isNamed && strong)) return false
    if (rest.length === 0) return isNamed || (isAlone && agrees !== false)
    // The SIC code of a renamed company (Jefferies, once Leucadia) is weak evidence against its whole name.
    const isItsName =
      unknown === 0 && company.position <= LARGE && (isWhole ? rest.every(isStrong) : isNamed && isAlone)
    if (agrees === false) return isItsName
    // `Alliant Holdings Intermediate` is not part of Alliant Energy, and small companies share their words with many.
    if (agrees === null && !isNamed && (company.position > LARGE || !rest.every(isStrong))) return false
    if (unknown === 0)
      return (
        strong ||
        (agrees === true && isAlone) ||
        (isNamed && (agrees === true || (isAlone && word.length >= 5)))
      )
    if (!fits || unknown > 2) return false
    if (agrees === null)
      return unknown === 1 && isStrong(rest.at(-1)!) && rest.some(each => FINANCING.has(each))
    if (rest.some(each => FINANCING.has(each))) return true
    return isNamed && rest.length <= 3 && word.length >= 4 && company.position <= LARGE
  }

  /** `LYB International Finance` by the ticker, `BAT Capital` by the initials; only within the same business. */
  private byAbbreviation(own: readonly string[], label: string | null): GroupMatch<C> | null {
    const [letters = '', ...rest] = own
    if (letters.length < 3 || !rest.some(word => FINANCING.has(word))) return null
    // `CCO Holdings Capital` belongs to Charter, not to Clear Channel Outdoor, whose ticker is CCO.
    if (rest.some(word => !isGroupWord(word) || word === 'HOLDINGS' || word === 'HOLDING')) return null
    const byTicker = this.byTicker.get(letters)
    if (
      byTicker &&
      sectorsAgree(label, byTicker.sector) === true &&
      byTicker.names.some(name => isMadeOf(letters, issuerName(name).full))
    )
      return { company: byTicker, reason: `its name begins with the ticker ${letters}` }
    const all = [...(this.byInitials.get(letters) ?? [])]
    const agreeing = all.filter(company => sectorsAgree(label, company.sector) === true)
    const [only] = agreeing.length > 0 ? agreeing : all
    const isSure =
      agreeing.length === 1 ||
      (all.length === 1 && isOpen(label, only!) && rest.every(word => FINANCING.has(word)))
    return isSure ? { company: only!, reason: `${letters} are the initials of the company` } : null
  }
}

/** A large company is accepted when its business, or that of the issuer, is unknown. */
const isOpen = (label: string | null, company: GroupCompany): boolean =>
  sectorsAgree(label, company.sector) === null && company.position <= LARGE

/** How many words a name begins with that are written as one, with hyphens. */
const hyphenatedWords = (name: string): number =>
  (/^[\p{L}\d]+(?:-[\p{L}\d]+)*/u.exec(name)?.[0] ?? '').split('-').length

/**
 * Whether the rest of a company's name allows it to be a parent: funds, shells and national subsidiaries are not
 * parents of their sisters. `T-Mobile US` is the parent of `T-Mobile USA`.
 */
function isGroupHead(rest: readonly string[], ofIssuer: readonly string[]): boolean {
  if (rest.length > 4 || rest.some(word => APART.has(word) || word === 'ACQUISITION')) return false
  return rest.every(
    word =>
      !PLACES.has(word) || ofIssuer.some(own => PLACES.has(own) && own.slice(0, 2) === word.slice(0, 2)),
  )
}

const startsWith = (all: readonly string[], lead: readonly string[]): boolean =>
  all.length >= lead.length &&
  lead.every((word, i) => word === all[i] || (i > 0 && isShortFor(word, elementAt(all, i))))

/** `COMM` for `COMMUNICATIONS`; short words are not abbreviations. */
const isShortFor = (word: string, whole: string): boolean =>
  word.length >= 4 && whole.length > word.length + 2 && whole.startsWith(word)

function leastBy<T>(items: readonly T[], measure: (item: T) => number): T[] {
  const least = smallest(items.map(measure))
  return items.filter(item => measure(item) === least)
}

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)]

/** The one company, or the largest of several with the same name: two registrants of one dual-listed group. */
function sameOnly<C extends GroupCompany>(entries: readonly Entry<C>[], isWhole: boolean): C | null {
  const all = distinct(entries.map(entry => entry.company))
  if (all.length === 1) return firstOf(all)
  return isWhole
    ? firstOf(leastBy(all, company => company.position + (isOverTheCounter(company.ticker) ? 1e9 : 0)))
    : null
}

/** Foreign shares and receipts traded over the counter have five letters ending in F or Y. */
const isOverTheCounter = (ticker: string | null): boolean => ticker === null || /^[A-Z]{4}[FY]$/.test(ticker)

/** Initials of a name, with and without its legal form. */
function initialsOf(name: string): string[] {
  const all = issuerName(name)
    .full.split(' ')
    .filter(word => word !== '')
  const own = all.filter(word => !LEGAL_FORMS.has(word))
  const letters = (list: readonly string[]) => list.map(word => word[0]).join('')
  const choices = [letters(own), letters(all.slice(0, own.length + 1))]
  return distinct(choices.filter(text => text.length >= 3))
}

/** Whether the letters occur in a name in order, starting with its first. */
function isMadeOf(letters: string, name: string): boolean {
  if (letters[0] !== name[0]) return false
  let at = 0
  for (const letter of name) if (letter === letters[at]) at++
  return at === letters.length
}

const reasonOf = (lead: readonly string[], rest: readonly string[]): string =>
  rest.length === 0
    ? `it is called ${lead.join(' ')} as the company is, with another legal form`
    : `it is called ${lead.join(' ')} as the company is, and ${rest.join(' ')}`
