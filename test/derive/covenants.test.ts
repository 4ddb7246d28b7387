import t from 'tap'
import { instrumentKey } from '../../engine/derive/covenants/instrument-key.ts'
import { type AgreementEnding, standingCovenants } from '../../engine/derive/covenants/standing.ts'
import type { StatedCovenant } from '../../engine/derive/covenants/stated-covenant.ts'
import { open } from '../../engine/engine.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import type { Difference } from '../../engine/verify/recomputation.ts'
import { verifyFigures } from '../../engine/verify/verify.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'
import { stated } from './stated-covenant.ts'

const agreement = (day: string, date: string, more: Partial<StatedCovenant> = {}) =>
  stated(day, {
    instrument_name: `Credit Agreement dated ${date}`,
    agreement_date: date,
    document_type: 'EX-10.1',
    threshold_value: 4,
    ...more,
  })

t.test('names of one instrument have one key', t => {
  const same = ['Five-Year Credit Facility', '5-year Facility', 'five-year revolving credit facility']
  t.equal(new Set(same.map(name => JSON.stringify(instrumentKey(name, null)))).size, 1)
  t.strictSame(instrumentKey('2028 Senior Notes', null), { family: 'notes', words: '2028', owner: null })
  t.strictSame(instrumentKey('Credit Agreement', null), { family: 'loan', words: '', owner: null })
  t.strictSame(instrumentKey('Term Loan', null), { family: 'loan', words: 'term', owner: null })
  t.equal(instrumentKey("Alfa Electric's Credit Facility", null).owner, 'alfa electric')
  t.end()
})

t.test('a report that tells two levels, or the facility of a subsidiary, tells two covenants', t => {
  const levels = (names: readonly [string, string], [one, two]: readonly [number, number]) =>
    standingCovenants(
      [
        stated('2024-02-01', { instrument_name: names[0], threshold_value: one }),
        stated('2024-02-01', { instrument_name: names[1], threshold_value: two }),
      ],
      '2024-06-30',
    ).map(({ threshold }) => threshold)
  t.strictSame(levels(['Amended Credit Agreement', 'Term Loan'], [4.75, 2.85]).sort(), [2.85, 4.75])
  t.strictSame(
    levels(['Amended Credit Agreement', 'Term Loan'], [4.75, 4.75]),
    [4.75],
    'one level is one covenant',
  )
  t.strictSame(levels(['Credit Facility', "Alfa Electric's Credit Facility"], [0.65, 0.65]), [0.65, 0.65])
  t.end()
})

t.test('what yearly reports repeat is one covenant, with the newest level', t => {
  const rows = [
    stated('2022-02-01', { threshold_value: 4.5 }),
    stated('2023-02-01', { threshold_value: 4 }),
    stated('2024-02-01', { instrument_name: 'Credit Facility' }),
  ]
  const [first, ...others] = standingCovenants(rows, '2024-06-30')
  t.strictSame(others, [])
  t.match(first, { id: rows[0]!.id, shown: 1, rows: [2, 1, 0], threshold: 4, last_stated: '2024-02-01' })
  t.equal(first!.ended_on, null)
  t.end()
})

t.test('two facilities of one report stay two covenants', t => {
  const rows = [
    stated('2024-02-01', { instrument_name: 'Utility Credit Agreement', threshold_value: 0.65 }),
    stated('2024-02-01', { instrument_name: 'Corporation Credit Agreement', threshold_value: 0.7 }),
    stated('2024-02-01', { instrument_name: 'Credit Agreement' }),
  ]
  t.equal(standingCovenants(rows, '2024-06-30').length, 3, 'and what may mean either stays apart')
  t.end()
})

