import { cellsOf } from './csv-records.ts'
import type { SourceFile } from './reader.ts'

/**
 * Column names of holdings as fund managers publish them, in English, German, French and Italian: lower case, without accents, `_` for
 * everything but letters and digits. Of several names in one file the first of the list is read.
 */
const NAMES = {
  name:
    'name holding_name holdings security_name security_description issuer_name issuer description holding security ' +
    'bezeichnung wertpapier wertpapiere wertpapiername emittent nom nom_du_titre emetteur nome emittente',
  identifier:
    'identifier security_identifier security_id sedol_cusip cusip_sedol cusip_isin isin_cusip ticker_cusip cusip_ticker ' +
    'holding_identifier wkn_isin kennung',
  cusip: 'cusip cusip_number cusip_id',
  isin: 'isin isin_code',
  assetClass:
    'asset_class asset_type security_type asset_group holding_type asset_category type_of_security anlageklasse wertpapierart ' +
    'classe_d_actifs type_d_actif classe_di_attivita asset_classes class_of_shares type',
  sector: 'sector market_sector industry_sector sektor branche secteur settore',
  value:
    'market_value marketvalue base_market_value market_val base_mv mv ' +
    'value fair_value marktwert kurswert valeur_de_marche valeur_boursiere valore_di_mercato controvalore',
  par:
    'par_value face_amount par par_amount face_value principal_amount shares_par_value shares_par par_shares shares_or_principal ' +
    'shares_principal_amount quantity_par principal nennwert nominale nominal nominalbetrag valeur_nominale ' +
    'montant_nominal valore_nominale nominalwert quantity position shares',
  price: 'price market_price clean_price local_price unit_price base_price kurs preis cours prix prezzo',
  coupon:
    'coupon coupon_rate couponrate coupon_yield coupon_pct interest_rate cpn kupon kuponsatz zinssatz nominalzins taux_du_coupon ' +
    'taux_d_interet tasso_cedola cedola rate',
  maturity:
    'maturity maturity_date maturitydate maturity_expiration maturity_expiration_date stated_maturity final_maturity ' +
    'expiration_date falligkeit falligkeitsdatum endfalligkeit laufzeitende echeance date_d_echeance maturite scadenza data_di_scadenza',
  weight:
    'weight percentageoffund percentage_of_fund of_fund of_funds of_net_assets of_assets of_total_net_assets of_portfolio of_nav net_assets weighting ' +
    'portfolio_weight percent_of_fund percent_of_assets percent_of_net_assets percentage_of_net_assets market_value_weight weight_pct of_market_value gewichtung gewicht der_assets ' +
    'ponderation poids peso ponderazione',
  marketCurrency:
    'market_currency local_currency currency_of_issue marktwahrung devise_du_marche devise_de_cotation valuta_di_mercato',
  currency: 'currency currency_code local_currency_code trading_currency wahrung devise valuta',
  day: 'positiondate position_date as_of_date asofdate as_of date holdings_date stichtag datum date_de_position',
  fund: 'fund_name fund_ticker etf_ticker fund etf etf_name fund_symbol portfolio_name fondsname fonds',
  accrualDate: 'accrual_date zinslaufbeginn',
  ytm: 'ytm yield_to_maturity rendite_auf_verfall ruckzahlungsrendite rendement_a_l_echeance rendimento_a_scadenza',
  ytw: 'yield_to_worst ytw',
  duration: 'mod_duration modified_duration modifizierte_duration duration_modifiee',
  fx: 'fx_rate exchange_rate wechselkurs taux_de_change',
  spread: 'spread_bp spread_bps oas_bp oas_bps option_adjusted_spread oas',
} as const

export type HoldingField = keyof typeof NAMES

const named: ReadonlyMap<HoldingField, readonly string[]> = new Map(
  Object.entries(NAMES).map(([field, names]) => [field as HoldingField, names.split(' ')]),
)

/** A column name as compared: `Fälligkeit` is `falligkeit`, `% of fund` is `of_fund`. */
const plainHeader = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

export interface HoldingsLayout {
  readonly delimiter: string
  /** The header as in the file. */
  readonly header: readonly string[]
  readonly columns: Readonly<Partial<Record<HoldingField, number>>>
}

/** `Market Value (US$)` is `market_value_us`. */
const CURRENCY_MARK = /_(us|usd|eur|gbp|chf|local|base)$/

/** The columns of a header, by meaning. */
function columnsIn(header: readonly string[]): Partial<Record<HoldingField, number>> {
  const places = new Map<string, number>()
  for (const [i, cell] of header.entries()) {
    const name = plainHeader(cell)
    for (const each of [name, name.replace(CURRENCY_MARK, '')]) if (!places.has(each)) places.set(each, i)
  }
  const found: Partial<Record<HoldingField, number>> = {}
  for (const [field, names] of named) {
    const at = names.map(name => places.get(name)).find(place => place !== undefined)
    if (at !== undefined) found[field] = at
  }
  return found
}

/**
 * A header of holdings: of any fund as iShares writes it, or of a bond fund with the maturity, value and weight or size of each holding.
 */
export function layoutOf(header: readonly string[], delimiter: string): HoldingsLayout | null {
  const columns = columnsIn(header)
  const has = (...fields: HoldingField[]) => fields.every(field => columns[field] !== undefined)
  const isPriced = has('name', 'assetClass', 'value', 'price')
  const isBonds = has('name', 'maturity', 'value') && has('weight') && (has('par') || has('price'))
  return isPriced || isBonds ? { delimiter, header, columns } : null
}

/** Lines that may precede the header: fund name, `Fund Holdings as of`, inception date, share counts, notes. */
const PREAMBLE = 30
const DELIMITERS = [',', ';', '\t', '|']
const LONGEST_LINE = 10_000

/** The layout of a file, and the lines before its header. */
export function findLayout(
  file: SourceFile,
): { readonly layout: HoldingsLayout; readonly before: readonly string[][] } | null {
  const lines = file.head
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .slice(0, PREAMBLE)
    .map(line => line.slice(0, LONGEST_LINE))
  for (const delimiter of DELIMITERS) {
    const before: string[][] = []
    for (const line of lines) {
      const cells = cellsOf(line, delimiter).map(cell => cell.trim())
      const layout = cells.length >= FEWEST_COLUMNS ? layoutOf(cells, delimiter) : null
      if (layout) return { layout, before }
      before.push(cells)
    }
  }
  return null
}

const FEWEST_COLUMNS = 4
