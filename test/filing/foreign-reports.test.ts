import t from 'tap'
import { htmlLines } from '../../engine/filing/html-lines.ts'
import { sectionsOf } from '../../engine/filing/sections.ts'

const heading = (text: string) => `<p><b>${text}</b></p>`
const text = (about: string) =>
  `<p>${`The Group tells of ${about} what holders should know. `.repeat(60)}</p>`
const notes = ['Basis of preparation', 'Revenue', 'Inventories', 'Goodwill', 'Net borrowings', 'Taxes']
  .map((title, i) => heading(`${i + 1}. ${title}`) + text(title))
  .join('')
const types = (source: string, form: string) => sectionsOf(htmlLines(source), form).map(({ type }) => type)

t.test('the annual report of a foreign issuer is cut by its items and notes', async t => {
  const report = [
    ['Item 3. Key Information', 'risks'],
    ['Item 4. Information on the Company', 'business'],
    ['Item 5. Operating and Financial Review and Prospects', 'results'],
    ['Item 11. Quantitative and Qualitative Disclosures about Market Risk', 'rates'],
    ['Item 18. Financial Statements', 'statements'],
  ]
    .map(([title = '', about = '']) => heading(title) + text(about))
    .join('')
  const found = types(
    `<html><body>${report}${notes}${heading('Item 19. Exhibits')}<p>None.</p></body></html>`,
    '20-F',
  )
  for (const type of ['risk_factors', 'business', 'mda', 'debt_footnote', 'notes'] as const)
    t.ok(found.includes(type), type)
  t.equal(found.filter(type => type === 'debt_footnote').length, 1)
})

t.test('notes of foreign reports without items are sections of their own', async t => {
  for (const form of ['20-F', '40-F', '6-K'])
    t.ok(
      types(`<html><body>${heading('Consolidated statements')}${notes}</body></html>`, form).includes(
        'debt_footnote',
      ),
      form,
    )
  t.strictSame(types(`<html><body>${text('results')}</body></html>`, '6-K'), ['other'], 'a release has none')
})
