import t from 'tap'
import { trace } from '../../engine/ingest/readers/trace.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

const ENHANCED =
  'cusip_id,bond_sym_id,trd_exctn_dt,trd_exctn_tm,trd_rpt_dt,msg_seq_nb,trc_st,asof_cd,orig_msg_seq_nb,rptd_pr,entrd_vol_qt,yld_pt,yld_sign_cd,rpt_side_cd,cntra_mp_id,cmsn_trd,buy_cpcty_cd,sell_cpcty_cd,wis_fl,spcl_trd_fl'
const row = (values: Record<string, string>) =>
  ENHANCED.split(',')
    .map(name => ({ cusip_id: '037833100', trd_exctn_dt: '2015-03-02', ...values })[name] ?? '')
    .join(',')
const file = (...rows: Record<string, string>[]) => `${[ENHANCED, ...rows.map(row)].join('\n')}\n`

t.test('a trade report of the enhanced file is a trade, and no other kind reads it', async t => {
  const text = file({
    bond_sym_id: 'AAPL.GA',
    trd_exctn_tm: '9:31:05',
    trd_rpt_dt: '2015-03-03',
    msg_seq_nb: '0012345',
    trc_st: 'T',
    rptd_pr: '101.25',
    entrd_vol_qt: '250000',
    yld_pt: '0.31',
    yld_sign_cd: '-',
    rpt_side_cd: 'S',
    cntra_mp_id: 'C',
    cmsn_trd: 'N',
    sell_cpcty_cd: 'A',
    wis_fl: 'N',
  })
  t.strictSame(
    readers.filter(r => r.recognises(sourceOf(text))).map(r => r.kind),
    ['trace'],
  )
  t.strictSame(rowsFor(await reading(trace, text), 'trades'), [
    {
      cusip: '037833100',
      isin: null,
      bond_id: null,
      trade_id: '2015-03-02#0012345',
      action: 'trade',
      original_trade_id: null,
      trade_date: '2015-03-02',
      trade_time: '09:31:05',
      reported_date: '2015-03-03',
      price: 101.25,
      yield: -0.31,
      quantity: 25_000_000,
      quantity_capped: false,
      side: 'sell',
      counterparty: 'customer',
      when_issued: false,
      is_agency: true,
      has_commission: false,
      special_price: null,
    },
  ])
})

t.test('cancels, corrections and reversals refer to reports as each system does', async t => {
  const old = { trd_exctn_dt: '2010-05-03', trd_rpt_dt: '2010-05-04', rptd_pr: '99' }
  const now = { trd_exctn_dt: '2015-03-02', trd_rpt_dt: '2015-03-04', rptd_pr: '99' }
  const r = await reading(
    trace,
    file(
      { ...old, trc_st: 'C', msg_seq_nb: '7', orig_msg_seq_nb: '3' },
      { ...old, trc_st: 'W', msg_seq_nb: '8', orig_msg_seq_nb: '4' },
      { ...old, trc_st: 'T', asof_cd: 'R', msg_seq_nb: '9' },
      { ...old, trc_st: 'T', asof_cd: 'A', msg_seq_nb: '10' },
      { ...now, trc_st: 'X', msg_seq_nb: '3' },
      { ...now, trc_st: 'C', msg_seq_nb: '4' },
      { ...now, trc_st: 'R', msg_seq_nb: '11', orig_msg_seq_nb: '4' },
      { ...now, trc_st: 'Y', msg_seq_nb: '12', orig_msg_seq_nb: '5' },
      { ...now, trc_st: 'Q', msg_seq_nb: '13' },
    ),
  )
  t.strictSame(
    rowsFor(r, 'trades').map(v => [v['action'], v['trade_id'], v['original_trade_id']]),
    [
      ['cancel', '2010-05-04#7', '2010-05-04#3'],
      ['correction', '2010-05-04#8', '2010-05-04#4'],
      ['reversal', '2010-05-04#9', null],
      ['trade', '2010-05-04#10', null],
      ['cancel', '2015-03-02#3', '2015-03-02#3'],
      ['cancel', '2015-03-02#4', '2015-03-02#4'],
      ['correction', '2015-03-02#11', '2015-03-02#4'],
      ['reversal', '2015-03-02#12', '2015-03-02#5'],
    ],
  )
  t.strictSame(
    r.refused.map(({ at, reason }) => [at, reason]),
    [['row 10', 'trc_st Q is none of T, X, C, R, W, Y, which reports of 2015-03-04 have']],
  )
})

t.test('sizes are cents of par, and a capped size is its cap, flagged', async t => {
  const header = 'CUSIP_ID|TRD_EXCTN_DT|TRD_EXCTN_TM|RPTD_PR|ASCII_RPTD_VOL_TX'
  const sizes = ['5MM+', '1MM+', '250000', '1,000,000', '']
  const lines = sizes.map(size => `037833100|02JAN2008|34200|98.5|${size}`)
  const r = await reading(
    trace,
    `${[header, ...lines, '037833100|02JAN2008|34200|98.5|plenty'].join('\n')}\n`,
  )
  t.strictSame(
    rowsFor(r, 'trades').map(v => [v['trade_date'], v['trade_time'], v['quantity'], v['quantity_capped']]),
    [
      ['2008-01-02', '09:30:00', 500_000_000, true],
      ['2008-01-02', '09:30:00', 100_000_000, true],
      ['2008-01-02', '09:30:00', 25_000_000, false],
      ['2008-01-02', '09:30:00', 100_000_000, false],
      ['2008-01-02', '09:30:00', null, null],
    ],
  )
  t.match(r.refused[0]!.reason, /"plenty" is not a size/)
})

t.test('academic files give control numbers with their days', async t => {
  const header =
    'TRC_ST|ISSUE_SYM_ID|CUSIP_ID|ENTRD_VOL_QT|RPTD_PR|TRD_EXCTN_DT|TRD_RPT_DT|RPT_SIDE_CD|CNTRA_PARTY_ID|SYSTM_CNTRL_DT|SYSTM_CNTRL_NB|PREV_TRD_CNTRL_DT|PREV_TRD_CNTRL_NB'
  const r = await reading(
    trace,
    `${header}\nX|AAPL.GA|037833100|1000|99|20150302|20150305|B|D|20150305|900|20150302|44\n`,
  )
  t.match(rowsFor(r, 'trades')[0], {
    trade_id: '2015-03-05#900',
    original_trade_id: '2015-03-02#44',
    action: 'cancel',
    side: 'buy',
    counterparty: 'dealer',
    reported_date: '2015-03-05',
  })
})

t.test('unreadable cells are refused by column', async t => {
  const r = await reading(
    trace,
    file(
      { rptd_pr: 'par' },
      { trd_exctn_dt: '2015-02-30', rptd_pr: '99' },
      { trd_exctn_tm: '25:00:00', rptd_pr: '99' },
      { cusip_id: '037833101', rptd_pr: '99' },
    ),
  )
  t.strictSame(
    r.refused.map(({ reason }) => reason.split(':')[0]),
    [
      'rptd_pr',
      'trd_exctn_dt',
      'trd_exctn_tm',
      'CUSIP "037833101" is invalid, and no symbol identifies the bond',
    ],
  )
})
