import t from 'tap'
import { isOwnName, ownerOf } from '../../engine/names/instrument-owner.ts'

t.test('the name of an instrument may say whose it is', t => {
  t.equal(ownerOf("Alfa Electric's Credit Facility"), 'Alfa Electric')
  t.equal(ownerOf("Alfa Power & Light's Revolving Credit Facility"), 'Alfa Power & Light')
  t.equal(ownerOf("APLP's Unsecured Senior Notes"), 'APLP')
  for (const name of ['Credit Facility', "Company's Credit Facility", "Borrower's Term Loan", null])
    t.equal(ownerOf(name), null, `${name}`)
  t.end()
})

t.test('an owner is the company itself by the beginning of its name, or by its initials', t => {
  t.ok(isOwnName('Alfa', 'Alfa Electric Corp'))
  t.ok(isOwnName('APLP', 'ALFA PROPERTIES LTD PARTNERSHIP'))
  t.notOk(isOwnName('Bravo', 'Alfa Electric Corp'))
  t.notOk(isOwnName('BPLP', 'ALFA PROPERTIES LTD PARTNERSHIP'))
  t.end()
})
