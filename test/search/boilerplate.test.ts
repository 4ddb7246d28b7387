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

const consents = `Exhibit 23.1
We consent to the incorporation by reference in the following Registration Statements:
(1) | Registration Statement (Form S-3 No. 333-228159) of Alfa Drilling Corp,
(2) | Registration Statement (Form S-8 No. 333-226986) pertaining to the Deferred Compensation Plan,
of our reports dated February 1, 2025.
`

const certifications = `I, Jane Doe, certify that:
1. I have reviewed this annual report on Form 10-K of Alfa Drilling Corp;
2. Based on my knowledge, this report does not contain any untrue statement of a material fact;
4. The registrant’s other certifying officer(s) and I are responsible for disclosure controls and have:
(a) Designed such disclosure controls and procedures, or caused them to be designed under our supervision;
(b) Designed such internal control over financial reporting, or caused it to be designed;
(c) Evaluated the effectiveness of the registrant’s disclosure controls and procedures.
`

const statementIndex = `Index to Consolidated Financial Statements | Page
Consolidated Statements of Operations for the years ended June 30, 2024 and 2023 | 31
Consolidated Balance Sheets as of June 30, 2024 and 2023 | 33
Notes to Consolidated Financial Statements | 36
Report of Independent Registered Public Accounting Firm | F-2
`

t.test('lists of exhibits, contents pages and signatures are told from clauses and tables', async t => {
  for (const list of [exhibits, contents, signatures, consents, certifications, statementIndex])
    t.ok(prose(list) < 40, list.slice(0, 30))
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

t.test('the name of a data file in a list of exhibits is not the 101% of a put', async t => {
  const index = await madeIndex(t, [
    section(0, exhibits.replace('at 101%', 'at par')),
    section(1, 'On a change of control holders may put the notes at 101%.'),
  ])
  const { hits } = await ask(index, '101%')
  t.strictSame(
    hits.map(hit => hit.section),
    [1],
  )
})

t.test('a snippet quotes the text of a section before its list of exhibits', async t => {
  const filler = 'The Company makes things of many kinds and sells them in many places. '.repeat(30)
  const content = `Holders may put the notes at 101% upon a change of control.\n${filler}\n${exhibits}`
  const index = await madeIndex(t, [section(0, content), section(1, filler)])
  const found = await ask(index, 'change of control put 101%')
  t.match(index.snippet(found.hits[0]!, found.query), /^Holders may <b>put<\/b>/)
})
