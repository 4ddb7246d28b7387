import t from 'tap'
import { gleifRelationships } from '../../engine/ingest/readers/gleif-relationships.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

const [TOP, MID] = ['HWUPKR0MPOU8FGXBT394', '7ZW8QJWVPR4P1J1KQY45']
const header =
  'Relationship.StartNode.NodeID,Relationship.StartNode.NodeIDType,Relationship.EndNode.NodeID,Relationship.EndNode.NodeIDType,Relationship.RelationshipType,Relationship.RelationshipStatus,Relationship.Period.1.startDate,Relationship.Period.1.endDate,Relationship.Period.1.periodType,Relationship.Period.2.startDate,Relationship.Period.2.endDate,Relationship.Period.2.periodType,Relationship.Quantifiers.1.QuantifierAmount,Relationship.Quantifiers.1.QuantifierUnits,Registration.InitialRegistrationDate,Registration.LastUpdateDate,Registration.RegistrationStatus'
const year = '2022-01-01T00:00:00Z,2022-12-31T00:00:00Z,ACCOUNTING_PERIOD'
const csv = `${header}
${MID},LEI,${TOP},LEI,IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE,${year},2012-01-01T00:00:00Z,,RELATIONSHIP_PERIOD,80,PERCENTAGE,2018-03-01T09:00:00Z,2024-05-06T09:00:00Z,PUBLISHED
${TOP},LEI,${MID},LEI,IS_ULTIMATELY_CONSOLIDATED_BY,INACTIVE,${year},2012-01-01T00:00:00Z,2023-06-30T00:00:00Z,RELATIONSHIP_PERIOD,,,2018-03-01T09:00:00Z,2023-07-06T09:00:00Z,RETIRED
${MID},LEI,${TOP},LEI,IS_FUND-MANAGED_BY,ACTIVE,${year},,,,,,2018-03-01T09:00:00Z,2024-05-06T09:00:00Z,PUBLISHED
${MID},LEI,XX,LEI,IS_DIRECTLY_CONSOLIDATED_BY,ACTIVE,${year},,,,,,2018-03-01T09:00:00Z,2024-05-06T09:00:00Z,PUBLISHED
`
const stands = {
  child_lei: MID,
  parent_lei: TOP,
  relationship: 'direct',
  ownership_pct: 80,
  known_from: '2018-03-01',
}

t.test(
  'in CSV, a fiscal year is not a period of the relationship, and an end is known when reported',
  async t => {
    t.ok(gleifRelationships.recognises(sourceOf(csv)))
    const read = await reading(gleifRelationships, csv)
    const ended = { child_lei: TOP, parent_lei: MID, relationship: 'ultimate', known_from: '2018-03-01' }
    t.match(rowsFor(read, 'ownership'), [
      stands,
      ended,
      { ...ended, ended_date: '2023-06-30', known_from: '2023-07-06' },
    ])
    t.match(
      read.refused.map(r => r.reason),
      [/IS_FUND-MANAGED_BY: not a consolidation/, /"XX" is not an LEI/],
    )
  },
)

t.test('the XML form gives the same rows', async t => {
  const xml = `<?xml version="1.0"?><rr:RelationshipData xmlns:rr="http://www.gleif.org/data/schema/rr/2016"><rr:Header/>
<rr:RelationshipRecords><rr:RelationshipRecord><rr:Relationship>
<rr:StartNode><rr:NodeID>${MID}</rr:NodeID><rr:NodeIDType>LEI</rr:NodeIDType></rr:StartNode>
<rr:EndNode><rr:NodeID>${TOP}</rr:NodeID><rr:NodeIDType>LEI</rr:NodeIDType></rr:EndNode>
<rr:RelationshipType>IS_DIRECTLY_CONSOLIDATED_BY</rr:RelationshipType>
<rr:RelationshipPeriods><rr:RelationshipPeriod><rr:StartDate>2012-01-01T00:00:00Z</rr:StartDate><rr:PeriodType>RELATIONSHIP_PERIOD</rr:PeriodType></rr:RelationshipPeriod></rr:RelationshipPeriods>
<rr:RelationshipStatus>ACTIVE</rr:RelationshipStatus>
<rr:RelationshipQuantifiers><rr:RelationshipQuantifier><rr:QuantifierAmount>80</rr:QuantifierAmount><rr:QuantifierUnits>PERCENTAGE</rr:QuantifierUnits></rr:RelationshipQuantifier></rr:RelationshipQuantifiers>
</rr:Relationship><rr:Registration><rr:InitialRegistrationDate>2018-03-01T09:00:00Z</rr:InitialRegistrationDate>
<rr:LastUpdateDate>2024-05-06T09:00:00Z</rr:LastUpdateDate><rr:RegistrationStatus>PUBLISHED</rr:RegistrationStatus></rr:Registration>
</rr:RelationshipRecord></rr:RelationshipRecords></rr:RelationshipData>`
  t.ok(gleifRelationships.recognises(sourceOf(xml)))
  t.match(rowsFor(await reading(gleifRelationships, xml), 'ownership'), [stands])
})
