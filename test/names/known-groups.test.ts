import t from 'tap'
import { issuerName } from '../../engine/names/issuer-name.ts'
import { isParentOf, joinedBy, knownGroupOf, knownGroups } from '../../engine/names/known-groups.ts'

const TODAY = '2026-11-27'

t.test('every member of a known group is listed once, with a distinctive name', async t => {
  const bases = knownGroups.map(({ member }) => issuerName(member).base)
  t.equal(new Set(bases).size, bases.length)
  for (const { ticker, parent, member, since } of knownGroups) {
    t.ok(since === null || (since > '2000' && since < '2027'), `${member} ${since}`)
    t.match(ticker, /^[A-Z]{1,5}(-[A-Z])?$/, ticker)
    t.ok(parent.length > 1 && issuerName(member).base.length > 1, member)
    t.equal(knownGroupOf(member, TODAY)?.ticker, ticker, member)
  }
})

t.test('names are found complete, truncated, and with further words', async t => {
  const ticker = (name: string) => knownGroupOf(name, TODAY)?.ticker ?? null
  t.equal(ticker('VIRGINIA ELECTRIC AND POWER COMPAN'), 'D')
  t.equal(ticker('BELL TELEPHONE COMPANY OF CANADA O'), 'BCE')
  t.equal(ticker('CHENIERE CORPUS CHRISTI HOLDINGS L'), 'LNG')
  t.equal(ticker('TWDC ENTERPRISES 18 CORP MTN'), 'DIS')
  t.equal(ticker('WRKCO INC'), 'SW')
  t.equal(ticker('SPRINTER HOLDINGS LLC'), null, 'Sprint is short, and compared whole')
  t.equal(ticker('MYLANA CORP'), null)
  t.equal(ticker('CALIFORNIA RESOURCES CORP'), null)
})

t.test('a ticker reused by another company is not the parent', async t => {
  const group = knownGroupOf('VIRGINIA ELECTRIC & POWER CO', '2001-01-01')!
  t.ok(isParentOf(group, ['DOMINION ENERGY, INC']))
  t.notOk(isParentOf(group, ['Data Storage Corp']))
})

t.test('an acquired company is of the group from that day on', t => {
  t.equal(knownGroupOf('VMWARE INC', '2023-11-21'), null)
  t.equal(knownGroupOf('VMWARE INC', '2023-11-22')?.ticker, 'AVGO')
  t.ok(joinedBy('2023-11-21') < joinedBy('2023-11-22'))
  t.equal(joinedBy('2023-11-22'), joinedBy('2023-11-23'))
  t.end()
})
