import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { invalid } from '../engine/base/errors.ts'
import type { Engine } from '../engine/engine.ts'
import { failureText } from './errors.ts'
import { type Choice, chooseOutput, type Format, notice, onTerminal, writeList } from './output.ts'
import { columnColumns, columnRows, sqlViews, viewColumns, viewNamed, viewRows } from './schema.ts'
import { type StatementOptions, writeSql } from './sql-output.ts'
import { completions, splitStatements } from './sql-text.ts'

const FIRST = 'tranche> '
const FURTHER = '    ...> '
const LINES_KEPT = 1000
/** Formats that a terminal can show. */
const promptFormats = ['table', 'csv', 'json', 'ndjson'] as const satisfies readonly Format[]

const help = `A statement ends with a semicolon and may span lines.
  .tables      the tables
  .schema T    the columns of table T
  .mode F      show results in format F: table, csv, json, ndjson
  .output FILE write the next result to FILE; its extension chooses the format
  .quit        leave (also exit, Ctrl-D)
Tab completes tables, columns and keywords; Ctrl-C drops the line, or stops the statement that runs.`

/** Runs statements until the end of input; an error does not end it. */
export async function prompt(
  engine: Engine,
  { params, asOf, days }: StatementOptions,
  chosen: Choice,
): Promise<void> {
  const output: PromptOutput = { choice: chosen, next: null }
  const file = historyFile(process.env)
  let history = await readHistory(file)
  // Data goes to standard output, so input is echoed on the other stream.
  const lines = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: true,
    history: [...history],
    historySize: LINES_KEPT,
    removeHistoryDuplicates: true,
    completer: (line: string) => completions(line, sqlViews),
  })
  lines.on('history', entries => {
    history = entries
  })
  let pending = ''
  let running: AbortController | null = null
  lines.on('SIGINT', () => {
    if (running) return running.abort()
    pending = ''
    process.stderr.write('^C\n')
    lines.write(null, { ctrl: true, name: 'e' })
    lines.write(null, { ctrl: true, name: 'u' })
    lines.setPrompt(FIRST)
    lines.prompt()
  })
  notice(`snapshot ${engine.snapshot}, as of ${asOf ?? engine.manifest.as_of}; .help for help`)
  const run = async (work: (signal: AbortSignal) => Promise<void>) => {
    running = new AbortController()
    const { signal } = running
    try {
      await work(signal)
    } catch (error) {
      process.stderr.write(signal.aborted ? 'stopped\n' : failureText(error, 'sql', []))
    } finally {
      running = null
    }
  }
  lines.setPrompt(FIRST)
  lines.prompt()
  for await (const line of lines) {
    if (pending === '' && isQuit(line)) break
    if (pending === '' && line.trimStart().startsWith('.')) {
      await run(() => dotCommand(line.trim(), output))
    } else {
      const { done, rest } = splitStatements(pending === '' ? line : `${pending}\n${line}`)
      for (const statement of done)
        await run(async signal => {
          const began = performance.now()
          const choice = output.next ?? output.choice
          output.next = null
          await writeSql(engine, statement, { params, asOf, ...(days && { days }), signal }, choice)
          if (choice.file !== null) notice(`written to ${choice.file}`)
          notice(`${((performance.now() - began) / 1000).toFixed(3)} s`)
        })
      pending = rest
    }
    lines.setPrompt(pending === '' ? FIRST : FURTHER)
    lines.prompt()
  }
  lines.close()
  await writeHistory(file, history)
}

const isQuit = (line: string): boolean =>
  ['.quit', '.exit', '.q', 'quit', 'exit'].includes(line.trim().replace(/;$/, ''))

/** Where results go. */
interface PromptOutput {
  choice: Choice
  /** For the next result alone. */
  next: Choice | null
}

async function dotCommand(line: string, output: PromptOutput): Promise<void> {
  const [word, name] = line.split(/\s+/)
  const { choice } = output
  if (word === '.tables') await writeList(viewColumns, viewRows(), choice)
  else if (word === '.schema' && name)
    await writeList(columnColumns, columnRows(viewNamed(name.replace(/;$/, ''))), choice)
  else if (word === '.mode' && name)
    output.choice = chooseOutput({ format: formatNamed(name), no_pager: true }, onTerminal())
  else if (word === '.output' && name) output.next = chooseOutput({ output: name }, onTerminal())
  else if (word === '.help') notice(...help.split('\n'))
  else notice(missing[word!] ?? `unknown command ${word}; see .help`)
}

/** What a command without its argument says. */
const missing: Readonly<Record<string, string>> = {
  '.schema': 'give a table: .schema bonds',
  '.mode': `give a format: ${promptFormats.join(', ')}`,
  '.output': 'give a file: .output screen.parquet',
}

function formatNamed(name: string): Format {
  const found = promptFormats.find(format => format === name.toLowerCase())
  if (found) return found
  throw invalid('format', name, `.mode must be one of ${promptFormats.join(', ')}`, {
    allowed: promptFormats,
  })
}

/** `$XDG_STATE_HOME/tranche/history`, else `~/.tranche_history`. */
export const historyFile = (env: NodeJS.ProcessEnv): string =>
  env['XDG_STATE_HOME']
    ? join(env['XDG_STATE_HOME'], 'tranche', 'history')
    : join(homedir(), '.tranche_history')

/** Newest first, as readline keeps them. */
async function readHistory(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(unreachable)
  return (text ?? '')
    .split('\n')
    .filter(line => line !== '')
    .reverse()
}

async function writeHistory(file: string, history: readonly string[]): Promise<void> {
  const text = [...history]
    .reverse()
    .map(line => `${line}\n`)
    .join('')
  await mkdir(dirname(file), { recursive: true }).catch(unreachable)
  await writeFile(file, text, { mode: 0o600 }).catch(unreachable)
}

/** The prompt works without a history if there is no home folder. */
function unreachable(error: NodeJS.ErrnoException): null {
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code ?? '')) return null
  throw error
}
