import {
  boolean,
  bps,
  cents,
  date,
  integer,
  json,
  list,
  nullable,
  number,
  oneOf,
  percent,
  ratio,
  shaped,
  text,
  timestamp,
} from '../column.ts'
import { type Dataset, dataset } from '../dataset.ts'
import {
  agencies,
  assetTypes,
  consolidations,
  covenantTypes,
  entityTypes,
  instrumentTypes,
  issuerTypes,
  liens,
  priceSources,
  rateStructures,
  rateTypes,
  ratingOutlooks,
  ratingSources,
  ratingTypes,
  sectionTypes,
  securityTypes,
  seniorities,
  spreadSources,
  tenors,
  testMetrics,
} from '../vocabulary.ts'

/** How rows of several datasets say which company they are about; at least one of them, matched at build. */
const issuer = {
  ticker: nullable(shaped('ticker', 'Ticker of the company.', { example: 'AAPL' })),
  cik: nullable(shaped('cik', 'SEC central index key, 10 digits.')),
  company_name: nullable(text('Name of the company as the source writes it.')),
}
const whose = ['ticker', 'cik', 'company_name'] as const

/** How rows say which instrument they are about. */
const instrument = {
  bond_id: nullable(text("The source's own id of the instrument, where it has no CUSIP or ISIN.")),
  cusip: nullable(shaped('cusip', 'CUSIP, 9 characters.')),
  isin: nullable(shaped('isin', 'ISIN, 12 characters.')),
}
const which = ['cusip', 'isin', 'bond_id'] as const

/** The words of a document that a fact was read from. */
export const evidence = {
  evidence: nullable(text('Words of the document that say it.')),
  evidence_section: nullable(text('Section or clause that the words stand in.')),
  evidence_offset: nullable(
    integer('Where the words begin in the text of the document.', { unit: 'characters' }),
  ),
  rule: nullable(text('Rule of extraction that read it.')),
  accession: nullable(text('Accession number of the filing.')),
}

export const treasuryYields = dataset({
  name: 'treasury_yields',
  doc: 'US Treasury par yield curve, one row a day and tenor.',
  columns: {
    date: date('Day of the curve.'),
    tenor_months: number('Tenor.', { unit: 'months' }),
    rate: percent('Par yield, semiannual bond equivalent.'),
    publisher: oneOf(['treasury', 'fred'], 'Who published it; the Treasury wins where both did.'),
  },
  key: ['date', 'tenor_months', 'publisher'],
  known: ['date'],
  checks: [
    { sql: 'tenor_months > 0 and tenor_months <= 1200', says: 'tenor_months must be between 0 and 1200' },
    { sql: 'rate between -10 and 100', says: 'rate must be a percentage between -10 and 100' },
  ],
})

export const companies = dataset({
  name: 'companies',
  doc: 'Companies to cover.',
  columns: {
    ticker: nullable(shaped('ticker', 'Ticker.', { example: 'AAPL' })),
    name: text('Company name.'),
    cik: nullable(shaped('cik', 'SEC central index key, 10 digits.')),
    lei: nullable(shaped('lei', 'Legal entity identifier.')),
    sector: nullable(text('Sector.')),
    industry: nullable(text('Industry.')),
    sic: nullable(text('SIC code.')),
    country: nullable(text('Country of incorporation.')),
    fiscal_year_end: nullable(text('Fiscal year end, MMDD.')),
    former_names: nullable(list('Names it had before.')),
    aliases: nullable(list('Other tickers of the same company.')),
    coverage: nullable(oneOf(['standard', 'extended'], 'Coverage set.')),
  },
  key: ['ticker', 'cik', 'name'],
  known: [],
  reference: true,
})

