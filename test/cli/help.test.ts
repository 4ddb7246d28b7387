import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import t from 'tap'
import type { Command } from '../../cli/command.ts'
import { commandHelp } from '../../cli/command-help.ts'
import { commands, mainHelp } from '../../cli/commands.ts'
import { operationCommand } from '../../cli/operation-command.ts'
import { findOperation } from '../../engine/operations/find-operation.ts'
import { matchesGolden } from '../golden.ts'
import { root } from '../root.ts'

const WIDTH = 100

/** A command by its word: that of its operation, or the one exported by the file of its name. */
async function commandOf(word: string, operation: string | undefined): Promise<Command> {
  if (operation !== undefined) return operationCommand(findOperation(operation))
  const file = await import(new URL(`../../cli/${word}${extname(import.meta.url)}`, import.meta.url).href)
  return file[`${word}Command`]
}

t.test('the help of every command equals its golden file', async t => {
  matchesGolden(t, 'help/tranche.txt', mainHelp(WIDTH))
  for (const { word, operation } of commands)
    matchesGolden(t, `help/${word}.txt`, commandHelp(await commandOf(word, operation), WIDTH))
})

t.test('every golden file belongs to a command', async t => {
  const words = new Set(['tranche', ...commands.map(({ word }) => word)])
  const files = readdirSync(join(root, 'test/golden/help')).map(name => name.replace(/\.txt$/, ''))
  t.strictSame(
    files.filter(name => !words.has(name)),
    [],
  )
})
