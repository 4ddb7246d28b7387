import { number, text } from '../column.ts'
import { dataset } from '../dataset.ts'

export const calculations = dataset({
  name: 'calculations',
  doc: 'Calculation links of filings (XBRL): which figures of a filing add up to which total.',
  columns: {
    document: text('Name that the files of one filing share: `acme-20241231` of `acme-20241231_cal.xml`.'),
    role: text('Statement or note, as the URI of its role.'),
    parent: text('Concept of the total, `us-gaap:Liabilities`.'),
    child: text('Concept of the part.'),
    weight: number('1 if the part is added, -1 if it is subtracted.'),
  },
  key: ['document', 'role', 'parent', 'child'],
  known: [],
  reference: true,
})
