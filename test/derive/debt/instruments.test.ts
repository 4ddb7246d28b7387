import t from 'tap'
import { open } from '../../../engine/engine.ts'
import { currentManifest } from '../../../engine/lake/snapshot.ts'
import { build } from '../../../engine/snapshot/build.ts'
import { verifyFigures } from '../../../engine/verify/verify.ts'
import { builtLake } from '../../built-lake.ts'
import { makeLake, type Rows, twoIssuers } from '../../make-lake.ts'

const CIK = '0000000003'

let position = 0
const fact = (concept: string, value: number, more: object = {}) => ({
  cik: CIK,
  company_name: 'Gamma Paper Machines Inc',
  concept: concept.includes(':') ? concept : `us-gaap:${concept}`,
  unit: 'USD',
  period_end: '2024-12-31',
  value,
  accession: '0000000003-25-000001',
  form: '10-K',
  fiscal_year: 2024,
  report_date: '2024-12-31',
  filed_date: '2025-02-15',
  known_from: '2025-02-15',
  source: `facts.csv:${++position}`,
  ...more,
})
const of = (...members: string[]) => ({
  dimensions: members
    .map(member => {
      const [axis, name] = member.split('=')
      return `${axis!.includes(':') ? axis : `us-gaap:${axis}`}Axis=${name}Member`
    })
    .sort()
    .join(';'),
})
const rate = (value: number, ...members: string[]) =>
  fact('DebtInstrumentInterestRateStatedPercentage', value, { ...of(...members), unit: 'pure' })

const NOTES_2030 = ['DebtInstrument=gama:SeniorNotesDueMarch152030', 'LongtermDebtType=us-gaap:SeniorNotes']
const NOTES_2027 = ['DebtInstrument=gama:SeniorSecuredNotesDue2027', 'LongtermDebtType=us-gaap:SeniorNotes']
const REVOLVER = ['CreditFacility=us-gaap:RevolvingCreditFacility']

const rows: Rows = {
  ...twoIssuers,
  companies: [
    ...twoIssuers['companies']!,
    { ticker: 'GAMA', name: 'Gamma Paper Machines Inc', cik: CIK, sector: 'Materials' },
  ],
  bonds: [
    ...twoIssuers['bonds']!,
    {
      cusip: '361000AA0',
      ticker: 'GAMA',
      name: 'Gamma 4.25 2030',
      coupon_rate: 4.25,
      maturity_date: '2030-03-15',
      currency: 'USD',
      known_from: '2024-01-02',
    },
  ],
  facts: [
    fact('Assets', 2000e6),
    fact('LongTermDebtNoncurrent', 880e6),
    fact('LongTermDebtCurrent', 0),
    fact('CommercialPaper', 20e6),
    fact('FinanceLeaseLiabilityNoncurrent', 30e6),
    fact('FinanceLeaseLiabilityCurrent', 5e6),
    fact('LongTermDebt', 495e6, of(...NOTES_2030)),
    fact('LongTermDebt', 495e6, of('LongtermDebtType=gama:SeniorNotesDueMarch152030')),
    fact('DebtInstrumentFaceAmount', 500e6, of(...NOTES_2030)),
    rate(0.0425, ...NOTES_2030),
    fact('LongTermDebt', 385e6, of(...NOTES_2027)),
    fact('DebtInstrumentFaceAmount', 390e6, of(...NOTES_2027)),
    rate(0.06, ...NOTES_2027),
    fact('LongTermDebt', 880e6, of('LongtermDebtType=us-gaap:SeniorNotes')),
    fact('LongTermDebt', 800e6, of(...NOTES_2027, 'dei:LegalEntity=us-gaap:GuarantorSubsidiaries')),
    rate(0.04, ...NOTES_2030, 'srt:Range=srt:Minimum'),
    fact('LineOfCreditFacilityMaximumBorrowingCapacity', 600e6, of(...REVOLVER)),
    fact('LineOfCreditFacilityRemainingBorrowingCapacity', 590e6, of(...REVOLVER)),
    fact('DebtInstrumentInterestRateStatedPercentageRateRangeMinimum', 0.055, {
      ...of(...REVOLVER),
      unit: 'pure',
    }),
    fact('DebtInstrumentBasisSpreadOnVariableRate1', 0.0125, {
      ...of(...REVOLVER, 'VariableRate=us-gaap:SecuredOvernightFinancingRateSofr'),
      unit: 'pure',
    }),
  ],
}

