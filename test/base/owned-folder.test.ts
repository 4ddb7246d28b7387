import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { isAbandoned, ownerTag, removeAbandoned } from '../../engine/base/owned-folder.ts'
import { testFolder } from '../folder.ts'
import { plainProcess } from '../plain-process.ts'

const script = fileURLToPath(new URL(`./export-for-ever${extname(import.meta.url)}`, import.meta.url))

/** A process that writes an export without end, in a temporary folder of its own. */
async function exporting(folder: string) {
  const child = spawn(...plainProcess(import.meta.url, script, []), {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

t.test('folders of killed exports are removed by the next process, those of running ones stay', async t => {
  const folder = testFolder(t)
  const killed = await exporting(folder)
  const running = await exporting(folder)
  t.teardown(() => running.kill('SIGKILL'))
  t.equal((await readdir(folder)).length, 2)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await writeFile(join(folder, 'tranche-notes.txt'), 'somebody else’s')
  // The running one clears the folder when it begins, and may have been before us.
  t.ok((await removeAbandoned(folder)).length <= 1)
  const left = await readdir(folder)
  t.equal(left.length, 2)
  t.ok(left.some(name => name.includes(`-${running.pid}.`)))
  running.kill('SIGKILL')
  await once(running, 'exit')
  const next = await exporting(folder)
  t.teardown(() => next.kill('SIGKILL'))
  while ((await readdir(folder)).some(name => name.includes(`-${running.pid}.`)))
    await new Promise(resolve => setTimeout(resolve, 10))
  t.ok(
    (await readdir(folder)).some(name => name.includes(`-${next.pid}.`)),
    'a new export clears what was left',
  )
})

t.test('a folder is abandoned only if its process is certainly gone', async t => {
  t.notOk(isAbandoned(`tranche-export-${ownerTag()}-x`))
  t.notOk(isAbandoned('tranche-export-0b1c'), 'a name without an owner')
  const [pid, started, host] = ownerTag().split('.') as [string, string, string]
  t.ok(
    isAbandoned(`tranche-export-${pid}.${'0'.repeat(12)}.${host}-x`),
    'the process id was given to another process',
  )
  t.notOk(
    isAbandoned(`tranche-export-${pid}.${started}.${'0'.repeat(12)}-x`),
    'of another host nothing is certain',
  )
  t.strictSame(await removeAbandoned(join(testFolder(t), 'missing')), [])
  const folder = testFolder(t)
  await mkdir(join(folder, `a.${ownerTag()}.tmp`))
  t.strictSame(await removeAbandoned(folder), [])
})
