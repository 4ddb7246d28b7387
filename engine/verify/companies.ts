import { smallest } from '../base/lists.ts'
import { type Day, parseDay } from '../credit/calendar.ts'
import { NO_MAX_AGE } from '../credit/max-age.ts'
import type { Database } from '../database/database.ts'
import type { Workbench } from './recomputation.ts'
import { readSchedule } from './sinking.ts'
import { monthsOn } from './terms.ts'
import { grouped, RowBuffer, records } from './workbench.ts'

interface Part {
  readonly company_id: string
  readonly part: 'trailing' | 'schedule' | 'bond' | 'entity' | 'company'
  readonly day: string | null
  readonly seniority: string | null
  readonly amount: number | null
  readonly flag: boolean | null
  readonly kind: string | null
  readonly place: string | null
  readonly numbers: Readonly<Record<string, number | null>> | null
  readonly sinking: string | null
  /** Of statements: the version that it is. */
  readonly print: 'latest' | 'original' | null
}

/**
 * Debt due within the given number of years of a day, from points one, two, three … years after a balance date, or after
 * the rest of the fiscal year that follows it.
 */
function alongLines(
  points: readonly number[],
  age: number,
  years: number,
  rest: { readonly due: number; readonly years: number } | null,
): number | null {
  const at = (since: number): number | null => {
    if (rest !== null && since <= rest.years) return (rest.due * since) / rest.years
    const after = atYear(since - (rest?.years ?? 0))
    return after === null ? null : after + (rest?.due ?? 0)
  }
  const atYear = (x: number): number | null => {
    if (x > points.length) return null
    const i = Math.max(0, Math.ceil(x) - 1)
    const left = i === 0 ? 0 : points[i - 1]!
    return left + (points[i]! - left) * (x - i)
  }
  const [until, since] = [at(age + years), at(age)]
  return until === null || since === null ? null : until - since
}

const numbers = [
  'total_debt',
  'debt_excluding_finance',
  'secured_debt',
  'unsecured_debt',
  'net_debt',
  'cash',
  'ebitda_ttm',
  'leverage_ratio',
  'net_leverage_ratio',
  'secured_leverage',
  'interest_coverage',
  'debt_due_1yr',
  'debt_due_2yr',
  'debt_due_3yr',
  'weighted_avg_maturity',
  'entity_count',
  'guarantor_count',
  'bond_count',
  'figures_age_days',
  'max_age_from',
  'max_age_to',
  'score_if_rated',
  'score_if_not_rated',
]
const flags = [
  'has_structural_sub',
  'has_floating_rate',
  'has_near_term_maturity',
  'has_holdco_debt',
  'has_opco_debt',
]

/** `made_companies`: metrics of each company by adding up its parts one by one, for each range of age limits. */
export async function makeCompanies({ db, asOf }: Workbench): Promise<void> {
  const made = await RowBuffer.table<Record<string, string | number | boolean | null>>(db, 'made_companies', {
    company_id: 'VARCHAR',
    currency: 'VARCHAR',
    nearest_maturity: 'VARCHAR',
    period_end_date: 'VARCHAR',
    figures_null_because: 'VARCHAR',
    earnings_of: 'VARCHAR',
    is_annualized: 'BOOLEAN',
    is_latest: 'BOOLEAN',
    is_original: 'BOOLEAN',
    ...Object.fromEntries(numbers.map(name => [name, 'DOUBLE'])),
    ...Object.fromEntries(flags.map(name => [name, 'BOOLEAN'])),
  })
  const rows = partsOf(db, asOf)
  for await (const parts of grouped(rows, p => p.company_id)) {
    const company = parts.find(p => p.part === 'company')
    if (!company) continue
    const prints = { latest: under('latest', parts), original: under('original', parts) }
    const picks = {
      latest: picksOf(prints.latest, asOf),
      original: picksOf(prints.original, asOf),
    }
    const isSame = JSON.stringify(picks.latest) === JSON.stringify(picks.original)
    for (const print of isSame ? (['latest'] as const) : (['latest', 'original'] as const)) {
      const ages = picks[print].map(p => Math.max(0, parseDay(asOf) - parseDay(p.day!)))
      for (const limit of [0, ...ages].filter((a, i, all) => all.indexOf(a) === i)) {
        const above = ages.filter(a => a > limit)
        const until = above.length > 0 ? smallest(above) - 1 : NO_MAX_AGE
        await made.add({
          ...metricsOf(company, prints[print], asOf, limit),
          max_age_from: limit,
          max_age_to: until,
          is_latest: print === 'latest',
          is_original: isSame || print === 'original',
        })
      }
    }
  }
  await made.flush()
}

/** The parts of a company with its statements as first or as last reported. */
const under = (print: 'latest' | 'original', parts: readonly Part[]): Part[] =>
  parts.filter(p => p.print === null || p.print === print).map(p => ({ ...p, print: null }))

