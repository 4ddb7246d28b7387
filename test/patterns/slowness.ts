import { attackOf, attacksOn, repetitionOf } from './attacks.ts'
import type { Pattern } from './collect.ts'
import { aboveLinear, cpuTime } from './growth.ts'

// Longer inputs find patterns that are quadratic only in a small part of their work: TRANCHE_LONG_ATTACKS=1, for the
// nightly run.
const isLong = process.env['TRANCHE_LONG_ATTACKS'] === '1'
const longest = isLong ? 131_072 : 16_384
const trivial = isLong ? 8 : 6
const mostAttacks = isLong ? 600 : 24
/** If the text is cut to a length, a pattern may take this long for it, milliseconds. */
const CUT_LIMIT = 50

/** Runs a pattern over a whole text: for every match if it is global, as callers do. */
function matcher({ source, flags }: Pattern): (text: string) => unknown {
  const pattern = new RegExp(source, flags)
  if (!pattern.global) return text => pattern.exec(text)
  return text => {
    pattern.lastIndex = 0
    for (let from = 0; pattern.test(text); from = pattern.lastIndex)
      // Moves on after an empty match.
      if (pattern.lastIndex === from && ++pattern.lastIndex > text.length) break
  }
}

/** What makes a pattern slow, in words; null if none of so many attacks does. */
export async function slowness(pattern: Pattern, attacks = mostAttacks): Promise<string | null> {
  const repetition = repetitionOf(pattern.source, pattern.flags)
  if (repetition === 'none') return null
  const run = matcher(pattern)
  const isNested = repetition === 'nested'
  for (const attack of attacksOn(pattern.source, pattern.flags, attacks)) {
    const input = (length: number) => attackOf(attack, length)
    const slow =
      pattern.longest === null
        ? await aboveLinear({ run, input }, { longest, trivial, isNested })
        : await tooSlow(() => run(input(pattern.longest!)), pattern.longest)
    if (slow !== null) return `${JSON.stringify(attack)}: ${slow}`
  }
  return null
}

async function tooSlow(run: () => unknown, length: number): Promise<string | null> {
  if ((await cpuTime(run)) <= CUT_LIMIT) return null
  const time = Math.min(await cpuTime(run), await cpuTime(run))
  return time > CUT_LIMIT ? `${time.toFixed(0)} ms for the ${length} characters that it may see` : null
}
