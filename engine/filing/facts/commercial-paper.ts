import { quoted } from './evidence.ts'
import type { FiledSection } from './filed-section.ts'
import { flatten, sentenceAround } from './flat-text.ts'
import type { InstrumentLine } from './instrument-line.ts'
import { AMOUNT, amountIn, isInMillions } from './money.ts'
import { datesIn } from './spelled-dates.ts'

const OTHER = '\\$ ?[\\d.,]{1,12}\\s{1,3}(?:million|billion)'
const PAPER = 'commercial\\s{1,3}paper(?:\\s{1,3}(?:notes|borrowings|obligations))?'
/** `we had $4,209 million and $2,146 million, respectively, in outstanding commercial paper borrowings`. */
const had = new RegExp(
  `\\b(?:had|have|has|was|were)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}(?:\\s{1,3}and\\s{1,3}${OTHER},?\\s{1,3}respectively,?)?\\s{1,3}(?:in|of)\\s{1,3}(?:outstanding\\s{1,3})?${PAPER}`,
  'gi',
)
/** `commercial paper borrowings outstanding totaled $6.1 billion`. */
const totaled = new RegExp(
  `\\b(?:outstanding\\s{1,3})?${PAPER}\\s{1,3}(?:outstanding\\s{1,3})?(?:totall?ed|totall?ing|was|were|of)\\s{1,3}(?:approximately\\s{1,3})?${AMOUNT}`,
  'gi',
)
const isOther =
  /\b(?:maximum|average|up to|authori[sz]ed|program (?:of|size|limit)|may issue|repaid|proceeds|issued|subsequent)\b/i

/** Commercial paper that a sentence says was outstanding at the report's own day; nothing where it is told twice differently. */
export function commercialPaperIn(section: FiledSection): InstrumentLine[] {
  const day = section.period_end
  if (section.section_type !== 'debt_footnote' || day === null) return []
  const flat = flatten(section.text)
  const inMillions = isInMillions(flat, section.amounts_in ?? null)
  const found = [...flat.matchAll(had), ...flat.matchAll(totaled)].flatMap(match => {
    const [from, to] = sentenceAround(flat, match.index)
    const sentence = flat.slice(from, to)
    const amount = amountIn(match.groups ?? {}, inMillions)
    // Of two days, the amounts follow them: the report's own comes first.
    const isOfDay = datesIn(sentence)[0]?.date === day && /\boutstanding\b|\bborrowings\b/i.test(sentence)
    return amount === null ||
      amount.value === 0 ||
      !isOfDay ||
      isOther.test(match[0]) ||
      isOther.test(flat.slice(Math.max(from, match.index - 60), match.index))
      ? []
      : [{ amount, from, to }]
  })
  const [one, ...others] = found
  if (one === undefined || others.some(({ amount }) => amount.value !== one.amount.value)) return []
  return [
    {
      company_name: section.company_name,
      cik: section.cik,
      name: 'Commercial paper',
      instrument_type: 'commercial_paper',
      carrying_amount: one.amount.value,
      currency: one.amount.currency,
      balance_date: day,
      rule: 'note_text',
      accession: section.accession,
      ...quoted(section, one.from, one.to, null),
    },
  ]
}
