import t from 'tap'
import { readDescription } from '../../../engine/operations/resolve/read-description.ts'

/** Coupon and maturity as they were read, in short. */
const terms = (text: string): string => {
  const { coupon, maturity } = readDescription(text)
  const day = maturity && [maturity.year, maturity.month, maturity.day].filter(part => part !== undefined)
  return `${coupon?.rate ?? '-'} ${day?.join('-') ?? '-'}`
}

t.test('coupons are read however desks and funds write them', async t => {
  const written: Record<string, string> = {
    'T 4 1/2% 2030': '4.5 2030',
    'T 4½% 2030': '4.5 2030',
    'T 4-1/2s 2030': '4.5 2030',
    'T 4 1/2 48': '4.5 2048',
    'T 4.5 48': '4.5 2048',
    'T 4.5s 48': '4.5 2048',
    'AAPL 3 29': '3 2029',
    'ALFA .75% 2030': '0.75 2030',
    'ALFA 3/4 08/2029': '0.75 2029-8',
    'ALFA 4 3/16 2031': '4.1875 2031',
    'OXY 0 10.10.36': '0 2036-10-10',
    'VOD V7 04.04.79': '7 2079-4-4',
    'BANK OF AMERICA CORP 5.468%/VAR 01/23/2035': '5.468 2035-1-23',
    'Citigroup, Inc., (SOFR + 1.17%), 2.561%, 5/1/2032': '2.561 2032-5-1',
    'JPMORGAN CHASE & CO REGD V/R 2.58000000': '2.58 -',
    'WPP FINANCE 2010 5.125 09/07/2042': '5.125 2042-9-7',
    'MASSMUTUAL GLOBAL FUNDING II 5.05% 12/07/2027': '5.05 2027-12-7',
    'CRM 1.95s31': '1.95 2031',
    'CRM 5s31': '5 2031',
  }
  for (const [text, wanted] of Object.entries(written)) t.equal(terms(text), wanted, text)
})

t.test('maturities are read as days, months or years', async t => {
  const written: Record<string, string> = {
    'AAPL 3.25 08/08/29': '3.25 2029-8-8',
    'AAPL 3.25 08/29': '3.25 2029-8',
    'AAPL 3.25 8/2029': '3.25 2029-8',
    'AAPL 3.25 2029-08-08': '3.25 2029-8-8',
    'AAPL 3.25 20290808': '3.25 2029-8-8',
    'AAPL 3.25 08AUG2029': '3.25 2029-8-8',
    'AAPL 3.25 8-Aug-29': '3.25 2029-8-8',
    'AAPL 3.25% due August 8, 2029': '3.25 2029-8-8',
    'AAPL 3.25% 8 August 2029': '3.25 2029-8-8',
    'AAPL 3.25% Aug 2029': '3.25 2029-8',
    'AAPL 3.25 AUG-29': '3.25 2029-8',
    'AAPL 3.25 25.12.2029': '3.25 2029-12-25',
    "AAPL 3.25 '29": '3.25 2029',
    'AAPL 3.25 of 2029s': '3.25 2029',
    'AAPL dated 08/08/19 3.25 due 08/08/29': '3.25 2029-8-8',
    'MAY DEPARTMENT STORES 6.7 2034': '6.7 2034',
    'charter 6.65 feb 34': '6.65 2034-2',
    'aapl 3.25 8 aug 29': '3.25 2029-8-8',
    'aapl 3.25 aug 8 29': '3.25 2029-8-8',
    "aapl 3.25 aug '29": '3.25 2029-8',
    'MAR 5 27': '5 2027',
  }
  for (const [text, wanted] of Object.entries(written)) t.equal(terms(text), wanted, text)
  t.match(readDescription('AAPL 3.25 04/03/29').maturity, { isDayFirstPossible: true, isShort: true })
})

t.test('the names that funds write leave the words of the issuer', async t => {
  const words = (text: string) => readDescription(text).words.join(' ')
  t.equal(words('VERIZON COMMUNICATIONS INC 4.500% 08/10/2033 SR UNSEC'), 'verizon communications')
  t.equal(words('BANK OF AMERICA CORP MTN'), 'bank america')
  t.equal(words('THC 4.875 01.01.26 144A'), 'thc')
  t.equal(words('AT&T INC 4.5% 2048'), 'att')
  t.equal(words("McDonald's Corp 3.6% 07/01/2030"), 'mcdonalds')
  t.equal(words('Cigna Group/The'), 'cigna group')
  t.equal(words('AMERICAN INTL GRP 4.8 07/10/45'), 'american international group')
  t.equal(words('Société Générale SA 3% 2030'), 'societe generale')
  t.equal(words('3M CO 3.25 08/26/49'), '3m')
})

t.test('sizes, spreads, levels and orders are no part of a description', t => {
  const words = (text: string) => readDescription(text).words.join(' ')
  for (const text of [
    'buy 5mm HUM 3.7 29',
    'HUM 3.7 29 $10m',
    'HUM 3.7 29 @ T+95',
    'HUM 3.7 29 +120bps',
    'HUM 3.7 29 @99.5',
    'HUM 3.7 29 FtF',
  ]) {
    t.equal(words(text), 'hum', text)
    t.equal(terms(text), '3.7 2029', text)
  }
  t.equal(words('3M 2.25 26'), '3m')
  t.equal(words('BEST BUY CO 4.45 28'), 'best buy')
  t.end()
})

t.test('what a bond is, and a part of an identifier, are no words of an issuer', async t => {
  t.match(readDescription('ALFA FRN 06/31'), { words: ['alfa'], floats: true, maturity: { month: 6 } })
  t.match(readDescription('ALFA 6.5 PERP'), { words: ['alfa'], perpetual: true, coupon: { rate: 6.5 } })
  t.match(readDescription('alfa sr sec notes'), { words: ['alfa'], kinds: ['senior', 'secured'] })
  t.match(readDescription('037833DX5'), { identifier: '037833DX5' })
  t.match(readDescription('aapl 037833dx5'), { identifier: '037833DX5', words: ['aapl'] })
  t.match(readDescription('037833'), { fragments: ['037833'], words: [] })
  const nothing = readDescription('notes')
  t.strictSame([nothing.words, nothing.kinds, nothing.fragments], [[], [], []])
})

t.test('an identifier is read with its label and in groups', async t => {
  for (const [text, identifier] of [
    ['CUSIP: 037833DX5', '037833DX5'],
    ['cusip=037833dx5', '037833DX5'],
    ['/cusip/037833DX5', '037833DX5'],
    ['037833 DX 5', '037833DX5'],
    ['037833-DX-5', '037833DX5'],
    ['037833 DX5', '037833DX5'],
    ['ISIN:US037833DX52', 'US037833DX52'],
    ['US 037833DX52', 'US037833DX52'],
    ['us 037833dx5 2', 'US037833DX52'],
    ['apple isin:US037833DX52', 'US037833DX52'],
  ] as const)
    t.equal(readDescription(text).identifier, identifier, text)
  const slip = readDescription('037833 DX 6')
  t.match(slip, { fragments: ['037833DX6'] }, 'a wrong check digit makes it a part, and no coupon of 6')
  t.equal(slip.coupon, undefined)
  t.match(
    readDescription('AMAZON 29 6'),
    { words: ['amazon'], coupon: { rate: 6 } },
    'a name, whose check digit is right by chance',
  )
})