export const directory = dataset({
  name: 'directory',
  doc: 'Who is who: names and identifiers used to link issuers. A row here does not make a company covered.',
  columns: {
    registry: text('Where the entry is from: `sec`, `sec_filers`, `gleif`.'),
    name: text('Registered name.'),
    position: integer('Place in the source: of several tickers of one CIK the first is canonical.'),
    ticker: nullable(shaped('ticker', 'Ticker.')),
    cik: nullable(shaped('cik', 'SEC central index key, 10 digits.')),
    lei: nullable(shaped('lei', 'Legal entity identifier.')),
    jurisdiction: nullable(text('Legal jurisdiction.')),
    other_names: nullable(list('Former, trading and transliterated names.')),
    status: nullable(text('Registration status.')),
    sic: nullable(text('SIC code.')),
  },
  key: ['registry', 'ticker', 'cik', 'lei', 'name'],
  known: [],
  reference: true,
})

export const bonds = dataset({
  name: 'bonds',
  doc: 'Terms of bonds and loans. What a source does not say is null, never guessed.',
  columns: {
    ...instrument,
    name: nullable(text('Name of the instrument as the source writes it.')),
    issuer_name: nullable(text('Name of the issuer as the source writes it.')),
    issuer_lei: nullable(shaped('lei', 'LEI of the issuer.')),
    issuer_id: nullable(text('Id of the issuing entity in the entities dataset.')),
    ...issuer,
    sector: nullable(text('Sector as the source writes it.')),
    coupon_rate: nullable(percent('Coupon a year.')),
    coupon_frequency: nullable(integer('Coupons a year.', { unit: 'per year' })),
    coupon_rounded: nullable(boolean('The source rounds coupons to two decimals.')),
    day_count: nullable(oneOf(['30/360', 'ACT/ACT', 'ACT/360', 'ACT/365'], 'Day count.')),
    rate_type: nullable(oneOf(rateTypes, 'Fixed or floating.')),
    rate_structure: nullable(oneOf(rateStructures, 'How the coupon behaves over the life.')),
    last_fixed_date: nullable(date('Last day of the fixed coupon of a fixed-to-float bond.')),
    maturity_date: nullable(date('Final maturity.')),
    issue_date: nullable(date('Issue date.')),
    accrual_date: nullable(date('Day from which the first coupon accrues.')),
    seniority: nullable(oneOf(seniorities, 'Ranking.')),
    security_type: nullable(oneOf(securityTypes, 'Security.')),
    instrument_type: nullable(oneOf(instrumentTypes, 'Instrument.', { example: 'senior_notes' })),
    issuer_type: nullable(oneOf(issuerTypes, 'Where in the group the issuer sits.')),
    currency: nullable(shaped('currency', 'ISO currency.', { example: 'USD' })),
    outstanding: nullable(cents('Amount outstanding.')),
    principal: nullable(cents('Amount issued.')),
    commitment: nullable(cents('Commitment of a facility.')),
    benchmark: nullable(text('Floating-rate reference.')),
    spread_bps: nullable(bps('Floating-rate spread.')),
    floor_bps: nullable(bps('Floating-rate floor.')),
    callable: nullable(boolean('The issuer may call it.')),
    call_schedule: nullable(json('Call dates and prices: `[{"date":"2027-06-01","price":102.5}]`.')),
    status: nullable(oneOf(['active', 'retired', 'defaulted'], 'Status, in force from the row on.')),
    restricted: nullable(boolean('Rule 144A or other restriction.')),
  },
  key: ['cusip', 'isin', 'bond_id'],
  needsOneOf: which,
  known: ['issue_date'],
  checks: [
    {
      sql: 'coupon_rate is null or coupon_rate between 0 and 100',
      says: 'coupon_rate must be a percentage between 0 and 100',
    },
    {
      sql: 'outstanding is null or outstanding >= 0',
      says: 'outstanding must not be negative',
    },
    {
      sql: 'maturity_date is null or issue_date is null or maturity_date >= issue_date',
      says: 'maturity_date is before issue_date',
    },
  ],
})