/** The statements that figures may be read off under some limit of age. */
function picksOf(parts: readonly Part[], asOf: string): Part[] {
  const { figures, whole } = statementsOf(
    parts.filter(p => p.part === 'trailing'),
    asOf,
  )
  return [...(figures ? [figures] : []), ...whole, ...parts.filter(p => p.part === 'schedule')]
}

const filed = (name: string) => `'${name}': CAST(${name} AS DOUBLE)`

/** What was filed first of the rest of a fiscal year, in minor units of its currency. */
const firstRestSql = `
  SELECT o.company_id, r.period_end AS period_end_date, r.concept, r.unit AS currency,
    arg_min(round(r.value * CASE WHEN r.unit IN ('JPY', 'KRW', 'VND', 'CLP', 'ISK') THEN 1 ELSE 100 END),
      {'known': coalesce(r.known_from, DATE '0001-01-01'), 'value': -r.value}) AS first
  FROM raw_facts r JOIN (SELECT DISTINCT cik, company_id FROM company_of WHERE cik IS NOT NULL) o USING (cik)
  WHERE r.concept LIKE '%RemainderOfFiscalYear' AND r.period_start IS NULL AND r.dimensions IS NULL AND r.value >= 0 GROUP BY ALL`

/** Statements, schedules, bonds and entities of each company, one after the other. */
const partsOf = (db: Database, asOf: string): AsyncIterable<Part> =>
  records<Part>(
    db,
    `WITH rest AS (
        SELECT company_id, period_end_date, CAST(max(amount) AS DOUBLE) AS latest, max(first) AS original, (12 - 3 * max(fiscal_quarter)) / 12 AS rest_years
        FROM kept_debt_disclosures LEFT JOIN (${firstRestSql}) USING (company_id, period_end_date, concept, currency)
        WHERE item = 'due_remainder' AND dimensions IS NULL AND fiscal_quarter < 4 GROUP BY ALL),
      versions AS (SELECT *, unnest(CASE WHEN is_latest AND is_original THEN ['latest', 'original'] WHEN is_latest THEN ['latest'] ELSE ['original'] END) AS print
        FROM made_financials WHERE is_latest OR is_original),
      trailing_statements AS (SELECT * FROM versions WHERE basis = 'ttm'),
      schedule AS (SELECT *, CASE print WHEN 'latest' THEN latest ELSE original END AS rest FROM versions LEFT JOIN rest USING (company_id, period_end_date)
        WHERE debt_due_1yr IS NOT NULL
        QUALIFY row_number() OVER (PARTITION BY company_id, print ORDER BY period_end_date DESC, basis, fiscal_quarter DESC) = 1)
    SELECT k.company_id, 'company' AS part, NULL AS day, NULL AS seniority, CAST(NULL AS DOUBLE) AS amount,
      k.company_id IN (SELECT company_id FROM kept_companies_by_age WHERE list_contains("_metadata.warning_codes", 'captive_finance')) AS flag,
      k.sector AS kind, NULL AS place, NULL AS numbers, CAST(NULL AS VARCHAR) AS sinking, NULL AS print
    FROM kept_companies k
    UNION ALL SELECT company_id, 'trailing', period_end_date, NULL, NULL, is_bank, currency,
      CASE WHEN is_annualized THEN 'annualized ' ELSE '' END || CASE WHEN ebitda_estimated THEN 'estimated ' ELSE '' END
        || CASE WHEN starts_with("_metadata.leverage_data_quality.ebitda_source", 'operating_income') THEN 'of_operations' ELSE '' END,
      MAP {${['version', 'fiscal_year', 'fiscal_quarter', 'total_debt', 'debt_excluding_finance', 'secured_debt', 'cash_and_equivalents', 'ebitda', 'leverage_ratio', 'net_leverage_ratio', 'interest_coverage'].map(filed).join(', ')}}, NULL, print FROM trailing_statements
    UNION ALL SELECT company_id, 'schedule', period_end_date, NULL, NULL, NULL, NULL, NULL,
      MAP {${filed('version')}, ${[1, 2, 3, 4, 5].map(n => `'due${n}': debt_due_${n}yr`).join(', ')}, 'rest': rest, 'rest_years': rest_years}, NULL, print FROM schedule
    UNION ALL SELECT t.company_id, 'bond', t.maturity_date, s.seniority, CASE WHEN coalesce(s.currency, 'USD') = 'USD' THEN CAST(s.outstanding AS DOUBLE) END,
      t.rate_structure = 'floating' OR t.rate_type = 'floating', t.rate_type, s.issuer_type, NULL, s.sinking_schedule, NULL
      FROM made_terms t JOIN made_stated s USING (id) WHERE t.is_active AND t.company_id IS NOT NULL
    UNION ALL SELECT company_id, 'entity', NULL, NULL, NULL, is_guarantor, NULL, NULL, NULL, NULL, NULL FROM kept_entities
      WHERE company_id IS NOT NULL AND (removed_date IS NULL OR CAST(removed_date AS VARCHAR) > '${asOf}')
    ORDER BY company_id`,
  )

