import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import type {
  Bond,
  BondPricing,
  CallOptions,
  Company,
  DailyPrice,
  DocumentHit,
  Engine,
  Page,
  Price,
  Rating,
  Spread,
} from '../engine/main.ts'
import type { Client } from '../server/v1/client.ts'
import { root } from './root.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only if both types are the same. */
const same = <A, B>(..._: Equal<A, B> extends true ? [] : [never, 'the types differ']): void => {}

type Rows<T> = T extends (...args: never[]) => Promise<{ data: (infer Row)[] }> ? Row : never

t.test('without fields a row is the named interface of its resource', async t => {
  const calls = (engine: Engine, client: Client) => ({
    bonds: () => engine.call('search.bonds', { min_ytm: 8 }),
    companies: () => engine.call('search.companies'),
    spreads: () => engine.call('search.spreads', {}),
    hits: () => engine.call('search.documents', { q: 'debt' }),
    ratings: () => engine.call('search.ratings', { latest: true }),
    asked: () => client.call('search.bonds', { min_ytm: 8 }),
    company: () => engine.call('get.company', { ticker: 'A' }),
  })
  type Calls = ReturnType<typeof calls>
  same<Rows<Calls['bonds']>, Bond>()
  same<Rows<Calls['asked']>, Bond>()
  same<Rows<Calls['companies']>, Company>()
  same<Rows<Calls['spreads']>, Spread>()
  same<Rows<Calls['hits']>, DocumentHit>()
  same<Awaited<ReturnType<Calls['ratings']>>, Page<Rating, 'ratings'>>()
  same<Awaited<ReturnType<Calls['company']>>['data'], Company>()
  same<Bond['pricing'], BondPricing | null>()
  same<BondPricing['ytm'], number | null>()
  t.type(calls, 'function')
})

t.test('columns on request are optional members of a row, unless fields names them', async t => {
  same<Bond['industry'], string | null | undefined>()
  same<Bond['name'], string | null>()
  same<Price['bond_id'], string | undefined>()
  same<DailyPrice['date'], string>()
  same<NonNullable<Company['_metadata']>['qa_score'], number | null>()
  const named = (engine: Engine) => engine.call('search.bonds', { fields: ['industry'] })
  same<Rows<typeof named>, { industry: string | null }>()
  t.pass()
})

t.test('fields types exactly what is returned', async t => {
  const one = (engine: Engine) => engine.call('search.bonds', { fields: ['name'], min_ytm: 8 })
  same<Rows<typeof one>, { name: string | null }>()

  const dotted = (engine: Engine) => engine.call('search.bonds', { fields: ['id', 'pricing.ytm'] })
  same<Rows<typeof dotted>, { id: string; pricing: { ytm: number | null } | null }>()

  const text = (engine: Engine) => engine.call('search.bonds', { fields: 'id, pricing.ytm' })
  same<Rows<typeof text>, Rows<typeof dotted>>()

  const parent = (engine: Engine) => engine.call('search.bonds', { fields: ['issuer'] })
  same<
    | NonNullable<Rows<typeof parent>['issuer']>['name']
    | NonNullable<Rows<typeof parent>['issuer']>['entity_type'],
    string | null
  >()

  const alias = (engine: Engine) => engine.call('search.collateral', { fields: ['bond_cusip'] })
  same<Rows<typeof alias>, { bond_cusip: string | null }>()

  const company = (engine: Engine) => engine.call('get.company', { ticker: 'A', fields: ['name'] })
  same<Awaited<ReturnType<typeof company>>['data'], { name: string }>()

  const price = (engine: Engine) =>
    engine.call('search.pricing', { fields: ['ytm', 'date'], aggregation: 'weekly' })
  same<Rows<typeof price>, { ytm: number | null; date: string }>()

  const asked = (client: Client) => client.call('search.bonds', { fields: ['name'] })
  same<Rows<typeof asked>, { name: string | null }>()

  const wrong = (engine: Engine) => [
    engine.call('search.bonds', { fields: ['name'] }).then(({ data }) => [
      data[0]?.name,
      // @ts-expect-error a column that fields does not name
      data[0]?.cusip,
    ]),
    // @ts-expect-error a column that is not there
    engine.call('search.bonds', { fields: ['nam'] }),
    // @ts-expect-error nor under its parent
    engine.call('search.bonds', { fields: ['pricing.ytn'] }),
    // @ts-expect-error a misspelt filter beside fields
    engine.call('search.bonds', { fields: ['name'], min_ytn: 8 }),
    // @ts-expect-error fields of an operation that has none
    engine.call('resolve.bond', { q: 'a', fields: ['name'] }),
  ]
  t.type(wrong, 'function')
})

t.test('fields known only at run time make all members optional', async t => {
  const choice = (engine: Engine, wide: boolean) =>
    engine.call('search.bonds', { fields: ['id', wide ? 'name' : 'cusip'] })
  same<Rows<typeof choice>, { id: string; name?: string | null; cusip?: string | null }>()

  const list = (engine: Engine, fields: ('name' | 'cusip')[]) => engine.call('search.bonds', { fields })
  same<Rows<typeof list>, { name?: string | null; cusip?: string | null }>()

  const none = (engine: Engine) => engine.call('search.bonds', { fields: undefined })
  same<Rows<typeof none>, Bond>()
  t.pass()
})

