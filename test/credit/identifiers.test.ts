import t from 'tap'
import {
  cusipCheckDigit,
  cusipFromIsin,
  isCusip,
  isIsin,
  isinCheckDigit,
  isLei,
  repairCusip,
} from '../../engine/credit/identifiers.ts'

t.test('check digits detect mistyped CUSIPs and ISINs', async t => {
  t.equal(cusipCheckDigit('03783310'), '0')
  t.equal(isinCheckDigit('US037833100'), '5')
  for (const cusip of ['037833100', '38259P508', '06051GMA4', '03522AAJ9']) t.ok(isCusip(cusip), cusip)
  for (const isin of ['US0378331005', 'US06051GMA49', 'GB0002634946']) t.ok(isIsin(isin), isin)
  for (const wrong of ['037833101', '03783310', '38259p508', '']) t.notOk(isCusip(wrong), wrong)
  for (const wrong of ['US0378331006', 'us0378331005', 'US037833100']) t.notOk(isIsin(wrong), wrong)
})

t.test('only US and Canadian ISINs contain a CUSIP', async t => {
  t.equal(cusipFromIsin('US06051GMA49'), '06051GMA4')
  t.equal(cusipFromIsin('GB0002634946'), null)
  t.equal(cusipFromIsin('US06051GMA40'), null)
})

t.test('a CUSIP that a spreadsheet read as a number or a date is restored from the ISIN', async t => {
  t.equal(repairCusip('3.45E+71', 'US06051GMA49'), '06051GMA4')
  t.equal(repairCusip('88732Jan8', null), '88732JAN8')
  t.equal(repairCusip('06051gma4', null), '06051GMA4')
  t.equal(repairCusip('37833100', null), '037833100')
  t.equal(repairCusip('3.45E+71', null), null)
  t.equal(repairCusip('3.45E+71', 'XS0000000000'), null)
})

t.test('an LEI must pass the modulo 97 test', async t => {
  t.ok(isLei('HWUPKR0MPOU8FGXBT394'))
  t.notOk(isLei('HWUPKR0MPOU8FGXBT395'))
  t.notOk(isLei('HWUPKR0MPOU8FGXBT39'))
})
