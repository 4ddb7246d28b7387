import t from 'tap'
import { TitleList, type Titles } from '../../engine/search/text/title.ts'

/** The title under which a section is suggested; null for none. */
function plainTitle(title: string): string | null {
  const list = new TitleList()
  list.add(title, 0)
  const [spellings] = JSON.parse(list.toJson()) as Titles
  return spellings?.[0]?.[0] ?? null
}

t.test('a title is suggested without the number and part that only one filing has', async t => {
  for (const [title, plain] of [
    ['Item 7. Management’s Discussion and Analysis (part 2 of 2)', 'Management’s Discussion and Analysis'],
    ['Note 10 – Debt', 'Debt'],
    ['NOTE 10: DEBT', 'DEBT'],
    ['13. Debt', 'Debt'],
    ['Section 4.10 Change of Control.', 'Change of Control'],
    ['Item 1A | Risk Factors', 'Risk Factors'],
    ['ITEM 1.01 Entry into a Material Definitive Agreement.', 'Entry into a Material Definitive Agreement'],
    ['Notes and other obligations', 'Notes and other obligations'],
    ['2021 Notes', '2021 Notes'],
    ['Exhibit 4.1', 'Exhibit 4.1'],
    ['12.', null],
    ['x'.repeat(100), null],
  ] as const)
    t.equal(plainTitle(title), plain, title)
})
