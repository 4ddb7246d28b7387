import t from 'tap'
import { stem } from '../../engine/search/text/stem.ts'
import { eachWord, termsOf } from '../../engine/search/text/words.ts'

t.test('stems are those of Porter', async t => {
  const pairs = {
    caresses: 'caress',
    ponies: 'poni',
    ties: 'ti',
    cats: 'cat',
    feed: 'feed',
    agreed: 'agre',
    plastered: 'plaster',
    bled: 'bled',
    motoring: 'motor',
    sing: 'sing',
    conflated: 'conflat',
    troubled: 'troubl',
    sized: 'size',
    hopping: 'hop',
    falling: 'fall',
    hissing: 'hiss',
    fizzed: 'fizz',
    failing: 'fail',
    filing: 'file',
    happy: 'happi',
    sky: 'sky',
    relational: 'relat',
    conditional: 'condit',
    rational: 'ration',
    digitizer: 'digit',
    conformably: 'conform',
    radically: 'radic',
    differently: 'differ',
    vietnamization: 'vietnam',
    operator: 'oper',
    feudalism: 'feudal',
    decisiveness: 'decis',
    hopefulness: 'hope',
    formality: 'formal',
    sensibility: 'sensibl',
    triplicate: 'triplic',
    formative: 'form',
    formalize: 'formal',
    electrical: 'electr',
    goodness: 'good',
    revival: 'reviv',
    allowance: 'allow',
    inference: 'infer',
    airliner: 'airlin',
    adjustable: 'adjust',
    defensible: 'defens',
    irritant: 'irrit',
    replacement: 'replac',
    adjustment: 'adjust',
    dependent: 'depend',
    adoption: 'adopt',
    communism: 'commun',
    activate: 'activ',
    effective: 'effect',
    probate: 'probat',
    rate: 'rate',
    cease: 'ceas',
    controll: 'control',
    roll: 'roll',
    yield: 'yield',
    covenants: 'coven',
    guarantees: 'guarante',
  }
  for (const [word, wanted] of Object.entries(pairs)) t.equal(stem(word), wanted, word)
})

t.test('words are runs of letters and digits in any script, and know where they stand', async t => {
  const text = 'Moody’s Baa1—§4.02 (naïve) 東京 😀\u0000x'
  const words: string[] = []
  eachWord(text, (word, start, end) => {
    t.equal(text.slice(start, end), word)
    words.push(word)
  })
  t.strictSame(words, ['Moody’s', 'Baa1', '4', '02', 'naïve', '東京', '😀', 'x'])
  t.strictSame(termsOf(text), ['moodi', 'baa1', '4.', '.02', 'naiv', '東京', '😀', 'x'])
})

t.test('a part of a number is no number: 101 is not in 560,101, 4.101 or the data file 101.INS', async t => {
  for (const [text, terms] of [
    ['at 101% or $101.', ['at', '101', 'or', '101']],
    ['560,101', ['560,', ',101']],
    ['1,250,000.50', ['1,', ',250,', ',000.', '.50']],
    ['4.101', ['4.', '.101']],
    ['101.INS | 101.SCH', ['101.', 'in', '101.', 'sch']],
    ['Items 1,2 and 3.The', ['item', '1', '2', 'and', '3', 'the']],
    ['in 2024, 2025. Notes', ['in', '2024', '2025', 'note']],
    ['2021,2022', ['2021', '2022']],
  ] as const)
    t.strictSame(termsOf(text), terms, text)
})

t.test('words that Porter takes for others of another meaning have stems of their own', async t => {
  t.strictSame(termsOf('securities security'), ['securiti', 'securiti'])
  t.strictSame(termsOf('secured secure'), ['secur', 'secur'])
  t.not(termsOf('putative')[0], termsOf('put')[0])
})

t.test('a word without end is known by its first 64 characters', async t => {
  t.strictSame(termsOf('a'.repeat(500_000)), ['a'.repeat(64)])
})