export const prices = dataset({
  name: 'prices',
  doc: 'Prices of bonds by day that are not single trades: marks of funds, vendor prices, daily summaries.',
  columns: {
    ...instrument,
    price_date: date('Day of the price.'),
    price: number('Price.', { unit: 'percent of par' }),
    price_basis: nullable(oneOf(['clean', 'dirty'], 'Whether accrued interest is in it; clean if not said.')),
    price_source: oneOf(priceSources, 'What kind of price it is.'),
    accrued: nullable(number('Accrued interest.', { unit: 'percent of par' })),
    volume: nullable(cents('Par traded that day.')),
    trade_count: nullable(integer('Trades that day.')),
    currency: nullable(shaped('currency', 'ISO currency.')),
    published_ytm: nullable(percent('Yield to maturity as the source publishes it.')),
    published_ytw: nullable(percent('Yield to worst as the source publishes it.')),
    published_duration: nullable(number('Modified duration as the source publishes it.', { unit: 'years' })),
  },
  key: ['cusip', 'isin', 'bond_id', 'price_date', 'price_source'],
  needsOneOf: which,
  known: ['price_date'],
  checks: [
    { sql: 'price > 0 and price <= 1000', says: 'price must be in percent of par, above 0 and at most 1000' },
    { sql: 'volume is null or volume >= 0', says: 'volume must not be negative' },
  ],
})

export const trades = dataset({
  name: 'trades',
  doc: 'Single trades as reported. Cancels and corrections act from the day they were reported.',
  columns: {
    ...instrument,
    trade_id: nullable(text("The report's own number.")),
    action: nullable(
      oneOf(['trade', 'cancel', 'correction', 'reversal'], 'What the report does; a trade if not said.'),
    ),
    original_trade_id: nullable(text('The report that a cancel, correction or reversal acts on.')),
    trade_date: date('Day of the trade.'),
    trade_time: nullable(text('Time of day, HH:MM:SS.')),
    reported_date: nullable(date('Day of the report; the trade date if not said.')),
    price: nullable(number('Clean price.', { unit: 'percent of par' })),
    yield: nullable(percent('Yield as reported.')),
    quantity: nullable(cents('Par traded.')),
    quantity_capped: nullable(boolean('The size was capped (`5MM+`, `1MM+`): quantity is the cap.')),
    side: nullable(oneOf(['buy', 'sell'], "The reporting party's side.")),
    counterparty: nullable(oneOf(['customer', 'dealer', 'affiliate', 'ats'], 'The other side.')),
    when_issued: nullable(boolean('Traded before issue.')),
    is_agency: nullable(boolean('The reporting dealer acted as agent.')),
    has_commission: nullable(boolean('A commission was charged on top of the price.')),
    special_price: nullable(boolean('A special circumstance set the price, not the market.')),
    price_estimated: nullable(boolean('The price is an estimate.')),
  },
  key: ['cusip', 'isin', 'bond_id', 'trade_id', 'action', 'trade_date', 'trade_time'],
  needsOneOf: which,
  known: ['reported_date', 'trade_date'],
  checks: [
    {
      sql: 'price is null or (price > 0 and price <= 1000)',
      says: 'price must be in percent of par, above 0 and at most 1000',
    },
    { sql: 'quantity is null or quantity >= 0', says: 'quantity must not be negative' },
    {
      sql: "price is not null or coalesce(action, 'trade') in ('cancel', 'reversal')",
      says: 'a trade needs a price',
    },
  ],
})

