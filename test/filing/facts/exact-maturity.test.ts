import t from 'tap'
import { exactMaturities } from '../../../engine/filing/facts/exact-maturity.ts'

const issued =
  'The fifth tranche consisted of $1.25 billion of 4.75 % senior notes due June 25, 2029 (the "2029 notes").'
const june = (coupon: number | null, text: string) =>
  exactMaturities(text, '2025-02-02')({ maturity: '2029-06', coupon })

t.test('a month is a day where the text names one for notes of that coupon', async t => {
  t.equal(june(4.75, issued), '2029-06-25')
  t.equal(june(2.95, issued), '2029-06', 'the other notes of that month')
  t.equal(june(2.95, `${issued} The 2.95% senior notes due June 15, 2029 are unchanged.`), '2029-06-15')
})

t.test('where the text says no coupon its one day is that of all notes of the month', async t => {
  t.equal(june(2.95, 'The senior notes are due June 15, 2029.'), '2029-06-15')
  t.equal(june(null, issued), '2029-06-25')
  t.equal(june(2.95, 'Our notes are due June 15, 2029; other notes are due June 25, 2029.'), '2029-06')
})

t.test('a year is a day where the text names one of notes with that coupon, and no other', async t => {
  const year = (coupon: number | null, text: string) =>
    exactMaturities(text, '2025-02-02')({ maturity: '2029', coupon })
  t.equal(year(4.75, issued), '2029-06-25')
  t.equal(year(2.95, issued), '2029', 'the other notes of that year')
  t.equal(
    year(2.95, 'The senior notes are due June 15, 2029.'),
    '2029',
    'without a coupon it may be of others',
  )
  const told = 'Alfa issued $500.0 million of 5.625% Senior Notes at par, which mature on June 1, 2029.'
  t.equal(year(5.625, told), '2029-06-01')
  t.equal(
    year(
      4.375,
      'The 2029 Notes bear interest at a rate of 4.375% per annum and will mature on April 15, 2029.',
    ),
    '2029-04-15',
  )
  t.equal(
    year(5.625, `${told} Alfa also issued 5.625% Senior Notes due October 1, 2029.`),
    '2029',
    'two days',
  )
})

t.test('a day and nothing stay what they are', async t => {
  t.equal(exactMaturities(issued, null)({ maturity: '2029-06-01', coupon: 4.75 }), '2029-06-01')
  t.equal(exactMaturities(issued, null)({ maturity: null, coupon: 4.75 }), null)
})
