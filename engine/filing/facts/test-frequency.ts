import { words } from './flat-text.ts'

const frequencies: readonly (readonly [string, RegExp])[] = [
  [
    'springing',
    words(
      String.raw`\bspringing\b|\b(?:covenant (?:testing|trigger)|compliance|financial covenant (?:testing|trigger)|trigger) (?:period|event)|\bif\b[^.]{0,200}\b(?:outstanding|utili[sz]ation|exposure|drawn|usage|availability)\b[^.]{0,160}\b(?:exceeds?|greater than|more than|less than)|\b(?:when|whenever|any time|so long as|period) [^.]{0,120}\bavailability\b[^.;]{0,80}\b(?:below|less than|lower than)`,
    ),
  ],
  [
    'monthly',
    words(
      String.raw`\b(?:last day|end) of (?:each|any|every) (?:fiscal |calendar )?month|business day of each (?:calendar )?month|\bmonthly\b`,
    ),
  ],
  [
    'quarterly',
    words(
      String.raw`\b(?:fiscal|calendar) quarters?\b|\bquarterly\b|\bquarter[- ]end|\b(?:each|any|every) quarter|\btest period|\b(?:four|4) (?:consecutive )?(?:fiscal )?quarters?`,
    ),
  ],
  ['annually', words(String.raw`\b(?:any|each|every) fiscal year|\bannual(?:ly)?\b|\bper (?:fiscal )?year`)],
  ['at_all_times', words(String.raw`\bat all times|\bat any (?:one )?time`)],
]

/** How often a test is made, by the words around it; null if they do not say. */
export const frequencyOf = (text: string): string | null =>
  frequencies.find(([, pattern]) => pattern.test(text))?.[0] ?? null
