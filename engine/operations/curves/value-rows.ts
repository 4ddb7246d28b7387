import { elementAt } from '../../base/elements.ts'
import { rounded } from '../../base/rounded.ts'
import { formatDay, parseDay } from '../../credit/calendar.ts'
import { CURVE_LEVELS } from '../../credit/curve-rules.ts'
import { percentilesInCells, type ResidualHistory, zScore } from '../../credit/relative-value.ts'
import { curveOfGroup } from '../../credit/spread-curves.ts'
import { ratingBuckets } from '../../schema/vocabulary.ts'
import { carryOfPrice } from './bond-carry.ts'
import { CELLS_OF_SECTOR, LAST_WITHOUT_RESIDUAL, NOT_FITTED } from './day-curves.ts'
import type { FittedDay, Row } from './fitted-day.ts'
import { type GroupName, groupNames } from './group-names.ts'

/** Percentiles and group names of a day, for all of its rows. */
interface Placed {
  readonly percentile: Float64Array
  readonly cellSize: Int32Array
  readonly names: readonly GroupName[]
}

/** The relative value of every price, or of those of the companies named. */
export function valueRows(
  day: FittedDay,
  history: ResidualHistory,
  companies: readonly string[] | null,
  explain: boolean,
): Row[] {
  const { inputs, prices, fit } = day
  const cells = inputs.bonds.sectors.length * CELLS_OF_SECTOR
  const { percentile, size } = percentilesInCells(fit.residual, fit.cell, cells)
  const placed = { percentile, cellSize: size, names: groupNames(day) }
  const wanted = companies && new Set(companies)
  const rows: Row[] = []
  for (let i = 0; i < prices.size; i++) {
    const company = inputs.bonds.texts.company_id[elementAt(prices.bond, i)] ?? null
    if (wanted && !(company !== null && wanted.has(company))) continue
    const row = {
      ...ownColumns(day, i),
      ...valueColumns(day, i, placed),
      ...pastColumns(day, i, history),
      ...carryColumns(day, i),
    }
    rows.push(explain ? { ...row, _explain: explainOf(day, i, row) } : row)
  }
  return rows
}

/** What the bond and its price are. */
function ownColumns({ day, inputs, prices, fit }: FittedDay, i: number) {
  const bond = elementAt(prices.bond, i)
  const { texts, company, sectorOfBond, sectorOfCompany, sectors } = inputs.bonds
  const issuer = elementAt(company, bond)
  const sector = issuer < 0 ? elementAt(sectorOfBond, bond) : elementAt(sectorOfCompany, issuer)
  const bucket = issuer < 0 ? undefined : ratingBuckets[elementAt(fit.buckets, issuer)]
  const priced = elementAt(prices.day, i)
  return {
    bond_id: elementAt(texts.id, bond),
    cusip: texts.cusip[bond] ?? null,
    bond_name: texts.display_name[bond] ?? null,
    ticker: texts.ticker[bond] ?? null,
    company_name: texts.company_name[bond] ?? null,
    company_id: texts.company_id[bond] ?? null,
    coverage: texts.coverage[bond] ?? null,
    sector: sector < 0 ? null : elementAt(sectors, sector),
    rating_bucket: bucket ?? null,
    seniority: texts.seniority[bond] ?? null,
    callable: texts.callable[bond] ?? null,
    maturity_date: texts.maturity_date[bond] ?? null,
    remaining_years: rounded(elementAt(prices.years, i), 4),
    price_date: formatDay(priced),
    staleness_days: parseDay(day) - priced,
    last_price: rounded(elementAt(prices.price, i), 6),
    ytm: rounded(elementAt(prices.ytm, i), 6),
    duration: rounded(elementAt(prices.duration, i), 6),
  }
}

/** Where it trades against its curve and its cell. */
function valueColumns({ fit }: FittedDay, i: number, { percentile, cellSize, names }: Placed) {
  const reason = elementAt(fit.notFitted, i)
  const isMeasured = !Number.isNaN(elementAt(fit.residual, i))
  const curve = elementAt(fit.curves.curveOf, elementAt(fit.bonds.group, i))
  const notMeasured =
    reason !== 0 && reason <= LAST_WITHOUT_RESIDUAL ? elementAt(NOT_FITTED, reason) : 'few_bonds'
  return {
    spread: rounded(elementAt(fit.bonds.bps, i), 2),
    fitted_spread: rounded(elementAt(fit.bonds.bps, i) - elementAt(fit.residual, i), 2),
    residual: rounded(elementAt(fit.residual, i), 2),
    null_because: isMeasured ? null : notMeasured,
    not_fitted_because: elementAt(NOT_FITTED, reason),
    percentile: rounded(elementAt(percentile, i), 2),
    cell_bonds: elementAt(cellSize, i),
    curve_level: isMeasured ? elementAt(CURVE_LEVELS, elementAt(fit.tree.level, curve)) : null,
    curve_group: isMeasured ? elementAt(names, curve).group : null,
    curve_bonds: isMeasured ? elementAt(fit.curves.bondCount, curve) : null,
  }
}

/** Where it trades against its own past. */
function pastColumns({ prices, fit }: FittedDay, i: number, history: ResidualHistory) {
  const bond = elementAt(prices.bond, i)
  const { value, reason } = zScore(elementAt(fit.residual, i), history, bond)
  const observations = elementAt(history.count, bond)
  return {
    z_score: value === null ? null : rounded(value, 4),
    z_null_because: reason,
    observations,
    residual_mean: observations === 0 ? null : rounded(elementAt(history.mean, bond), 2),
    residual_deviation: rounded(history.deviation(bond), 2),
  }
}

function carryColumns(day: FittedDay, i: number) {
  const { value, reason } = carryOfPrice(day, i)
  return {
    carry: value && rounded(value.carry, 2),
    roll_down: value && rounded(value.rollDown, 2),
    spread_roll_down: value && rounded(value.spreadRollDown, 2),
    carry_null_because: reason,
  }
}

function explainOf({ day, fit }: FittedDay, i: number, row: Row): unknown {
  const group = elementAt(fit.bonds.group, i)
  const curve = row['residual'] === null ? null : curveOfGroup(fit.curves, group)
  return {
    residual: 'spread - fitted_spread',
    fitted_spread:
      'spread less (spread - curve) / (1 - leverage): the curve without the bond; curve = beta0 + beta1 (1 - e^-x) / x + beta2 ((1 - e^-x) / x - e^-x), x = remaining_years / tau',
    z_score: "(residual - mean of the bond's weekly residuals) / their sample standard deviation",
    percentile: '100 x (residuals of the cell below it + half of the others equal to it) / (residuals - 1)',
    carry: '100 x (ytm - three-month Treasury yield)',
    roll_down:
      '10,000 x (price in a year at the yield less the fall of both curves over the year - price in a year at the yield) / dirty price',
    curve_date: day,
    curve: curve && {
      level: row['curve_level'],
      group: row['curve_group'],
      bonds: row['curve_bonds'],
      shrinkage: rounded(elementAt(fit.curves.shrinkage, elementAt(fit.curves.curveOf, group)), 4),
      ...curve,
      leverage: rounded(elementAt(fit.curves.leverage, i), 6),
    },
    shapes_its_curve: row['not_fitted_because'] === null,
    not_fitted_because: row['not_fitted_because'],
    history: {
      observations: row['observations'],
      mean: row['residual_mean'],
      deviation: row['residual_deviation'],
    },
  }
}
