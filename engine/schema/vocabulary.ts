/** The enums that datasets, resources and filters share. */
export const seniorities = ['senior_secured', 'senior_unsecured', 'subordinated'] as const
export const securityTypes = ['first_lien', 'second_lien', 'unsecured'] as const
export const instrumentTypes = [
  'senior_notes',
  'senior_secured_notes',
  'subordinated_notes',
  'convertible_notes',
  'debentures',
  'medium_term_notes',
  'first_mortgage_bonds',
  'commercial_paper',
  'term_loan',
  'term_loan_a',
  'term_loan_b',
  'revolver',
  'bond',
  'other',
] as const
/** Kinds of debt instruments; `notes` and `loan` where a source names no rank or kind. */
export const debtTypes = [...instrumentTypes, 'notes', 'loan'] as const
/** How a bond's issuer was linked to the filing company, strongest evidence first. */
export const groupMethods = [
  'subsidiary_list',
  'guarantor_list',
  'lei_parent',
  'group_name',
  'cusip_code',
  'known_group',
] as const
export const issuerTypes = ['holdco', 'opco', 'subsidiary'] as const
export const rateTypes = ['fixed', 'floating'] as const
export const rateStructures = ['fixed', 'floating', 'fixed_to_float', 'zero'] as const
export const priceSources = ['trade', 'vendor', 'fund_mark', 'estimated'] as const
export const priceExclusions = [
  'cancelled',
  'corrected',
  'reversed',
  'when_issued',
  'special_price',
  'agency_duplicate',
  'interdealer_duplicate',
  'price_slip',
] as const
export const covenantTypes = ['financial', 'negative', 'incurrence', 'protective'] as const
/** Why an agreement, or a clause of it, ended: another replaced it, its parties ended it, or an amendment deleted the clause. */
export const agreementEnds = ['replaced', 'terminated', 'amended'] as const
/** Why a covenant ended: as its agreement did, its agreement matured, or a later annual report leaves it out. */
export const covenantEnds = ['replaced', 'matured', 'not_repeated', 'terminated', 'amended'] as const
export const testMetrics = [
  'leverage_ratio',
  'first_lien_leverage',
  'secured_leverage',
  'net_leverage_ratio',
  'interest_coverage',
  'fixed_charge_coverage',
] as const
export const assetTypes = [
  'real_estate',
  'equipment',
  'receivables',
  'inventory',
  'securities',
  'vehicles',
  'ip',
  'cash',
  'energy_assets',
  'general_lien',
] as const
export const liens = ['first_lien', 'second_lien'] as const
export const agencies = ['sp', 'moodys', 'fitch'] as const
/** What tables call the agencies. */
export const agencyNames = {
  's&p': 'sp',
  's & p': 'sp',
  's&p global': 'sp',
  's&p global ratings': 'sp',
  "standard & poor's": 'sp',
  "standard & poor's ratings services": 'sp',
  'standard and poors': 'sp',
  "moody's": 'moodys',
  "moody's investors service": 'moodys',
  "moody's ratings": 'moodys',
  'fitch ratings': 'fitch',
} as const
export const ratingTypes = [
  'issuer',
  'senior_secured',
  'senior_unsecured',
  'subordinated',
  'corporate_family',
] as const
/** What tables call them. */
export const ratingTypeNames = {
  'issuer rating': 'issuer',
  'issuer credit rating': 'issuer',
  'issuer default rating': 'issuer',
  'long-term issuer rating': 'issuer',
  'long-term issuer default rating': 'issuer',
  'corporate family': 'corporate_family',
  'corporate family rating': 'corporate_family',
  'senior secured': 'senior_secured',
  'senior unsecured': 'senior_unsecured',
} as const
export const ratingOutlooks = ['stable', 'positive', 'negative', 'developing', 'watch'] as const
export const ratingBuckets = ['IG', 'HY-BB', 'HY-B', 'HY-CCC', 'NR'] as const
export const ratingSources = ['nrsro_17g7', 'llm_extraction', 'imported'] as const
export const tenors = ['1Y', '3Y', '5Y', '7Y', '10Y'] as const
export const spreadSources = ['bond_spread_proxy', 'trade_repository', 'settlement_price'] as const
export const entityTypes = ['holdco', 'opco', 'finco', 'subsidiary', 'jv', 'vie'] as const
export const sectionTypes = [
  'exhibit_21',
  'debt_footnote',
  'mda_liquidity',
  'credit_agreement',
  'indenture',
  'guarantor_list',
  'covenants',
  'risk_factors',
  'mda',
  'business',
  'notes',
  'other',
] as const
export const coverages = ['standard', 'extended'] as const

/** Why an instrument is matched to no bond. */
export const matchReasons = [
  'not_a_note',
  'several_instruments_in_one_line',
  'not_current',
  'no_coupon_and_maturity',
  'no_bonds_of_the_company',
  'no_bond_alike',
  'several_bonds_alike',
  'several_instruments_alike',
] as const

/** Why notes that are owed have no balance of their own. */
export const balanceReasons = ['in_a_line_of_several', 'not_stated'] as const

/** Which figures of instruments are added up. */
export const reconciliationBases = [
  'carrying_amount',
  'carrying_amount_in_parts',
  'amount_owed',
  'principal',
  'carrying_amount_or_principal',
] as const

/** How a parent consolidates a child in its accounts. */
export const consolidations = ['direct', 'ultimate'] as const
