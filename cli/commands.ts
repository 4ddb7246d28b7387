import { operationCommands } from './operation-commands.ts'

/** The commands, without their implementation: general help must not load an engine. */
export interface CommandLine {
  readonly word: string
  readonly doc: string
  /** The operation that it calls, which declares its name and its line of help. */
  readonly operation?: string
}

export const groups: Readonly<Record<string, readonly CommandLine[]>> = {
  'Make a lake': [
    { word: 'sample', doc: 'Make a lake of fictional issuers and build it.' },
    { word: 'ingest', doc: 'Read source files or folders into the lake.' },
    { word: 'rejects', doc: 'What was refused, and why.' },
    { word: 'link', doc: 'Issuers that could not be matched, and your own decisions on them.' },
    { word: 'build', doc: 'Derive the tables and put a new snapshot in force.' },
    { word: 'snapshots', doc: 'List, verify, compare and remove snapshots.' },
  ],
  'Ask it': [
    ...operationCommands,
    { word: 'sql', doc: 'One SELECT over the tables, or a prompt for several.' },
    { word: 'schema', doc: 'Tables, columns, types, units and what they mean.' },
  ],
  'Serve it': [
    { word: 'serve', doc: 'Answer over HTTP: the /v1 API, its docs, health and metrics.' },
    { word: 'mcp', doc: 'Answer an assistant: the Model Context Protocol on standard input and output.' },
    { word: 'accounts', doc: 'Let people sign in, and reset or disable them.' },
    { word: 'keys', doc: 'Make, list, replace and end API keys, and add credits.' },
  ],
  'Look after it': [
    { word: 'verify', doc: 'Recompute every derived figure from its inputs, and report what differs.' },
    { word: 'doctor', doc: 'Check the installation, the lake and the data.' },
    { word: 'completion', doc: 'Print the script that completes commands and options in your shell.' },
  ],
}

export const commands: readonly CommandLine[] = Object.values(groups).flat()

export const commandNamed = (word: string): CommandLine | undefined => commands.find(c => c.word === word)

/** The text of `tranche --help`, within `width` columns. */
export function mainHelp(width: number): string {
  const pad = Math.max(...commands.map(c => c.word.length))
  const lines = ['tranche COMMAND [options]', '', 'An embedded analytical engine for corporate debt.']
  for (const [title, members] of Object.entries(groups)) {
    lines.push('', `${title}:`)
    for (const { word, doc } of members) {
      const [first, ...rest] = wrapped(doc, Math.max(width - pad - 4, 30))
      lines.push(`  ${word.padEnd(pad)}  ${first}`, ...rest.map(line => `  ${' '.repeat(pad)}  ${line}`))
    }
  }
  return `${lines.join('\n')}

Every command takes --lake DIR (else TRANCHE_LAKE, else ./lake), and --help tells its options with examples.

  tranche sample                                  a lake to try, in ./lake
  tranche companies --min-leverage 4 --sort -leverage_ratio
  tranche bonds --min-ytm 8 -o bonds.parquet
`
}

/** Lines of at most `width` characters, broken at blanks. */
export function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1]!
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
