import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { plainProcess } from '../plain-process.ts'

/** A script of this folder in a process of its own, compiled or not as the test itself is. */
export function child(
  script: 'write-lake',
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Child {
  const here = import.meta.url
  const path = fileURLToPath(new URL(`./${script}${here.endsWith('.ts') ? '.ts' : '.js'}`, here))
  const made = spawn(...plainProcess(here, path, args), {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let text = ''
  let errors = ''
  const waiting: (() => void)[] = []
  made.stdout!.on('data', part => {
    text += part
    const parts = text.split('\n')
    text = parts.pop()!
    lines.push(...parts)
    for (const wake of waiting.splice(0)) wake()
  })
  made.stderr!.on('data', part => {
    errors += part
  })
  const ended = new Promise<Ended>(resolve =>
    made.on('close', (code, signal) => {
      for (const wake of waiting.splice(0)) wake()
      resolve({ code, signal, lines, errors })
    }),
  )
  const said = async (line: string) => {
    while (!lines.includes(line) && made.exitCode === null && made.signalCode === null)
      await new Promise<void>(resolve => waiting.push(resolve))
  }
  return { process: made, lines, ended, said }
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly lines: readonly string[]
  readonly errors: string
}

export interface Child {
  readonly process: ChildProcess
  readonly lines: readonly string[]
  readonly ended: Promise<Ended>
  /** Resolves when it has printed the line, or has ended. */
  said(line: string): Promise<void>
}
