const OPENS = /^[-–—(]?\s*[$€£¥(]+$/
const CLOSES = /^(\)|%|\)\s*%|%\s*\)|bps|x|times)$/i

/** A table row as a line; a sign in its own cell is rejoined with its number. */
export function rowText(cells: readonly string[]): string {
  const joined: string[] = []
  let opening = ''
  for (const cell of cells) {
    if (OPENS.test(cell)) opening += cell
    else if (CLOSES.test(cell) && joined.length > 0 && opening === '') joined[joined.length - 1] += cell
    else {
      joined.push(opening + cell)
      opening = ''
    }
  }
  if (opening !== '') joined.push(opening)
  return joined.join(' | ')
}
