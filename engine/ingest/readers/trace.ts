import { elementAt, firstOf, groupOf } from '../../base/elements.ts'
import { cusipFromIsin, isCusip, isIsin } from '../../credit/identifiers.ts'
import { cellsByName, csvRecords } from './csv-records.ts'
import { type Output, type Reader, Refused, type SourceFile } from './reader.ts'
import { dateIn, numberIn, textIn } from './source-cells.ts'

/** The first report day of the system with numbered cancels, corrections and reversals. */
const NEW_SYSTEM = '2012-02-06'

/** Column names in the standard, the enhanced and the academic files. */
const NAMES = {
  cusip: ['cusip_id', 'cusip'],
  isin: ['isin', 'isin_id'],
  symbol: ['bond_sym_id', 'issue_sym_id'],
  status: ['trc_st', 'trd_status'],
  traded: ['trd_exctn_dt'],
  time: ['trd_exctn_tm'],
  reported: ['trd_rpt_dt'],
  price: ['rptd_pr'],
  yield: ['yld_pt', 'calcd_yld_pt'],
  yieldSign: ['yld_sign_cd', 'yld_drctn_cd'],
  size: ['entrd_vol_qt', 'ascii_rptd_vol_tx', 'rptd_vol_tx'],
  number: ['msg_seq_nb'],
  original: ['orig_msg_seq_nb'],
  control: ['systm_cntrl_nb'],
  controlDay: ['systm_cntrl_dt'],
  before: ['prev_trd_cntrl_nb'],
  beforeDay: ['prev_trd_cntrl_dt'],
  asOf: ['asof_cd'],
  whenIssued: ['wis_fl', 'wis_dstrd_cd', 'wis_cd'],
  special: ['spcl_trd_fl', 'spcl_pr_fl'],
  side: ['rpt_side_cd', 'side'],
  counterparty: ['cntra_mp_id', 'contra_party_type', 'cntra_party_id'],
  commission: ['cmsn_trd', 'no_rmnrn_cd'],
  buyer: ['buy_cpcty_cd', 'buyer_cpcty_cd'],
  seller: ['sell_cpcty_cd', 'sllr_cpcty_cd'],
} as const

type Name = keyof typeof NAMES
type Get = (name: Name) => string | undefined

const firstLine = (file: SourceFile) => groupOf(/^\uFEFF?\s*([^\r\n]*)/.exec(file.head)!, 1)

const delimiterOf = (file: SourceFile): string =>
  [',', '|', '\t'].reduce((best, mark) =>
    firstLine(file).split(mark).length > firstLine(file).split(best).length ? mark : best,
  )

const header = (file: SourceFile): string[] =>
  firstLine(file)
    .split(delimiterOf(file))
    .map(name => name.replaceAll('"', '').trim().toLowerCase())

export const trace: Reader = {
  kind: 'trace',
  doc: 'Trade reports of TRACE, time and sales: standard, enhanced or academic, separated by commas or bars.',
  recognises: file => {
    const names = header(file)
    const has = (name: Name) => NAMES[name].some(each => names.includes(each))
    return has('traded') && has('price') && (has('cusip') || has('symbol'))
  },

  async read(file, sink) {
    let get: ((cells: readonly string[]) => Get) | undefined
    let width = 0
    for await (const { at, cells, raw } of csvRecords(file, delimiterOf(file))) {
      if (!get) {
        get = cellsByName(NAMES, cells)
        width = cells.length
        continue
      }
      const made = cells.length === width ? tradeOf(get(cells)) : `has ${cells.length} cells, not ${width}`
      if (typeof made === 'string') await sink.refuse(at, raw, made)
      else await sink.take(at, [made])
    }
    if (!get) throw new Refused('no header')
  },
}

/** The trade report, or why the row is refused. */
function tradeOf(get: Get): Output | string {
  const [tradedText, reportedText] = [get('traded'), get('reported')]
  const traded = dayIn(tradedText)
  const reported = reportedText === undefined ? traded : dayIn(reportedText)
  if (traded === null) return `trd_exctn_dt: ${JSON.stringify(tradedText ?? '')} is not a date`
  if (reported === null) return `trd_rpt_dt: ${JSON.stringify(reportedText)} is not a date`
  const time = timeIn(get('time'))
  if (time === undefined) return `trd_exctn_tm: ${JSON.stringify(get('time'))} is not a time of day`
  const price = numberIn(get('price'))
  if (Number.isNaN(price)) return `rptd_pr: ${JSON.stringify(get('price'))} is not a number`
  const rate = numberIn(get('yield'))
  if (Number.isNaN(rate)) return `yld_pt: ${JSON.stringify(get('yield'))} is not a number`
  const size = sizeIn(get('size'))
  if (size === undefined)
    return `the volume ${JSON.stringify(get('size'))} is not a size such as 250000 or 5MM+`
  const report = reportOf(get, reported >= NEW_SYSTEM, traded, reported)
  if (typeof report === 'string') return report

  const isinText = get('isin')?.toUpperCase() ?? ''
  const isin = isIsin(isinText) ? isinText : null
  const cusipText = get('cusip')?.toUpperCase() ?? ''
  const cusip = isCusip(cusipText) ? cusipText : isin && cusipFromIsin(isin)
  const symbol = textIn(get('symbol'))
  if (cusip === null && isin === null && symbol === null)
    return `CUSIP ${JSON.stringify(cusipText)} is invalid, and no symbol identifies the bond`
  const side = { B: 'buy', S: 'sell' }[get('side')?.toUpperCase() ?? ''] ?? null
  const capacity = get(side === 'buy' ? 'buyer' : 'seller')?.toUpperCase()
  return {
    dataset: 'trades',
    values: {
      cusip,
      isin,
      bond_id: cusip === null && isin === null ? symbol : null,
      ...report,
      trade_date: traded,
      trade_time: time,
      reported_date: reported,
      price,
      yield: rate === null ? null : get('yieldSign') === '-' ? -Math.abs(rate) : rate,
      quantity: size?.cents ?? null,
      quantity_capped: size === null ? null : size.isCapped,
      side,
      counterparty: counterpartyOf(get('counterparty')),
      when_issued: flag(get('whenIssued'), ['Y', 'W', 'S']),
      is_agency: side === null || capacity === undefined ? null : capacity === 'A',
      has_commission: flag(get('commission'), ['Y', 'C', 'M'], ['N']),
      special_price: flag(get('special'), ['Y', 'S']),
    },
  }
}