export const facts = dataset({
  name: 'facts',
  doc: 'Figures that companies tag in their filings (XBRL), consolidated, one row a fact and filing.',
  columns: {
    cik: shaped('cik', 'SEC central index key of the filer, 10 digits.'),
    company_name: nullable(text('Name of the filer.')),
    ticker: nullable(shaped('ticker', 'Ticker as the source says.')),
    concept: text('Concept with its taxonomy, `us-gaap:LongTermDebt`.'),
    unit: text('Unit as tagged: `USD`, `shares`, `USD/shares`, `pure`.'),
    period_start: nullable(date('First day of a flow; null for a balance.')),
    period_end: date('Last day of a flow, day of a balance.'),
    value: number('Value in its unit (dollars, not cents).'),
    decimals: nullable(integer('Precision: -6 is millions; null is exact or not said.')),
    accession: nullable(text('Accession number of the filing, with dashes.')),
    form: nullable(text('Form, `10-K`.')),
    fiscal_year: nullable(integer("The filing's fiscal year.")),
    fiscal_period: nullable(text("The filing's fiscal period: FY, Q1, Q2, Q3.")),
    report_date: nullable(date("Period end of the filing's own report.")),
    filed_date: nullable(date('Filing date.')),
    dates_rounded: nullable(boolean('The source rounds period dates to the nearest month-end.')),
  },
  key: ['cik', 'concept', 'unit', 'period_start', 'period_end', 'accession', 'filed_date'],
  known: ['filed_date'],
  checks: [
    {
      sql: 'period_start is null or period_start <= period_end',
      says: 'period_start is after period_end',
    },
    { sql: 'isfinite(value)', says: 'value must be finite' },
  ],
})

export const filings = dataset({
  name: 'filings',
  doc: 'Filings of companies, without their text.',
  columns: {
    cik: shaped('cik', 'SEC central index key of the filer, 10 digits.'),
    company_name: nullable(text('Name of the filer.')),
    accession: text('Accession number, with dashes.'),
    form: text('Form, `10-K`.'),
    filed_date: date('Filing date.'),
    report_date: nullable(date('Period of the report.')),
    accepted: nullable(text('Acceptance stamp as the source writes it; its time zone is not reliable.')),
    primary_document: nullable(text('File name of the main document.')),
    items: nullable(text('Items of an 8-K.')),
    is_xbrl: nullable(boolean('Has XBRL.')),
    source_url: nullable(text('Where it can be read.')),
  },
  key: ['accession', 'cik'],
  known: ['filed_date'],
})

/** The figures of a statement, in minor units of its currency. */
export const statementItems = {
  revenue: nullable(cents('Revenue.')),
  gross_profit: nullable(cents('Gross profit.')),
  operating_income: nullable(cents('Operating income.')),
  depreciation_amortization: nullable(cents('Depreciation and amortization.')),
  ebitda: nullable(cents('EBITDA.')),
  interest_expense: nullable(cents('Interest expense.')),
  net_income: nullable(cents('Net income.')),
  total_assets: nullable(cents('Total assets.')),
  total_liabilities: nullable(cents('Total liabilities.')),
  stockholders_equity: nullable(cents("Stockholders' equity.")),
  total_debt: nullable(cents('Total debt: noncurrent, current portion, short-term borrowings.')),
  cash_and_equivalents: nullable(cents('Cash and cash equivalents.')),
  operating_cash_flow: nullable(cents('Cash flow from operations.')),
  capex: nullable(cents('Capital expenditure, positive.')),
}

export const statements = dataset({
  name: 'financials',
  doc: 'Financial statements of a period; flows cover `period_months` ending on `period_end_date`.',
  columns: {
    ...issuer,
    fiscal_year: integer('Fiscal year.'),
    fiscal_quarter: integer('Fiscal quarter in which the period ends, 1 to 4.'),
    period_months: nullable(integer('Months that the flows cover: 3 (if not said), 6, 9 or 12.')),
    period_end_date: date('Last day of the period.'),
    filing_type: nullable(text('Form, `10-Q` or `10-K`.')),
    filed_date: nullable(date('Filing date.')),
    accession: nullable(text('Accession number of the filing.')),
    currency: nullable(shaped('currency', 'ISO currency; USD if not said.')),
    ...statementItems,
    secured_debt: nullable(cents('Secured debt.')),
    debt_due_1yr: nullable(cents('Debt due within a year of the period end.')),
    debt_due_2yr: nullable(cents('Debt due within two years of the period end.')),
    debt_due_3yr: nullable(cents('Debt due within three years of the period end.')),
    debt_due_4yr: nullable(cents('Debt due within four years of the period end.')),
    debt_due_5yr: nullable(cents('Debt due within five years of the period end.')),
  },
  key: ['ticker', 'cik', 'company_name', 'fiscal_year', 'fiscal_quarter', 'period_months'],
  needsOneOf: whose,
  known: ['filed_date'],
  checks: [
    { sql: 'fiscal_quarter between 1 and 4', says: 'fiscal_quarter must be 1 to 4' },
    { sql: 'fiscal_year between 1900 and 2200', says: 'fiscal_year must be a year' },
    {
      sql: 'period_months is null or period_months in (3, 6, 9, 12)',
      says: 'period_months must be 3, 6, 9 or 12',
    },
  ],
})

