import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { root } from './root.ts'

const MOST_LINES = 500
const MOST_LINES_OF_FUNCTION = 120
const NEEDS_REASON = 80
/** A comment above a function, with the reason why it is long. */
const REASON = /Over 80 lines: \S/

/** Files that may be longer, and why. */
const longFiles: Readonly<Record<string, string>> = {
  'engine/names/sector.ts': 'a table: sectors by industry code and by words of names',
  'engine/sql/sql-functions.ts': 'declarations: the functions that SQL of users may call',
}

/** Exported values that only tests import, and why they remain. */
const testedExports: Readonly<Record<string, string>> = {
  'cli/build-progress.ts buildSteps': 'the test that each step of a build has its share',
  'cli/drawings.ts drawComparison': 'the drawing of one answer; the command line prints it among others',
  'cli/drawings.ts drawTraversal': 'the drawing of one answer; the command line prints it among others',
  'cli/plot.ts plotRows': 'the plot of rows as they come; commands choose its columns',
  'engine/base/machine.ts memoryWithin': 'the limit of a container, which a test cannot set',
  'engine/credit/price-slips.ts decadesOff': 'a rule of its own, tried on many values',
  'engine/credit/spread-series.ts reportedBps': 'the rounding that a reference implementation has to repeat',
  'engine/derive/bonds/same-instruments.ts identifiedBond': 'a rule of its own, tried on many values',
  'engine/filing/facts/entities.ts roleOf': 'a rule of its own, tried on many texts',
  'engine/filing/facts/thresholds.ts spelledNumber': 'a rule of its own, tried on many texts',
  'engine/filing/sections.ts LONGEST_SECTION': 'a limit that tests go to',
  'engine/ingest/archive.ts limits': 'limits that tests lower',
  'engine/ingest/mapping.ts factor': 'a rule of its own, tried on many values',
  'engine/ingest/readers/balance-sheets.ts totalsOf': 'a rule of its own, tried on many sheets',
  'engine/ingest/readers/filing-parts.ts LONGEST_DOCUMENT': 'a limit that tests go to',
  'engine/ingest/readers/statement-data-sets.ts flowStart': 'a rule of its own, tried on many days',
  'engine/ingest/readers/xbrl-calculations.ts documentOf': 'a rule of its own, tried on many names',
  'engine/lake/derivation-cache.ts trimCache': 'what happens to rows that nobody uses, at any time of day',
  'engine/lake/day-files.ts trimDays': 'what happens to days that nobody uses, at any time of day',
  'engine/ingest/stage.ts cellOf': 'a rule of its own, tried on many values',
  'engine/ingest/table.ts blankRows': 'a rule of its own, tried on many files',
  'engine/names/known-groups.ts knownGroups': 'a table, whose entries are checked',
  'engine/names/sector.ts sectorOfSic': 'a table, whose entries are checked',
  'engine/operations/explain-spreads.ts explainSpread': 'the steps of one spread, without a lake',
  'engine/operations/facets.ts binsOf': 'a rule of its own, tried on many spans',
  'engine/operations/panel.ts panelLists': 'the lists that a panel is compared with',
  'engine/schema/covenant-names.ts covenantNames': 'a table, which the sample has to use up',
  'engine/search/build/write-lsa.ts learntFrom': 'which passages are learnt from, without a build',
  'engine/search/embed/sentence-model.ts installCommand': 'a rule of its own, tried on many paths',
  'engine/verify/compare.ts causeOf': 'a rule of its own, which a right snapshot never needs',
  'engine/verify/ratings.ts rankOf': 'compared with the rule of the engine, which it recomputes',
  'engine/verify/terms.ts eighthOf': 'compared with the rule of the engine, which it recomputes',
  'engine/verify/trades.ts standingTrades': 'compared with the rule of the engine, which it recomputes',
  'server/http/errors.ts withoutKeys': 'attacked with hostile texts',
  'server/http/json-body.ts parseObject': 'attacked with hostile texts',
  'server/http/public-url.ts originOfSocket': 'the origin of sockets that a test cannot open',
  'cli/output.ts terminalWidth': 'sizes that a test cannot give a terminal',
  'server/web/show/filed-passage.ts labelWords': 'a step of filedPassage',
  'server/web/show/filed-passage.ts placeOf': 'a step of filedPassage',
  'server/web/show/filed-passage.ts printedForms': 'a step of filedPassage',
  'scripts/licences.ts billOf': 'the bill of given packages; the script writes that of the lock file',
  'scripts/licences.ts licenceFiles': 'the files as they should be; the test compares, the script writes',
  'scripts/licences.ts licencesText': 'the text of given packages; the script writes that of the lock file',
  'scripts/licences.ts partsOf': 'what is installed or bundled, which the test compares with package.json',
  'scripts/guide/sources.ts cutReference': 'a rule of its own, tried on a small text',
  'scripts/guide/sources.ts navigationOf': 'a rule of its own, tried on a small text',
}