/**
 * The newest trailing statement and, if its EBITDA is annualised, those of the fifteen months before whose EBITDA
 * covers four quarters, newest first; without those whose operating income stands in, unless its own does.
 */
function statementsOf(trailing: readonly Part[], asOf: string): { figures?: Part; whole: readonly Part[] } {
  const order = (p: Part) => [parseDay(p.day!), p.numbers!['fiscal_year']!, p.numbers!['fiscal_quarter']!]
  const newestFirst = [...trailing].sort((a, b) => {
    const [x, y] = [order(a), order(b)]
    return y[0]! - x[0]! || y[1]! - x[1]! || y[2]! - x[2]!
  })
  const [figures] = newestFirst
  if (!figures) return { whole: [] }
  const isScaled = (p: Part) => p.place!.includes('annualized')
  if (!isScaled(figures)) return { figures, whole: [] }
  const [today, newest] = [parseDay(asOf), parseDay(figures.day!)]
  const since = (today - newest > 456 ? newest : today) - 456
  const standsIn = (p: Part) => p.place!.includes('estimated')
  const hasEarnings = figures.numbers!['ebitda'] != null && !standsIn(figures)
  const isWhole = (p: Part) =>
    !isScaled(p) &&
    !(hasEarnings && standsIn(p)) &&
    p.numbers!['ebitda'] !== null &&
    p.numbers!['ebitda'] !== undefined &&
    p.kind === figures.kind &&
    parseDay(p.day!) < newest &&
    parseDay(p.day!) >= since
  return { figures, whole: newestFirst.filter(isWhole) }
}

/** Debt due within the given number of years: of the bonds if they are the company's debt, else of the schedule. */
function dueWithin(
  bonds: readonly Part[] | null,
  schedule: Part | undefined,
  asOf: string,
  years: number,
): number | null {
  if (bonds) return bonds.reduce((total, b) => total + repaidBy(b, asOf, monthsOn(asOf, 12 * years)), 0)
  if (!schedule) return null
  const points = [1, 2, 3, 4, 5].map(n => schedule.numbers?.[`due${n}`] ?? Number.NaN)
  const age = (parseDay(asOf) - parseDay(schedule.day!)) / 365.25
  const [due, restYears] = [schedule.numbers?.['rest'] ?? null, schedule.numbers?.['rest_years'] ?? null]
  const rest = due === null || restYears === null ? null : { due, years: restYears }
  const value = alongLines(points, age, years, rest)
  return value === null || Number.isNaN(value) ? null : Math.round(value)
}

/** What of a bond's amount outstanding is repaid by a day: all of it at maturity, before that its sinking schedule's part. */
function repaidBy({ day, amount, sinking }: Part, asOf: string, by: string): number {
  if (day === null || day <= by) return day === null ? 0 : amount!
  const schedule = sinking === null ? null : readSchedule(sinking)
  if (!schedule) return 0
  const percentBy = (until: string) =>
    schedule.filter(each => each.day <= parseDay(until)).reduce((percent, each) => percent + each.percent, 0)
  const [before, then] = [percentBy(asOf), percentBy(by)]
  return before >= 100 ? 0 : Math.round(amount! * Math.min((then - before) / (100 - before), 1))
}

const sumOf = (those: readonly Part[]): number => those.reduce((total, b) => total + b.amount!, 0)

/** The bonds if they are the company's debt: each with its amount, and not less than half of total debt in dollars. */
function bondsAsDebt(bonds: readonly Part[], newest: Part | undefined): readonly Part[] | null {
  if (bonds.length === 0 || bonds.some(b => b.amount === null)) return null
  const debt = newest?.kind === 'USD' ? (newest.numbers?.['total_debt'] ?? null) : null
  return debt !== null && 2 * sumOf(bonds) < debt ? null : bonds
}