export const covenants = dataset({
  name: 'covenants',
  doc: 'Covenants of bonds and credit agreements.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuer,
    instrument_name: nullable(text('Instrument or agreement.')),
    cusip: nullable(shaped('cusip', 'CUSIP of the instrument.')),
    covenant_type: oneOf(covenantTypes, 'Kind of covenant.'),
    covenant_name: text('Name of the covenant.'),
    test_metric: nullable(oneOf(testMetrics, 'Metric tested.')),
    threshold_value: nullable(number('Threshold.')),
    threshold_type: nullable(oneOf(['maximum', 'minimum'], 'Direction of the threshold.')),
    test_frequency: nullable(text('When it is tested: `quarterly`, `incurrence`.')),
    description: nullable(text('What it says.')),
    has_step_down: nullable(boolean('The threshold tightens on a schedule.')),
    step_down_schedule: nullable(json('Steps: `[{"date":"2026-03-31","threshold_value":4.5}]`.')),
    cure_period_days: nullable(integer('Days to cure.', { unit: 'days' })),
    put_price_pct: nullable(percent('Put price on a change of control, percent of par.')),
    extraction_confidence: nullable(ratio('Confidence of the extraction, 0 to 1.')),
    source_document_date: nullable(date('Date of the document.')),
    ...evidence,
  },
  key: ['id', 'ticker', 'cik', 'company_name', 'instrument_name', 'cusip', 'covenant_name', 'test_metric'],
  needsOneOf: whose,
  known: ['source_document_date'],
  checks: [
    {
      sql: 'extraction_confidence is null or extraction_confidence between 0 and 1',
      says: 'extraction_confidence must be between 0 and 1',
    },
  ],
})

export const collateral = dataset({
  name: 'collateral',
  doc: 'Collateral behind secured instruments.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...instrument,
    ...issuer,
    type: oneOf(assetTypes, 'Kind of asset.'),
    description: nullable(text('What it is.')),
    assets: nullable(list('Single assets.')),
    priority: nullable(oneOf(liens, 'Lien.')),
    estimated_value: nullable(cents('Estimated value.')),
    valuation_date: nullable(date('Day of the valuation.')),
    valuation_source: nullable(text('Who valued it.')),
    jurisdiction: nullable(text('Where it is.')),
    instrument_name: nullable(text('Instrument or agreement that it secures.')),
    extraction_confidence: nullable(ratio('Confidence of the extraction, 0 to 1.')),
    source_document_date: nullable(date('Date of the document.')),
    ...evidence,
  },
  key: [
    'id',
    'cusip',
    'isin',
    'bond_id',
    'ticker',
    'cik',
    'company_name',
    'instrument_name',
    'type',
    'priority',
    'description',
  ],
  needsOneOf: [...which, ...whose],
  known: ['source_document_date', 'valuation_date'],
})

