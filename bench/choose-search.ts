import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Random, random } from '../cli/sample/random.ts'
import { elementAt, firstOf } from '../engine/base/elements.ts'
import { buildIndex, type Trial } from '../engine/search/build/build-index.ts'
import { PULL } from '../engine/search/feedback.ts'
import { fuse } from '../engine/search/fuse.ts'
import { bestScores } from '../engine/search/keyword/best-scores.ts'
import type { Matches } from '../engine/search/keyword/matches.ts'
import { SearchIndex } from '../engine/search/search-index.ts'
import { type Entry, entries, judgments, ndcg, readText, sectionsOf } from './judged.ts'

const usage = `node dist/bench/choose-search.js FOLDER [--orders N] [--halves N] [--folds N]

Reads a judged collection of a folder (NAME.ALL, NAME.QRY, NAME.REL, plain or .gz), and tries the choices of search on it: words a
passage, rows of length one before the decomposition, the least cosine in hybrid mode, and fusion weighted by how sure each
side is. Each is tried on the documents in several orders, on random halves of them, and with titles as questions to texts
without them. The choice by cross-validation over the questions is compared with the one in use. nDCG@10 throughout.
`

interface Question {
  readonly text: string
  readonly relevant: ReadonlySet<number>
}

interface Collection {
  readonly name: string
  readonly documents: readonly Entry[]
  readonly questions: readonly Question[]
}

/** A setting to try: how the index is built, and how it is queried. */
interface Choice {
  readonly passageWords: number
  readonly rowNormalised: boolean
  readonly least: number
  readonly fusion: 'equal' | 'sure'
}

const choices: readonly Choice[] = [200, 100].flatMap(passageWords =>
  [false, true].flatMap(rowNormalised =>
    [0.3, 0.02].flatMap(least =>
      (['equal', 'sure'] as const).map(fusion => ({ passageWords, rowNormalised, least, fusion })),
    ),
  ),
)

const nameOf = ({ passageWords, rowNormalised, least, fusion }: Choice): string =>
  `${passageWords} words, rows ${rowNormalised ? 'of length one' : 'as they are'}, least cosine ${least}, ${fusion}`

function shuffled<T>(values: readonly T[], draw: Random): T[] {
  const all = [...values]
  for (let i = all.length - 1; i > 0; i--) {
    const j = draw.whole(0, i)
    const one = elementAt(all, i)
    all[i] = elementAt(all, j)
    all[j] = one
  }
  return all
}

async function read(folder: string): Promise<Collection> {
  const files = await readdir(folder)
  const text = (kind: string) => {
    const name = files.find(file => new RegExp(`\\.${kind}(\\.gz)?$`).test(file))
    if (name === undefined) throw new Error(`${folder} has no file .${kind}`)
    return readText(join(folder, name))
  }
  const relevant = judgments(await text('REL'))
  const questions = entries(await text('QRY')).flatMap(({ id, text }) =>
    relevant.has(id) ? [{ text, relevant: relevant.get(id)! }] : [],
  )
  return { name: 'as given', documents: entries(await text('ALL')), questions }
}

function variants(given: Collection, orders: number, halves: number): Collection[] {
  const { documents, questions } = given
  const half = (i: number): Collection => {
    const some = shuffled(documents, random(`half ${i}`)).slice(0, documents.length >> 1)
    const ids = new Set(some.map(({ id }) => id))
    const left = questions.flatMap(({ text, relevant }) => {
      const among = new Set([...relevant].filter(id => ids.has(id)))
      return among.size > 0 ? [{ text, relevant: among }] : []
    })
    return { name: `half ${i}`, documents: some, questions: left }
  }
  const titled = documents.filter(({ title, text }) => title.split(' ').length >= 4 && text.length > 200)
  return [
    given,
    ...Array.from({ length: orders }, (_, i) => ({
      name: `order ${i}`,
      documents: shuffled(documents, random(`order ${i}`)),
      questions,
    })),
    ...Array.from({ length: halves }, (_, i) => half(i)),
    {
      name: 'titles',
      documents: documents.map(({ id, text }) => ({ id, title: '', text })),
      questions: titled.map(({ id, title }) => ({ text: title, relevant: new Set([id]) })),
    },
  ]
}

/** How far a ranking's first hit stands out from the next ten. */
function sureness(matches: Matches): number {
  const best = bestScores(matches, 11).map(place => elementAt(matches.scores, place))
  if (best.length < 2) return 0.5
  const after = best.slice(1).reduce((a, b) => a + b, 0) / (best.length - 1)
  return 1 - after / (best[0] ?? Number.NaN)
}