/** Totals and flags of a company's active bonds. */
function bondMetrics(bonds: readonly Part[], asOf: string, due2: number | null, areDebt: boolean) {
  const today: Day = parseDay(asOf)
  const dated = bonds.filter(b => b.day !== null)
  const nearest = dated.reduce<string | null>(
    (least, b) => (least === null || b.day! < least ? b.day : least),
    null,
  )
  const weighed = dated.filter(b => b.amount !== null)
  const weight = sumOf(weighed)
  const any = (test: (b: Part) => boolean, isKnown: (b: Part) => boolean): boolean | null =>
    bonds.some(test) ? true : bonds.length > 0 && bonds.every(isKnown) ? false : null
  const placed = (b: Part) => areDebt && b.place !== null
  const holdco = any(b => b.place === 'holdco', placed)
  const opco = any(b => b.place === 'opco' || b.place === 'subsidiary', placed)
  const isNear = (nearest !== null && nearest <= monthsOn(asOf, 24)) || (due2 !== null && due2 > 0)
  return {
    nearest_maturity: nearest,
    weighted_avg_maturity:
      weight > 0
        ? weighed.reduce((total, b) => total + (b.amount! * (parseDay(b.day!) - today)) / 365.25, 0) / weight
        : null,
    bond_count: bonds.length,
    has_structural_sub:
      holdco === false || opco === false ? false : holdco === null || opco === null ? null : true,
    has_floating_rate: any(
      b => b.flag === true,
      b => areDebt && b.kind !== null,
    ),
    has_near_term_maturity: isNear ? true : due2 === null ? null : false,
    has_holdco_debt: holdco,
    has_opco_debt: opco,
  }
}

/** The metrics without statements and schedules older than `limit` days. */
function metricsOf(company: Part, parts: readonly Part[], asOf: string, limit: number) {
  const of = (part: Part['part']) => parts.filter(p => p.part === part)
  const daysSince = (day: string) => Math.max(0, parseDay(asOf) - parseDay(day))
  const isRecent = (p: Part) => daysSince(p.day!) <= limit
  const { figures: newest, whole } = statementsOf(of('trailing'), asOf)
  const figures = newest && isRecent(newest) ? newest : undefined
  const earnings = figures && (whole.find(isRecent) ?? figures)
  const [schedule] = of('schedule').filter(isRecent)
  const bonds = of('bond')
  const asDebt = bondsAsDebt(bonds, newest)
  const entities = of('entity')
  const number = (name: string) => figures?.numbers?.[name] ?? null
  const earned = (name: string) => earnings?.numbers?.[name] ?? null

  const [debt, cash, ebitda] = [number('total_debt'), number('cash_and_equivalents'), earned('ebitda')]
  const owesNothing = debt === 0 && bonds.length === 0
  const secured =
    number('secured_debt') ??
    (asDebt ? sumOf(asDebt.filter(b => b.seniority === 'senior_secured')) : owesNothing ? 0 : null)
  const isEarlier = earnings !== figures
  const over = (amount: number | null) =>
    amount === null || !(ebitda! > 0) || figures!.flag === true ? null : amount / ebitda!
  const leverage = isEarlier ? over(debt) : number('leverage_ratio')
  const net = debt === null || cash === null ? null : debt - cash
  const due = (years: number) =>
    dueWithin(asDebt, schedule, asOf, years) ?? (owesNothing && !schedule ? 0 : null)
  const doubts = earnings?.place ?? 'annualized estimated'
  const isAfterLending = company.flag === true && earnings?.place?.includes('of_operations')
  const coverage = isAfterLending ? null : earned('interest_coverage')
  const conditions = [
    debt !== null,
    cash !== null,
    ebitda !== null,
    coverage !== null,
    figures !== undefined && !doubts.includes('annualized'),
    figures !== undefined && !doubts.includes('estimated'),
    company.kind !== null,
  ]
  const score = (isRated: number) =>
    Math.round(((conditions.filter(Boolean).length + isRated) / (conditions.length + 1)) * 1000) / 1000
  return {
    company_id: company.company_id,
    currency: newest?.kind ?? null,
    period_end_date: newest?.day ?? null,
    figures_age_days: newest ? daysSince(newest.day!) : null,
    figures_null_because: figures ? null : newest ? 'stale' : 'no_statements',
    earnings_of: earnings ? [earnings.day, earned('fiscal_year'), earned('fiscal_quarter')].join(' ') : null,
    is_annualized: earnings ? doubts.includes('annualized') : null,
    total_debt: debt,
    debt_excluding_finance: number('debt_excluding_finance'),
    secured_debt: secured,
    unsecured_debt: debt === null || secured === null || secured > debt ? null : debt - secured,
    net_debt: net,
    cash,
    ebitda_ttm: ebitda,
    leverage_ratio: leverage,
    net_leverage_ratio: isEarlier ? over(net) : number('net_leverage_ratio'),
    secured_leverage: leverage === null || secured === null || !(ebitda! > 0) ? null : secured / ebitda!,
    interest_coverage: coverage,
    debt_due_1yr: due(1),
    debt_due_2yr: due(2),
    debt_due_3yr: due(3),
    entity_count: entities.length,
    guarantor_count: entities.filter(e => e.flag === true).length,
    ...bondMetrics(bonds, asOf, due(2), asDebt !== null),
    score_if_rated: score(1),
    score_if_not_rated: score(0),
  }
}
