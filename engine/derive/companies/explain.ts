import { literal } from '../../database/database.ts'
import type { Print } from '../../schema/resources/shared.ts'
import { type QuotedItem, quotedItems } from '../statements/statement-fields.ts'

/** One field of `_explain` as SQL expressions; `inputs` is JSON, `flags` a list, texts are SQL too. */
interface Entry {
  readonly value: string
  readonly unit: string
  readonly formula: string
  readonly inputs?: string
  readonly flags?: string
  readonly because?: string
}

/** EBITDA and interest may be of an earlier statement than the balance sheet. */
const statementOf = (item: string): string => (earnings.has(item) ? 'said_of_earnings' : 'said')
const earnings: ReadonlySet<string> = new Set([
  'ebitda',
  'operating_income',
  'depreciation_amortization',
  'interest_expense',
])

/**
 * The quoted items of an `explain` column as a list. Its text, which explains every figure of the statement, is so
 * parsed once a row and not in each of the 40 places that quote it: that was five sixths of the time of the companies.
 */
export const quotedIn = (column: string): string =>
  `json_extract(CAST(${column} AS JSON), [${quotedItems.map(item => `'$.${item}'`).join(', ')}])`

const quotedItem = (item: QuotedItem): string => `${statementOf(item)}[${quotedItems.indexOf(item) + 1}]`
const explained = (item: QuotedItem, part: string): string => `json_extract(${quotedItem(item)}, '$.${part}')`
const explainedText = (item: QuotedItem, part: string): string =>
  `json_extract_string(${quotedItem(item)}, '$.${part}')`

const NO_STATEMENT = "'no financial statements'"
/** Why a row has no figures from statements, in words; null if it has them. */
export const figuresMissing = `CASE figures_null_because WHEN 'no_statements' THEN ${NO_STATEMENT}
  WHEN 'stale' THEN 'stale: the newest figures are of ' || period_end_date || ', ' || figures_age_days || ' days before the as-of date; max_age=none shows them' END`
const noInputs = "CAST('[]' AS JSON)"

/** The flag of a figure that is read off a version of a statement known from a day, and not off its last one. */
const printOf = (known: string): string =>
  `'as first reported, known from ' || coalesce(CAST(${known} AS VARCHAR), 'the start')`

/** A filed figure, as its statement explains it. */
const filed = (item: QuotedItem, value: string, print: Print): Entry => ({
  value,
  unit: 'amount_unit',
  formula: explainedText(item, 'formula'),
  inputs: explained(item, 'inputs'),
  flags:
    print === 'latest'
      ? flagsOf(item)
      : `list_append(coalesce(${flagsOf(item)}, []), ${printOf(earnings.has(item) ? 'earnings_known' : 'figures_known')})`,
  because: `coalesce(${explainedText(item, 'null_because')}, figures_missing)`,
})

const flagsOf = (item: QuotedItem): string => `from_json(${explained(item, 'flags')}, '["VARCHAR"]')`
const factList = (item: QuotedItem): string =>
  `coalesce(from_json(${explained(item, 'inputs')}, '["JSON"]'), [])`
/** A statement's EBITDA refers to its own lines; these are the facts behind them. */
const ebitdaFacts = `CASE WHEN starts_with(${explainedText('ebitda', 'formula')}, 'operating_income')
  THEN to_json(list_concat(${factList('operating_income')},
    CASE WHEN starts_with(${explainedText('ebitda', 'formula')}, 'operating_income + ') THEN ${factList('depreciation_amortization')} ELSE [] END))
  ELSE ${explained('ebitda', 'inputs')} END`

/** A figure computed from others of the row, each with its unit. */
const made = (
  value: string,
  unit: string,
  formula: string,
  of: readonly string[],
  because: string,
): Entry => ({
  value,
  unit,
  formula: literal(formula),
  inputs: `to_json([${of.map(item => `{'item': ${literal(item)}, 'value': ${item}, 'unit': amount_unit}`).join(', ')}])`,
  because,
})

const firstMissing = (...items: readonly string[]): string =>
  `CASE ${items.map(item => `WHEN ${item} IS NULL THEN 'no ${item}'`).join(' ')} END`

