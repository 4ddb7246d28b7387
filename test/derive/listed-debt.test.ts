import t from 'tap'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { pledge, standing } from './pledges.ts'

t.test('what secures an instrument stands as long as reports list the instrument', async t => {
  const once = (instrument_name: string | null, more: Readonly<Record<string, unknown>> = {}) =>
    pledge('2021-02-20', '10-K', {
      instrument_name,
      description: `${instrument_name} ${more['type']}`,
      ...more,
    })
  const listed = (day: string, name: string, more: Readonly<Record<string, unknown>> = {}) => ({
    ticker: 'ALFA',
    name,
    balance_date: `${Number(day.slice(0, 4)) - 1}-12-31`,
    known_from: day,
    rule: 'debt_table',
    ...more,
  })
  const datasets = {
    collateral: [
      once('Mills Revolving Credit Agreement'),
      once('Holding Revolving Credit Agreement'),
      once('Barge Credit Facility'),
      once('Crane Credit Facility'),
      once('Dredge Credit Facility'),
      once('Kiln Term Loan'),
      once('Notes'),
      once('Notes', { ticker: 'BETA' }),
      pledge('2022-02-20', '10-K', { ticker: 'BETA', type: 'equipment', instrument_name: 'Press Loan' }),
      once('Credit Facility'),
      once('Port Loan Agreement dated 2020-05-01', { agreement_date: '2020-05-01' }),
      once(null, { assets: ['presses'] }),
      // Reports in which collateral was found, of another instrument.
      ...['2021-02-20', '2022-02-20', '2023-02-20', '2024-02-20'].map(day =>
        pledge(day, '10-K', { type: 'equipment', instrument_name: 'Line of Credit' }),
      ),
    ],
    instruments: [
      // Its maturity was extended.
      listed('2021-02-20', 'Mills revolving credit facility due July 2025', { commitment: 500 }),
      listed('2024-02-20', 'Mills revolving credit facility due June 2028', { commitment: 500, drawn: 0 }),
      // The company's own name tells no instrument from another.
      listed('2024-02-20', 'Alfa Drilling Holding Revolving Credit Facility due 2027', { principal: 20 }),
      // Listed last in 2022: left out by the report of 2023.
      listed('2022-02-20', '5.25% Barge credit facility due 2026', { principal: 30 }),
      // Repaid, unsecured, ended.
      listed('2024-02-20', 'Crane credit facility', { principal: 0, drawn: 0 }),
      listed('2024-02-20', 'Unsecured Dredge Credit Facility due 2029', { commitment: 10 }),
      listed('2024-02-20', 'Dredge Credit Facility due 2029', { seniority: 'senior_unsecured' }),
      listed('2024-02-20', 'Kiln Term Loan', { ended_because: 'terminated' }),
      listed('2024-02-20', 'Second Kiln Term Loan due 2029', { principal: 10 }),
      // Of `the Notes` those that were listed with them.
      listed('2021-02-20', '7% Senior Secured Notes due 2029', { principal: 100 }),
      listed('2024-02-20', '7% Senior Secured Notes due 2029', { principal: 90 }),
      listed('2024-02-20', '8% Senior Secured Notes due 2031', { ticker: 'BETA', principal: 100 }),
      listed('2024-02-20', 'Credit Facility due 2028', { commitment: 10 }),
      listed('2024-02-20', 'Port Loan due 2028', { principal: 10 }),
    ],
  }
  const {
    lake,
    told: { stands, ended },
  } = await standing(t, datasets)
  t.strictSame(stands, [
    'equipment Line of Credit 4 2024-02-20',
    'equipment Press Loan 1 2022-02-20',
    'general_lien Holding Revolving Credit Agreement 1 2021-02-20',
    'general_lien Mills Revolving Credit Agreement 1 2021-02-20',
    'general_lien Notes 1 2021-02-20',
  ])
  t.strictSame(ended, [
    'general_lien 1 2021-02-20 not_repeated 2022-02-20',
    'general_lien Barge Credit Facility 1 2021-02-20 not_repeated 2023-02-20',
    'general_lien Crane Credit Facility 1 2021-02-20 not_repeated 2022-02-20',
    'general_lien Credit Facility 1 2021-02-20 not_repeated 2022-02-20',
    'general_lien Dredge Credit Facility 1 2021-02-20 not_repeated 2022-02-20',
    'general_lien Kiln Term Loan 1 2021-02-20 not_repeated 2022-02-20',
    'general_lien Notes 1 2021-02-20 not_repeated 2022-02-20',
    'general_lien Port Loan Agreement dated 2020-05-01 1 2021-02-20 not_repeated 2022-02-20',
  ])
  t.strictSame(
    (await standing(t, datasets, '2022-06-01')).told.stands,
    [
      'equipment Line of Credit 2 2022-02-20',
      'equipment Press Loan 1 2022-02-20',
      'general_lien Barge Credit Facility 1 2021-02-20',
    ],
    'what only a later report lists is not known before',
  )
  for (const asOf of ['2024-06-03', '2022-06-01']) {
    const differences: Difference[] = []
    const found = (difference: Difference) => void differences.push(difference)
    await verifyFigures(lake, await currentManifest(lake), { asOf, tables: ['collateral'], found })
    t.strictSame(differences, [], `its recomputation agrees as of ${asOf}`)
  }
})
