import { append, largest } from '../engine/base/lists.ts'
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
    { word: 'sample', doc: 'Create and build a sample lake of fictional issuers.' },
    { word: 'fetch', doc: 'Fetch public files: SEC filings and figures, yields, fund holdings, LEIs.' },
    { word: 'ingest', doc: 'Read source files or folders into the lake.' },
    { word: 'rejects', doc: 'Rejected rows and refused files, with the reason.' },
    { word: 'link', doc: 'Link issuer names to companies: list unmatched ones, set or import links.' },
    {
      word: 'correct',
      doc: 'Correct facts that were read out of documents: list, set, drop, remove, import.',
    },
    { word: 'build', doc: 'Derive the tables and publish a new snapshot.' },
    { word: 'snapshots', doc: 'List, verify, choose, compare and remove snapshots.' },
  ],
  'Query it': [
    ...operationCommands,
    { word: 'sql', doc: 'Run one SELECT over the tables, or open a SQL prompt.' },
    { word: 'days', doc: 'Derive the tables of past days in advance, for panels and backtests.' },
    { word: 'schema', doc: 'Tables and columns, with types, units and descriptions.' },
  ],
  'Serve it': [
    { word: 'serve', doc: 'Serve the /v1 API over HTTP, with its docs, health and metrics.' },
    { word: 'iceberg', doc: 'Write Iceberg tables, which Spark, Trino, DuckDB and pyiceberg read.' },
    { word: 'push', doc: 'Publish a snapshot to object storage or a shared folder.' },
    { word: 'pull', doc: 'Copy the current snapshot of a store, and keep the copy up to date.' },
    { word: 'mcp', doc: 'Serve the Model Context Protocol on standard input and output, for assistants.' },
    { word: 'accounts', doc: 'Create, list, change, reset and disable accounts of people who sign in.' },
    { word: 'keys', doc: 'Create, list, regenerate and revoke API keys, and add credits.' },
    { word: 'state', doc: 'Back up and restore keys, accounts, credits and usage.' },
  ],
  'Maintain it': [
    { word: 'verify', doc: 'Recompute every derived figure from its inputs, and report differences.' },
    { word: 'doctor', doc: 'Check the installation, the lake and the data.' },
    { word: 'completion', doc: 'Print a script for shell completion of commands and options.' },
  ],
}

export const commands: readonly CommandLine[] = Object.values(groups).flat()

export const commandNamed = (word: string): CommandLine | undefined => commands.find(c => c.word === word)

/** The text of `tranche --help`, within `width` columns. */
export function mainHelp(width: number): string {
  const pad = largest(commands.map(c => c.word.length))
  const lines = ['tranche COMMAND [options]', '', 'An embedded analytical engine for corporate debt.']
  for (const [title, members] of Object.entries(groups)) {
    lines.push('', `${title}:`)
    for (const { word, doc } of members) {
      const [first, ...rest] = wrapped(doc, Math.max(width - pad - 4, 30))
      append(lines, [`  ${word.padEnd(pad)}  ${first}`, ...rest.map(line => `  ${' '.repeat(pad)}  ${line}`)])
    }
  }
  return `${lines.join('\n')}

Every command takes --lake DIR (default TRANCHE_LAKE, else ./lake) and --help, which shows its options and examples.

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