interface Source {
  readonly file: string
  readonly lines: number
  readonly tree: ts.SourceFile
}

async function read(file: string): Promise<Source> {
  const text = await readFile(join(root, file), 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  return { file, lines: text.split('\n').length - 1, tree }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
    .filter(path => !/node_modules|\/dist\//.test(path))
    .sort()
}

const folders = ['engine', 'server', 'cli', 'scripts', 'bench', 'test']
const files = (await Promise.all(folders.map(filesOf))).flat()
const sources = await Promise.all(files.map(read))
const isTest = (file: string) => file.startsWith('test/')

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  (ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node)) &&
  node.body !== undefined

/** The comments above a function, or above the declaration that it is the value of. */
function commentsAbove(node: ts.Node, text: string): string {
  let found = ''
  for (let at = node; at.parent && !ts.isBlock(at) && !ts.isSourceFile(at); at = at.parent) {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, at.getFullStart()) ?? [])
      found += text.slice(pos, end)
    if (ts.isStatement(at) || ts.isClassElement(at)) break
  }
  return found
}

interface LongFunction {
  readonly place: string
  readonly lines: number
  readonly hasReason: boolean
}

function longFunctions({ file, tree }: Source): LongFunction[] {
  const found: LongFunction[] = []
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    if (isFunction(node)) {
      const first = lineOf(node.getStart())
      const lines = lineOf(node.end) - first + 1
      const hasReason = lines > NEEDS_REASON && REASON.test(commentsAbove(node, tree.text))
      if (lines > NEEDS_REASON) found.push({ place: `${file}:${first}`, lines, hasReason })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** The values that a file exports. A type goes with the function whose signature it is part of. */
function exportsOf({ tree }: Source): string[] {
  return tree.statements.flatMap(statement => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
    if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return []
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
    const { name } = statement as ts.DeclarationStatement
    return name ? [name.text] : []
  })
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap(element => (ts.isBindingElement(element) ? namesIn(element.name) : []))

/** What a file imports of others, as `file name`; `file *` for all of it. */
function importsOf({ file, tree }: Source): string[] {
  const found: string[] = []
  const add = (specifier: ts.Node | undefined, names: readonly string[]) => {
    if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return
    const from = join(dirname(file), specifier.text).replace(/\.js$/, '.ts')
    for (const name of names) found.push(`${from} ${name}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings
      const isNamed = bindings && ts.isNamedImports(bindings)
      add(
        node.moduleSpecifier,
        isNamed ? bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text) : ['*'],
      )
    } else if (ts.isExportDeclaration(node)) {
      const clause = node.exportClause
      const isNamed = clause && ts.isNamedExports(clause)
      add(
        node.moduleSpecifier,
        isNamed ? clause.elements.map(({ propertyName, name }) => (propertyName ?? name).text) : ['*'],
      )
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], ['*'])
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, [node.qualifier?.getText() ?? '*'])
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

t.test(`no file is longer than ${MOST_LINES} lines, but declarations and tables`, async t => {
  const long = sources.filter(({ lines }) => lines > MOST_LINES).map(({ file }) => file)
  t.strictSame(long, Object.keys(longFiles))
})

const long = sources.filter(({ file }) => !isTest(file)).flatMap(longFunctions)

t.test(`no function is longer than ${MOST_LINES_OF_FUNCTION} lines`, async t => {
  t.strictSame(
    long.filter(({ lines }) => lines > MOST_LINES_OF_FUNCTION),
    [],
  )
})

t.test(`a function of more than ${NEEDS_REASON} lines states the reason`, async t => {
  t.strictSame(
    long.filter(({ hasReason }) => !hasReason),
    [],
  )
})

t.test('exported values are used by other files, not by tests alone', async t => {
  const ours = new Set(sources.filter(({ file }) => !isTest(file)).flatMap(importsOf))
  const tests = new Set(sources.filter(({ file }) => isTest(file)).flatMap(importsOf))
  const forTests = sources
    .filter(({ file }) => !isTest(file))
    .flatMap(source =>
      exportsOf(source)
        .map(name => `${source.file} ${name}`)
        .filter(id => tests.has(id) && !ours.has(id) && !ours.has(`${source.file} *`)),
    )
  t.strictSame(forTests.sort(), Object.keys(testedExports).sort())
})
