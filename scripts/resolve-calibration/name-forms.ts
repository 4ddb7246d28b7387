import type { Random } from '../../cli/sample/random.ts'
import { elementAt } from '../../engine/base/elements.ts'

/** A bond as a list writes it. */
export interface ListedBond {
  readonly cusip: string
  readonly name: string | null
  readonly issuer: string | null
  readonly ticker: string | null
  readonly coupon: number | null
  readonly maturity: string | null
  readonly restricted: boolean | null
}

interface Parts {
  readonly name: string
  readonly ticker: string | null
  readonly coupon: number
  readonly year: string
  readonly month: string
  readonly day: string
}

/** How publishers write a holding, and how a desk would; null if a bond cannot be written so. */
export interface NameForm {
  readonly name: string
  readonly write: (parts: Parts, random: Random) => string | null
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const EIGHTHS = ['', ' 1/8', ' 1/4', ' 3/8', ' 1/2', ' 5/8', ' 3/4', ' 7/8']
const VULGAR = ['', '⅛', '¼', '⅜', '½', '⅝', '¾', '⅞']

const plain = (coupon: number): string => String(Number(coupon.toFixed(5)))
const short = (year: string): string => year.slice(2)
const spelled = (month: string): string => elementAt(MONTHS, Number(month) - 1)

function inEighths(coupon: number, eighths: readonly string[]): string | null {
  const count = coupon * 8
  return Number.isInteger(count) ? `${Math.floor(coupon)}${eighths[count % 8]}` : null
}

const titled = (name: string): string =>
  name.toLowerCase().replace(/\b[a-z]/g, letter => letter.toUpperCase())

const ABBREVIATED: Readonly<Record<string, string>> = {
  COMMUNICATIONS: 'COMMS',
  HOLDINGS: 'HLDGS',
  FINANCIAL: 'FINL',
  FINANCE: 'FIN',
  INTERNATIONAL: 'INTL',
  SERVICES: 'SVCS',
  GROUP: 'GRP',
  AMERICAN: 'AMER',
  AMERICA: 'AMER',
  NATIONAL: 'NATL',
  CAPITAL: 'CAP',
  CORPORATION: 'CORP',
  COMPANY: 'CO',
  ELECTRIC: 'ELEC',
  TECHNOLOGIES: 'TECH',
  MANAGEMENT: 'MGMT',
  RESOURCES: 'RES',
  INSURANCE: 'INS',
  PHARMACEUTICALS: 'PHARM',
  PETROLEUM: 'PETE',
  POWER: 'PWR',
  ENERGY: 'ENER',
  PARTNERS: 'PTNRS',
  OPERATING: 'OPER',
  MOTOR: 'MTR',
  CREDIT: 'CR',
}

const abbreviated = (name: string): string =>
  name
    .toUpperCase()
    .split(' ')
    .map(word => ABBREVIATED[word] ?? word)
    .join(' ')

/** One letter dropped, doubled or swapped, in a word of five letters or more. */
function withSlip(name: string, random: Random): string | null {
  const words = name.split(' ')
  const long = words.flatMap((word, i) => (/^[A-Za-z]{5,}$/.test(word) ? [i] : []))
  if (long.length === 0) return null
  const at = random.pick(long)
  const word = elementAt(words, at)
  const i = random.whole(1, word.length - 2)
  const letter = random.pick([...'abcdefghijklmnopqrstuvwxyz'])
  words[at] = random.pick([
    word.slice(0, i) + word.slice(i + 1),
    word.slice(0, i) + word[i] + word.slice(i),
    word.slice(0, i) + letter + word.slice(i + 1),
  ])
  return words.join(' ')
}

/** Without the trailing legal form, and from three words on without one of those after the first. */
function withFewerWords(name: string, random: Random): string {
  const words = name.replace(/[\s,]+(INC|CORP|CO|LLC|LTD|PLC|LP|COMPANY|CORPORATION)\b.*$/i, '').split(' ')
  if (words.length > 2) words.splice(random.whole(1, words.length - 1), 1)
  return words.join(' ')
}

/** The forms that publishers use, then damaged ones. */
export const nameForms: readonly NameForm[] = [
  {
    name: 'issuer, coupon, full date',
    write: p => `${p.name} ${p.coupon.toFixed(3)}% ${p.month}/${p.day}/${p.year}`,
  },
  {
    name: 'with ranking after it',
    write: p => `${p.name} ${p.coupon.toFixed(3)}% ${p.month}/${p.day}/${p.year} SR UNSEC`,
  },
  {
    name: 'ranking, MM/YY, coupon',
    write: p => `${p.name} SR UNSEC 144A ${p.month}/${short(p.year)} ${plain(p.coupon)}`,
  },
  {
    name: 'title case, day month year',
    write: p => `${titled(p.name)}, ${p.coupon.toFixed(2)}%, due ${p.day} ${spelled(p.month)} ${p.year}`,
  },
  {
    name: 'reset terms in brackets',
    write: p =>
      `${titled(p.name)}, (SOFR + 1.17%), ${p.coupon.toFixed(2)}%, ${Number(p.month)}/${Number(p.day)}/${p.year}`,
  },
  { name: 'ISO date', write: p => `${p.name} ${p.coupon.toFixed(2)} ${p.year}-${p.month}-${p.day}` },
  {
    name: 'DDMMMYYYY',
    write: p => `${p.name} ${plain(p.coupon)}% ${p.day}${spelled(p.month).toUpperCase()}${p.year}`,
  },
  { name: 'coupon of eight decimals', write: p => `${p.name} REGD ${p.coupon.toFixed(8)}` },
  {
    name: 'ticker, coupon, MM/DD/YY',
    write: p => p.ticker && `${p.ticker} ${plain(p.coupon)} ${p.month}/${p.day}/${short(p.year)}`,
  },
  {
    name: 'ticker, MM.DD.YY, 144A',
    write: p => p.ticker && `${p.ticker} ${plain(p.coupon)} ${p.month}.${p.day}.${short(p.year)} 144A`,
  },
  {
    name: 'ticker, coupon, MM/YY',
    write: p => p.ticker && `${p.ticker} ${plain(p.coupon)} ${p.month}/${short(p.year)}`,
  },
  {
    name: 'ticker, eighths, YY',
    write: p => {
      const coupon = inEighths(p.coupon, EIGHTHS)
      return p.ticker && coupon && `${p.ticker} ${coupon} ${short(p.year)}`
    },
  },
  {
    name: 'issuer, vulgar fraction, year',
    write: p => {
      const coupon = inEighths(p.coupon, VULGAR)
      return coupon && `${p.name} ${coupon}% ${p.year}`
    },
  },
  {
    name: 'fewer words, coupon, year',
    write: (p, random) => `${withFewerWords(p.name, random).toLowerCase()} ${plain(p.coupon)}% ${p.year}`,
  },
  {
    name: 'fewer words, coupon, MM/YY',
    write: (p, random) => `${withFewerWords(p.name, random)} ${plain(p.coupon)} ${p.month}/${short(p.year)}`,
  },
  { name: 'abbreviated, coupon, year', write: p => `${abbreviated(p.name)} ${plain(p.coupon)} ${p.year}` },
  {
    name: 'cut to 20 letters',
    write: p => `${p.name.slice(0, 20).trim()} ${p.coupon.toFixed(3)} ${p.month}/${p.day}/${short(p.year)}`,
  },
  {
    name: 'a slip, coupon, MM/YY',
    write: (p, random) => {
      const name = withSlip(p.name, random)
      return name && `${name} ${plain(p.coupon)} ${p.month}/${short(p.year)}`
    },
  },
  { name: 'no coupon, full date', write: p => `${p.name} ${p.month}/${p.day}/${p.year}` },
  { name: 'no coupon, MM/YY', write: p => `${p.name.toLowerCase()} ${p.month}/${short(p.year)}` },
  { name: 'no coupon, year', write: p => `${p.name} ${p.year}` },
  { name: 'no maturity', write: p => `${p.name} ${plain(p.coupon)}%` },
  { name: 'coupon of one decimal, year', write: p => `${p.name} ${p.coupon.toFixed(1)} ${p.year}` },
  { name: 'issuer alone', write: p => p.name },
  { name: 'no issuer', write: p => `${plain(p.coupon)}% ${p.month}/${p.day}/${p.year}` },
]

/** Descriptions of a bond, one per form, each with one of its names. */
export function describedBonds(bond: ListedBond, random: Random): { form: string; text: string }[] {
  const { coupon, maturity, ticker } = bond
  const names = [...new Set([bond.name, bond.issuer].filter(name => name !== null))]
  if (coupon === null || maturity === null || names.length === 0) return []
  const [year, month, day] = maturity.split('-') as [string, string, string]
  return nameForms.flatMap(({ name: form, write }) => {
    const text = write({ name: random.pick(names), ticker, coupon, year, month, day }, random)
    return text ? [{ form, text }] : []
  })
}
