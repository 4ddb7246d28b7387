import { basename } from 'node:path'
import { QueryError } from '../engine/base/errors.ts'
import { oneOf } from '../engine/schema/column.ts'
import { one } from '../engine/schema/params.ts'
import { command, lakeParams } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

export const completionCommand = command({
  word: 'completion',
  positional: ['shell'],
  params: {
    shell: one(oneOf(shells, 'Shell to print the script for; default that of SHELL.')),
    ...lakeParams,
  },
  notes:
    'The script completes commands, options and their values. To install it:\n' +
    'bash   tranche completion bash >> ~/.bashrc\n' +
    'zsh    tranche completion zsh >> ~/.zshrc, after compinit\n' +
    'fish   tranche completion fish > ~/.config/fish/completions/tranche.fish',
  examples: ['bash', 'zsh', 'fish'],
  async run({ shell = usualShell() }) {
    process.stdout.write(shell === 'fish' ? fishScript : await yargsScript(shell))
    return undefined
  },
})

function usualShell(): Shell {
  const named = basename(process.env['SHELL'] ?? '')
  const found = shells.find(shell => shell === named)
  if (found) return found
  throw new QueryError('MISSING_PARAMETER', `name a shell: tranche completion ${shells.join(' | ')}`, {
    parameter: 'shell',
  })
}

/** yargs chooses its format by SHELL, which names the login shell rather than the one that asks. */
const asking = (shell: Shell): string => `SHELL=${shell} tranche --get-yargs-completions`

async function yargsScript(shell: 'bash' | 'zsh'): Promise<string> {
  process.env['SHELL'] = shell
  const { plainYargs } = await import('./declare-options.ts')
  let script = ''
  plainYargs()
    .completion('completion')
    .parse('completion', (_error: unknown, _argv: unknown, output: string) => {
      script = output
    })
  return `${script
    .replaceAll('tranche --get-yargs-completions', asking(shell))
    .replaceAll('tranche completion', `tranche completion ${shell}`)}\n`
}

/** The script of yargs omits an empty last word, and never completes a file name. */
const fishScript = `###-begin-tranche-completions-###
#
# Installation: tranche completion fish > ~/.config/fish/completions/tranche.fish
#
function __tranche_completions
    set -l found (env ${asking('fish')} (commandline -opc) (commandline -ct))
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -f -c tranche -a '(__tranche_completions)'
###-end-tranche-completions-###
`
