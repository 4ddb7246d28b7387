import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lakeParams } from '../../cli/command.ts'
import { commandHelp } from '../../cli/command-help.ts'
import { commandNamed, commands, mainHelp } from '../../cli/commands.ts'
import { operationCommand } from '../../cli/operation-command.ts'
import { operations } from '../../engine/operations/api.ts'
import { root } from '../root.ts'

t.test('general help has the declared line of every operation', async t => {
  for (const { name, command, doc } of operations)
    t.strictSame(commandNamed(command), { word: command, doc, operation: name })
  const named = commands.flatMap(c => c.operation ?? [])
  t.strictSame(named.toSorted(), operations.map(o => o.name).toSorted(), 'and of no others')
  t.equal(new Set(commands.map(c => c.word)).size, commands.length, 'no word is said twice')
})

t.test('general help lists every command and keeps to its width', async t => {
  const help = mainHelp(80)
  for (const { word } of commands) t.match(help, new RegExp(`^  ${word} `, 'm'))
  const listed = help.split('\n').filter(line => line.startsWith('  ') && !line.includes('tranche'))
  t.ok(listed.every(line => line.length <= 80))
})

t.test('every command that is not an operation has a file of its name', async t => {
  const files = readdirSync(join(root, 'cli'))
  for (const { word, operation } of commands) if (!operation) t.ok(files.includes(`${word}.ts`), word)
})

t.test('every operation has its parameters as options, with type, unit, values and defaults', async t => {
  for (const operation of operations) {
    const help = commandHelp(operationCommand(operation), 100)
    for (const name of Object.keys(operation.params))
      t.match(help, new RegExp(`(--|-)${name.replaceAll('_', '-')}\\b`), `${operation.command} ${name}`)
    for (const example of operation.examples) t.ok(help.includes(`tranche ${operation.command} ${example}`))
    t.ok(help.includes('--lake'))
  }
  const bonds = commandHelp(operationCommand(operations.find(o => o.command === 'bonds')!), 200)
  t.match(bonds, /--min-outstanding +Minimum amount outstanding, cents\. \[whole number, cents\]/)
  t.match(bonds, /--seniority +.*\[any of senior_secured, senior_unsecured, subordinated\]/)
  t.match(bonds, /--limit +Rows to return\. \[whole number, at least 1; default 50\]/)
  t.ok(lakeParams.lake)
})

t.test('command help keeps to its width, except for examples, which are meant to be copied', async t => {
  for (const width of [60, 80, 120]) {
    const help = commandHelp(operationCommand(operations.find(o => o.command === 'bonds')!), width)
    const [before, examples] = help.split('\nExamples:\n')
    t.match(before, /^tranche bonds \[options\]\n\nBonds and loans/)
    t.ok(
      before!.split('\n').every(line => line.length <= width),
      `${width} columns`,
    )
    t.ok(examples!.split('\n').every(line => line === '' || line.startsWith('  tranche bonds')))
    const order = ['Options:', 'Output:', 'Lake:'].map(group => before!.indexOf(`\n${group}\n`))
    t.strictSame(
      order,
      order.toSorted((a, b) => a - b),
    )
    t.notOk(order.includes(-1))
    t.match(before, /\n {2}-o, --output {2,}Write to this file/)
  }
})
