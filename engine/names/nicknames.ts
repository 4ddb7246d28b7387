import { issuerName, namesAgree } from './issuer-name.ts'

/**
 * What people call companies whose names and tickers do not show it, by ticker and name. They apply only where the lake has
 * the company under this ticker and a matching name. Initials of a name, former names and tickers are no part of the list.
 */
const NICKNAMES = `
AXP American Express: Amex
BAC Bank of America: BofA; B of A
BK Bank of New York Mellon: BNY; BoNY
BMY Bristol-Myers Squibb: BMS
BUD Anheuser-Busch InBev: AB InBev
C Citigroup: Citi
COF Capital One Financial: CapOne; Cap One
DE Deere: John Deere
GOOGL Alphabet: Google
JNJ Johnson & Johnson: J&J; J and J
JPM JPMorgan Chase: JP Morgan; J.P. Morgan
KO Coca-Cola: Coke
LLY Eli Lilly: Lilly
META Meta Platforms: Facebook
PG Procter & Gamble: P&G; P and G
PRU Prudential Financial: Pru
SPGI S&P Global: S and P
T AT&T: AT and T
TMUS T-Mobile US: TMobile
WMT Walmart: Wal-Mart
XOM Exxon Mobil: Exxon
`

interface Nicknamed {
  readonly name: string
  readonly nicknames: readonly string[]
}

const byTicker: ReadonlyMap<string, Nicknamed> = new Map(
  NICKNAMES.trim()
    .split('\n')
    .map(line => {
      const [blank, at] = [line.indexOf(' '), line.indexOf(':')]
      const nicknames = line
        .slice(at + 1)
        .split(';')
        .map(nickname => nickname.trim())
      return [line.slice(0, blank), { name: line.slice(blank + 1, at), nicknames }] as const
    }),
)

interface Company {
  readonly ticker: string | null
  readonly name: string
}

/** What people call a company beside its name and ticker. */
export function nicknamesOf({ ticker, name }: Company): readonly string[] {
  const listed = ticker === null ? undefined : byTicker.get(ticker.toUpperCase())
  return listed && namesAgree(issuerName(listed.name), issuerName(name)) ? listed.nicknames : []
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("'", '')
    .replaceAll(/[^\p{L}\p{N}&]+/gu, ' ')
    .trim()

/** Whether what was written is the ticker of a company or what people call it. */
export const isCalled = (company: Company, written: string): boolean =>
  [company.ticker ?? '', ...nicknamesOf(company)].some(own => own !== '' && plain(own) === plain(written))
