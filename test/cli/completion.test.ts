import { execFile, spawnSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { commands } from '../../cli/commands.ts'
import { completions } from '../../cli/complete.ts'
import { loadCommand } from '../../cli/load-command.ts'
import { operations } from '../../engine/operations/api.ts'
import { testFolder } from '../folder.ts'
import { plainProcess } from '../plain-process.ts'
import { resident } from './resident.ts'
import { program } from './run-cli.ts'

const { tranche } = await resident(t)

const run = promisify(execFile)

// Identifies the shell that completes.
process.env['SHELL'] = 'bash'

/** The completions of a shell for the last word of a command line. */
const complete = (...words: string[]) => completions(words, loadCommand)

const optionsOf = (command: string): string[] =>
  Object.keys(operations.find(o => o.command === command)!.params).map(
    name => `--${name.replaceAll('_', '-')}`,
  )

t.test('commands are completed', async t => {
  t.strictSame(
    await complete(''),
    commands.map(c => c.word),
  )
  t.strictSame(await complete('rating'), ['ratings', 'rating-migrations'])
  t.strictSame(await complete('bonds'), ['bonds'], 'a whole word is one')
  t.strictSame(await complete('--lake', '/tmp/lake', 'pri'), ['pricing', 'pricing-history'])
  t.strictSame(await complete('--v'), ['--version'])
  t.strictSame(await complete('nonsense', ''), [])
})

t.test('every option of an operation is completed, but not twice', async t => {
  for (const command of ['bonds', 'companies', 'traverse']) {
    const found = await complete(command, '--')
    for (const option of [...optionsOf(command), '--output', '--lake'])
      if (option.length > 3) t.ok(found.includes(option), `${command} ${option}`)
  }
  t.strictSame(await complete('bonds', '--min-yt'), ['--min-ytm'])
  t.notOk((await complete('bonds', '--limit', '5', '--')).includes('--limit'))
})

t.test('values of options are completed: alone, in a list, after an equals sign', async t => {
  t.strictSame(await complete('bonds', '--format', 'js'), ['json'])
  t.strictSame(await complete('bonds', '--format=nd'), ['--format=ndjson'])
  t.strictSame(await complete('bonds', '--format', '=', 'nd'), ['ndjson'], 'as Bash splits it')
  t.strictSame(await complete('bonds', '--seniority', 'senior_secured,sub'), ['senior_secured,subordinated'])
  t.strictSame(await complete('bonds', '--has-pricing='), ['--has-pricing=true', '--has-pricing=false'])
  t.strictSame(await complete('verify', '--dataset', 'cov'), ['covenants'])
  t.strictSame(await complete('bonds', '--min-ytm', ''), [], 'a number has no list')
  t.strictSame(await complete('bonds', '-o', ''), [], 'nor has a file, which the shell completes')
})

t.test('columns are completed in fields and sort, also descending', async t => {
  t.strictSame(await complete('companies', '--fields', 'ticker,leverage'), ['ticker,leverage_ratio'])
  t.strictSame(await complete('companies', '--sort', '-leverage_r'), ['-leverage_ratio'])
  t.strictSame(await complete('bonds', '--sort', 'name,-pricing.ytm'), ['name,-pricing.ytm'])
})

t.test('words are completed: resources, tables, actions', async t => {
  t.ok((await complete('export', '')).includes('bonds'))
  t.strictSame(await complete('facets', 'com'), ['companies'])
  t.strictSame(await complete('schema', 'coll'), ['collateral', 'collateral_history'])
  t.strictSame(await complete('keys', 're'), ['regenerate', 'revoke'])
  t.strictSame(await complete('keys', '--tier', 'pro', 'l'), ['list'])
  t.strictSame(await complete('completion', ''), ['bash', 'zsh', 'fish'])
  t.strictSame(await complete('ingest', ''), [], 'files are the affair of the shell')
})

t.test('zsh and fish receive descriptions of commands and options', async t => {
  const answered = async (shell: string, ...words: string[]) =>
    (await tranche(['--get-yargs-completions', 'tranche', ...words], '', { SHELL: shell })).out
  t.equal(
    await answered('zsh', 'cov'),
    'covenants:Covenants of bonds and credit agreements, those in force by default.\n',
  )
  t.match(
    await answered('fish', 'bonds', '--min-outst'),
    '--min-outstanding\tMinimum amount outstanding, cents.\n',
  )
})

t.test("the completion script of each shell calls the program with that shell's name", async t => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await tranche(['completion', shell], '', { SHELL: '/bin/sh' })
    t.equal(code, 0)
    t.match(out, `SHELL=${shell} tranche --get-yargs-completions`)
    t.match(out, `tranche completion ${shell}`)
    if (spawnSync(shell, ['--version']).status === 0)
      t.equal(spawnSync(shell, ['-n'], { input: out }).stderr.toString(), '', `${shell} can read it`)
  }
  t.match((await tranche(['completion'], '', { SHELL: '/usr/bin/zsh' })).out, /compdef/)
  t.match((await tranche(['completion'], '', { SHELL: '/usr/bin/fish' })).out, /^complete -f -c tranche -a /m)
  t.match(await tranche(['completion'], '', { SHELL: '/bin/dash' }), {
    code: 2,
    err: /name a shell: tranche completion bash \| zsh \| fish/,
  })
  t.equal((await tranche(['completion', 'tcsh'])).code, 2)
})

t.test('completion works in bash', async t => {
  if (spawnSync('bash', ['-c', '(( BASH_VERSINFO[0] >= 4 ))']).status !== 0)
    return t.comment('no bash 4 here')
  const folder = testFolder(t)
  const [file, args] = plainProcess(import.meta.url, program, [])
  await writeFile(
    join(folder, 'tranche'),
    `#!/bin/bash\nexec '${file}' ${args.map(a => `'${a}'`).join(' ')} "$@"\n`,
  )
  await chmod(join(folder, 'tranche'), 0o755)
  await writeFile(join(folder, 'completion.sh'), (await tranche(['completion', 'bash'])).out)
  const completed = async (...words: string[]) => {
    const line = ['tranche', ...words].map(word => `'${word}'`).join(' ')
    const script = `. ./completion.sh; COMP_WORDS=(${line}); COMP_CWORD=${words.length}
      _tranche_yargs_completions; printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}`, SHELL: '/usr/bin/zsh' }
    return (await run('bash', ['-c', script], { cwd: folder, env })).stdout.trim().split('\n')
  }
  t.strictSame(await completed('cove'), ['covenants'])
  t.strictSame(await completed('bonds', '--min-yt'), ['--min-ytm'])
  t.strictSame(await completed('bonds', '--sort', '-pricing.ytm'), ['-pricing.ytm'])
})