interface Scores {
  keyword: number[]
  semantic: number[]
  hybrid: number[]
}

async function scoresOf(folder: string, { questions }: Collection, choice: Choice): Promise<Scores> {
  const index = new SearchIndex(folder)
  const scores: Scores = { keyword: [], semantic: [], hybrid: [] }
  const idOf = (section: number) => Number.parseInt(String(index.record(section)['id']), 10)
  for (const { text, relevant } of questions) {
    const { keyword, semantic } = await index.sides(text, { pull: PULL.hybrid, least: choice.least })
    const rankings = [keyword, semantic].map(side =>
      bestScores(side, 1000).map(place => elementAt(side.sections, place)),
    )
    const [a, b] = [sureness(keyword), sureness(semantic)]
    const weights = choice.fusion === 'equal' ? [1, 1] : [0.5 + a / (a + b), 0.5 + b / (a + b)]
    const fused = [...fuse(rankings, weights)].sort((x, y) => y[1] - x[1] || x[0] - y[0])
    const of = (ranked: readonly number[]) => ndcg(ranked.slice(0, 10).map(idOf), relevant)
    scores.keyword.push(of(firstOf(rankings)))
    const alone = await index.sides(text, { pull: PULL.semantic })
    scores.semantic.push(
      of(bestScores(alone.semantic, 10).map(place => elementAt(alone.semantic.sections, place))),
    )
    scores.hybrid.push(of(fused.map(([section]) => section)))
  }
  index.close()
  return scores
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(values.length, 1)

/** Mean and standard error of the differences by query. */
function difference(a: readonly number[], b: readonly number[]): string {
  const each = a.map((value, i) => value - elementAt(b, i))
  const middle = mean(each)
  const error = Math.sqrt(mean(each.map(d => (d - middle) ** 2)) / each.length)
  return `${middle >= 0 ? '+' : ''}${middle.toFixed(4)} ± ${error.toFixed(4)}`
}

/** Hybrid by query, each answered with the setting that is best on the other folds. */
function crossValidated(all: readonly Scores[], folds: number): number[] {
  const count = firstOf(all).hybrid.length
  const order = shuffled([...Array(count).keys()], random('folds'))
  const got = new Array<number>(count).fill(0)
  for (let fold = 0; fold < folds; fold++) {
    const isOut = (i: number) => i % folds === fold
    const learnt = all.map(({ hybrid }) =>
      mean(order.filter((_, i) => !isOut(i)).map(q => elementAt(hybrid, q))),
    )
    const best = elementAt(all, learnt.indexOf(Math.max(...learnt)))
    for (const [i, q] of order.entries()) if (isOut(i)) got[q] = elementAt(best.hybrid, q)
  }
  return got
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      orders: { type: 'string', default: '2' },
      halves: { type: 'string', default: '2' },
      folds: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.length !== 1) {
    process.stderr.write(usage)
    return values.help ? 0 : 2
  }
  const given = await read(firstOf(positionals))
  for (const collection of variants(given, Number(values.orders), Number(values.halves))) {
    const built = new Map<string, Promise<string>>()
    const indexOf = (trial: Trial) => {
      const key = JSON.stringify(trial)
      if (!built.has(key))
        built.set(
          key,
          mkdtemp(join(tmpdir(), 'tranche-choose-')).then(async folder => {
            await buildIndex(folder, sectionsOf(collection.documents, 1), { content: '', trial })
            return folder
          }),
        )
      return built.get(key)!
    }
    const all: Scores[] = []
    for (const choice of choices) {
      const { passageWords, rowNormalised } = choice
      all.push(await scoresOf(await indexOf({ passageWords, rowNormalised }), collection, choice))
    }
    for (const folder of built.values()) await rm(await folder, { recursive: true })
    process.stdout.write(
      `\n${collection.name}: ${collection.documents.length} documents, ${collection.questions.length} questions\n`,
    )
    process.stdout.write('keyword  semantic  hybrid   against the first    choice\n')
    for (const [i, choice] of choices.entries()) {
      const { keyword, semantic, hybrid } = elementAt(all, i)
      process.stdout.write(
        `${mean(keyword).toFixed(4)}   ${mean(semantic).toFixed(4)}    ${mean(hybrid).toFixed(4)}   ` +
          `${difference(hybrid, firstOf(all).hybrid)}   ${nameOf(choice)}\n`,
      )
    }
    const chosen = crossValidated(all, Number(values.folds))
    process.stdout.write(
      `chosen by cross-validation: hybrid ${mean(chosen).toFixed(4)}, ${difference(chosen, firstOf(all).hybrid)} against the first\n`,
    )
  }
  return 0
}

process.exitCode = await main()
