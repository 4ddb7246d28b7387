import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { root } from '../root.ts'

/** A regular expression of the shipped source. */
export interface Pattern {
  /** `engine/schema/params.ts:159`. */
  readonly at: string
  readonly source: string
  readonly flags: string
  /**
   * The maximum length of its text, if a comment above it gives one: `// at most 200 characters: <where it is cut>`.
   */
  readonly longest: number | null
}

const FOLDERS = ['engine', 'server', 'cli']
const LIMIT = /^\s*\/\/ at most (\d+) characters: \S/

function sources(folder: string, extension: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && extension.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !path.includes('node_modules'))
    .sort()
}

/** Every regular expression written as a literal in the TypeScript source, the explorer's included. */
export function literalPatterns(): Pattern[] {
  return FOLDERS.flatMap(folder => sources(folder, /\.tsx?$/)).flatMap(path => {
    const text = readFileSync(path, 'utf8')
    const lines = text.split('\n')
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const found: Pattern[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line
        const end = node.text.lastIndexOf('/')
        const flags = node.text.slice(end + 1)
        found.push({
          at: `${relative(root, path)}:${line + 1}`,
          source: node.text.slice(1, end),
          // Text is split at every match.
          flags: isSplitter(node) && !flags.includes('g') ? `${flags}g` : flags,
          longest: limitAbove(lines, line),
        })
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
    return found
  })
}

const isSplitter = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) &&
  ts.isPropertyAccessExpression(node.parent.expression) &&
  node.parent.expression.name.text === 'split'

/** The text length given by a comment above the line, or above the start of its statement. */
function limitAbove(lines: readonly string[], line: number): number | null {
  for (const above of [line - 1, line - 2]) {
    const match = LIMIT.exec(lines[above] ?? '')
    if (match) return Number(match[1])
    if (!/[=(]\s*$/.test(lines[above] ?? '')) return null
  }
  return null
}

/** Where compiled code builds a regular expression from text: `dist/engine/search/text/stem.js:6`. */
export function constructorSites(): string[] {
  return FOLDERS.filter(folder => folder !== 'dist').flatMap(folder =>
    sources(join('dist', folder), /\.js$/).flatMap(path => {
      const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
      const found: string[] = []
      const visit = (node: ts.Node): void => {
        if (
          (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
          ts.isIdentifier(node.expression) &&
          node.expression.text === 'RegExp'
        )
          found.push(
            `${relative(root, path)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
          )
        ts.forEachChild(node, visit)
      }
      visit(file)
      return found
    }),
  )
}

function memoize<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>()
  return key => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key)!
  }
}

/** A module that exports nothing is a program or a thread: loading it runs it. */
const isProgram = (path: string): boolean => !/^export /m.test(readFileSync(path, 'utf8'))

/**
 * Every regular expression that compiled modules build from text when loaded, and when `exercise` calls what builds
 * one later. None of the modules may have been loaded before.
 */
export async function constructedPatterns(
  exercise: () => Promise<void>,
): Promise<(Pattern & { site: string })[]> {
  const found = new Map<string, Pattern & { site: string }>()
  const original = globalThis.RegExp
  const place = new original(String.raw`(dist/(?:${FOLDERS.join('|')})/[^:]*\.js:\d+)`)
  const linesOf = memoize((file: string) => readFileSync(join(root, file), 'utf8').split('\n'))
  const limitAt = (frame: string): number | null => {
    const [file, line] = frame.split(':') as [string, string]
    return limitAbove(linesOf(file), Number(line) - 1)
  }
  const note = (source: string, flags: string) => {
    const frames = (new Error().stack ?? '').split('\n').flatMap(frame => place.exec(frame)?.[1] ?? [])
    const [site] = frames
    if (site === undefined) return
    // The caller of a helper states the length of the text.
    const longest = frames.map(limitAt).find(limit => limit !== null) ?? null
    found.set(`${source}/${flags}`, { at: frames.slice(0, 3).join(' for '), site, source, flags, longest })
  }
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string | RegExp, string | undefined]) {
      const made = new target(source, flags)
      note(made.source, made.flags)
      return made
    },
  })
  try {
    for (const path of FOLDERS.flatMap(folder => sources(join('dist', folder), /\.js$/)))
      if (!isProgram(path) && !path.includes('/web/')) await import(pathToFileURL(path).href)
    await exercise()
  } finally {
    globalThis.RegExp = original
  }
  return [...found.values()]
}