export const ratings = dataset({
  name: 'ratings',
  doc: 'Rating actions.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuer,
    sector: nullable(text('Sector as the source writes it.')),
    cusip: nullable(shaped('cusip', 'CUSIP, for a rating of an instrument.')),
    agency: oneOf(agencies, 'Agency.'),
    rating: text('Rating as the agency writes it.'),
    rating_type: nullable(oneOf(ratingTypes, 'What the rating applies to; issuer if not said.')),
    outlook: nullable(oneOf(ratingOutlooks, 'Outlook.')),
    effective_date: nullable(date('Day the rating took effect; null where the source does not say.')),
    source_section_type: nullable(oneOf(ratingSources, 'How the rating was obtained; imported if not said.')),
  },
  key: ['ticker', 'cik', 'company_name', 'cusip', 'agency', 'rating_type', 'effective_date'],
  needsOneOf: [...whose, 'cusip'],
  known: ['effective_date'],
})

export const spreads = dataset({
  name: 'spreads',
  doc: 'Credit spreads by tenor that the operator loads; the bond-derived series is made by the build.',
  columns: {
    ticker: shaped('ticker', 'Ticker.'),
    spread_date: date('Day.'),
    tenor: oneOf(tenors, 'Tenor.'),
    spread_bps: bps('Spread.'),
    trade_count: nullable(integer('Trades behind it.')),
    bond_count: nullable(integer('Bonds behind it.')),
    feed: nullable(oneOf(spreadSources, 'Feed; `source` of the spread record.')),
  },
  key: ['ticker', 'spread_date', 'tenor', 'feed'],
  known: ['spread_date'],
})

export const entities = dataset({
  name: 'entities',
  doc: 'Legal entities of a group.',
  columns: {
    id: text('Id, unique in the lake; ownership and guarantees refer to it.'),
    ...issuer,
    name: text('Legal name.'),
    entity_type: nullable(oneOf(entityTypes, 'Role in the group.')),
    jurisdiction: nullable(text('Jurisdiction of incorporation.')),
    lei: nullable(shaped('lei', 'Legal entity identifier.')),
    parent_id: nullable(text('Id of the parent, where there is one.')),
    ownership_pct: nullable(percent('Share that the parent owns.')),
    is_guarantor: nullable(boolean('Guarantees debt of the group.')),
    is_vie: nullable(boolean('A variable interest entity.')),
    guarantee_type: nullable(text('Kind of guarantee, `full`.')),
    removed_date: nullable(date('Day from which the entity is no longer listed.')),
    document_date: nullable(date('Date of the document that lists it.')),
    jurisdiction_as_written: nullable(text('Jurisdiction as the document writes it.')),
    entity_type_confidence: nullable(ratio('How far the role can be relied on, 0 to 1.')),
    entity_type_rule: nullable(text('Why it is taken to have that role.')),
    document_type: nullable(text('Document that lists it: `EX-21`, `EX-22`.')),
    accession: nullable(text('Accession number of the filing.')),
  },
  key: ['id'],
  known: ['document_date'],
  checks: [
    {
      sql: 'entity_type_confidence is null or entity_type_confidence between 0 and 1',
      says: 'entity_type_confidence must be between 0 and 1',
    },
    {
      sql: 'ownership_pct is null or ownership_pct between 0 and 100',
      says: 'ownership_pct must be a percentage between 0 and 100',
    },
  ],
  reference: true,
})

export const ownership = dataset({
  name: 'ownership',
  doc: 'Which entity owns which, where a child has several parents or the link comes alone.',
  columns: {
    parent_id: nullable(text('Id of the parent entity.')),
    child_id: nullable(text('Id of the child entity.')),
    ownership_pct: nullable(percent('Share owned.')),
    document_date: nullable(date('Date of the document that says so.')),
    parent_lei: nullable(shaped('lei', 'LEI of the parent, where the source has no ids.')),
    child_lei: nullable(shaped('lei', 'LEI of the child, where the source has no ids.')),
    relationship: nullable(
      oneOf(consolidations, 'Whether the parent consolidates the child itself or stands at the top.'),
    ),
    ended_date: nullable(date('Day on which it ended.')),
  },
  key: ['parent_id', 'child_id', 'parent_lei', 'child_lei', 'relationship'],
  known: ['document_date'],
  checks: [
    {
      sql: 'coalesce(parent_id, parent_lei) is not null and coalesce(child_id, child_lei) is not null',
      says: 'needs parent_id and child_id, or parent_lei and child_lei',
    },
  ],
  reference: true,
})

