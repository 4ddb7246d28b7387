import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { resident } from './cli/resident.ts'
import { program } from './cli/run-cli.ts'
import { testFolder } from './folder.ts'
import { plainProcess } from './plain-process.ts'
import { root } from './root.ts'
import { serving } from './server/serving.ts'

t.setTimeout(300_000)

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: documents of several kinds
const documents = (name: string): any[] =>
  parseAllDocuments(read(name)).map(document => document.toJS({ merge: true }))
const kind = (name: string, wanted: string) => documents(name).find(one => one.kind === wanted)

const compose = parse(read('compose.yaml'), { merge: true })
const pod = kind('kubernetes/server.yaml', 'Deployment').spec.template.spec
const job = kind('kubernetes/refresh.yaml', 'CronJob').spec.jobTemplate.spec.template.spec
const containerfile = read('Containerfile')

/** The folders of a container and its store, as folders of this machine. */
function machine(t: Test, tranche: readonly string[] = plainProcess(import.meta.url, program, []).flat()) {
  const folder = testFolder(t, {
    inbox: {
      'companies.csv':
        'ticker,name,sector\nALFA,Alfa Drilling Corp,Energy\nBETA,Beta Networks Inc,Technology\n',
      'bonds.csv':
        'cusip,issuer_name,coupon_rate,maturity_date\n037833AK6,Alfa Drilling Corp,5.25,2031-06-15\n594918BB9,Beta Networks Inc,6,2030-03-01\n',
      'ratings.csv': 'company_name,agency,rating,effective_date\nAlfa Drilling Corp,sp,BB-,2025-01-02\n',
    },
    bin: {},
    var: {},
  })
  const wrapper = join(folder, 'bin/tranche')
  writeFileSync(wrapper, `#!/bin/sh\nexec ${tranche.map(word => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(wrapper, 0o755)
  const gate = join(folder, 'gate.json')
  writeFileSync(gate, kind('kubernetes/refresh.yaml', 'ConfigMap').data['gate.json'])
  const store = pathToFileURL(join(folder, 'store')).href
  const here = (text: string) =>
    text
      .replaceAll(/\$\{TRANCHE_HOST:[^}]*\}/g, 'debt.example.com')
      .replaceAll('/etc/tranche/gate.json', gate)
      .replaceAll(/s3:\/\/desk\/lake|file:\/\/\/var\/lib\/tranche-store/g, store)
      .replaceAll('/var/lib/tranche', join(folder, 'var'))
      .replaceAll(/^\/inbox/g, join(folder, 'inbox'))
      .replaceAll('--host=0.0.0.0', '--host=127.0.0.1')
  return {
    here,
    refresh: (args: readonly string[]) =>
      execFileSync(join(root, 'deploy/tranche-refresh'), args.map(here), {
        env: {
          ...process.env,
          PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
          TRANCHE_LAKE: join(folder, 'var/lake'),
        },
        stdio: 'pipe',
      }),
    serve: (args: readonly string[]) =>
      serving(t, args.filter(arg => arg !== 'serve' && arg !== '--port=8787').map(here), {
        env: { TRANCHE_STATE: join(folder, 'state.db'), TRANCHE_SECRET: 'x'.repeat(32) },
      }),
  }
}

for (const [name, refreshing, serves] of [
  ['compose', compose.services.refresh.command, compose.services.server.command],
  ['Kubernetes', job.containers[0].args, pod.containers[0].args],
] as const)
  t.test(`${name}: what arrived is built and published, and the servers answer from it`, async t => {
    // Once as it is deployed, each command in a process of its own.
    const { refresh, serve } = name === 'compose' ? machine(t) : machine(t, (await resident(t)).command)
    refresh(refreshing)
    refresh(refreshing)
    const server = await serve(serves)
    const { readinessProbe, livenessProbe, startupProbe } = pod.containers[0]
    for (const { httpGet } of [readinessProbe, livenessProbe, startupProbe])
      t.equal((await fetch(`${server.url}${httpGet.path}`)).status, 200, httpGet.path)
    const scraped = kind('kubernetes/server.yaml', 'Deployment').spec.template.metadata.annotations
    t.equal((await fetch(`${server.url}${scraped['prometheus.io/path']}`)).status, 200)
    t.match(await (await fetch(`${server.url}/readyz`)).json(), { status: 'ready' })
    t.match(await server.stop(), { code: 0 })
  })

t.test('a build that breaks a rule of the gate is not published', async t => {
  const { refresh, here } = machine(t, (await resident(t)).command)
  refresh(job.containers[0].args)
  const gate = here('/etc/tranche/gate.json')
  writeFileSync(gate, JSON.stringify({ rules: [{ table: 'companies', min_rows: 1000 }] }))
  t.throws(() => refresh(job.containers[0].args), { message: /companies/ })
})

t.test('ports, versions and times of the parts agree', async t => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [, least] = /^>=(\d+)/.exec(engines.node)!
  for (const [, version] of containerfile.matchAll(/^FROM node:(\d+)-/gm))
    t.ok(Number(version) >= Number(least), `Node ${version}`)
  const [, exposed] = /^EXPOSE (\d+)$/m.exec(containerfile)!
  t.equal(pod.containers[0].ports[0].containerPort, Number(exposed))
  for (const args of [pod.containers[0].args, compose.services.server.command])
    t.ok(args.includes(`--port=${exposed}`))
  t.match(read('Caddyfile'), `server ${exposed}`)
  const [, grace] = /fallback\([\s\S]*?running requests may take[\s\S]*?\n {6}(\d+),/.exec(
    readFileSync(join(root, 'cli/serve.ts'), 'utf8'),
  )!
  t.ok(pod.terminationGracePeriodSeconds > Number(grace), 'longer than --grace')
  t.ok(Number.parseInt(compose.services.server.stop_grace_period, 10) > Number(grace))
  const [, user] = /^USER (\d+)$/m.exec(containerfile)!
  for (const { securityContext } of [pod, job]) t.equal(securityContext.runAsUser, Number(user))
  for (const [, file] of containerfile.matchAll(/^COPY --chmod=755 (\S+)/gm))
    t.ok(readFileSync(join(root, file!)))
})
