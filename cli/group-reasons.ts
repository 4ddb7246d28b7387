import { firstOf } from '../engine/base/elements.ts'

export interface ReasonGroup {
  readonly count: number
  /** All of them as one sentence. */
  readonly reason: string
  readonly members: readonly string[]
}

/** Values of a group that are written out; of more, the most frequent few. */
const MOST_VALUES = 20
const FEW_VALUES = 5

/**
 * Reasons that differ only in a quoted text, a number or what follows the first colon, as one with its values:
 * `not corporate debt: sector Sovereign (1,632), Supranational (80)`. The most frequent first.
 */
export function groupReasons(reasons: ReadonlyMap<string, number>): ReasonGroup[] {
  const groups = new Map<string, [reason: string, count: number][]>()
  for (const entry of [...reasons].sort((a, b) => b[1] - a[1])) {
    const key = shapeOf(entry[0])
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()]
    .map(members => ({
      count: members.reduce((sum, [, n]) => sum + n, 0),
      reason: joined(members),
      members: members.map(([reason]) => reason),
    }))
    .sort((a, b) => b.count - a.count)
}

/** What reasons of one group have in common. */
const shapeOf = (reason: string): string => {
  const plain = reason.replace(/"[^"]*"/g, '"').replace(/\d+/g, '0')
  // A short beginning before a colon is the reason; what follows says of what.
  const head = plain.indexOf(': ')
  return head > 0 && head < 60 ? plain.slice(0, head + 2) : plain
}

function joined(members: readonly (readonly [reason: string, count: number])[]): string {
  const texts = members.map(([reason]) => reason)
  const [first] = firstOf(members)
  if (members.length === 1) return first
  const before = commonStart(texts)
  const after = commonEnd(texts.map(text => text.slice(before)))
  const values = members.map(
    ([reason, n]) => `${reason.slice(before, reason.length - after)} (${n.toLocaleString('en-US')})`,
  )
  const shown = values.length <= MOST_VALUES ? values : values.slice(0, FEW_VALUES)
  const others = values.length - shown.length
  return `${first.slice(0, before)}${shown.join(', ')}${others > 0 ? ` and ${others} others` : ''}${first.slice(first.length - after)}`
}

/** Characters with which all texts begin, in whole words. */
function commonStart(texts: readonly string[]): number {
  const first = firstOf(texts)
  let n = 0
  while (n < first.length && texts.every(text => text[n] === first[n])) n++
  while (n > 0 && first[n - 1] !== ' ') n--
  return n
}

/** Characters with which all texts end, from the end of a word. */
function commonEnd(texts: readonly string[]): number {
  const first = firstOf(texts)
  let n = 0
  while (n < first.length && texts.every(text => text.at(-1 - n) === first.at(-1 - n))) n++
  while (n > 0 && !/[\s:;,]/.test(first.at(-n) ?? '')) n--
  return n
}
