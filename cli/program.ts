import { commandNamed, commands, mainHelp } from './commands.ts'
import { loadCommand } from './load-command.ts'

const width = (stream: NodeJS.WriteStream): number => Math.min(stream.columns ?? 100, 120)

/** `--lake DIR bonds` as `bonds --lake DIR`: the word may follow the option that all commands have. */
function wordFirst(argv: readonly string[]): string[] {
  const options: string[] = []
  for (let i = 0; i < argv.length; i++) {
    if (argv[i] === '--lake') options.push(argv[i]!, argv[++i] ?? '')
    else if (argv[i]!.startsWith('--lake=')) options.push(argv[i]!)
    else return [argv[i]!, ...argv.slice(i + 1), ...options]
  }
  return options
}

/** Runs one command line, writes to the standard streams, and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const [first = '--help', ...rest] = wordFirst(argv)
  if (first === '--version' || first === '-v' || first === '-V') {
    const { version } = await import('../engine/base/version.ts')
    process.stdout.write(`${version}\n`)
    return 0
  }
  if (first === '--get-yargs-completions') {
    const { completions } = await import('./complete.ts')
    // The first word is the name by which the shell found the program.
    const found = await completions(rest.slice(1), loadCommand)
    process.stdout.write(found.map(value => `${value}\n`).join(''))
    return 0
  }
  const asksHelp = first === '--help' || first === '-h' || first === 'help'
  const word = asksHelp ? rest.find(r => !r.startsWith('-')) : first
  if (word === undefined) {
    process.stdout.write(mainHelp(width(process.stdout)))
    return 0
  }
  const { exitCode, failureText } = await import('./errors.ts')
  let params: readonly string[] = []
  try {
    if (!commandNamed(word)) throw await unknownCommand(word)
    const { followInterrupts } = await import('./interrupt.ts')
    followInterrupts()
    const chosen = await loadCommand(word)
    params = Object.keys(chosen.params)
    const { checked, readArguments } = await import('./read-arguments.ts')
    const given = asksHelp ? null : readArguments(chosen, rest)
    if (given === null) {
      const { commandHelp } = await import('./command-help.ts')
      process.stdout.write(commandHelp(chosen, width(process.stdout)))
      return 0
    }
    return (await chosen.run(checked(chosen, given) as never, given)) ?? 0
  } catch (error) {
    const { interruptedCode } = await import('./interrupt.ts')
    const interrupted = interruptedCode()
    if (interrupted !== undefined) return interrupted
    // A full disk is not a bug, wherever it occurs.
    const { storageError } = await import('../engine/lake/durable.ts')
    const failure = storageError(error, '')
    process.stderr.write(failureText(failure, commandNamed(word) && word, params))
    return exitCode(failure)
  }
}

async function unknownCommand(word: string): Promise<Error> {
  const [{ invalid }, { nearest }] = await Promise.all([
    import('../engine/base/errors.ts'),
    import('../engine/names/nearest.ts'),
  ])
  const shown = word.length > 60 ? `${word.slice(0, 60)}…` : word
  const meant = nearest(
    word,
    commands.map(c => c.word),
  )
  const hint = meant ? `did you mean ${meant}?` : '"tranche --help" lists them'
  return word.startsWith('-')
    ? invalid('word', word, `the first word is a command, not ${shown}: ${hint}`)
    : invalid('word', word, `unknown command ${shown}; ${hint}`)
}