/** A figure counted over the company's active bonds. */
const overBonds = (value: string, unit: string, formula: string, missing: string, where = 'TRUE'): Entry => ({
  value,
  unit,
  formula: literal(formula),
  inputs: `coalesce(to_json(list_filter(bonds, lambda b: coalesce(${where}, FALSE))), ${noInputs})`,
  because: `CASE WHEN coalesce(bond_count, 0) = 0 THEN 'no active bonds are known' ELSE ${literal(missing)} END`,
})

const counted = (value: string, what: string): Entry => ({
  value,
  unit: "'count'",
  formula: literal(what),
})

/** What follows of a company that owes nothing on its newest balance date, and of which no bond is active. */
const NOTHING_OWED = "'nothing: total debt is zero and no bond is active'"
const zeroDebt =
  "to_json([{'item': 'total_debt', 'value': total_debt, 'unit': amount_unit, 'period_end': period_end_date}])"

const due = (years: number, today: string, print: Print): Entry => ({
  value: `debt_due_${years}yr`,
  unit: "CASE WHEN are_its_debt THEN 'USD cents' ELSE amount_unit END",
  formula: `CASE WHEN are_its_debt AND sinking_bonds IS NOT NULL THEN 'active bonds that mature within ${years} years, and what sinking bonds repay by then'
    WHEN are_its_debt THEN 'active bonds that mature within ${years} years'
    WHEN schedule_date IS NULL AND owes_nothing THEN ${NOTHING_OWED}
    ELSE 'maturity schedule of ' || schedule_date || ', moved to the as-of date along straight lines' END`,
  inputs: `CASE WHEN are_its_debt AND sinking_bonds IS NOT NULL THEN to_json(list_concat(
      list_transform(list_filter(bonds, lambda b: coalesce(b.maturity_date <= ${today} + INTERVAL ${years} YEAR, FALSE)), lambda b: to_json(b)),
      list_transform(list_filter(sinking_bonds, lambda b: b.maturity_date > ${today} + INTERVAL ${years} YEAR), lambda b: to_json(b))))
    WHEN are_its_debt THEN to_json(list_filter(bonds, lambda b: coalesce(b.maturity_date <= ${today} + INTERVAL ${years} YEAR, FALSE)))
    WHEN schedule_date IS NOT NULL THEN to_json(list_concat(CASE WHEN schedule_rest IS NOT NULL THEN [{'item': 'rest of the fiscal year', 'value': schedule_rest, 'unit': amount_unit, 'period_end': schedule_date, 'accession': schedule_accession}] ELSE [] END, [${[1, 2, 3, 4, 5].map(n => `{'item': 'debt_due_${n}yr', 'value': schedule_${n}, 'unit': amount_unit, 'period_end': schedule_date, 'accession': schedule_accession}`).join(', ')}]))
    WHEN owes_nothing THEN ${zeroDebt}
    ELSE ${noInputs} END`,
  ...(print === 'original' && {
    flags: `CASE WHEN are_its_debt IS NOT TRUE AND schedule_date IS NOT NULL THEN [${printOf('schedule_known')}] ELSE [] END`,
  }),
  because: `CASE WHEN schedule_date IS NOT NULL THEN 'the schedule does not reach that far'
    ELSE 'no bonds with amounts that are its debt, and no maturity schedule within max_age' END`,
})

const rating = (agency: string): Entry => ({
  value: `${agency}_rating`,
  unit: "'letter'",
  formula: "'newest letter of the agency for the issuer'",
  because: "'no issuer rating of this agency'",
})

const qaTests: readonly (readonly [claim: string, test: string])[] = [
  ['total debt is known', 'total_debt IS NOT NULL'],
  ['cash is known', 'cash IS NOT NULL'],
  ['EBITDA is known', 'ebitda_ttm IS NOT NULL'],
  ['interest coverage is known', 'interest_coverage IS NOT NULL'],
  ['EBITDA is not annualised', 'NOT coalesce(is_annualized, TRUE)'],
  ['EBITDA is not estimated', 'NOT coalesce(ebitda_estimated, TRUE)'],
  ['the sector is known', 'sector IS NOT NULL'],
  ['a rating is known', 'rating_bucket IS NOT NULL'],
]

