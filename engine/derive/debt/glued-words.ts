import { elementAt } from '../../base/elements.ts'

/** Words of which filers make one: `Otherlongtermdebt`, `Internationalplc`, `Fourpointfivepercentmaturingin`. */
const WORDS =
  'agreement amended amendment and at australian authority bank banks bond bonds british canadian city commercial company convertible corporation credit current debenture debentures debt dollar dollars due euro euros exchangeable existing facilities facility financing finance first fiscal fixed floating for greater in inc international issuance issued less lien line llc loan loans long ltd mandatory maturing maturities months mortgage note notes obligation obligations of original other others outstanding paper payable percent plc point prior pound pounds rate rated restated revolver revolving second secured senior series short sterling subordinated swiss term than the to tranche u.s. unsecured variable with yen one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred zero january february march april june july august september october november december'
const known = new Set(WORDS.split(' '))
const LONGEST_WORD = 13
/** A longer run of letters is no name. */
const LONGEST_RUN = 80

/** The words that a run of letters is made of, if it is made of known words alone; else the run itself. */
export function ungluedWords(run: string): string[] {
  const text = run.toLowerCase()
  if (text.length > LONGEST_RUN || known.has(text) || !/^[a-z.]{6,}$/.test(text)) return [run]
  // What precedes each position in the reading with the fewest words; -1 where there is none.
  const before: number[] = [0]
  const count: number[] = [0]
  for (let to = 1; to <= text.length; to++) {
    before[to] = -1
    count[to] = Number.POSITIVE_INFINITY
    for (let from = Math.max(0, to - LONGEST_WORD); from < to; from++)
      if (elementAt(count, from) + 1 < elementAt(count, to) && known.has(text.slice(from, to))) {
        before[to] = from
        count[to] = elementAt(count, from) + 1
      }
  }
  if (!Number.isFinite(elementAt(count, text.length))) return [run]
  const words: string[] = []
  for (let to = text.length; to > 0; ) {
    const from = elementAt(before, to)
    words.unshift(run.slice(from, to))
    to = from
  }
  return words
}