t.test('a report is evidence of the one agreement whose level it states', t => {
  const rows = [
    agreement('2021-10-08', '2021-10-06', {
      steps: [
        { date: '2021-12-31', threshold_value: 4.5 },
        { date: '2023-12-31', threshold_value: 4 },
      ],
      threshold_value: 4.5,
    }),
    stated('2024-02-01', { instrument_name: 'Credit Agreement', threshold_value: 4 }),
    stated('2024-02-01', { instrument_name: 'Bridge Facility', threshold_value: 5.5 }),
  ]
  const standing = standingCovenants(rows, '2024-06-30')
  t.strictSame(
    standing.map(c => [c.shown, c.threshold, c.rows]),
    [
      [0, 4, [1, 0]],
      [2, 5.5, [2]],
    ],
  )
  t.equal(standingCovenants(rows.slice(0, 1), '2022-06-30')[0]!.threshold, 4.5, 'the step of the day')
  t.end()
})

t.test('a restated agreement ends the covenants of the former on its date', t => {
  const rows = [
    agreement('2019-05-03', '2019-05-01'),
    agreement('2024-06-05', '2024-06-03', { replaces_agreement_date: '2019-05-01', threshold_value: 3.75 }),
  ]
  t.match(standingCovenants(rows, '2024-12-31'), [
    { threshold: 4, ended_on: '2024-06-03', ended_because: 'replaced' },
    { threshold: 3.75, ended_on: null },
  ])
  t.match(standingCovenants(rows.slice(0, 1), '2024-06-04'), [{ ended_on: null }], 'not before it was known')
  t.end()
})

t.test('an amendment changes the level of the same covenant', t => {
  const rows = [
    agreement('2021-10-08', '2021-10-06'),
    agreement('2023-02-07', '2021-10-06', { threshold_value: 5 }),
  ]
  t.match(standingCovenants(rows, '2023-12-31'), [{ threshold: 5, rows: [1, 0], ended_on: null }])
  t.end()
})

t.test('a covenant ends with its maturity, or when an annual report no longer states it', t => {
  const matured = [agreement('2021-10-08', '2021-10-06', { agreement_maturity_date: '2024-10-06' })]
  t.match(standingCovenants(matured, '2024-10-06'), [{ ended_on: null }])
  t.match(standingCovenants(matured, '2024-10-07'), [{ ended_on: '2024-10-06', ended_because: 'matured' }])
  const reports = [
    stated('2022-02-01', { threshold_value: 3.5 }),
    stated('2023-02-01', { covenant_name: 'Limitation on Liens', test_metric: null }),
    stated('2023-05-01', {
      covenant_name: 'Limitation on Mergers',
      test_metric: null,
      document_type: '10-Q',
    }),
  ]
  t.match(standingCovenants(reports, '2023-12-31'), [
    { ended_on: '2023-02-01', ended_because: 'not_repeated' },
    { ended_on: null },
    { ended_on: null },
  ])
  t.end()
})

t.test('covenants in force are listed unless asked otherwise, each with its evidences', async t => {
  const row = (known_from: string, more: object) => ({
    ticker: 'ALFA',
    covenant_type: 'financial',
    covenant_name: 'Maximum Total Leverage Ratio',
    test_metric: 'leverage_ratio',
    threshold_type: 'maximum',
    rule: 'test_sentence',
    source: `${known_from}.html`,
    source_document_date: known_from,
    document_type: '10-K',
    known_from,
    ...more,
  })
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    covenants: [
      row('2023-02-01', { id: 'a', threshold_value: 4.5 }),
      row('2024-02-01', { id: 'b', threshold_value: 4 }),
      row('2023-02-01', {
        id: 'l',
        covenant_name: 'Limitation on Liens',
        test_metric: null,
        covenant_type: 'negative',
      }),
    ],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const now = await engine.call('search.covenants', { ticker: 'ALFA', explain: true })
  t.match(now.data, [
    {
      id: 'a',
      covenant_name: 'Maximum Total Leverage Ratio',
      threshold_value: 4,
      in_force: true,
      evidence_count: 2,
      last_stated: '2024-02-01',
      _explain: {
        source: '2024-02-01.html',
        evidence_count: 2,
        evidences: [
          { source: '2024-02-01.html', threshold_value: 4 },
          { source: '2023-02-01.html', threshold_value: 4.5 },
        ],
      },
    },
  ])
  t.equal(now.data.length, 1)
  const ended = await engine.call('search.covenants', { ticker: 'ALFA', in_force: 'false' })
  t.match(ended.data, [
    { covenant_name: 'Limitation on Liens', ended_on: '2024-02-01', ended_because: 'not_repeated' },
  ])
  const before = await engine.call('search.covenants', {
    ticker: 'ALFA',
    as_of: '2023-06-30',
    sort: 'covenant_name',
  })
  t.match(before.data, [
    { covenant_name: 'Limitation on Liens', in_force: true },
    { threshold_value: 4.5, evidence_count: 1 },
  ])
})

