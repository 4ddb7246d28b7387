import { cusipCheckDigit, cusipFromIsin, isCusip, isIsin, isinCheckDigit } from '../credit/identifiers.ts'
import { letterOnScale } from '../credit/rating-scale.ts'
import { nearest } from '../names/nearest.ts'
import type { Column } from './column.ts'
import { writtenDays } from './written-day.ts'
import { writtenNumber } from './written-number.ts'

/** What a refused value probably means, for the end of an error message, and the value to give instead. */
export interface Meant {
  readonly says: string
  readonly suggestion?: string
}

/** The number that a text with a unit or separators stands for. */
export function meantNumber(column: Column, written: string): Meant | null {
  const text = written.trim()
  const plain = writtenNumber(column, text)
  if (plain !== null && column.kind === 'cents')
    return { says: `${text} is ${plain.value}`, suggestion: plain.value }
  if (column.kind === 'cents') {
    // Whether dollars or cents are meant, only the caller knows.
    const number = /^-?[0-9][0-9,]*(?:\.[0-9]{1,2})?$/.test(text)
      ? Number(text.replaceAll(',', ''))
      : Number.NaN
    if (!Number.isFinite(number)) return null
    const cents = Math.round(number * 100)
    return { says: `$${number.toLocaleString('en-US', { maximumFractionDigits: 2 })} is ${cents}` }
  }
  return plain === null ? null : { says: `for ${text} write ${plain.value}`, suggestion: plain.value }
}

/** Parameters that bound a range from below. */
const LOWER_BOUND = /(?:^|_)(?:from|since|after|start|min)(?:_|$)/

/** The day that a text in another notation stands for; of a month, quarter or year the end that bounds a range. */
export function meantDay(name: string, written: string): Meant | null {
  const days = writtenDays(written)
  if (days === null) return null
  const text = written.trim()
  const suggestion = LOWER_BOUND.test(name) ? days.first : days.last
  if (days.other !== undefined) return { says: `${text} may be ${days.first} or ${days.other}`, suggestion }
  const range = days.first === days.last ? suggestion : `${days.first} to ${days.last}`
  return { says: `${text} is ${range}`, suggestion }
}

/** The value of an enum that a text stands for: a letter of another agency's scale, the values with this word, the nearest. */
export function meantChoice({ values = [], scale }: Column, written: string, many: boolean): Meant | null {
  const text = written.trim()
  if (scale !== undefined) {
    const plus = written.endsWith(' ') ? letterOnScale(scale, `${text}+`) : null
    const letter = plus ?? letterOnScale(scale, text)
    return letter === null
      ? null
      : { says: `${plus === null ? text : `${text}+`} is ${letter} on this scale`, suggestion: letter }
  }
  const word = text.toLowerCase().replaceAll(/[\s-]+/g, '_')
  const having = values.filter(value => value.toLowerCase().split(/[-_]/).includes(word))
  const suggestion =
    having.length === 1 || (having.length > 1 && many) ? having.join(',') : nearest(text, values)
  return suggestion === undefined ? null : { says: `did you mean ${suggestion}?`, suggestion }
}

/** What people write for the codes of the currencies that debt is most often issued in. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ $: 'USD', US$: 'USD', USDOLLAR: 'USD', USDOLLARS: 'USD', DOLLAR: 'USD', DOLLARS: 'USD', US: 'USD' },
  ...{ '€': 'EUR', EURO: 'EUR', EUROS: 'EUR' },
  ...{ '£': 'GBP', STERLING: 'GBP', POUND: 'GBP', POUNDS: 'GBP', UKP: 'GBP' },
  ...{ '¥': 'JPY', YEN: 'JPY', C$: 'CAD', CDN: 'CAD', CA$: 'CAD', A$: 'AUD', AU$: 'AUD' },
  ...{ FRANC: 'CHF', FRANCS: 'CHF', SFR: 'CHF', RMB: 'CNY', YUAN: 'CNY', R$: 'BRL', MXN$: 'MXN' },
}

/** The identifier or code that a text of another form stands for. */
export function meantText(format: Column['format'], written: string): Meant | null {
  const text = written.trim()
  const bare = text.toUpperCase().replaceAll(/[\s.-]+/g, '')
  if (format === 'currency') {
    const code = Object.hasOwn(CURRENCIES, bare) ? CURRENCIES[bare] : undefined
    return code === undefined ? null : { says: `did you mean ${code}?`, suggestion: code }
  }
  if (format === 'cusip') return meantCusip(bare)
  return format === 'isin' ? meantIsin(bare) : null
}

function meantCusip(bare: string): Meant | null {
  if (isCusip(bare)) return { says: `did you mean ${bare}?`, suggestion: bare }
  if (isIsin(bare)) {
    const cusip = cusipFromIsin(bare)
    return cusip === null
      ? { says: `${bare} is an ISIN that contains no CUSIP: resolve finds its bond` }
      : { says: `${bare} is the ISIN of CUSIP ${cusip}`, suggestion: cusip }
  }
  if (/^[A-Z]{2}[0-9A-Z]{10}$/.test(bare)) return misspeltIsin(bare)
  if (/^[0-9A-Z]+E\+[0-9]+$/.test(bare) && /^[0-9]/.test(bare))
    return { says: 'a spreadsheet has turned it into a number: format the column as text' }
  const digit = cusipCheckDigit(bare.slice(0, 8))
  if (digit === null) return null
  const whole = `${bare.slice(0, 8)}${digit}`
  if (bare.length === 8) return { says: `with its check digit ${bare} is ${whole}`, suggestion: whole }
  // Any of the nine characters may be the wrong one.
  return bare.length === 9
    ? { says: `the check digit of ${bare.slice(0, 8)} is ${digit}, so a character is wrong` }
    : null
}

/** What has the form of an ISIN and another check digit than its own; the CUSIP in it may be right all the same. */
function misspeltIsin(bare: string): Meant {
  const digit = isinCheckDigit(bare.slice(0, 11)) ?? ''
  const cusip = bare.slice(2, 11)
  const wrong = `this ISIN has a wrong character: its check digit would be ${digit}`
  return /^(?:US|CA)/.test(bare) && isCusip(cusip)
    ? { says: `${wrong}; the CUSIP in it is ${cusip}`, suggestion: cusip }
    : { says: wrong }
}

function meantIsin(bare: string): Meant | null {
  if (isIsin(bare)) return { says: `did you mean ${bare}?`, suggestion: bare }
  if (isCusip(bare)) {
    // A CUSIP that begins with a letter is of another country.
    const base = `US${bare}`
    const isin = /^[0-9]/.test(bare) ? `${base}${isinCheckDigit(base)}` : null
    return isin === null
      ? { says: `${bare} is a CUSIP: give it as cusip` }
      : { says: `${bare} is a CUSIP: give it as cusip, or its US ISIN ${isin}`, suggestion: isin }
  }
  const digit = isinCheckDigit(bare.slice(0, 11))
  if (digit === null) return null
  const whole = `${bare.slice(0, 11)}${digit}`
  if (bare.length === 11) return { says: `with its check digit ${bare} is ${whole}`, suggestion: whole }
  return bare.length === 12
    ? { says: `the check digit of ${bare.slice(0, 11)} is ${digit}, so a character is wrong` }
    : null
}