/** Share of conditions that hold, 0 to 1. */
export const qaScore = `round((${qaTests.map(([, test]) => `CAST(${test} AS INTEGER)`).join(' + ')}) / ${qaTests.length}.0, 3)`

const leverage = (value: string, formula: string, of: readonly string[], more = 'NULL'): Entry =>
  made(value, "'ratio'", formula, of, `coalesce(leverage_reason, figures_missing, ${more})`)

const FLAG = "'true or false'"

type Entries = Readonly<Record<string, Entry>>

/** Amounts of statements, and figures computed from them. */
const amounts = (print: Print): Entries => ({
  currency: {
    value: 'currency',
    unit: "'ISO code'",
    formula: "'currency of the newest trailing statement'",
    because: NO_STATEMENT,
  },
  period_end_date: {
    value: 'period_end_date',
    unit: "'date'",
    formula: "'balance date of the newest trailing statement'",
    because: NO_STATEMENT,
  },
  total_debt: filed('total_debt', 'total_debt', print),
  debt_excluding_finance: {
    ...filed('debt_excluding_finance', 'debt_excluding_finance', print),
    because: "'no axis of the newest filing shows a finance arm and the debt of each part of the company'",
  },
  secured_debt: {
    value: 'secured_debt',
    unit: 'amount_unit',
    formula: `CASE WHEN filed_secured THEN 'as filed' WHEN owes_nothing THEN ${NOTHING_OWED} ELSE 'active bonds that are senior secured' END`,
    inputs: `CASE WHEN filed_secured THEN ${explained('secured_debt', 'inputs')}
      WHEN owes_nothing THEN ${zeroDebt}
      ELSE coalesce(to_json(list_filter(bonds, lambda b: b.seniority = 'senior_secured')), ${noInputs}) END`,
    ...(print === 'original' && {
      flags: `CASE WHEN filed_secured THEN [${printOf('figures_known')}] ELSE [] END`,
    }),
    because:
      "coalesce(figures_missing, 'not filed') || '; not every bond has its amount, or bonds are a small part of total debt'",
  },
  unsecured_debt: made(
    'unsecured_debt',
    'amount_unit',
    'total_debt - secured_debt',
    ['total_debt', 'secured_debt'],
    `coalesce(figures_missing, ${firstMissing('total_debt', 'secured_debt')}, 'secured debt exceeds total debt')`,
  ),
  net_debt: made(
    'net_debt',
    'amount_unit',
    'total_debt - cash',
    ['total_debt', 'cash'],
    `coalesce(figures_missing, ${firstMissing('total_debt', 'cash')})`,
  ),
  cash: filed('cash_and_equivalents', 'cash', print),
  ebitda_ttm: { ...filed('ebitda', 'ebitda_ttm', print), inputs: ebitdaFacts },
})

/** Ratios over trailing EBITDA. */
const ratios: Entries = {
  leverage_ratio: leverage('leverage_ratio', 'total_debt / ebitda_ttm', ['total_debt', 'ebitda_ttm']),
  net_leverage_ratio: leverage(
    'net_leverage_ratio',
    '(total_debt - cash) / ebitda_ttm',
    ['total_debt', 'cash', 'ebitda_ttm'],
    firstMissing('cash'),
  ),
  secured_leverage: leverage(
    'secured_leverage',
    'secured_debt / ebitda_ttm',
    ['secured_debt', 'ebitda_ttm'],
    firstMissing('secured_debt'),
  ),
  interest_coverage: {
    value: 'interest_coverage',
    unit: "'ratio'",
    formula: "'ebitda_ttm / interest_expense_ttm'",
    inputs: `to_json(list_concat([to_json({'item': 'ebitda_ttm', 'value': ebitda_ttm, 'unit': amount_unit}),
      to_json({'item': 'interest_expense_ttm', 'value': interest_expense, 'unit': amount_unit})], ${factList('interest_expense')}))`,
    because: `CASE WHEN ebitda_ttm > 0 AND interest_expense IS NULL THEN 'interest expense: ' || ${explainedText('interest_expense', 'null_because')}
      WHEN ebitda_ttm > 0 AND interest_expense <= 0 THEN 'interest expense is not positive'
      WHEN ebitda_ttm > 0 AND is_after_lending THEN 'captive finance: EBITDA is after the interest of lending, which interest expense may leave out' ELSE coalesce(leverage_reason, figures_missing) END`,
  },
  is_annualized: {
    value: 'is_annualized',
    unit: FLAG,
    formula:
      "'EBITDA is scaled up from fewer than four quarters, as no fiscal year or four quarters of the last fifteen months are known'",
    because: NO_STATEMENT,
  },
}

