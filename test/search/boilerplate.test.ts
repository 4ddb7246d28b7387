import t from 'tap'
import { boilerplate, prosePercent } from '../../engine/search/text/boilerplate.ts'
import { ask, madeIndex } from './made-index.ts'
import { section } from './section.ts'

const prose = (text: string) => prosePercent(boilerplate(text), 0, text.length)

const exhibits = `Item 15. Exhibits
Exhibit Number | Description
4.1 | Indenture dated as of May 3, 2019, between the Company and the Trustee
4.2* | Form of 5.250% Senior Notes due 2029 (change of control put at 101%)
10.1 | Credit Agreement dated June 1, 2021
31.1 | Certification of Chief Executive Officer pursuant to Section 302
101.INS | Inline XBRL Instance Document
101.SCH | Inline XBRL Taxonomy Extension Schema Document
104 | Cover Page Interactive Data File
`

const contents = `TABLE OF CONTENTS
Section 4.01 Payment of Securities ........................ 35
Section 4.02 Maintenance of Office or Agency .............. 35
Section 4.03 Offer to Repurchase upon Change of Control ... 36
Section 4.04 Limitation on Liens .......................... 38
ARTICLE V Successors | 41
`

const signatures = `SIGNATURES
Pursuant to the requirements of Section 13 or 15(d) of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed.
Date: May 3, 2024
By: /s/ Jane Doe
Name: Jane Doe
Title: Chief Financial Officer
`

const clauses = `ARTICLE IV COVENANTS
4.01 Payment of Notes. The Company shall pay the principal of and interest on the Notes on the dates provided in this Indenture.
4.02 Change of Control. Each Holder shall have the right to require the Company to repurchase its Notes at 101% of the principal amount.
4.03 Limitation on Liens. The Company will not create any Lien upon any property unless the Notes are equally secured under this Agreement.
4.04 Reports. The Company shall furnish to the Trustee the reports that are required by Section 13 of the Exchange Act.
`

const table = `Long-term debt (in millions) | 2024 | 2023
5.250% Senior notes due 2029 | 500 | 500
Term loan agreement due 2027 | 1,250 | 1,300
Revolving credit agreement | 75 | -
Total | 1,825 | 1,800
`

t.test('lists of exhibits, contents pages and signatures are told from clauses and tables', async t => {
  for (const list of [exhibits, contents, signatures]) t.ok(prose(list) < 40, list.slice(0, 30))
  for (const text of [clauses, table, 'The notes mature in 2029. See Exhibit 4.1.'])
    t.equal(prose(text), 100, text.slice(0, 30))
  const mixed = `${clauses.repeat(3)}\n${signatures}`
  const [span] = boilerplate(mixed)
  t.equal(mixed.slice(span!.start, span!.end), signatures, 'only the part that is one')
})

t.test('a list of exhibits does not outrank the text that it names', async t => {
  const filler = 'The Company makes things of many kinds and sells them in many places. '
  const index = await madeIndex(t, [
    section(0, exhibits, { section_title: 'Exhibits: change of control put' }),
    section(1, `${filler.repeat(9)}${clauses}${filler.repeat(9)}A put at 101% survives.`),
    ...Array.from({ length: 8 }, (_, i) => section(i + 2, `${filler}Plant ${i}.`)),
  ])
  const { hits, total } = await ask(index, 'change of control put 101%')
  t.equal(total, 2, 'both are found')
  t.equal(hits[0]!.section, 1)
})

t.test('a snippet quotes the text of a section before its list of exhibits', async t => {
  const filler = 'The Company makes things of many kinds and sells them in many places. '.repeat(30)
  const content = `Holders may put the notes at 101% upon a change of control.\n${filler}\n${exhibits}`
  const index = await madeIndex(t, [section(0, content), section(1, filler)])
  const found = await ask(index, 'change of control put 101%')
  t.match(index.snippet(found.hits[0]!, found.query), /^Holders may <b>put<\/b>/)
})
