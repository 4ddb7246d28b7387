import t from 'tap'
import { documentOf, xbrlCalculations } from '../../engine/ingest/readers/xbrl-calculations.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const linkbase = `<?xml version="1.0" encoding="UTF-8"?>
<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">
  <link:calculationLink xlink:role="http://acme.com/role/Debt" xlink:type="extended">
    <link:loc xlink:type="locator" xlink:label="all" xlink:href="https://xbrl.fasb.org/us-gaap/2024/elts/us-gaap-2024.xsd#us-gaap_DebtCurrent"/>
    <link:loc xlink:type="locator" xlink:label="own" xlink:href="acme-20241231.xsd#acme_GasLoans"/>
    <link:calculationArc order="1" weight="1.0" xlink:arcrole="http://www.xbrl.org/2003/arcrole/summation-item" xlink:from="all" xlink:to="own" xlink:type="arc"/>
    <link:calculationArc order="2" weight="-1.0" xlink:arcrole="http://www.xbrl.org/2003/arcrole/summation-item" xlink:from="all" xlink:to="gone" xlink:type="arc"/>
  </link:calculationLink>
</link:linkbase>`

t.test('a calculation linkbase gives the totals and parts of its filing', async t => {
  const file = sourceOf('folder/acme-20241231_cal.xml', linkbase)
  t.equal(
    readers.find(reader => reader.recognises(file)),
    xbrlCalculations,
  )
  const { rows, refused } = await readWith(xbrlCalculations, file)
  t.strictSame(rows('calculations'), [
    {
      document: 'acme-20241231',
      role: 'http://acme.com/role/Debt',
      parent: 'us-gaap:DebtCurrent',
      child: 'acme:GasLoans',
      weight: 1,
    },
  ])
  t.match(refused, [{ at: 'arc 2', reason: 'one end of the arc is missing from the file' }])
})

t.test('the files of a filing share a name, whatever their kind and compression', async t => {
  for (const name of ['a/acme-20241231_cal.xml.gz', 'b.zip!acme-20241231_htm.xml', 'acme-20241231.xml'])
    t.equal(documentOf(name), 'acme-20241231')
})