export const guarantees = dataset({
  name: 'guarantees',
  doc: 'Which entity guarantees which instrument, or the debt of which issuer.',
  columns: {
    guarantor_id: text('Id of the guaranteeing entity.'),
    ...instrument,
    instrument_name: nullable(text('Instrument as the document names it: `4.125% Senior Notes due 2027`.')),
    issuer_id: nullable(text('Id of the entity whose debt it guarantees.')),
    guarantee_type: nullable(text('Kind of guarantee, `full`.')),
    document_date: nullable(date('Date of the document that says so.')),
    ...evidence,
    extraction_confidence: nullable(ratio('How far what was read can be relied on, 0 to 1.')),
  },
  key: ['guarantor_id', 'cusip', 'isin', 'bond_id', 'instrument_name', 'issuer_id'],
  needsOneOf: [...which, 'instrument_name', 'issuer_id'],
  known: ['document_date'],
  reference: true,
})

export const documents = dataset({
  name: 'documents',
  doc: 'Sections of filings.',
  columns: {
    id: nullable(text("The source's own id.")),
    ...issuer,
    doc_type: text('Form, `10-K`.'),
    accession: nullable(text('Accession number of the filing.')),
    filing_date: nullable(date('Filing date.')),
    period_end_date: nullable(date('Period of the report.')),
    section_type: oneOf(sectionTypes, 'What the section is.'),
    section_title: nullable(text('Title of the section.')),
    content: text('Text of the section.'),
    page_count: nullable(integer('Pages.')),
    source_url: nullable(text('Where the filing can be read.')),
    exhibit: nullable(text('Exhibit of the filing that it is of, `EX-10.1`; null for the filing itself.')),
    item: nullable(text('Item of the form that it is or stands in: `7A`, `part1item2`, `1.01`.')),
    within: nullable(
      oneOf(sectionTypes, 'Section that holds it too, as MD&A holds the liquidity discussion.'),
    ),
    first_page: nullable(integer('Page of the document on which it begins.')),
    text_offset: nullable(integer('Where it begins in the text of its document.', { unit: 'characters' })),
    source_offset: nullable(integer('Where it begins in the source as filed.', { unit: 'characters' })),
    source_length: nullable(
      integer('How much of the source it takes, markup included.', { unit: 'characters' }),
    ),
  },
  key: ['id', 'ticker', 'cik', 'company_name', 'accession', 'section_type', 'section_title'],
  needsOneOf: [...whose, 'accession'],
  known: ['filing_date'],
  checks: [
    {
      sql: 'length(content) <= 500000',
      says: 'content is longer than 500,000 characters: split the section',
    },
  ],
})

export const links = dataset({
  name: 'links',
  doc: "The user's own decisions on which company an issuer name, LEI or CIK belongs to.",
  columns: {
    name: nullable(text('Issuer name as sources write it.')),
    lei: nullable(shaped('lei', 'LEI.')),
    cik: nullable(shaped('cik', 'CIK.')),
    ticker: nullable(shaped('ticker', 'Ticker of the company it belongs to; null undoes the link.')),
    decided_at: nullable(timestamp('When it was decided: the last decision holds.')),
  },
  key: ['name', 'lei', 'cik'],
  needsOneOf: ['name', 'lei', 'cik'],
  known: [],
  reference: true,
})

export const datasets: readonly Dataset[] = [
  treasuryYields,
  companies,
  directory,
  bonds,
  prices,
  trades,
  facts,
  filings,
  statements,
  covenants,
  collateral,
  ratings,
  spreads,
  entities,
  ownership,
  guarantees,
  documents,
  links,
]

export const datasetNamed = (name: string): Dataset | undefined => datasets.find(d => d.name === name)
