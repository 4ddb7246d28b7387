/** Terms of a bond that its company's filings say where its own source says nothing. */
export const filedTerms = [
  'seniority',
  'security_type',
  'instrument_type',
  'principal',
  'outstanding',
  'benchmark',
  'spread_bps',
  'floor_bps',
  'callable',
  'call_schedule',
  'make_whole_bps',
  'make_whole_until',
  'change_of_control_price',
] as const

/** Whether the row of an instrument with a bond says what the bond is: it is current, or of a series of which terms alone are known. */
export const isOfBond = (isCurrent = 'is_current', evidence = '_explain'): string =>
  `(${isCurrent} OR coalesce(json_extract_string(${evidence}, '$.match.terms_only') = 'true', FALSE))`

/** A principal this near to its carrying amount is owed in full. */
const OWED = 'i.carrying_amount BETWEEN 0.9 * i.principal AND 1.02 * i.principal'
const inItsCurrency =
  'coalesce(b.currency, i.currency) = i.currency AND coalesce(i.denomination, i.currency) = i.currency'

const listOf = (schedule: string): string =>
  `CASE WHEN json_type(${schedule}) = 'ARRAY' THEN CAST(${schedule} AS JSON[]) ELSE CAST([] AS JSON[]) END`
const dayOfCall = "json_extract_string(c, '$.date')"

/**
 * `filed_terms`: what the instrument of a bond says of it, for bonds whose own source says nothing. An amount owed is
 * the principal if the carrying amount shows that all of it is still owed. A par call is a call at 100 from its day
 * on, after which other prices no longer apply; the make-whole price ends with the first call at a fixed price. A
 * source that says noncallable is not contradicted.
 */
export const filedTermsSql = `
    CREATE OR REPLACE TABLE filed_terms AS
    WITH matched AS (
      SELECT b.id, i.id AS instrument_id, i.seniority, i.security_type,
        CASE WHEN i.instrument_type NOT IN ('notes', 'loan') THEN i.instrument_type END AS instrument_type, i.benchmark, i.spread_bps, i.floor_bps,
        CASE WHEN ${inItsCurrency} THEN i.principal END AS principal,
        CASE WHEN NOT (${inItsCurrency} AND i.is_current) THEN NULL WHEN ${OWED} THEN i.principal
          WHEN i.principal IS NULL AND json_extract_string(i.evidence, '$.carrying_amount.concept') = 'us-gaap:DebtInstrumentCarryingAmount'
          THEN i.carrying_amount END AS outstanding,
        b.callable IS DISTINCT FROM FALSE AS may_be_called, i.callable, ${listOf('i.call_schedule')} AS calls,
        CASE WHEN coalesce(i.par_call_date < b.maturity_date, TRUE) THEN i.par_call_date END AS par_call_date,
        b.call_schedule AS own_schedule, i.make_whole_bps, i.change_of_control_price, i.balance_date, i.accession, i.source, i.evidence
      FROM instruments_base i JOIN bonds_base b ON b.id = i.bond_id
      WHERE ${isOfBond('i.is_current', 'i.evidence')}
      QUALIFY count(*) OVER (PARTITION BY b.id) = 1),
    scheduled AS (
      SELECT *, CAST(CASE WHEN par_call_date IS NOT NULL
        THEN to_json(list_append(list_filter(calls, lambda c: ${dayOfCall} < CAST(par_call_date AS VARCHAR)),
          json_object('date', CAST(par_call_date AS VARCHAR), 'price', 100)))
        WHEN len(calls) > 0 THEN to_json(calls) END AS VARCHAR) AS call_schedule
      FROM matched)
    SELECT * EXCLUDE (may_be_called, calls, par_call_date, own_schedule, callable, call_schedule, make_whole_bps),
      CASE WHEN may_be_called THEN coalesce(callable, CASE WHEN call_schedule IS NOT NULL OR make_whole_bps IS NOT NULL THEN TRUE END) END AS callable,
      CASE WHEN may_be_called THEN call_schedule END AS call_schedule,
      CASE WHEN may_be_called THEN make_whole_bps END AS make_whole_bps,
      CASE WHEN may_be_called AND make_whole_bps IS NOT NULL
        THEN list_min(list_transform(${listOf('coalesce(own_schedule, call_schedule)')}, lambda c: TRY_CAST(${dayOfCall} AS DATE))) END AS make_whole_until
    FROM scheduled`

const isTaken = (name: string): string => `o.${name} IS NULL AND f.${name} IS NOT NULL`
const said = (name: string, ...fields: readonly string[]): string =>
  `'${name}', CASE WHEN ${isTaken(name)} THEN coalesce(${fields.map(field => `json_extract(f.evidence, '$.${field}')`).join(', ')}) END`

/** The instrument of a bond `o` with the terms `f` taken from it, and the words that state call terms. */
export const fromFilingSql = `CASE WHEN f.id IS NOT NULL THEN to_json({'instrument_id': f.instrument_id, 'balance_date': f.balance_date,
  'accession': f.accession, 'source': f.source,
  'terms': list_filter([${filedTerms.map(name => `CASE WHEN ${isTaken(name)} THEN '${name}' END`).join(', ')}], lambda t: t IS NOT NULL),
  'evidence': json_merge_patch('{}', json_object(${[
    said('callable', 'callable', 'par_call_date', 'call_schedule', 'make_whole_bps'),
    said('call_schedule', 'par_call_date', 'call_schedule'),
    said('make_whole_bps', 'make_whole_bps'),
    said('change_of_control_price', 'change_of_control_price'),
  ].join(', ')}))}) END`
