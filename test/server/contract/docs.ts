import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { root } from '../../root.ts'
import type { Service } from './service.ts'

/** What a shell says: its exit code and what it wrote. */
async function shell(
  line: string,
  env: Readonly<Record<string, string>>,
): Promise<[code: number, out: string]> {
  const child = spawn('sh', ['-c', line], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      out += chunk
    })
  const [code] = await once(child, 'close')
  return [code, out]
}

export async function walkDocs(t: Test, service: Service) {
  const hasCurl = (await shell('curl --version', {}))[0] === 0
  for (const page of ['README.md', 'docs/server.md'])
    t.test(`${page}: its curl examples, in order`, { skip: !hasCurl && 'there is no curl here' }, async t => {
      const text = await readFile(join(root, page), 'utf8')
      const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
      const examples = lines.filter(line => line.startsWith('curl ') && line.includes('/v1/'))
      t.ok(examples.length > 0)
      for (const example of examples) {
        const [line] = example.replaceAll('http://127.0.0.1:8787', service.url).split(' #')
        const [code, out] = await shell(`${line} --fail-with-body --silent --show-error --retry 10`, {
          KEY: service.demoKey,
        })
        t.equal(code, 0, `${example}: ${out.slice(0, 300)}`)
        t.ok(out.length > 20, example)
      }
    })
}
