import type { FiledSection } from './filed-section.ts'

const unit =
  /\bin (millions|thousands|billions)\b|\b(millions|thousands) of dollars\b|\((millions|thousands)\)/i

/** A head of columns of dollars, `$ million`, `$'m`, `US$m`: a sentence has a number behind the sign. */
const ofDollars = /\$ ?'?(?:(million)s?|m)(?![a-z])/i

/** The same in euros or pounds: `\u20ac million`, `All figures in \u00a3 millions`, `in \u20ac THOUS`. */
const ofOthers = /[\u20ac\u00a3] ?'?(?:(?:million|thousand)s?|thous|m)(?![a-z])/i

/** A unit that is all of its cell, which begins with a capital: `Thousands | 2011 | 2010`. */
const alone = /(?<!\b[Ii]n )\b(Millions|Thousands|MILLIONS|THOUSANDS)\b(?! of\b)/

/** `($000's omitted)`, `in 000s`. */
const noughts = /(?<![\d,.])\$ ?000'?s?\b(?! ?[\d,])|(?<![\d,.])000'?s? omitted\b|\bin 000'?s?\b/i

/** Minor units of one unit of a table, from the words above it; null if they do not say. */
export function scaleOf(head: string): number | null {
  const match = unit.exec(head)
  const named = match?.[1] ?? match?.[2] ?? match?.[3]
  if (named !== undefined) return scaleNamed(named.toLowerCase())
  if (ofDollars.test(head)) return scaleNamed('millions')
  const other = ofOthers.exec(head)?.[0]
  if (other !== undefined) return scaleNamed(/thous/i.test(other) ? 'thousands' : 'millions')
  if (noughts.test(head)) return scaleNamed('thousands')
  return scaleNamed(alone.exec(head)?.[1]?.toLowerCase())
}

const UNITS = '(?:millions|thousands|billions)'
const CURRENCIES = (
  [
    ['\\u20ac|euros?', 'EUR'],
    ['\\u00a3|(?:british\\s)?pounds?(?:\\ssterling)?|sterling', 'GBP'],
    ['\\u00a5|(?:japanese\\s)?yen', 'JPY'],
    ['C\\$|canadian\\sdollars?', 'CAD'],
    ['A\\$|australian\\sdollars?', 'AUD'],
  ] as const
).map(
  ([words, currency]) =>
    [
      new RegExp(
        `${UNITS}\\sof\\s(?:${words})(?!\\w)|(?<!\\w)(?:${words})\\s?,?\\s?in\\s${UNITS}\\b|\\bin\\s(?:${words})\\s?${UNITS}\\b`,
        'i',
      ),
      currency,
    ] as const,
)

/** The currency that the words above a table give its unit, `(in millions of euros)`, `(\u20ac in millions)`; else dollars. */
export function currencyOf(head: string): string {
  const named = CURRENCIES.find(([words]) => words.test(head))?.[1]
  const sign = ofOthers.exec(head)?.[0].charAt(0)
  return named ?? (sign === '\u20ac' ? 'EUR' : sign === '\u00a3' ? 'GBP' : 'USD')
}

const noDollars =
  /\bin (?:millions|thousands|billions) of (?:euros?|pounds?|yen|canadian)|\((?:\u20ac|\u00a3) in\b/i

/** The currency of all amounts of a table of debt; null where its head names another beside dollars. */
export function ownCurrency(head: string): string | null {
  if (/\$|\bdollars?\b/i.test(head)) return noDollars.test(head) ? null : 'USD'
  const currency = currencyOf(head)
  return currency === 'JPY' ? null : currency
}

/** Minor units of one unit of a table in a currency, of those of dollars: yen have none. */
export const scaleIn = (currency: string, scale: number): number => (currency === 'JPY' ? scale / 100 : scale)

const everyUnit = /\bin (millions|thousands|billions)\b/gi

/** That of the document's statements, for a table whose head says none; null where its section names another. */
export function scaleOfStatements({
  text,
  amounts_in: unitOfAll,
}: Pick<FiledSection, 'text' | 'amounts_in'>): number | null {
  const isOther = [...text.matchAll(everyUnit)].some(match => match[1]?.toLowerCase() !== unitOfAll)
  if (isOther) return null
  return scaleNamed(unitOfAll) ?? (unitOfAll == null && isWrittenOut(text) ? 100 : null)
}

const dollars = /\$\s?\d{1,3}(?:,\d{3}){2}\b(?![,.]?\d)(?!\s{1,3}(?:million|billion|thousand))/
const inUnits = /\bin\s{1,3}(?:millions|thousands|billions)\b/i

/** Whether the sentences of a text, between its tables, write amounts out to the dollar, `$1,157,209`. */
function isWrittenOut(text: string): boolean {
  const prose = text
    .split('\n')
    .filter(line => !line.includes('|'))
    .join('\n')
  return dollars.test(prose) && !inUnits.test(text)
}

const scaleNamed = (units: string | null | undefined): number | null =>
  units === 'millions' ? 1e8 : units === 'thousands' ? 1e5 : units === 'billions' ? 1e11 : null