/**
 * A report's action, its number and the number of the report it acts on, unique per bond. Until 2012-02-05 numbers
 * restart each day: a cancel (C) or correction (W) refers to a report of its own day, and a reversal (as-of code R)
 * to none. Since then a cancel (X) and the first half of a correction (C) repeat the original's number, and a
 * reversal (Y) and the second half of a correction (R) refer to it. Academic files give control numbers with their
 * days instead.
 */
function reportOf(get: Get, isNew: boolean, traded: string, reported: string) {
  const status = get('status')?.toUpperCase() ?? 'T'
  const asOf = get('asOf')?.toUpperCase()
  const isReversal = status === 'T' && !isNew && (asOf === 'R' || asOf === 'X')
  const actions = isNew ? NEW_ACTIONS : OLD_ACTIONS
  const action = isReversal ? 'reversal' : actions[status]
  if (action === undefined)
    return `trc_st ${status} is none of ${Object.keys(actions).join(', ')}, which reports of ${reported} have`
  const id = (day: string | null | undefined, number: string | undefined) =>
    number === undefined ? null : `${day ?? ''}#${number}`
  const control = get('control')
  if (control !== undefined) {
    const before = id(dayIn(get('beforeDay')) ?? dayIn(get('controlDay')), get('before'))
    return {
      trade_id: id(dayIn(get('controlDay')) ?? reported, control),
      action,
      original_trade_id: action === 'trade' ? null : before,
    }
  }
  const day = isNew ? traded : reported
  const number = get('number')
  const original = get('original')
  const repeats = isNew && (status === 'X' || status === 'C')
  return {
    trade_id: id(day, number),
    action,
    original_trade_id: action === 'trade' ? null : id(day, repeats ? (original ?? number) : original),
  }
}

type Action = 'trade' | 'cancel' | 'correction' | 'reversal'
const OLD_ACTIONS: Readonly<Record<string, Action>> = {
  T: 'trade',
  C: 'cancel',
  X: 'cancel',
  W: 'correction',
}
const NEW_ACTIONS: Readonly<Record<string, Action>> = {
  T: 'trade',
  X: 'cancel',
  C: 'cancel',
  R: 'correction',
  W: 'correction',
  Y: 'reversal',
}

const COUNTERPARTIES: Readonly<Record<string, string>> = {
  C: 'customer',
  D: 'dealer',
  A: 'affiliate',
  T: 'ats',
}

const counterpartyOf = (code: string | undefined): string | null =>
  COUNTERPARTIES[code?.toUpperCase() ?? ''] ?? null

/** True for one of the codes, false for another, null if empty or if `no` lists the codes for false. */
function flag(code: string | undefined, yes: readonly string[], no?: readonly string[]): boolean | null {
  if (code === undefined) return null
  const letter = code.toUpperCase()
  if (yes.includes(letter)) return true
  return no === undefined || no.includes(letter) ? false : null
}

/** A day as in other sources, or as `02JAN2008`. */
const dayIn = (text: string | undefined): string | null =>
  dateIn(text?.replace(/^(\d{1,2})([A-Za-z]{3})(\d{4})$/, '$1-$2-$3'))

/**
 * `HH:MM:SS` from `9:30:00`, `09:30:00.000`, `093000` or seconds of the day; null if missing, undefined if invalid.
 */
function timeIn(text: string | undefined): string | null | undefined {
  if (text === undefined) return null
  const clock =
    /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$/.exec(text) ?? /^(\d{2})(\d{2})(\d{2})$/.exec(text)
  const parts = clock
    ? [Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0)]
    : /^\d{1,5}$/.test(text)
      ? [Math.floor(Number(text) / 3600), Math.floor(Number(text) / 60) % 60, Number(text) % 60]
      : null
  if (parts === null || firstOf(parts) > 23 || elementAt(parts, 1) > 59 || elementAt(parts, 2) > 59)
    return undefined
  return parts.map(part => String(part).padStart(2, '0')).join(':')
}

/**
 * Cents of par from `250000` dollars or from `5MM+`, the dissemination cap; null if missing, undefined if invalid.
 */
function sizeIn(text: string | undefined): { cents: number; isCapped: boolean } | null | undefined {
  if (text === undefined) return null
  const match = /^([\d,.]+)\s*(MM|M|K)?(\+)?$/i.exec(text)
  const value = match && numberIn(match[1])
  if (value === null || Number.isNaN(value)) return undefined
  const unit = { mm: 1e6, m: 1e6, k: 1e3 }[match?.[2]?.toLowerCase() ?? ''] ?? 1
  return { cents: Math.round(value * unit * 100), isCapped: match?.[3] === '+' }
}
