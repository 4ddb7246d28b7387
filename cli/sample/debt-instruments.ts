import { type Day, formatDay } from '../../engine/credit/calendar.ts'
import type { bonds } from '../../engine/schema/datasets/bonds.ts'
import type { instruments as dataset } from '../../engine/schema/datasets/instruments.ts'
import { type Instrument, outstandingOn } from './instrument.ts'
import type { Issuer } from './issuers.ts'
import { lastDay } from './market.ts'
import type { Random } from './random.ts'
import type { Filing } from './statements.ts'
import type { Row } from './tables.ts'

type DebtInstrument = Row<typeof dataset>
type DebtType = Exclude<DebtInstrument['instrument_type'], undefined>

/** The part of a balance that is not written off discount and costs, as in the statements. */
const CARRIED = 0.992
/** Issuers of a higher rank are high yield. */
const INVESTMENT_GRADE = 10

/** The debt table of the newest annual report and of the newest report. */
export function debtInstrumentRows(
  issuer: Issuer,
  instruments: readonly Instrument[],
  filings: readonly Filing[],
  random: Random,
): DebtInstrument[] {
  const known = filings.filter(({ filed }) => filed <= lastDay).sort((a, b) => a.end - b.end)
  const newest = known.at(-1)
  const annual = known.filter(({ form }) => form === '10-K').at(-1)
  const terms = new Map(instruments.map(each => [each, protections(issuer, each, random)]))
  return [...new Set([annual, newest])].flatMap(filing =>
    filing === undefined
      ? []
      : instruments.flatMap(each =>
          isOutstanding(each, filing.end) ? [rowOf(issuer, each, filing, terms.get(each)!)] : [],
        ),
  )
}

const isOutstanding = ({ issued, matures, retired }: Instrument, day: Day): boolean =>
  issued <= day && day < (retired ?? matures)

/** What holders are promised beyond interest and principal. */
function protections(issuer: Issuer, each: Instrument, random: Random): DebtInstrument {
  const isNote = /notes|debentures|bonds/.test(each.row.instrument_type ?? '')
  if (!isNote || each.coupon === null) return {}
  const isHighYield = issuer.rank > INVESTMENT_GRADE
  return {
    change_of_control_price: random.chance(0.8) ? 101 : null,
    make_whole_bps: isHighYield ? 50 : random.pick([10, 15, 20, 25, 30]),
    callable: each.row.callable ?? null,
    call_schedule: each.row.call_schedule ?? null,
  }
}

/** The debt tables of one issuer in nine name no rank. */
function typeIn(issuer: Issuer, type: Row<typeof bonds>['instrument_type']): DebtType {
  if (issuer.n % 9 !== 0 || type == null) return type ?? null
  if (type === 'senior_notes') return 'notes'
  return type.startsWith('term_loan') ? 'loan' : type
}

function rowOf(issuer: Issuer, each: Instrument, filing: Filing, terms: DebtInstrument): DebtInstrument {
  const { row } = each
  const owed = outstandingOn(issuer, [each], filing.end)
  const share = each.amount === 0 ? 1 : owed / Math.max(1, row.outstanding ?? 0)
  const commitment = row.commitment ?? null
  return {
    instrument_id: each.key,
    ticker: issuer.ticker,
    cik: issuer.cik,
    company_name: issuer.name,
    name: each.name,
    cusip: row.cusip ?? null,
    isin: row.isin ?? null,
    issuer: each.entity.name,
    instrument_type: typeIn(issuer, row.instrument_type ?? null),
    seniority: each.seniority,
    security_type: row.security_type ?? null,
    principal: row.principal == null || !Number.isFinite(share) ? null : Math.round(row.principal * share),
    carrying_amount: Math.round(owed * CARRIED),
    commitment,
    drawn: commitment === null ? null : owed,
    undrawn: commitment === null ? null : Math.max(0, commitment - owed),
    currency: issuer.is('euro_reporter') ? 'EUR' : 'USD',
    rate_type: row.rate_type ?? null,
    coupon_rate: each.coupon,
    benchmark: row.benchmark ?? null,
    spread_bps: row.spread_bps ?? null,
    floor_bps: row.floor_bps ?? null,
    maturity_date: formatDay(each.matures),
    guarantors: each.guarantors.length === 0 ? null : each.guarantors.map(({ name }) => name),
    balance_date: formatDay(filing.end),
    accession: filing.accession,
    known_from: formatDay(filing.filed),
    ...terms,
  }
}
