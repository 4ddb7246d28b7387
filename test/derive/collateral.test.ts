import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'
import { pledge, standing } from './pledges.ts'

t.test('what reports repeat of one instrument is listed as the newest tells it', async t => {
  const told = (day: string, description: string, more: Readonly<Record<string, unknown>> = {}) => ({
    ticker: 'ALFA',
    instrument_name: 'Senior Credit Facility',
    type: 'real_estate',
    description,
    rule: 'secured_by',
    source_document_date: day,
    known_from: day,
    ...more,
  })
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    collateral: [
      told('2022-02-20', 'secured by a mortgage on two mills'),
      told('2023-02-20', 'secured by a mortgage on three mills'),
      told('2024-02-20', 'secured by a mortgage on four mills', { assets: ['mills'] }),
      told('2024-02-20', 'secured by its warehouses', { assets: ['warehouses'] }),
      told('2022-02-20', 'secured by its presses', { type: 'equipment' }),
      told('2022-02-20', 'secured by a dam', { instrument_name: 'Mortgage Loan' }),
      told('2022-02-20', 'pledged its office', { instrument_name: null }),
      told('2024-02-20', 'pledged its laboratory', { instrument_name: null }),
      told('2022-02-20', 'loaded by hand', { rule: null }),
    ],
  })
  await build(lake, { as_of: '2024-06-03' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const listed = async (input: Record<string, unknown> = {}) =>
    (await engine.call('search.collateral', { fields: ['description'], ...input })).data
      .map(row => row.description)
      .sort()
  t.strictSame(await listed(), [
    'loaded by hand',
    'pledged its laboratory',
    'pledged its office',
    'secured by a dam',
    'secured by a mortgage on four mills',
    'secured by its presses',
  ])
  t.strictSame(
    (await listed({ as_of: '2023-06-01' })).filter(each => each?.includes('mills')),
    ['secured by a mortgage on three mills'],
    'as of an earlier day the newest of then',
  )
})

t.test('what reports tell ends with the first annual report that leaves it out', async t => {
  const collateral = [
    pledge('2020-02-20', '10-K', { instrument_name: 'DIP Facilities' }),
    pledge('2020-05-07', '10-Q', { instrument_name: 'DIP Facilities' }),
    pledge('2020-02-20', '10-K'),
    pledge('2021-02-19', '10-K'),
    pledge('2022-02-18', '10-K'),
    pledge('2021-08-05', '10-Q', { id: 'a', type: 'equipment', instrument_name: null, assets: ['aircraft'] }),
    pledge('2022-02-18', '10-K', { id: 'b', type: 'equipment', instrument_name: null, assets: ['presses'] }),
    pledge('2020-02-20', '10-K', { type: 'cash', rule: null }),
  ]
  t.strictSame((await standing(t, { collateral })).told, {
    stands: [
      'cash Senior Credit Facility 1 2020-02-20',
      'equipment 1 2022-02-18',
      'general_lien Senior Credit Facility 3 2022-02-18',
    ],
    ended: [
      'equipment 1 2021-08-05 not_repeated 2022-02-18',
      'general_lien DIP Facilities 2 2020-05-07 not_repeated 2021-02-19',
    ],
  })
  t.strictSame(
    (await standing(t, { collateral }, '2020-12-31')).told,
    {
      stands: [
        'cash Senior Credit Facility 1 2020-02-20',
        'general_lien DIP Facilities 2 2020-05-07',
        'general_lien Senior Credit Facility 1 2020-02-20',
      ],
      ended: [],
    },
    'nothing of it was known before',
  )
})