const ending = (more: Partial<AgreementEnding> = {}): AgreementEnding => ({
  company_id: 'ALFA',
  instrument_name: 'Credit Agreement',
  agreement_date: '2020-05-01',
  section: null,
  ended_on: '2024-06-03',
  ended_because: 'terminated',
  is_existing: false,
  ...more,
})

t.test('a covenant ends with its agreement on the day that a document tells, and not before', t => {
  const rows = [agreement('2020-05-04', '2020-05-01'), agreement('2021-03-02', '2021-03-01')]
  const [first, second] = standingCovenants(rows, '2024-06-30', [ending()])
  t.match(first, { ended_on: '2024-06-03', ended_because: 'terminated', ending: 0 })
  t.match(second, { ended_on: null, ending: null }, 'another agreement')
  t.match(standingCovenants(rows, '2024-06-02', [ending()]), [{ ended_on: null }, { ended_on: null }])
  const others = [ending({ company_id: 'BETA' }), ending({ instrument_name: 'Indenture' })]
  t.match(standingCovenants(rows, '2024-06-30', others), [{ ended_on: null }, { ended_on: null }])
  t.end()
})

t.test(
  'what ends an existing restatement ends the agreements that it restates, unless two may be meant',
  t => {
    const restated = (day: string, date: string) =>
      agreement(day, date, {
        instrument_name: `Amended and Restated Credit Agreement dated ${date}`,
        covenant_name: 'Limitation on Liens',
      })
    const existing = ending({
      instrument_name: 'Second Amended and Restated Credit Agreement',
      agreement_date: '2013-08-07',
      ended_on: '2016-04-15',
      is_existing: true,
    })
    const ends = (rows: StatedCovenant[], end = existing) =>
      standingCovenants(rows, '2024-06-30', [end]).map(each => each.ended_on)
    const chain = [agreement('2004-01-05', '2004-01-02'), restated('2007-04-11', '2007-04-05')]
    t.strictSame(ends(chain), ['2016-04-15', '2016-04-15'])
    t.strictSame(
      ends(chain, { ...existing, is_existing: false }),
      [null, null],
      'not called the existing one',
    )
    t.strictSame(
      ends(chain, { ...existing, agreement_date: '2006-01-03' }),
      ['2016-04-15', null],
      'a later one',
    )
    const two = [agreement('2004-01-05', '2004-01-02'), agreement('2009-03-03', '2009-03-02')]
    t.strictSame(ends(two), [null, null], 'two agreements, of which either may have been restated')
    t.strictSame(ends([restated('2018-02-01', '2007-04-05')]), [null], 'stated again since')
    const term = { instrument_name: 'Term Loan Agreement dated 2007-04-05' }
    t.strictSame(ends([agreement('2007-04-11', '2007-04-05', term)]), [null], 'an agreement of another name')
    t.end()
  },
)