t.test('sort and enum parameters are literal unions', async t => {
  const calls = (engine: Engine, anything: string) => [
    engine.call('search.bonds', { sort: '-pricing.ytm', seniority: ['senior_secured'] }),
    engine.call('search.bonds', { sort: ['company_ticker', '-maturity_date'] }),
    engine.call('search.bonds', { sort: '-pricing.ytm,id', min_ytm: '8', ticker: anything }),
    engine.call('search.companies', { max_age: 'none', rating_bucket: 'IG,HY-BB' }),
    engine.call('search.collateral', { collateral_type: 'intellectual_property' }),
    engine.call('aggregate.spreads', { sort: '-median', metrics: ['median'] }),
    engine.call('search.documents', { q: 'debt', sort: '-filing_date', mode: 'hybrid' }),
    // @ts-expect-error a column that is not there
    engine.call('search.bonds', { sort: '-ytm' }),
    // @ts-expect-error a list has no order
    engine.call('search.bonds', { sort: 'collateral.assets' }),
    // @ts-expect-error a value that is not declared
    engine.call('search.bonds', { seniority: 'senior' }),
    // @ts-expect-error any text where there is an enum
    engine.call('search.bonds', { seniority: anything }),
    // @ts-expect-error a metric that is not there
    engine.call('aggregate.spreads', { sort: '-mode' }),
    // @ts-expect-error an order that is not there
    engine.call('search.documents', { q: 'debt', sort: 'ticker' }),
  ]
  t.type(calls, 'function')
})

t.test('rows is typed like call, and refuses operations without rows', async t => {
  const rows = (engine: Engine) =>
    [engine.rows('search.bonds', { min_ytm: 8 }), engine.rows('search.bonds', { fields: ['name'] })] as const
  type Yielded<I extends number> =
    ReturnType<typeof rows>[I & (0 | 1)] extends AsyncGenerator<infer Row> ? Row : never
  same<Yielded<0>, Bond>()
  same<Yielded<1>, { name: string | null }>()
  const pages = (client: Client) => client.pages('search.ratings', { fields: ['rating'] })
  same<ReturnType<typeof pages> extends AsyncGenerator<infer Row> ? Row : never, { rating: string }>()
  const wrong = (engine: Engine) => [
    // @ts-expect-error one object
    engine.rows('get.company', { ticker: 'A' }),
    // @ts-expect-error one object
    engine.table('resolve.bond', { q: 'A' }),
  ]
  t.type(wrong, 'function')
})

t.test("call options exclude the server's internal ones", async t => {
  same<keyof CallOptions, 'as_of' | 'asOf' | 'coverage' | 'timeout' | 'signal'>()
  // @ts-expect-error how the server hands on what it has parsed
  const options: CallOptions = { parsed: true }
  t.ok(options)
})

t.test('editors show the names of row types, and narrowed rows with their fields', async t => {
  const shown = hovers(`
    import type { Engine } from '${join(root, 'dist/engine/main.js')}'
    import type { Client } from '${join(root, 'dist/server/v1/client.js')}'
    export async function shown(engine: Engine, client: Client) {
      const bonds = (await engine.call('search.bonds')).data
      const company = (await engine.call('get.company', { ticker: 'A' })).data
      const prices = (await client.call('search.pricing')).data
      const pricing = bonds[0]!.pricing
      const page = await engine.call('search.ratings')
      const named = (await engine.call('search.bonds', { fields: ['name', 'pricing.ytm'] })).data
      for await (const row of engine.rows('search.spreads')) return row
    }`)
  t.match(shown, {
    bonds: 'Bond[]',
    company: 'Company',
    prices: 'ListedPrice[]',
    pricing: 'BondPricing | null',
    page: 'Page<Rating, "ratings">',
    named: '{ name: string | null; pricing: { ytm: number | null; } | null; }[]',
    row: 'Spread',
  })
})

/** The types that an editor shows for the constants of a program that uses the compiled package. */
function hovers(text: string): Record<string, string> {
  const file = join(root, 'dist/hovers.mts')
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: true,
    noEmit: true,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = name => name === file || fileExists(name)
  host.readFile = name => (name === file ? text : readFile(name))
  host.getSourceFile = (name, language, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, language, true)
      : getSourceFile.call(host, name, language, ...rest)
  const program = ts.createProgram([file], options, host)
  const problems = ts.getPreEmitDiagnostics(program)
  t.strictSame(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    [],
  )
  const checker = program.getTypeChecker()
  const shown: Record<string, string> = {}
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name))
      shown[node.name.text] = checker.typeToString(checker.getTypeAtLocation(node))
    ts.forEachChild(node, visit)
  }
  visit(program.getSourceFile(file)!)
  return shown
}