/** Debt due by year, and maturities. */
const maturities = (today: string, print: Print): Entries => ({
  debt_due_1yr: due(1, today, print),
  debt_due_2yr: due(2, today, print),
  debt_due_3yr: due(3, today, print),
  nearest_maturity: overBonds(
    'nearest_maturity',
    "'date'",
    'earliest maturity of an active bond',
    'no active bond has a maturity',
    'b.maturity_date = nearest_maturity',
  ),
  weighted_avg_maturity: overBonds(
    'weighted_avg_maturity',
    "'years'",
    'years from the as-of date to maturity of bonds in dollars, weighted by the amount outstanding',
    'no active bond in dollars has both an amount and a maturity',
    "b.value IS NOT NULL AND b.maturity_date IS NOT NULL AND b.unit = 'USD cents'",
  ),
})

/** Counts and flags of entities and bonds. */
const shape: Entries = {
  entity_count: counted('entity_count', 'entities known that are not removed'),
  guarantor_count: counted('guarantor_count', 'guarantors among them'),
  bond_count: counted('bond_count', 'active bonds and loans known'),
  has_structural_sub: {
    value: 'has_structural_sub',
    unit: FLAG,
    formula: "'has_holdco_debt and has_opco_debt'",
    inputs:
      "to_json([{'item': 'has_holdco_debt', 'value': has_holdco_debt}, {'item': 'has_opco_debt', 'value': has_opco_debt}])",
    because: "'which entity issued is not known of all debt'",
  },
  has_floating_rate: overBonds(
    'has_floating_rate',
    FLAG,
    'an active bond floats',
    'no bond is known to float, and the bonds known are not all its debt, or one has no rate type',
    'b.floats',
  ),
  has_near_term_maturity: {
    value: 'has_near_term_maturity',
    unit: FLAG,
    formula: "'a bond matures within 24 months of the as-of date, or debt_due_2yr is above nothing'",
    inputs:
      "to_json([{'item': 'nearest_maturity', 'value': CAST(nearest_maturity AS VARCHAR)}, {'item': 'debt_due_2yr', 'value': CAST(debt_due_2yr AS VARCHAR)}])",
    because:
      "'no bond is known to mature within 24 months, and how much debt is due within two years is not known'",
  },
  has_holdco_debt: overBonds(
    'has_holdco_debt',
    FLAG,
    'an active bond is issued by the holding company',
    'which entity issued is not known of all debt',
    "b.issuer_type = 'holdco'",
  ),
  has_opco_debt: overBonds(
    'has_opco_debt',
    FLAG,
    'an active bond is issued by an operating company or subsidiary',
    'which entity issued is not known of all debt',
    "b.issuer_type IN ('opco', 'subsidiary')",
  ),
}

/** Ratings, their bucket, and the ages of ratings and figures. */
const ratings: Entries = {
  sp_rating: rating('sp'),
  moodys_rating: rating('moodys'),
  fitch_rating: rating('fitch'),
  rating_date: {
    value: 'rating_date',
    unit: "'date'",
    formula: "'newest day among the letters that are not withdrawn'",
    because: "'no issuer rating that has a day and is not withdrawn'",
  },
  rating_age_days: {
    value: 'rating_age_days',
    unit: "'days'",
    formula: "'as-of date - rating_date'",
    because: "'no issuer rating that has a day and is not withdrawn'",
  },
  rating_null_because: {
    value: 'rating_null_because',
    unit: "'reason'",
    formula: "'a bucket needs a letter within rating_max_age, and letters at most five years apart'",
    because: "'there is a bucket'",
  },
  figures_age_days: {
    value: 'figures_age_days',
    unit: "'days'",
    formula: "'as-of date - period_end_date'",
    because: NO_STATEMENT,
  },
  figures_null_because: {
    value: 'figures_null_because',
    unit: "'reason'",
    formula: "'figures need a statement whose period ended within max_age'",
    because: "'there are figures'",
  },
  rating_bucket: {
    value: 'rating_bucket',
    unit: "'bucket'",
    formula:
      "'of the newest issuer letters, not withdrawn and within rating_max_age: the middle of three, the lower of two, else the one'",
    inputs: `to_json(list_filter([${['sp', 'moodys', 'fitch'].map(agency => `{'item': '${agency}_rating', 'value': ${agency}_rating}`).join(', ')}], lambda r: r.value IS NOT NULL))`,
    because: `CASE rating_null_because WHEN 'stale' THEN 'stale: no rating within rating_max_age'
      WHEN 'far_apart' THEN 'the letters lie more than five years apart' ELSE 'no issuer rating' END`,
  },
}

