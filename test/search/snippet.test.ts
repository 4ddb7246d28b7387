import t from 'tap'
import { PassageText } from '../../engine/search/text/passage-text.ts'
import { snippet as quote } from '../../engine/search/text/snippet.ts'
import { termsOf } from '../../engine/search/text/words.ts'

const asked = (...terms: string[]) => terms
const snippet = (text: string, terms: readonly string[]) => {
  const marks = [...termsOf(text).entries()].filter(([, term]) => terms.includes(term))
  return quote(
    new PassageText(Buffer.from(text)),
    {
      count: marks.length,
      words: Uint32Array.from(marks, ([word]) => word),
      terms: Uint32Array.from(marks, ([, term]) => terms.indexOf(term)),
    },
    terms.map(() => 1),
  )
}

t.test('only our own marks are markup: text is escaped, a literal <b> and a script too', async t => {
  t.equal(
    snippet(`The <b>notes</b> & <script>alert("1")</script> rank 'pari passu'`, asked('note', 'script')),
    'The &lt;b&gt;<b>notes</b>&lt;/b&gt; &amp; &lt;<b>script</b>&gt;alert(&quot;1&quot;)&lt;/<b>script</b>&gt; rank &#39;pari passu&#39;',
  )
})

t.test('the part of a passage is shown that says most of what was asked', async t => {
  const filler = 'The company makes things of many kinds in many places. '.repeat(10)
  const text = `Leverage. ${filler}On a change of control holders may put leverage notes. ${filler}`
  const html = snippet(text, asked('chang', 'control', 'leverag'))
  t.match(html, /<b>change<\/b> of <b>control<\/b> holders may put <b>leverage<\/b>/)
  t.ok(html.startsWith('… ') && html.endsWith(' …'))
  t.ok(html.replaceAll(/<\/?b>/g, '').length < 340)
})

t.test('without a match, and of a word without end, the beginning is shown', async t => {
  t.equal(snippet('  Total\n\tdebt  rose. ', asked('x')), 'Total debt rose.')
  t.match(snippet('y'.repeat(500_000), asked('y'.repeat(64))), /^<b>y{320}<\/b> …$/)
  t.equal(snippet('', asked('x')), '')
})
