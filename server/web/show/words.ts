/** Names that are not words. */
const spelled: Readonly<Record<string, string>> = {
  ytm: 'YTM',
  ytw: 'YTW',
  ytc: 'YTC',
  dv01: 'DV01',
  cusip: 'CUSIP',
  isin: 'ISIN',
  lei: 'LEI',
  cik: 'CIK',
  id: 'ID',
  ttm: 'TTM',
  ebitda: 'EBITDA',
  qa: 'QA',
  sp: 'S&P',
  moodys: 'Moody’s',
  vwap: 'VWAP',
  opco: 'OpCo',
  holdco: 'HoldCo',
  vie: 'VIE',
  jv: 'JV',
  mda: 'MD&A',
  ip: 'IP',
  cds: 'CDS',
  pct: '%',
  '1yr': '1y',
  '2yr': '2y',
  '3yr': '3y',
  '4yr': '4y',
  '5yr': '5y',
}

/** `pricing.last_price` as a label: Last price. Includes the parent if its member alone would be ambiguous. */
export function titleOf(name: string): string {
  const parts = name.split('.')
  const own = parts.at(-1)!
  const parent = parts.length > 1 && !/^(pricing|_metadata|leverage_data_quality)$/.test(parts.at(-2)!)
  return wordsOf(parent ? `${parts.at(-2)}_${own}` : own)
}

/** `senior_unsecured` as Senior unsecured; codes such as `HY-BB` stay. */
export function wordsOf(code: string): string {
  if (/[A-Z]/.test(code)) return code
  const words = code
    .replace(/^_+/, '')
    .split('_')
    .filter(word => word !== 'bps')
    .map(word => spelled[word] ?? word)
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
