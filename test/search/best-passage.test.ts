import t from 'tap'
import { elementAt } from '../../engine/base/elements.ts'
import { lengthWeight } from '../../engine/search/keyword/corpus.ts'
import { cutText } from '../../engine/search/text/passages.ts'
import { ask, madeIndex, madeWords } from './made-index.ts'
import { section } from './section.ts'

t.test(
  'a hit is quoted from the passage in which its words count most, be they rare or frequent',
  async t => {
    const texts = Array.from({ length: 30 }, (_, i) => madeWords(i, 100 + 150 * i))
    const titles = texts.map((_, i) => (i % 3 === 0 ? 'Notes on wb1' : null))
    const index = await madeIndex(
      t,
      texts.map((text, i) => section(i, text, { section_title: elementAt(titles, i) })),
    )
    const cut = texts.map(text => ({ text, ...cutText(text) }))
    const passages = cut.flatMap(one => one.passages)
    const average = passages.reduce((sum, { from, to }) => sum + to - from, 0) / passages.length
    let checked = 0
    for (const words of [['wb1'], ['wd3', 'wb1'], ['wc54'], ['wa26', 'we4'], ['wb1', 'wd81', 'wu150']]) {
      const weights = words.map(word => {
        const found = texts.filter(
          (text, i) => elementAt(titles, i)?.includes(word) || text.split(' ').includes(word),
        ).length
        return Math.log(1 + (texts.length - found + 0.5) / (found + 0.5))
      })
      const result = await ask(index, words.join(' OR '))
      for (const hit of result.hits) {
        const number = Number(index.record(hit.section)['id'])
        const one = elementAt(cut, number)
        const scores = one.passages.map(({ from, to }) => {
          const there = one.words.slice(from, to)
          return words.reduce((sum, word, w) => {
            const inTitle = elementAt(titles, number)?.includes(word) ? 1 : 0
            const times = inTitle + there.filter(token => token === word).length
            return sum + (elementAt(weights, w) * times) / (times + lengthWeight(to - from, average))
          }, 0)
        })
        const best = Math.max(...scores)
        const quoted = index.snippet(hit, result.query).replaceAll(/<\/?b>|… | …/g, '')
        const isBest = one.passages.some(
          ({ start, end }, p) =>
            elementAt(scores, p) > best - 1e-6 && one.text.slice(start, end).includes(quoted),
        )
        if (!one.words.some(token => words.includes(token))) continue
        checked++
        if (!isBest) t.fail(`${words} of section ${number}: ${quoted}`)
      }
    }
    t.ok(checked > 60, `${checked} hits`)
  },
)