t.test('notes of a year are those of the indenture whose notes mature in it', t => {
  const put = { covenant_name: 'Change of Control Put', test_metric: null }
  const indenture = (date: string, matures: string | null) =>
    stated(date, {
      ...put,
      instrument_name: `Indenture dated ${date}`,
      agreement_date: date,
      agreement_maturity_date: matures,
      document_type: '8-K',
    })
  const told = stated('2021-11-18', { ...put, instrument_name: '2026 Senior Notes' })
  const counts = (...rows: StatedCovenant[]) =>
    standingCovenants([...rows, told], '2022-06-30').map(each => each.rows.length)
  const [one, other] = [indenture('2016-12-22', '2026-12-15'), indenture('2011-10-24', '2031-11-01')]
  t.strictSame(counts(one, other), [2, 1])
  t.strictSame(
    counts(one, indenture('2012-03-05', null)),
    [2, 1],
    'another does not say when its notes mature',
  )
  t.strictSame(counts(other), [1, 1], 'notes that mature in another year')
  const next = stated('2022-11-18', { ...put, instrument_name: '2024 Senior Notes' })
  t.match(
    standingCovenants([one, told, next], '2023-06-30')[0],
    { ended_on: '2022-11-18', ended_because: 'not_repeated' },
    'a later annual report leaves them out',
  )
  t.match(standingCovenants([one, next], '2023-06-30')[0], { ended_on: null }, 'no report tells of them')
  t.end()
})

t.test('of two agreements of one date, the one of the tenor that ended ends', t => {
  const named = (tenor: string) => ({ instrument_name: `${tenor} Credit Agreement dated 2020-05-01` })
  const rows = [
    agreement('2020-05-04', '2020-05-01', { ...named('Five-Year'), covenant_name: 'Limitation on Liens' }),
    agreement('2020-05-04', '2020-05-01', { ...named('364-Day'), covenant_name: 'Minimum Liquidity' }),
  ]
  const ended = standingCovenants(rows, '2024-06-30', [
    ending({ instrument_name: '364-day credit agreement' }),
  ])
  t.match(ended, [{ ended_on: null }, { ended_on: '2024-06-03' }])
  t.end()
})

t.test('a clause that an amendment deletes ends alone, unless a later document states it again', t => {
  const clause = (day: string, evidence_section: string) =>
    agreement(day, '2020-05-01', { evidence_section, covenant_name: evidence_section.slice(5) })
  const rows = [clause('2020-05-04', '7.12 Leverage'), clause('2020-05-04', '7.1 Liens')]
  const deleted = [ending({ section: '7.12', ended_because: 'amended' })]
  t.match(standingCovenants(rows, '2024-06-30', deleted), [
    { ended_on: '2024-06-03', ended_because: 'amended' },
    { ended_on: null },
  ])
  const again = [...rows, clause('2024-07-01', '7.12 Leverage')]
  t.match(standingCovenants(again, '2024-07-30', deleted)[0], { ended_on: null })
  t.end()
})

