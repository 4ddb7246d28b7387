import t from 'tap'
import { type AgreementEnding, standingCovenants } from '../../engine/derive/covenants/standing.ts'
import type { StatedCovenant } from '../../engine/derive/covenants/stated-covenant.ts'
import { stated } from './stated-covenant.ts'

const named = (
  name: string,
  date: string | null,
  document_type: string,
  day: string,
  more: Partial<StatedCovenant> = {},
) => stated(day, { instrument_name: name, agreement_date: date, document_type, ...more })

const shown = (rows: readonly StatedCovenant[], asOf: string, endings: readonly AgreementEnding[] = []) =>
  standingCovenants(rows, asOf, endings).map(
    ({ instrument_name, matures, ended_on, ended_because }) =>
      [instrument_name, matures, ended_on, ended_because] as const,
  )

t.test('covenants of one agreement have one name and one maturity', t => {
  const rows = [
    named(
      'Five-Year Revolving Credit Facility Agreement dated 2023-04-12',
      '2023-04-12',
      '8-K',
      '2023-04-12',
      {
        covenant_name: 'Limitation on Liens',
      },
    ),
    named('Five-Year Credit Agreement dated 2023-04-12', '2023-04-12', 'EX-10.1', '2023-04-12', {
      agreement_maturity_date: '2028-04-12',
    }),
  ]
  const own = 'Five-Year Credit Agreement dated 2023-04-12'
  t.strictSame(shown(rows, '2024-01-01'), [
    [own, '2028-04-12', null, null],
    [own, '2028-04-12', null, null],
  ])
  t.strictSame(
    shown(rows, '2028-05-01').map(([, , day, because]) => [day, because]),
    [
      ['2028-04-12', 'matured'],
      ['2028-04-12', 'matured'],
    ],
    'they end together, whichever of the documents states the day',
  )
  const extended = named('Amendment to Credit Agreement', '2023-04-12', '8-K', '2026-03-01', {
    instrument_name: own,
    agreement_maturity_date: '2029-04-12',
  })
  t.strictSame(
    shown([...rows, extended], '2028-05-01')[0],
    [own, '2029-04-12', null, null],
    'an extension counts',
  )
  t.strictSame(
    shown(
      [
        named('Five Year Facility', null, '10-K', '2022-04-29', { covenant_name: 'Limitation on Liens' }),
        named('Five-Year Facility', null, '10-K', '2022-04-29'),
        named('Five-Year Facility', null, '10-K', '2022-04-29', { covenant_name: 'Limitation on Mergers' }),
      ],
      '2023-01-01',
    ).map(([name]) => name),
    ['Five-Year Facility', 'Five-Year Facility', 'Five-Year Facility'],
    'a name that words tell from others, in the spelling most often used',
  )
  t.end()
})

t.test('agreements of one date are told by tenor, by term loans, and from leases', t => {
  const both = (one: string, other: string) =>
    shown(
      [
        named(`${one} dated 2022-04-26`, '2022-04-26', 'EX-10.1', '2022-04-26', {
          agreement_maturity_date: '2025-04-26',
        }),
        named(`${other} dated 2022-04-26`, '2022-04-26', 'EX-10.2', '2022-04-26', {
          agreement_maturity_date: '2027-04-26',
        }),
      ],
      '2026-01-01',
    )
  for (const [one, other] of [
    ['Three-Year Facility Agreement', 'Five-Year Facility Agreement'],
    ['Term Loan Credit Agreement', 'Credit Agreement'],
    ['Loan and Security Agreement', 'Master Lease Agreement'],
  ] as const)
    t.strictSame(both(one, other), [
      [`${one} dated 2022-04-26`, '2025-04-26', '2025-04-26', 'matured'],
      [`${other} dated 2022-04-26`, '2027-04-26', null, null],
    ])
  t.equal(both('Credit Agreement', 'Amended Credit Agreement').length, 1)
  t.end()
})

t.test('what only a current report told of notes ends when reports no longer tell of the notes', t => {
  const notes = (document_type: string, day: string, more: Partial<StatedCovenant> = {}) =>
    named('Indenture dated 2011-10-24', '2011-10-24', document_type, day, {
      covenant_name: 'Change of Control Put',
      agreement_maturity_date: '2031-11-01',
      ...more,
    })
  const rows = [
    notes('8-K', '2011-10-24', { covenant_name: 'Cross-Default' }),
    notes('8-K', '2011-10-24'),
    named('2031 Notes', null, '10-K', '2019-11-26', { covenant_name: 'Change of Control Put' }),
    stated('2020-11-19', { instrument_name: 'Credit Facility' }),
  ]
  const ends = (asOf: string) =>
    shown(
      rows.filter(({ day }) => day !== null && day <= asOf),
      asOf,
    ).map(([name, , day]) => [name, day])
  t.strictSame(ends('2020-11-18').slice(0, 2), [
    ['Indenture dated 2011-10-24', null],
    ['Indenture dated 2011-10-24', null],
  ])
  t.strictSame(ends('2020-11-19').slice(0, 2), [
    ['Indenture dated 2011-10-24', '2020-11-19'],
    ['Indenture dated 2011-10-24', '2020-11-19'],
  ])
  t.end()
})

t.test('a facility that reports tell without its date ends with the agreement of its tenor', t => {
  const ending: AgreementEnding = {
    company_id: 'ALFA',
    instrument_name: 'Five-Year Credit Agreement',
    agreement_date: '2021-05-18',
    section: null,
    ended_on: '2023-04-12',
    ended_because: 'replaced',
    is_existing: true,
  }
  const ends = (name: string, day: string) =>
    shown([named(name, null, '10-K', day)], '2023-06-01', [ending]).map(([, , on, because]) => [on, because])
  t.strictSame(ends('5-Year Facility', '2022-04-29'), [['2023-04-12', 'replaced']])
  t.strictSame(ends('364-Day Facility', '2022-06-29'), [[null, null]], 'of another tenor')
  t.strictSame(ends('Credit Facility', '2022-04-29'), [[null, null]], 'of none')
  t.strictSame(ends('Five-Year Notes', '2022-04-29'), [[null, null]])
  t.strictSame(ends('Five-Year Facility', '2023-05-01'), [[null, null]], 'told of since: the one after it')
  t.strictSame(ends('Five-Year Facility', '2020-04-29'), [[null, null]], 'told of before it was agreed')
  t.end()
})
