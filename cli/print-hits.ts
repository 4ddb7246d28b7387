import { memberOf } from '../engine/base/elements.ts'
import { displayWidth, type PrintedTable, plainText, type TableColumn } from './print-table.ts'

/** Search hits as a list: company, filing, section, scores, and the passage with its matches. */
export function printHits(
  columns: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  width: number | null,
  bold: boolean,
): PrintedTable {
  const at = new Map(columns.map(({ name }, j) => [name, j]))
  const room = Math.max(Math.min(width ?? 100, 120) - INDENT.length, 30)
  const text = rows.map((row, i) => {
    const cell = (name: string) => (row[at.get(name)!] === null ? '' : plainText(row[at.get(name)!]))
    const score = (name: string, label: string) =>
      cell(name) === '' ? '' : `${label} ${Number(cell(name)).toFixed(2)}`
    const heading = [
      [cell('company_name') || 'no company', cell('ticker') && `(${cell('ticker')})`]
        .filter(Boolean)
        .join(' '),
      cell('doc_type'),
      cell('filing_date'),
      cell('section_type'),
    ]
    const scores = [score('relevance_score', 'relevance'), score('semantic_score', 'cosine')]
    const lines = [
      heading.filter(Boolean).join(' · '),
      [cell('section_title'), ...scores].filter(Boolean).join(' · '),
      ...wrappedMarks(cell('snippet'), room, bold),
      cell('source_url') || cell('id'),
    ]
    const number = `${i + 1}.`.padEnd(INDENT.length)
    return `${lines.map((line, j) => (j === 0 ? number : INDENT) + line).join('\n')}\n`
  })
  return { text: text.join('\n'), hidden: [] }
}

const INDENT = '    '

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** A snippet as lines, with matches in bold where possible. */
function wrappedMarks(html: string, width: number, bold: boolean): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of html.split(' ')) {
    const plain = unescaped(word.replaceAll(/<\/?b>/g, ''))
    const marked = bold ? unescaped(word.replaceAll('<b>', '\x1b[1m').replaceAll('</b>', '\x1b[22m')) : plain
    const wide = displayWidth(plain)
    if (used > 0 && used + 1 + wide > width) {
      lines.push(line)
      line = ''
      used = 0
    }
    line += (used > 0 ? ' ' : '') + marked
    used += (used > 0 ? 1 : 0) + wide
  }
  return line === '' ? lines : [...lines, line]
}

const unescaped = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => memberOf(characters, name))
