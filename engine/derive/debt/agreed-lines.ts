import { isAmount } from './amounts.ts'
import { isShared } from './debt-axes.ts'
import { wordsOf } from './member-name.ts'
import type { TaggedInstrument } from './tagged-instruments.ts'

const isLine = (member: string): boolean =>
  !isShared(member) && /\b(?:facilit\w+|credit|revolv\w+|rcf|lines?)\b/i.test(wordsOf(member).join(' '))

/** A commitment as it was agreed, tagged apart from what is owed and left under it at the balance date. */
const isAgreement = ({ facts, day }: TaggedInstrument): boolean =>
  facts.has('commitment') &&
  ![...facts.values()].some(({ role, end }) => end === day && (isAmount(role) || role === 'undrawn'))

/** What is left of a line at the balance date with what is owed under it; null if the filing does not say. */
export function wholeOfLine({ facts, day }: TaggedInstrument): number | null {
  const undrawn = facts.get('undrawn')
  const owed = facts.get('stated') ?? facts.get('whole')
  return undrawn?.end === day && owed?.end === day ? undrawn.value + owed.value : null
}

/**
 * The agreement of a line, under the name of its lenders, and the line in the table of debt as one: they share the
 * filer's name of the line, and what is owed and left is the commitment.
 */
export function withAgreements(instruments: readonly TaggedInstrument[]): TaggedInstrument[] {
  const agreements = instruments.filter(isAgreement)
  const linesOf = (agreement: TaggedInstrument) =>
    instruments.filter(
      line =>
        !line.facts.has('commitment') &&
        line.standing === agreement.standing &&
        line.members.some(member => isLine(member) && agreement.members.includes(member)) &&
        wholeOfLine(line) === agreement.facts.get('commitment')?.value,
    )
  const found = new Map<TaggedInstrument, TaggedInstrument>()
  for (const agreement of agreements) {
    const [line, ...others] = linesOf(agreement)
    if (line !== undefined && others.length === 0 && !found.has(line)) found.set(line, agreement)
  }
  const merged = new Set(found.values())
  return instruments
    .filter(one => !merged.has(one))
    .map(line => {
      const agreement = found.get(line)
      if (agreement === undefined) return line
      // Its margin may be a part of one alone.
      const commitment = [...agreement.facts].filter(([role]) => role === 'commitment')
      return { ...line, facts: new Map([...line.facts, ...commitment]), commitments: agreement.commitments }
    })
}