t.test('instruments of filings', async t => {
  const lake = await builtLake(t.teardown, rows, { asOf: '2025-07-02' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const call = (more: object = {}) => engine.call('search.instruments', { ticker: 'GAMA', ...more })

  t.test('each instrument is one row, whatever axes it is tagged with', async t => {
    const { data, meta } = await call({
      fields:
        'name,instrument_type,seniority,principal,carrying_amount,commitment,undrawn,coupon_rate,rate_type,benchmark,spread_bps,maturity_date,maturity_year,is_counted,bond_id,match_null_because',
    })
    t.strictSame(data, [
      {
        name: '6% Senior Secured Notes due 2027',
        instrument_type: 'senior_secured_notes',
        seniority: 'senior_secured',
        principal: 390e8,
        carrying_amount: 385e8,
        commitment: null,
        undrawn: null,
        coupon_rate: 6,
        rate_type: 'fixed',
        benchmark: null,
        spread_bps: null,
        maturity_date: null,
        maturity_year: 2027,
        is_counted: true,
        bond_id: null,
        match_null_because: 'no_bond_alike',
      },
      {
        name: '4.25% Senior Notes due March 15, 2030',
        instrument_type: 'senior_notes',
        seniority: 'senior_unsecured',
        principal: 500e8,
        carrying_amount: 495e8,
        commitment: null,
        undrawn: null,
        coupon_rate: 4.25,
        rate_type: 'fixed',
        benchmark: null,
        spread_bps: null,
        maturity_date: '2030-03-15',
        maturity_year: 2030,
        is_counted: true,
        bond_id: '361000AA0',
        match_null_because: null,
      },
      {
        name: 'Commercial Paper',
        instrument_type: 'commercial_paper',
        seniority: null,
        principal: null,
        carrying_amount: 20e8,
        commitment: null,
        undrawn: null,
        coupon_rate: null,
        rate_type: null,
        benchmark: null,
        spread_bps: null,
        maturity_date: null,
        maturity_year: null,
        is_counted: false,
        bond_id: null,
        match_null_because: 'not_a_note',
      },
      {
        name: 'Revolving Credit Facility',
        instrument_type: 'revolver',
        seniority: null,
        principal: null,
        carrying_amount: null,
        commitment: 600e8,
        undrawn: 590e8,
        coupon_rate: null,
        rate_type: 'floating',
        benchmark: 'SOFR',
        spread_bps: 125,
        maturity_date: null,
        maturity_year: null,
        is_counted: false,
        bond_id: null,
        match_null_because: 'not_a_note',
      },
    ])
    t.equal(meta['total_carrying_amount'], 880e8)
    const all = await call({ is_current: false })
    t.strictSame(
      all.data.map(row => row.name),
      ['Senior Notes'],
      'the total of the notes is a row, and no instrument',
    )
  })

  t.test('the lowest of a range of rates is no floor of the reference', async t => {
    const { data } = await call({ fields: 'name,floor_bps' })
    t.match(data.at(-1), { name: 'Revolving Credit Facility', floor_bps: null })
  })

  t.test('each field shows its evidence', async t => {
    const { data } = await call({ explain: true, has_bond: true })
    const explained = (data[0] as unknown as { _explain: Record<string, object> })._explain
    t.match(explained, {
      principal: {
        concept: 'us-gaap:DebtInstrumentFaceAmount',
        value: 500e6,
        accession: '0000000003-25-000001',
      },
      seniority: { name: 'gama:SeniorNotesDueMarch152030Member' },
      match: { by: 'coupon_and_maturity', bond: '361000AA0' },
    })
  })

  t.test('the instruments are reconciled with tagged debt', async t => {
    const { data } = await engine.call('search.reconciliations', { ticker: 'GAMA' })
    t.match(data, [
      {
        tagged_debt: 935e8,
        instruments: 2,
        instruments_sum: 880e8,
        finance_leases: 35e8,
        lines_without_instruments: 20e8,
        difference: 0,
        difference_pct: 0,
        reconciles: true,
        likely_causes: [],
      },
    ])
  })

  t.test('a bond whose source says nothing takes rank and amounts from its instrument', async t => {
    const { data } = await engine.call('search.bonds', { cusip: '361000AA0', explain: true })
    t.match(data, [{ seniority: 'senior_unsecured', rank: 3, outstanding: 500e8, principal: 500e8 }])
    const { terms } = (data[0] as unknown as { _explain: { terms: object } })._explain
    t.match(terms, {
      from_filing: {
        accession: '0000000003-25-000001',
        terms: ['seniority', 'instrument_type', 'principal', 'outstanding'],
      },
    })
  })

  t.test('walls and waterfalls are of instruments where bonds do not make up the debt', async t => {
    const wall = async (options = {}) =>
      (await engine.call('search.maturities', { ticker: 'GAMA', min_due: 1, ...options })).data.map(
        ({ year, due, due_source }) => [year, due, due_source],
      )
    t.strictSame(
      await wall(),
      [
        [2027, 385e8, 'instruments'],
        [2030, 495e8, 'instruments'],
        [null, 10e8, 'instruments'],
      ],
      'a year is enough to place one, and a facility owes what is drawn',
    )
    const { data } = await engine.call('recovery.company', { ticker: 'GAMA', enterprise_value: 500e8 })
    t.match(
      data.claims.map(({ name, class: rank, amount }) => ({ name, rank, amount })),
      [
        { name: '6% Senior Secured Notes due 2027', rank: 'first_lien', amount: 385e8 },
        { name: 'GAMA 4.25 03/15/30', rank: 'senior_unsecured', amount: 495e8 },
        { name: 'Revolving Credit Facility', rank: 'senior_unsecured', amount: 10e8 },
      ],
    )
    t.strictSame(await wall({ as_of: '2025-02-14' }), [], 'not before the filing')
  })

  t.test('nothing is known before the filing', async t => {
    const before = await call({ as_of: '2025-02-14' })
    t.strictSame(before.data, [])
    const bond = await engine.call('search.bonds', { cusip: '361000AA0', as_of: '2025-02-14' })
    t.match(bond.data, [{ seniority: null, outstanding: null }])
    const sums = await engine.call('search.reconciliations', { ticker: 'GAMA', as_of: '2025-02-14' })
    t.strictSame(sums.data, [])
  })

  t.test('every figure is recomputed alike', async t => {
    const found: unknown[] = []
    const manifest = (await currentManifest(lake))!
    await verifyFigures(lake, manifest, { found: difference => found.push(difference) })
    t.strictSame(found, [])
  })
})

t.test('a loaded instrument wins over what filings tag, field by field', async t => {
  const loaded = {
    ticker: 'GAMA',
    name: 'Senior Notes due 2030',
    coupon_rate: 4.25,
    maturity_date: '2030-03-15',
    security_type: 'unsecured',
    change_of_control_price: 101,
    guarantors: ['Gamma Mills LLC'],
    known_from: '2025-03-01',
    source: 'desk.csv:1',
  }
  const lake = await builtLake(t.teardown, { ...rows, instruments: [loaded] }, { asOf: '2025-07-02' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.instruments', {
    ticker: 'GAMA',
    has_bond: true,
    fields: 'principal,security_type,change_of_control_price,guarantors',
  })
  t.strictSame(data, [
    {
      principal: 500e8,
      security_type: 'unsecured',
      change_of_control_price: 101,
      guarantors: ['Gamma Mills LLC'],
    },
  ])
})

t.test(
  'a debt table adds to tagged instruments and replaces nothing, and is the debt where nothing is tagged',
  async t => {
    const line = (ticker: string, name: string, more: object) => ({
      ticker,
      name,
      rule: 'debt_table',
      evidence: `${name} | $500 | $500`,
      balance_date: '2024-12-31',
      currency: 'USD',
      rate_type: 'fixed',
      known_from: '2025-03-01',
      source: '10-K.html:document, section 9',
      ...more,
    })
    const lake = await makeLake(t.teardown, {
      ...rows,
      instruments: [
        line('GAMA', '4.25% Senior Notes due 2030', {
          coupon_rate: 4.25,
          maturity: '2030',
          carrying_amount: 1,
        }),
        line('ALFA', '5.5% Senior Notes due May 2033', {
          coupon_rate: 5.5,
          maturity: '2033-05',
          carrying_amount: 500e8,
        }),
        ...['par_call_date', 'make_whole_bps'].map(field =>
          line('ALFA', '5.5% notes due 2033', {
            instrument_id: field,
            rule: 'note_terms',
            coupon_rate: 5.5,
            maturity: '2033',
            balance_date: null,
            [field]: field === 'par_call_date' ? '2033-02-15' : 20,
          }),
        ),
        line('ALFA', '2% Senior Notes due 2024', { coupon_rate: 2, maturity: '2024', carrying_amount: 0 }),
        line('ALFA', '5.50% Senior Notes due 2033', {
          coupon_rate: 5.5,
          maturity: '2033',
          carrying_amount: 480e8,
          balance_date: '2023-12-31',
          known_from: '2024-03-01',
        }),
      ],
    })
    await build(lake, { asOf: '2025-07-02' })
    const engine = await open(lake)
    t.teardown(() => engine.close())
    const list = async (params: object) =>
      (
        await engine.call('search.instruments', {
          ...params,
          fields:
            'name,carrying_amount,maturity,maturity_date,maturity_year,seniority,balance_date,par_call_date,make_whole_bps',
        })
      ).data
    t.strictSame(await list({ ticker: 'ALFA' }), [
      {
        name: '5.5% Senior Notes due May 2033',
        carrying_amount: 500e8,
        maturity: '2033-05',
        maturity_date: null,
        maturity_year: 2033,
        seniority: 'senior_unsecured',
        balance_date: '2024-12-31',
        par_call_date: '2033-02-15',
        make_whole_bps: 20,
      },
    ])
    const tagged = await list({ ticker: 'GAMA', has_bond: true })
    t.not((tagged[0] as { carrying_amount: number }).carrying_amount, 1, 'the tagged balance stays')
    t.equal(tagged.length, 1)
    const found: unknown[] = []
    await verifyFigures(lake, (await currentManifest(lake))!, {
      tables: ['instruments'],
      found: difference => found.push(difference),
    })
    t.strictSame(found, [])
  },
)
