import t from 'tap'
import { random } from '../../cli/sample/random.ts'
import { PassageText } from '../../engine/search/text/passage-text.ts'
import { snippet } from '../../engine/search/text/snippet.ts'
import { type PassageWords, WordTable } from '../../engine/search/text/word-table.ts'
import { termsOf } from '../../engine/search/text/words.ts'

const pieces = [
  'notes',
  'the Issuer’s',
  'Société',
  '𝛼𝛽',
  "company's",
  '—',
  '…………',
  '\u00a0',
  '4.5%',
  'x',
  '§',
  '日本',
  ', ',
  '\n\t',
]
const wide = ['.'.repeat(5000), '—'.repeat(20)]

t.test('a snippet is the same from remembered words as from words read again', async t => {
  const draw = random('word table')
  for (let round = 0; round < 300; round++) {
    const drawn = Array.from({ length: draw.whole(0, 150) }, () => draw.pick(pieces))
    if (round % 10 === 0) drawn.push(draw.pick(wide), 'end')
    // A passage begins with a word, unless it is the first.
    const isFirst = draw.next() < 0.5
    const text = (isFirst ? '' : 'First ') + drawn.join(draw.pick([' ', '  ', '']))
    const bytes = Buffer.from(`xé${text}yz`)
    const [from, end] = [3, bytes.length - 2]
    const count = termsOf(text).length
    const table = new WordTable(count + 7, 3)
    const of: PassageWords = { passage: 2, word: 7, count, isFirst }
    for (let i = 0; i < 4; i++) {
      const words = Uint32Array.from(
        Array.from({ length: count }, (_, n) => n).filter(() => draw.next() < 0.05),
      )
      const marks = { count: words.length, words, terms: words.map(n => n % 3) }
      const weights = [1, 2, 3]
      const again = snippet(new PassageText(bytes, from, end), marks, weights)
      t.equal(snippet(new PassageText(bytes, from, end, table, of), marks, weights), again, text.slice(0, 80))
    }
  }
})

t.test('a passage whose words are not those that were counted is read again each time', async t => {
  const text = Buffer.from('Senior secured notes due 2030')
  const table = new WordTable(10, 1)
  const of: PassageWords = { passage: 0, word: 0, count: 4, isFirst: true }
  const marks = { count: 1, words: Uint32Array.of(2), terms: Uint32Array.of(0) }
  for (let i = 0; i < 2; i++)
    t.equal(
      snippet(new PassageText(text, 0, text.length, table, of), marks, [1]),
      'Senior secured <b>notes</b> due 2030',
    )
})
