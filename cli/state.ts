import { QueryError } from '../engine/base/errors.ts'
import { text } from '../engine/schema/column.ts'
import { stateLocation } from '../server/state/location.ts'
import { readAction } from './actions.ts'
import { command, lakeFolder, lakeParams, stateParams } from './command.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeObject } from './output.ts'

const actions = {
  backup: { words: 1, options: [] },
  restore: { words: 1, options: [] },
} as const

export const stateCommand = command({
  word: 'state',
  words: 'backup FILE | restore FILE',
  firstWords: Object.keys(actions),
  params: { ...stateParams, ...outputParams, ...lakeParams },
  letters: outputLetters,
  notes:
    'backup    copies the store into a new file, as it is at one moment, while servers use it, and checks the copy\n' +
    'restore   puts a backup in the place of the store, which is kept under another name; servers must be stopped\n' +
    'Of a SQLite file. A PostgreSQL is backed up by pg_dump and restored by pg_restore.\n' +
    'A backup holds email addresses and, unless TRANCHE_SECRET is set, the secret of all keys: protect it.',
  examples: [
    'backup /backup/tranche-state.db',
    'restore /backup/tranche-state.db --state /var/lib/tranche/state.db',
  ],
  async run({ lake, state, ...outputOptions }, { words: [said, ...words] }) {
    const action = readAction('state', actions, said ?? 'backup', words, {})
    const choice = chooseOutput(outputOptions, onTerminal())
    const [file] = words
    if (file === undefined)
      throw new QueryError('MISSING_PARAMETER', `give a file: state ${action} FILE`, { parameter: 'words' })
    const location = stateLocation(state, lakeFolder(lake))
    const { backUp, restore } = await import('../server/state/backup.ts')
    if (action === 'backup') {
      const made = await backUp(location, file)
      await writeObject({ ...made }, { ...made }, choice, { file: text('The backup.') })
      return undefined
    }
    const restored = await restore(location, file)
    await writeObject({ ...restored }, { ...restored }, choice)
    notice(`${file} is in place${restored.kept === null ? '' : `; the store before it is ${restored.kept}`}`)
    return undefined
  },
})
