import t from 'tap'
import { registrantName } from '../../engine/names/registrant-name.ts'

t.test('labels, places and tax numbers of a cover page are not names', async t => {
  for (const written of [
    'New York 13-3513936',
    'Delaware 58-0628465',
    'DELAWARE',
    'as specified in its charter Incorporation or Organization Number',
    '(Exact name of registrant as specified in its charter)',
    'Commission File Number',
    '001-12609',
    'BofA Finance of as low as $980.00 per $1,000 in principal amount of Notes.',
    '--------',
    '',
  ])
    t.equal(registrantName(written), null, written)
})

t.test('names are separated from the text around them', async t => {
  t.equal(registrantName('Nevada Food Concepts, Inc. 13-3124057'), 'Food Concepts, Inc.')
  t.equal(registrantName('PG&E CORPORATION California 94-3234914'), 'PG&E CORPORATION')
  t.equal(
    registrantName('INNOVATIVE CLINICAL SOLUTIONS, LTD ----------------'),
    'INNOVATIVE CLINICAL SOLUTIONS, LTD',
  )
  t.equal(registrantName('Stockwalk.com Group, Inc. - -----------------------'), 'Stockwalk.com Group, Inc.')
})

t.test('names that contain a place or a number stay whole', async t => {
  for (const name of [
    'Texas Instruments Incorporated',
    '3M Company',
    'New York Life Insurance Company',
    'Delaware North Companies, Inc.',
    'Phillips 66',
    'Ohio Edison Company',
    'Washington Gas Light Company',
  ])
    t.equal(registrantName(name), name)
})