const quality: Entries = {
  qa_score: {
    value: '"_metadata.qa_score"',
    unit: "'share'",
    formula: "'share of its inputs that hold'",
    inputs: `to_json([${qaTests.map(([claim, test]) => `{'item': ${literal(claim)}, 'value': ${test}}`).join(', ')}])`,
  },
}

/** `_explain` of a company in SQL: every derived column, over the row that `deriveCompanies` joins. */
export function explainCompany(today: string, print: Print): string {
  const entries = {
    ...amounts(print),
    ...ratios,
    ...maturities(today, print),
    ...shape,
    ...ratings,
    ...quality,
  }
  const members = Object.entries(entries).map(([name, entry]) => [name, entryParts(entry)] as const)
  return `CAST(${concatenated(jsonObject(members))} AS JSON)`
}

/** A piece of a JSON text: known now, or a SQL expression of text. */
type Part = { readonly text: string } | { readonly sql: string }

const known = (text: string): Part => ({ text })
const sqlOf = (part: Part): string => ('text' in part ? literal(part.text) : part.sql)

/**
 * The JSON text of an object, from those of its members: `json_object` would parse and copy nested objects at every
 * level, which took half the time of the companies.
 */
const jsonObject = (members: readonly (readonly [name: string, value: readonly Part[]])[]): Part[] => [
  ...members.flatMap(([name, value], i) => [
    known(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    ...value,
  ]),
  known('}'),
]

/** One call over all parts, with what is known in one piece: of few rows, planning the statement is most of its time. */
function concatenated(parts: readonly Part[]): string {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && 'text' in last && 'text' in part) joined[joined.length - 1] = known(last.text + part.text)
    else joined.push(part)
  }
  return `concat(${joined.map(sqlOf).join(', ')})`
}

const TEXT_LITERAL = /^'(?:[^']|'')*'$/

/** The JSON text of a value; `null` of a null. */
const valuePart = (value: string): Part =>
  TEXT_LITERAL.test(value)
    ? known(JSON.stringify(value.slice(1, -1).replaceAll("''", "'")))
    : { sql: `coalesce(CAST(to_json(${value}) AS VARCHAR), 'null')` }
/** The JSON text of an array in SQL; an empty one for a null. */
const arrayPart = (array: string | undefined): Part =>
  array === undefined ? known('[]') : { sql: `coalesce(CAST(${array} AS VARCHAR), '[]')` }

const textWhere = (condition: string, part: Part): Part => ({
  sql: `CASE WHEN ${condition} THEN ${sqlOf(part)} ELSE 'null' END`,
})

/** A reason that may be null is not known. */
const reasonPart = (because = "'not known'"): Part =>
  valuePart(TEXT_LITERAL.test(because) ? because : `coalesce(${because}, 'not known')`)

const entryParts = ({ value, unit, formula, inputs, flags, because }: Entry): Part[] =>
  jsonObject([
    ['value', [valuePart(value)]],
    ['unit', [valuePart(unit)]],
    ['formula', [textWhere(`${value} IS NOT NULL`, valuePart(formula))]],
    ['inputs', [arrayPart(inputs)]],
    ['flags', [arrayPart(flags && `to_json(${flags})`)]],
    ['null_because', [textWhere(`${value} IS NULL`, reasonPart(because))]],
  ])
