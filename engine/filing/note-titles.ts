import { elementAt } from '../base/elements.ts'
import type { Block } from './block.ts'
import { isTitle } from './heading.ts'

/** Names of debt, as titles of notes join them: `Long-term debt and credit facilities`, `Notes payable, loans and lines of credit`. */
const DEBT =
  '(?:(?:long-term|short-term|bank|senior|secured|unsecured|revolving|convertible|other) ){0,3}(?:debt|borrowings|indebtedness|credit (?:facility|facilities|agreements?|lines?)|lines? of credit|(?:senior )?notes(?: payable)?|loans?(?: payable)?|debt obligations|financing arrangements|financing)'
const ofDebt = new RegExp(
  `^${DEBT}(?:(?:,| and|, and| &) (?:${DEBT}|(?:finance |capital )?lease obligations|(?:capital |finance )?leases)){0,3}$`,
  'i',
)

/** What notes to statements are usually about, each with titles that say so, whole. */
const SUBJECTS: readonly RegExp[] = [
  /^(?:(?:basis of|organization and|business and) (?:preparation|presentation)(?: and .{3,60})?|(?:the company|nature of (?:the )?(?:business|operations)|description of (?:the )?business|organization|background)(?: and .{3,60})?)$/i,
  /^(?:(?:summary of )?significant )?accounting policies$|^summary of (?:significant|principal) accounting policies.{0,40}$/i,
  /^(?:business )?(?:acquisitions?|combinations?|divestitures?)(?: and (?:dispositions?|divestitures?))?$/i,
  /^goodwill(?: and .{3,40})?$/i,
  /^inventor(?:y|ies)(?:, net)?$/i,
  /^(?:property,? plant,? and equipment|property and equipment)(?:, net)?$/i,
  /^accrued (?:expenses|liabilities)(?: and .{3,40})?$/i,
  /^(?:(?:derivative )?financial instruments(?: and .{3,40})?|derivatives(?: and .{3,40})?|fair value (?:measure\w*|of financial instruments).{0,30})$/i,
  /^(?:(?:stock|share)holders['\u2019]? equity|capital stock|common stock|equity)$/i,
  /^(?:stock|share|equity)-based compensation(?: plans?)?$|^stock (?:compensation|option) plans?$/i,
  /^(?:commitments(?: and contingencies)?|contingencies|legal proceedings|litigation)(?:,? and .{3,40})?$/i,
  /^(?:pensions?|retirement|employee|postretirement)\b.{0,40}(?:benefits?|plans?)$/i,
  /^(?:provision for )?income taxes$/i,
  /^(?:net )?(?:income|earnings|\(?loss\)?)(?: \(loss\))? per (?:common )?share$/i,
  /^segments?(?: and .{3,60}| information| reporting| data)?$|^(?:business|operating|reportable) segments?$/i,
  /^leases?(?: commitments)?$/i,
  /^(?:quarterly|selected quarterly) (?:financial )?(?:data|information|results).{0,20}$/i,
  /^subsequent events?$/i,
]

/** Subjects that the notes of a company have, fewest. */
const FEWEST = 6

/**
 * Where the notes of statements begin whose headings have no numbers: titles of what notes are about, if there are as
 * many as statements have. Titles of debt that follow each other are parts of one note.
 */
export function unnumberedNotes(blocks: readonly Block[], from: number, to: number): number[] {
  const subjects = new Set<number>()
  const found: { readonly block: number; readonly isOfDebt: boolean }[] = []
  for (let block = from; block < to; block++) {
    const each = elementAt(blocks, block)
    if (each.text.length > 90 || each.link !== null || (each.cells?.length ?? 1) > 1 || !isTitle(each))
      continue
    const words = each.text.replace(/ {0,3}\(continued\)$/i, '')
    if (ofDebt.test(words)) {
      if (found.at(-1)?.isOfDebt !== true) found.push({ block, isOfDebt: true })
      continue
    }
    const subject = SUBJECTS.findIndex(says => says.test(words))
    if (subject < 0) continue
    subjects.add(subject)
    found.push({ block, isOfDebt: false })
  }
  const areNotes = subjects.size >= FEWEST && found.some(({ isOfDebt }) => isOfDebt)
  return areNotes ? found.map(({ block }) => block) : []
}
