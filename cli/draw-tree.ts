import { displayWidth, plainText } from './print-table.ts'

export interface Branch {
  readonly label: string
  readonly branches: readonly Branch[]
}

/** A tree with one line per branch, cut to a width. */
export function drawTree({ label, branches }: Branch, width: number | null): string {
  const lines = [plainText(label)]
  const draw = (those: readonly Branch[], indent: string): void => {
    for (const [i, branch] of those.entries()) {
      const isLast = i === those.length - 1
      lines.push(`${indent}${isLast ? '└─ ' : '├─ '}${plainText(branch.label)}`)
      draw(branch.branches, `${indent}${isLast ? '   ' : '│  '}`)
    }
  }
  draw(branches, '')
  return `${lines.map(line => (width === null ? line : cut(line, width))).join('\n')}\n`
}

function cut(line: string, width: number): string {
  if (displayWidth(line) <= width) return line
  let shown = ''
  for (const c of line) {
    if (displayWidth(shown + c) > width - 1) break
    shown += c
  }
  return `${shown}…`
}