t.test('a lake tells when and by which words an agreement ended', async t => {
  const lake = await makeLake(t.teardown, {
    ...twoIssuers,
    covenants: [
      {
        id: 'a',
        ticker: 'ALFA',
        instrument_name: 'Credit Agreement dated 2020-05-01',
        agreement_date: '2020-05-01',
        covenant_type: 'negative',
        covenant_name: 'Limitation on Liens',
        rule: 'restriction_clause',
        source: 'agreement.html',
        source_document_date: '2020-05-04',
        document_type: 'EX-10.1',
        known_from: '2020-05-04',
      },
      ...[
        ['364-Day Credit Agreement', '2020-03-10'],
        ['Five-Year Credit Agreement', '2020-03-11'],
      ].map(([name, date]) => ({
        id: name,
        ticker: 'BETA',
        instrument_name: `${name} dated ${date}`,
        agreement_date: date,
        covenant_type: 'financial',
        covenant_name: 'Minimum Interest Coverage Ratio',
        test_metric: 'interest_coverage',
        rule: 'test_sentence',
        source: `${name}.html`,
        source_document_date: '2020-03-12',
        document_type: '8-K',
        known_from: '2020-03-12',
      })),
      ...['2012-01-05', '2015-01-05'].map(date => ({
        id: `t${date.slice(0, 4)}`,
        ticker: 'ALFA',
        instrument_name: `${date > '2013' ? 'Amended and Restated ' : ''}Term Loan Agreement dated ${date}`,
        agreement_date: date,
        covenant_type: 'negative',
        covenant_name: 'Limitation on Mergers',
        rule: 'restriction_clause',
        source: `${date}.html`,
        source_document_date: date,
        document_type: 'EX-10.1',
        known_from: date,
      })),
      ...(
        [
          ['i', 'Indenture dated 2016-12-22', '8-K', '2016-12-22', '2016-12-22', '2026-12-15'],
          ['n', '2026 Senior Notes', '10-K', '2020-02-03', null, null],
          ['o', '2028 Senior Notes', '10-K', '2021-02-03', null, null],
        ] as const
      ).map(([each, instrument_name, document_type, day, agreement_date, agreement_maturity_date]) => ({
        id: each,
        ticker: 'ALFA',
        instrument_name,
        agreement_date,
        agreement_maturity_date,
        covenant_type: 'protective',
        covenant_name: 'Change of Control Put',
        rule: 'change_of_control_put',
        source: `${day}.html`,
        source_document_date: day,
        document_type,
        known_from: day,
      })),
    ],
    agreement_endings: [
      {
        ticker: 'ALFA',
        instrument_name: 'Amended and Restated Term Loan Agreement',
        agreement_date: '2019-01-07',
        ended_because: 'terminated',
        evidence:
          'the Company terminated its existing Amended and Restated Term Loan Agreement, dated as of January 7, 2019',
        rule: 'agreement_terminated',
        source: '8-K of 2022.html',
        source_document_date: '2022-03-06',
        known_from: '2022-03-06',
      },
      {
        ticker: 'ALFA',
        instrument_name: 'Credit Agreement',
        agreement_date: '2020-05-01',
        ended_because: 'terminated',
        evidence: 'the Company terminated its Credit Agreement, dated as of May 1, 2020',
        rule: 'agreement_terminated',
        source: '8-K.html',
        source_document_date: '2023-03-06',
        known_from: '2023-03-06',
      },
    ],
  })
  await build(lake)
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const ended = await engine.call('search.covenants', {
    ticker: 'ALFA',
    in_force: false,
    explain: true,
    sort: 'covenant_name,instrument_name',
  })
  const byRestatement = {
    ended_on: '2022-03-06',
    ended_because: 'terminated',
    _explain: { in_force: { ended_by: { source: '8-K of 2022.html' } } },
  }
  t.match(ended.data, [
    { id: 'i', ended_on: '2021-02-03', ended_because: 'not_repeated' },
    {
      id: 'a',
      ended_on: '2023-03-06',
      ended_because: 'terminated',
      _explain: { in_force: { ended_by: { source: '8-K.html', text: /terminated its Credit Agreement/ } } },
    },
    { id: 't2015', ...byRestatement },
    { id: 't2012', ...byRestatement },
  ])
  const before = await engine.call('search.covenants', {
    ticker: 'ALFA',
    as_of: '2023-03-05',
    sort: 'covenant_name',
  })
  t.match(before.data, [{ id: 'o' }, { id: 'a', in_force: true, ended_on: null }])
  const run = { ticker: 'BETA', as_of: '2023-03-05' }
  t.match((await engine.call('search.covenants', { ...run, in_force: false })).data, [
    { instrument_name: /^364-Day/, ended_on: '2021-03-09', ended_because: 'matured' },
  ])
  t.match((await engine.call('search.covenants', run)).data, [
    { instrument_name: /^Five-Year/, ended_on: null },
  ])
  const found: Difference[] = []
  const tables = { tables: ['covenants'], found: (each: Difference) => found.push(each) }
  await verifyFigures(lake, await currentManifest(lake), tables)
  await verifyFigures(lake, await currentManifest(lake), { ...tables, asOf: '2023-03-05' })
  t.strictSame(found, [])
})
