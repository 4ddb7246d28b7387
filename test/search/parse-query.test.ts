import fc from 'fast-check'
import t from 'tap'
import { anyWord, parseQuery, type Query, wordsAndPhrases } from '../../engine/search/text/parse-query.ts'

/** A query as text again, everything in brackets. */
function said(query: Query | null): string {
  if (query === null) return ''
  if (query.kind === 'term') return query.term
  if (query.kind === 'phrase') return `"${query.terms.join(' ')}"`
  if (query.kind === 'or') return `(${query.any.map(said).join(' | ')})`
  return `(${[...query.all.map(said), ...query.without.map(q => `-${said(q)}`)].join(' & ')})`
}
const read = (text: string) => said(parseQuery(text).query)

t.test(
  'words beside each other are all wanted, OR takes either, a minus excludes, quotes are phrases',
  async t => {
    t.equal(read('senior notes'), '(senior & note)')
    t.equal(read('revolver OR "term loan" -covid'), '(revolv | ("term loan" & -covid))')
    t.equal(
      read('(guarantor OR guarantee) "change of control"'),
      '((guarantor | guarante) & "chang of control")',
    )
    t.equal(read('-"put right" covenants AND liens'), '(coven & lien & -"put right")')
    t.equal(read('-(swap OR hedge) rates'), '(rate & -(swap | hedg))')
    t.equal(read('or and not'), '(or & and & not)', 'operators are written in capitals')
  },
)

t.test('a word with a mark inside is a phrase, and accents and possessives do not part words', async t => {
  t.equal(read('investment-grade 5.25% AT&T'), '("invest grade" & "5. .25" & "at t")')
  t.equal(read("Société company's"), '(societ & compani)')
  t.equal(read('“smart quotes”'), '"smart quot"')
})

t.test('a slip is read as words, and says so', async t => {
  for (const [text, wanted, warning] of [
    ['"senior notes', '(senior & note)', /quote is not closed/],
    ['(senior OR notes', '(senior | note)', /bracket is not closed/],
    ['senior) notes', '(senior & note)', /closed that was not opened/],
    ['OR notes OR', 'note', /OR has nothing/],
    ['-notes', 'note', /nothing to exclude from/],
    ['notes () ""', 'note', /group is empty/],
  ] as const) {
    const { query, warnings } = parseQuery(text)
    t.equal(said(query), wanted, text)
    t.match(warnings.join('; '), warning)
  }
  t.strictSame(parseQuery('senior OR notes').warnings, [])
  t.strictSame(parseQuery(' -- – !? '), { query: null, warnings: [], plain: true })
})

t.test('no text is an error, however long or deep, and none takes long', async t => {
  const pieces = fc.constantFrom(
    '(',
    ')',
    '"',
    '-',
    ' ',
    'OR',
    'AND',
    'debt',
    '*',
    '\\',
    '\u0000',
    '‘',
    '𝒳',
    '\ud800',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.array(pieces).map(p => p.join('')),
      ),
      text => {
        const { query, warnings } = parseQuery(text)
        said(query)
        said(anyWord(text))
        if (query) wordsAndPhrases(query)
        return warnings.every(w => w.length < 100)
      },
    ),
    { numRuns: 2000, seed: 7 },
  )
  for (const text of [
    '('.repeat(100_000),
    '"'.repeat(99_999),
    '-('.repeat(50_000),
    `${'debt OR '.repeat(10_000)}debt`,
    'x'.repeat(500_000),
  ]) {
    const began = performance.now()
    parseQuery(text)
    t.ok(performance.now() - began < 20_000, `${text.slice(0, 8)} in time`)
  }
  t.match(parseQuery('debt OR '.repeat(10_000)).warnings, [/first 1024 of 10000/])
})

t.test('a question is about its telling words, and one said twice counts twice', async t => {
  t.equal(
    said(anyWord('What is the debt of the company, and is the debt secured?')),
    '(debt | compani | debt | secur)',
  )
  t.equal(said(anyWord('to be or not to be')), '(to | be | or | not | to | be)', 'where there are no others')
})
