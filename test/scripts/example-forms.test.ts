import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { operations } from '../../engine/operations/api.ts'
import { exampleInput } from '../../engine/schema/examples.ts'
import { parseParams } from '../../engine/schema/params.ts'
import { type ExampleForm, exampleForms } from '../../scripts/example-forms.ts'
import { root } from '../root.ts'

const named = (name: string) => operations.find(operation => operation.name === name)!
const textOf = (forms: readonly ExampleForm[], language: string) =>
  forms.find(form => form.language === language)?.text

t.test('an example of a list is shown in four forms', async t => {
  const forms = exampleForms({
    ...named('search.bonds'),
    examples: ['--min-ytm 8 --sort -pricing.ytm', '--ticker KRVWN,WLVNT --has-pricing true --fields name'],
  })
  t.strictSame(forms, [
    {
      language: 'sh',
      text: 'tranche bonds --min-ytm 8 --sort -pricing.ytm\ntranche bonds --ticker KRVWN,WLVNT --has-pricing true --fields name',
    },
    {
      language: 'http',
      text: 'GET /v1/bonds?min_ytm=8&sort=-pricing.ytm\nGET /v1/bonds?ticker=KRVWN,WLVNT&has_pricing=true&fields=name',
    },
    {
      language: 'ts',
      text: "await engine.call('search.bonds', { min_ytm: 8, sort: '-pricing.ytm' })\nawait engine.call('search.bonds', { ticker: ['KRVWN', 'WLVNT'], has_pricing: true, fields: 'name' })",
    },
    {
      language: 'python',
      text: "t.bonds(min_ytm=8, sort='-pricing.ytm')\nt.bonds(ticker=['KRVWN', 'WLVNT'], has_pricing=True, fields='name')",
    },
  ])
})

t.test('a request with a body shows it', async t => {
  const operation = {
    ...named('traverse.entities'),
    examples: ['company:KRVWN --relationships subsidiaries --depth 3'],
  }
  t.equal(
    textOf(exampleForms(operation), 'http'),
    'POST /v1/entities/traverse\nContent-Type: application/json\n\n{"start":"company:KRVWN","relationships":["subsidiaries"],"depth":3}',
  )
})

/** What a form asks, as text that can be compared. */
const asks = (name: string, args: Readonly<Record<string, unknown>>) =>
  JSON.stringify(parseParams(named(name).params, args))

t.test(
  'the TypeScript of every example compiles against the types of the library, and asks the same',
  async t => {
    const calls = operations
      .flatMap(operation => (textOf(exampleForms(operation), 'ts') ?? '').split('\n'))
      .filter(Boolean)
    t.ok(calls.length > operations.length)
    const path = join(root, 'test/scripts/examples-in-typescript.ts')
    const engine = '../../engine/engine.ts'
    const text = `import type { Engine } from '${engine}'\nexport async function examples(engine: Engine) {\n${calls.join('\n')}\n}\n`
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), file => readFileSync(file, 'utf8'))
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root)
    const host = ts.createCompilerHost({ ...options, noEmit: true })
    const { readFile, fileExists } = host
    host.readFile = file => (file === path ? text : readFile(file))
    host.fileExists = file => file === path || fileExists(file)
    const source = host.getSourceFile
    host.getSourceFile = (file, ...rest) =>
      file === path ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2023) : source(file, ...rest)
    const program = ts.createProgram([path], { ...options, noEmit: true, incremental: false }, host)
    const wrong = program
      .getSemanticDiagnostics(program.getSourceFile(path))
      .map(({ messageText, start = 0 }) => {
        const line = text.slice(0, start).split('\n').length
        return `${text.split('\n')[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
      })
    t.strictSame(wrong, [])
  },
)

t.test('every form of an example asks what its command asks', async t => {
  for (const operation of operations) {
    const { name, examples } = operation
    const forms = exampleForms(operation)
    const inputs = examples.flatMap((example): Readonly<Record<string, unknown>>[] =>
      [exampleInput(operation, example)].filter(input => input !== null),
    )
    const wanted = inputs.map(input => asks(name, input))
    const inTypescript = (textOf(forms, 'ts') ?? '').split('\n').filter(Boolean)
    const given = inTypescript.map(call => {
      const [, literal = '{}'] = /^await engine\.(?:call|ask)\('[^']+', ([\s\S]+)\)$/.exec(call) ?? []
      return asks(name, new Function(`return ${literal}`)() as Record<string, unknown>)
    })
    t.strictSame(given, wanted, `${name} in TypeScript`)
    if (operation.method !== 'GET') continue
    const inHttp = (textOf(forms, 'http') ?? '').split('\n').filter(Boolean)
    t.strictSame(
      inHttp.map(line => {
        const url = new URL(line.slice('GET '.length), 'http://localhost')
        const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
        return asks(name, {
          ...new RegExp(`^${pattern}$`).exec(url.pathname)?.groups,
          ...Object.fromEntries(url.searchParams),
        })
      }),
      wanted,
      `${name} over HTTP`,
    )
  }
})

t.test('Python has each method and each argument that an example names', async t => {
  const source = readFileSync(join(root, 'python/tranchedb/_operations.py'), 'utf8')
  for (const operation of operations)
    for (const call of (textOf(exampleForms(operation), 'python') ?? '').split('\n').filter(Boolean)) {
      const [, method] = /^t\.(\w+)\(/.exec(call)!
      const [declared] = new RegExp(`^    def ${method}\\([\\s\\S]*?\\) ->`, 'm').exec(source) ?? ['']
      for (const [, name] of call.matchAll(/[(,] ?(\w+)=/g))
        t.match(declared, new RegExp(`^ +${name}:`, 'm'), `${call} names ${name}`)
    }
})