t.test('collateral of an agreement ends with it', async t => {
  const agreement = (date: string) => ({
    instrument_name: `Credit Agreement dated ${date}`,
    agreement_date: date,
  })
  const covenant = {
    ticker: 'ALFA',
    covenant_type: 'financial',
    covenant_name: 'Maximum leverage',
    test_metric: 'leverage_ratio',
    rule: 'ratio',
    document_type: 'EX-10.1',
  }
  const known = (day: string) => ({ source_document_date: day, known_from: day })
  const {
    told: { stands, ended },
  } = await standing(t, {
    collateral: [
      pledge('2019-03-02', 'EX-10.1', agreement('2019-03-01')),
      pledge('2015-03-02', 'EX-10.1', agreement('2015-03-01')),
      pledge('2012-03-02', 'EX-10.1', { ...agreement('2012-03-01'), agreement_maturity_date: '2017-03-01' }),
      pledge('2018-03-02', 'EX-10.1', agreement('2018-03-01')),
      // A second lien on the same assets is another pledge.
      pledge('2018-03-02', 'EX-10.1', { ...agreement('2018-03-01'), id: 'second', priority: 'second_lien' }),
      pledge('2023-03-02', 'EX-10.1', { ...agreement('2023-03-01'), ended_on: '2024-01-31' }),
    ],
    covenants: [
      // A later agreement, of which no collateral is known, restates one.
      {
        ...covenant,
        ...agreement('2021-06-01'),
        replaces_agreement_date: '2019-03-01',
        ...known('2021-06-02'),
      },
      // Only the covenants say when one matures.
      {
        ...covenant,
        ...agreement('2015-03-01'),
        agreement_maturity_date: '2020-03-01',
        ...known('2015-03-02'),
      },
      // Ids of covenants and collateral are apart.
      { ...covenant, id: 'x', covenant_name: 'Minimum cover', ...known('2024-03-02') },
    ],
    agreement_endings: [
      {
        ticker: 'ALFA',
        ...agreement('2018-03-01'),
        ended_on: '2022-07-01',
        ended_because: 'terminated',
        evidence: 'the Company terminated the Credit Agreement',
        ...known('2022-07-05'),
      },
    ],
  })
  t.strictSame(stands, [])
  t.strictSame(ended, [
    'general_lien Credit Agreement dated 2012-03-01 1 2012-03-02 matured 2017-03-01',
    'general_lien Credit Agreement dated 2015-03-01 1 2015-03-02 matured 2020-03-01',
    'general_lien Credit Agreement dated 2018-03-01 1 2018-03-02 terminated 2022-07-01',
    'general_lien Credit Agreement dated 2018-03-01 1 2018-03-02 terminated 2022-07-01',
    'general_lien Credit Agreement dated 2019-03-01 1 2019-03-02 replaced 2021-06-01',
    'general_lien Credit Agreement dated 2023-03-01 1 2023-03-02 terminated 2024-01-31',
  ])
})

t.test(
  'every passage, what ended it and all assets of its newest document are told; bonds have what stands',
  async t => {
    const lake = await makeLake(t.teardown, {
      ...twoIssuers,
      collateral: [
        pledge('2023-02-20', '10-K', { type: 'real_estate', assets: ['mills'], evidence: 'two mills' }),
        pledge('2024-02-20', '10-K', { type: 'real_estate', assets: ['mills'], evidence: 'mills' }),
        pledge('2024-02-20', '10-K', { type: 'real_estate', assets: ['kilns'], evidence: 'kilns' }),
        pledge('2024-02-20', '10-K', { id: 'x', rule: null, cusip: '000000AA7', ended_on: '2024-03-01' }),
      ],
      covenants: [{ id: 'x', ticker: 'ALFA', covenant_type: 'financial', covenant_name: 'Maximum leverage' }],
    })
    await build(lake, { asOf: '2024-06-03' })
    const engine = await open(lake)
    t.teardown(() => engine.close())
    const { data } = await engine.call('search.collateral', {
      collateral_type: 'real_estate',
      explain: true,
      fields: ['assets', 'evidence_count'],
    })
    t.match(data, [{ assets: ['kilns', 'mills'], evidence_count: 3 }])
    t.match((data[0] as unknown as { _explain: unknown })._explain, {
      in_force: { value: true, ended_on: null, last_stated: '2024-02-20' },
      evidence_count: 3,
      evidences: [
        { document_date: '2024-02-20' },
        { document_date: '2024-02-20' },
        { document_date: '2023-02-20' },
      ],
    })
    const pledged = 'SELECT CAST(count(collateral.type) AS INTEGER) AS n FROM bonds'
    t.strictSame(await engine.sql(pledged), [{ n: 0 }])
    t.strictSame(await engine.sql(pledged, [], { asOf: '2024-02-25' }), [{ n: 1 }])
  },
)

t.test('what a current report tells of notes stands as long as reports tell of their covenants', async t => {
  const indenture = { instrument_name: 'Indenture dated 2020-05-01', agreement_date: '2020-05-01' }
  const covenant = (day: string, document_type: string, more: object) => ({
    ticker: 'ALFA',
    covenant_type: 'negative',
    covenant_name: 'Limitation on Liens',
    rule: 'test_sentence',
    document_type,
    source_document_date: day,
    known_from: day,
    ...more,
  })
  const {
    told: { stands, ended },
  } = await standing(t, {
    collateral: [
      pledge('2020-05-02', '8-K', { ...indenture, id: 'notes' }),
      // Reports in which collateral was found, of another instrument.
      ...['2021-02-20', '2022-02-20', '2023-02-20'].map(day =>
        pledge(day, '10-K', {
          type: 'equipment',
          instrument_name: 'Term Loan Agreement',
          description: 'presses',
        }),
      ),
    ],
    covenants: [
      covenant('2020-05-02', '8-K', indenture),
      covenant('2022-02-20', '10-K', { instrument_name: 'Senior Notes' }),
    ],
  })
  t.strictSame(stands, ['equipment Term Loan Agreement 3 2023-02-20'])
  t.strictSame(ended, ['general_lien Indenture dated 2020-05-01 1 2020-05-02 not_repeated 2023-02-20'])
})
