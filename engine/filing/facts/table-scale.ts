import type { FiledSection } from './filed-section.ts'

const unit =
  /\bin (millions|thousands|billions)\b|\b(millions|thousands) of dollars\b|\((millions|thousands)\)/i

/** A head of columns of dollars, `$ million`, `$'m`, `US$m`: a sentence has a number behind the sign. */
const ofDollars = /\$ ?'?(?:(million)s?|m)(?![a-z])/i

/** Minor units of one unit of a table, from the words above it; null if they do not say. */
export function scaleOf(head: string): number | null {
  const match = unit.exec(head)
  if (match === null && ofDollars.test(head)) return scaleNamed('millions')
  return scaleNamed((match?.[1] ?? match?.[2] ?? match?.[3])?.toLowerCase())
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
        `${UNITS}\\sof\\s(?:${words})(?!\\w)|(?<!\\w)(?:${words})\\s?,?\\s?in\\s${UNITS}\\b|\\bin\\s(?:${words})\\s${UNITS}\\b`,
        'i',
      ),
      currency,
    ] as const,
)

/** The currency that the words above a table give its unit, `(in millions of euros)`, `(\u20ac in millions)`; else dollars. */
export const currencyOf = (head: string): string =>
  CURRENCIES.find(([named]) => named.test(head))?.[1] ?? 'USD'

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
