# Written by `npm run docs` from the declarations. Do not edit.
"""The operations of Tranche, with the types of their parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Union
import datetime

from ._rows import Answer, Rows

#: A day: `2024-06-30`, or a date.
Day = Union[str, datetime.date]

CompaniesRatingBucket = Literal[
    'IG', 'HY-BB', 'HY-B', 'HY-CCC', 'NR',
]
CompaniesSpRating = Literal[
    'AAA', 'AA+', 'AA', 'AA-', 'A+', 'A', 'A-', 'BBB+', 'BBB', 'BBB-', 'BB+', 'BB', 'BB-', 'B+', 'B', 'B-', 'CCC+',
    'CCC', 'CCC-', 'CC', 'C', 'D', 'SD', 'NR',
]
CompaniesMoodysRating = Literal[
    'Aaa', 'Aa1', 'Aa2', 'Aa3', 'A1', 'A2', 'A3', 'Baa1', 'Baa2', 'Baa3', 'Ba1', 'Ba2', 'Ba3', 'B1', 'B2', 'B3',
    'Caa1', 'Caa2', 'Caa3', 'Ca', 'C', 'WR',
]
CompaniesFitchRating = Literal[
    'AAA', 'AA+', 'AA', 'AA-', 'A+', 'A', 'A-', 'BBB+', 'BBB', 'BBB-', 'BB+', 'BB', 'BB-', 'B+', 'B', 'B-', 'CCC+',
    'CCC', 'CCC-', 'CC', 'C', 'D', 'RD', 'WD',
]
CompaniesReported = Literal[
    'latest', 'original',
]
CompaniesOnUnknown = Literal[
    'error', 'skip',
]
CompaniesLane = Literal[
    'remote',
]
BondsGroup = Literal[
    'parent', 'issuer',
]
BondsSeniority = Literal[
    'senior_secured', 'senior_unsecured', 'subordinated',
]
BondsSecurityType = Literal[
    'first_lien', 'second_lien', 'unsecured',
]
BondsInstrumentType = Literal[
    'senior_notes', 'senior_secured_notes', 'subordinated_notes', 'convertible_notes', 'debentures',
    'medium_term_notes', 'first_mortgage_bonds', 'commercial_paper', 'term_loan', 'term_loan_a', 'term_loan_b',
    'revolver', 'bond', 'other',
]
BondsIssuerType = Literal[
    'holdco', 'opco', 'subsidiary',
]
BondsRateType = Literal[
    'fixed', 'floating',
]
BondsAggregation = Literal[
    'latest',
]
ResolveMatchMode = Literal[
    'exact', 'fuzzy',
]
PricingAggregation = Literal[
    'latest', 'daily', 'weekly',
]
PricingHistoryAggregation = Literal[
    'daily', 'weekly',
]
RiskExercise = Literal[
    'american', 'bermudan', 'european',
]
FinancialsReported = Literal[
    'latest', 'original', 'all',
]
RestatementsFigure = Literal[
    'revenue', 'gross_profit', 'operating_income', 'depreciation_amortization', 'ebitda', 'interest_expense',
    'net_income', 'total_assets', 'total_liabilities', 'stockholders_equity', 'total_debt', 'cash_and_equivalents',
    'operating_cash_flow', 'capex', 'current_assets', 'current_liabilities', 'investing_cash_flow',
    'financing_cash_flow', 'net_interest_income', 'provision_for_credit_losses', 'pre_provision_profit',
    'share_based_compensation', 'impairments', 'restructuring_charges', 'free_cash_flow', 'leverage_ratio',
]
RestatementsBasis = Literal[
    'quarter', 'ttm',
]
RestatementsKind = Literal[
    'restated', 'completed', 'withdrawn',
]
CollateralCollateralType = Literal[
    'real_estate', 'equipment', 'receivables', 'inventory', 'securities', 'vehicles', 'ip', 'cash', 'energy_assets',
    'general_lien',
]
CollateralPriority = Literal[
    'first_lien', 'second_lien',
]
CollateralEndedBecause = Literal[
    'replaced', 'matured', 'not_repeated', 'terminated', 'amended',
]
InstrumentsInstrumentType = Literal[
    'senior_notes', 'senior_secured_notes', 'subordinated_notes', 'convertible_notes', 'debentures',
    'medium_term_notes', 'first_mortgage_bonds', 'commercial_paper', 'term_loan', 'term_loan_a', 'term_loan_b',
    'revolver', 'bond', 'other', 'notes', 'loan',
]
CorrectionsCorrects = Literal[
    'covenants', 'collateral', 'instruments', 'entities',
]
CovenantsCovenantType = Literal[
    'financial', 'negative', 'incurrence', 'protective',
]
CovenantsTestMetric = Literal[
    'leverage_ratio', 'first_lien_leverage', 'secured_leverage', 'net_leverage_ratio', 'interest_coverage',
    'fixed_charge_coverage',
]
HeadroomStatus = Literal[
    'met', 'failed',
]
MaturitiesDueSource = Literal[
    'filed_schedule', 'bonds', 'instruments',
]
RatingsRatingType = Literal[
    'issuer', 'senior_secured', 'senior_unsecured', 'subordinated', 'corporate_family',
]
RatingMigrationsMigration = Literal[
    'fallen_angel', 'rising_star', 'downgrade', 'upgrade',
]
SpreadsTenor = Literal[
    '1Y', '3Y', '5Y', '7Y', '10Y',
]
SpreadsSource = Literal[
    'bond_spread_proxy', 'trade_repository', 'settlement_price',
]
SpreadAggregateSource = Literal[
    'bond_spread_proxy', 'trade_repository', 'settlement_price', 'all',
]
SpreadAggregateGroupBy = Literal[
    'spread_date', 'week', 'month', 'tenor', 'sector', 'industry', 'rating_bucket', 'ticker',
]
SpreadAggregateMetrics = Literal[
    'median', 'mean', 'stddev', 'min', 'max', 'p10', 'p25', 'p75', 'p90', 'count', 'companies', 'change',
    'average_5d', 'average_20d', 'average_60d', 'percentile_rank',
]
CurvesLevel = Literal[
    'market', 'rating', 'sector_rating', 'issuer',
]
ReturnsEvery = Literal[
    'day', 'week', 'month', 'quarter',
]
ReturnsMatch = Literal[
    'duration', 'cash_flows',
]
ReturnsWeight = Literal[
    'par', 'market_value', 'equal',
]
ReturnsMembers = Literal[
    'as_of', 'period_start',
]
TraverseRelationships = Literal[
    'guarantees', 'subsidiaries', 'parent_of', 'parents', 'debt', 'borrowers',
]
TraverseDirection = Literal[
    'outbound', 'inbound', 'both',
]
SearchMode = Literal[
    'keyword', 'semantic', 'hybrid',
]
SearchSectionType = Literal[
    'exhibit_21', 'debt_footnote', 'mda_liquidity', 'credit_agreement', 'indenture', 'guarantor_list', 'covenants',
    'risk_factors', 'mda', 'business', 'notes', 'other',
]
SearchSort = Literal[
    '-relevance', '-filing_date', 'filing_date',
]
SuggestKind = Literal[
    'company', 'title',
]
DiffResource = Literal[
    'companies', 'bonds', 'financials', 'ratings', 'covenants', 'instruments', 'entities', 'collateral',
]
DiffChange = Literal[
    'added', 'removed', 'changed',
]
PanelResource = Literal[
    'companies', 'bonds', 'financials', 'ratings', 'spreads',
]
FacetsDataType = Literal[
    'companies', 'bonds', 'pricing', 'financials', 'covenants', 'collateral', 'ratings', 'spreads',
]


class Route(NamedTuple):
    """Where an operation is asked."""

    method: str
    path: str
    #: The member of the answer with its rows or object.
    envelope: str
    #: Rows of one page at most; None without a limit.
    page: int | None
    has_offset: bool
    #: Parameters that are amounts of money.
    money: frozenset[str]


ROUTES: dict[str, Route] = {
    'search.companies': Route('GET', '/v1/companies', 'data', 1000, True, frozenset({'min_debt', 'max_debt'})),
    'get.company': Route('GET', '/v1/companies/{ticker}', 'data', None, False, frozenset()),
    'search.bonds': Route('GET', '/v1/bonds', 'data', 1000, True, frozenset({'min_outstanding', 'max_outstanding'})),
    'resolve.bond': Route('GET', '/v1/bonds/resolve', 'data', 1000, False, frozenset()),
    'search.pricing': Route('GET', '/v1/pricing', 'data', 1000, True, frozenset()),
    'history.pricing': Route('GET', '/v1/bonds/{cusip}/pricing/history', 'data', 1000, True, frozenset()),
    'bond.risk': Route('GET', '/v1/bonds/{cusip}/risk', 'data', None, False, frozenset()),
    'search.financials': Route('GET', '/v1/financials', 'data', 1000, True, frozenset({'min_revenue', 'min_ebitda'})),
    'search.restatements': Route('GET', '/v1/financials/restatements', 'data', 1000, True, frozenset()),
    'search.collateral': Route('GET', '/v1/collateral', 'data', 1000, True, frozenset({'min_value'})),
    'search.instruments': Route('GET', '/v1/instruments', 'data', 1000, True, frozenset({'min_principal', 'min_carrying_amount', 'min_undrawn'})),
    'search.corrections': Route('GET', '/v1/corrections', 'data', 1000, True, frozenset()),
    'search.reconciliations': Route('GET', '/v1/instruments/reconciliation', 'data', 1000, True, frozenset()),
    'search.covenants': Route('GET', '/v1/covenants', 'data', 1000, True, frozenset()),
    'compare.covenants': Route('GET', '/v1/covenants/compare', '', None, False, frozenset()),
    'search.headroom': Route('GET', '/v1/covenants/headroom', 'data', 1000, True, frozenset({'debt_added'})),
    'search.maturities': Route('GET', '/v1/maturities', 'data', 1000, True, frozenset({'min_due'})),
    'search.liquidity': Route('GET', '/v1/liquidity', 'data', 1000, True, frozenset({'min_due_12m', 'min_cash'})),
    'recovery.company': Route('GET', '/v1/companies/{ticker}/recovery', 'data', None, False, frozenset({'enterprise_value', 'ebitda'})),
    'search.ratings': Route('GET', '/v1/ratings', 'ratings', 1000, True, frozenset()),
    'search.migrations': Route('GET', '/v1/ratings/migrations', 'data', 1000, True, frozenset()),
    'search.spreads': Route('GET', '/v1/market/cds', 'data', 1000, True, frozenset()),
    'aggregate.spreads': Route('GET', '/v1/market/cds/aggregate', 'data', 1000, True, frozenset()),
    'search.indices': Route('GET', '/v1/market/spreads', 'data', 1000, True, frozenset()),
    'market.curves': Route('GET', '/v1/market/curves', 'data', 1000, True, frozenset()),
    'search.relative_value': Route('GET', '/v1/relative-value', 'data', 1000, True, frozenset()),
    'market.scenario': Route('GET', '/v1/scenarios', 'data', 1000, True, frozenset()),
    'search.returns': Route('GET', '/v1/returns', 'data', 1000, True, frozenset()),
    'search.trade_liquidity': Route('GET', '/v1/trade-liquidity', 'data', 1000, True, frozenset()),
    'traverse.entities': Route('POST', '/v1/entities/traverse', 'data', None, False, frozenset()),
    'search.documents': Route('GET', '/v1/documents/search', 'data', 1000, True, frozenset()),
    'suggest': Route('GET', '/v1/suggest', 'data', 1000, True, frozenset()),
    'changes.company': Route('GET', '/v1/companies/{ticker}/changes', 'data', None, False, frozenset()),
    'search.changes': Route('GET', '/v1/changes', 'data', 1000, True, frozenset()),
    'panel': Route('GET', '/v1/panel', 'data', 250000, True, frozenset({'min_debt', 'max_debt', 'min_outstanding', 'max_outstanding', 'min_revenue', 'min_ebitda'})),
    'count.facets': Route('GET', '/v1/facets', 'data', 1000, False, frozenset({'min_debt', 'max_debt', 'min_outstanding', 'max_outstanding', 'min_revenue', 'min_ebitda', 'min_value'})),
    'export': Route('GET', '/v1/export', 'data', 50000, True, frozenset({'min_debt', 'max_debt', 'min_outstanding', 'max_outstanding', 'min_revenue', 'min_ebitda', 'min_value'})),
    'auth.me': Route('GET', '/v1/auth/me', '', None, False, frozenset()),
    'usage.analytics': Route('GET', '/v1/usage/analytics', 'data', None, False, frozenset()),
    'request.coverage': Route('POST', '/v1/coverage/request', 'data', None, False, frozenset()),
    'batch': Route('POST', '/v1/batch', 'results', None, False, frozenset()),
    'sql': Route('POST', '/v1/sql', 'data', 10000, False, frozenset()),
}


class Operations(ABC):
    """Every operation as a method."""

    @abstractmethod
    def _rows(self, name: str, args: Mapping[str, Any]) -> Rows: ...

    @abstractmethod
    def _answer(self, name: str, args: Mapping[str, Any]) -> Answer: ...

    def companies(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        industry: str | Sequence[str] | None = None,
        min_leverage: float | None = None,
        max_leverage: float | None = None,
        min_net_leverage: float | None = None,
        max_net_leverage: float | None = None,
        min_debt: float | None = None,
        max_debt: float | None = None,
        has_structural_sub: bool | None = None,
        has_floating_rate: bool | None = None,
        has_near_term_maturity: bool | None = None,
        has_holdco_debt: bool | None = None,
        has_opco_debt: bool | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        sp_rating: CompaniesSpRating | Sequence[CompaniesSpRating] | None = None,
        moodys_rating: CompaniesMoodysRating | Sequence[CompaniesMoodysRating] | None = None,
        fitch_rating: CompaniesFitchRating | Sequence[CompaniesFitchRating] | None = None,
        max_age: int | Literal['none'] | None = None,
        rating_max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        include_metadata: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Companies with their debt metrics as of a day.

        Args:
            ticker: Comma-separated tickers.
            sector: Sector, one of eleven, by the documented map.
            industry: Industry.
            min_leverage: Minimum total debt / EBITDA.
            max_leverage: Maximum total debt / EBITDA.
            min_net_leverage: Minimum net debt / EBITDA.
            max_net_leverage: Maximum net debt / EBITDA.
            min_debt: Minimum total debt, cents. (cents)
            max_debt: Maximum total debt, cents. (cents)
            has_structural_sub: Debt sits at a holding company above operating-company debt.
            has_floating_rate: Has floating-rate debt; null where the bonds known have none but are not all its
                debt.
            has_near_term_maturity: Debt matures within 24 months; null where no bond known does and the debt due
                within two years is not known.
            has_holdco_debt: Debt at the holding company.
            has_opco_debt: Debt at operating companies.
            rating_bucket: Bucket of the composite issuer rating.
            sp_rating: Newest S&P issuer rating, `BB+`, without watch marks.
            moodys_rating: Newest Moody's issuer rating, `Ba1`, without watch marks.
            fitch_rating: Newest Fitch issuer rating, `BB+`, without watch marks.
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            rating_max_age: Ratings without an action or affirmation for longer form no bucket: null, with the
                reason; `none` uses all. (days)
            reported: Figures as last or first reported.
            include_metadata: Add `_metadata`: quality and sources of the record. (default false)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            company_id, ticker, name, sector, industry, cik, lei, currency, total_debt, debt_excluding_finance,
            secured_debt, unsecured_debt, net_debt, cash, ebitda_ttm, leverage_ratio, is_annualized,
            net_leverage_ratio, secured_leverage, interest_coverage, debt_due_1yr, debt_due_2yr, debt_due_3yr,
            nearest_maturity, weighted_avg_maturity, entity_count, guarantor_count, bond_count, has_structural_sub,
            has_floating_rate, has_near_term_maturity, has_holdco_debt, has_opco_debt, sp_rating, moodys_rating,
            fitch_rating, rating_bucket, rating_date, coverage, period_end_date, figures_age_days (days),
            figures_null_because, rating_age_days (days), rating_null_because
        """
        return self._rows(
            'search.companies',
            {
                'ticker': ticker,
                'sector': sector,
                'industry': industry,
                'min_leverage': min_leverage,
                'max_leverage': max_leverage,
                'min_net_leverage': min_net_leverage,
                'max_net_leverage': max_net_leverage,
                'min_debt': min_debt,
                'max_debt': max_debt,
                'has_structural_sub': has_structural_sub,
                'has_floating_rate': has_floating_rate,
                'has_near_term_maturity': has_near_term_maturity,
                'has_holdco_debt': has_holdco_debt,
                'has_opco_debt': has_opco_debt,
                'rating_bucket': rating_bucket,
                'sp_rating': sp_rating,
                'moodys_rating': moodys_rating,
                'fitch_rating': fitch_rating,
                'max_age': max_age,
                'rating_max_age': rating_max_age,
                'reported': reported,
                'include_metadata': include_metadata,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def company(
        self,
        ticker: str,
        *,
        fields: str | Sequence[str] | None = None,
        include_metadata: bool | None = None,
        max_age: int | Literal['none'] | None = None,
        rating_max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Answer:
        """One company with its debt metrics, by ticker, CIK, LEI or id.

        Args:
            ticker: Ticker, CIK (`320193` or `CIK0000320193`), LEI or id of the company.
            fields: Members to return, comma-separated.
            include_metadata: Add `_metadata`: quality and sources of the record. (default false)
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            rating_max_age: Ratings without an action or affirmation for longer form no bucket: null, with the
                reason; `none` uses all. (days)
            reported: Figures as last or first reported.
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._answer(
            'get.company',
            {
                'ticker': ticker,
                'fields': fields,
                'include_metadata': include_metadata,
                'max_age': max_age,
                'rating_max_age': rating_max_age,
                'reported': reported,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def bonds(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        group: BondsGroup | Sequence[BondsGroup] | None = None,
        sector: str | Sequence[str] | None = None,
        industry: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        seniority: BondsSeniority | Sequence[BondsSeniority] | None = None,
        security_type: BondsSecurityType | Sequence[BondsSecurityType] | None = None,
        instrument_type: BondsInstrumentType | Sequence[BondsInstrumentType] | None = None,
        issuer_type: BondsIssuerType | Sequence[BondsIssuerType] | None = None,
        rate_type: BondsRateType | Sequence[BondsRateType] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        min_coupon: float | None = None,
        max_coupon: float | None = None,
        min_ytm: float | None = None,
        max_ytm: float | None = None,
        min_spread: int | None = None,
        max_spread: int | None = None,
        has_pricing: bool | None = None,
        max_staleness: int | None = None,
        maturity_after: Day | None = None,
        maturity_before: Day | None = None,
        issued_after: Day | None = None,
        issued_before: Day | None = None,
        min_outstanding: float | None = None,
        max_outstanding: float | None = None,
        has_guarantors: bool | None = None,
        has_cusip: bool | None = None,
        is_active: bool | None = None,
        currency: str | Sequence[str] | None = None,
        has_currency: bool | None = None,
        aggregation: BondsAggregation | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Bonds and loans with their terms, issuer, collateral and latest price.

        Args:
            ticker: Comma-separated tickers.
            group: Bonds of the companies' whole groups (`parent`), or of themselves (`issuer`).
            sector: Sector of the company.
            industry: Industry of the company.
            cusip: CUSIP.
            seniority: Ranking.
            security_type: Security.
            instrument_type: Instrument.
            issuer_type: Position of the issuer in its group.
            rate_type: Fixed or floating.
            rating_bucket: Rating bucket of the company.
            min_coupon: Minimum coupon, percent. (percent)
            max_coupon: Maximum coupon, percent. (percent)
            min_ytm: Minimum yield to maturity, percent. (percent)
            max_ytm: Maximum yield to maturity, percent. (percent)
            min_spread: Minimum spread to Treasury, basis points. (basis points)
            max_spread: Maximum spread to Treasury, basis points. (basis points)
            has_pricing: Whether it has a price.
            max_staleness: Maximum days since the price. (days)
            maturity_after: Matures on or after this day.
            maturity_before: Matures on or before this day.
            issued_after: Issued on or after this day.
            issued_before: Issued on or before this day.
            min_outstanding: Minimum amount outstanding, cents. (cents)
            max_outstanding: Maximum amount outstanding, cents. (cents)
            has_guarantors: Whether it has guarantors; unknown matches neither.
            has_cusip: Whether it has a CUSIP.
            is_active: Neither matured nor retired on the as-of date.
            currency: ISO currency.
            has_currency: Whether its currency is known.
            aggregation: Bonds carry their latest price.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            id, display_name, name, cusip, isin, company_ticker, ticker, company_name, company_sector, coupon_rate,
            maturity_date, seniority, security_type, instrument_type, issuer_type, rate_type, rate_structure, rank,
            outstanding, principal, commitment, currency, benchmark, spread_bps, floor_bps, issue_date, is_active,
            callable, guarantor_count, issuer_id, issuer.name, issuer.entity_type, collateral.type,
            collateral.description, collateral.assets, pricing.last_price (percent of par), pricing.last_trade_date,
            pricing.ytm, pricing.spread (basis points), pricing.staleness_days (days), pricing.duration (years),
            pricing.convexity (years squared), pricing.dv01 (cents per 100 par), pricing.z_spread (basis points),
            pricing.ytw, pricing.ytw_date, pricing.ytc, pricing.discount_margin (basis points),
            pricing.price_source, pricing.is_stale
        """
        return self._rows(
            'search.bonds',
            {
                'ticker': ticker,
                'group': group,
                'sector': sector,
                'industry': industry,
                'cusip': cusip,
                'seniority': seniority,
                'security_type': security_type,
                'instrument_type': instrument_type,
                'issuer_type': issuer_type,
                'rate_type': rate_type,
                'rating_bucket': rating_bucket,
                'min_coupon': min_coupon,
                'max_coupon': max_coupon,
                'min_ytm': min_ytm,
                'max_ytm': max_ytm,
                'min_spread': min_spread,
                'max_spread': max_spread,
                'has_pricing': has_pricing,
                'max_staleness': max_staleness,
                'maturity_after': maturity_after,
                'maturity_before': maturity_before,
                'issued_after': issued_after,
                'issued_before': issued_before,
                'min_outstanding': min_outstanding,
                'max_outstanding': max_outstanding,
                'has_guarantors': has_guarantors,
                'has_cusip': has_cusip,
                'is_active': is_active,
                'currency': currency,
                'has_currency': has_currency,
                'aggregation': aggregation,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def resolve(
        self,
        q: str | None = None,
        *,
        cusip: str | None = None,
        isin: str | None = None,
        ticker: str | None = None,
        coupon: float | None = None,
        maturity_year: int | None = None,
        match_mode: ResolveMatchMode | None = None,
        limit: int | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Answer:
        """Find a bond by identifier or description.

        Args:
            q: Free text: an identifier or a part of one, or issuer, coupon and maturity.
            cusip: CUSIP.
            isin: ISIN.
            ticker: Ticker.
            coupon: Coupon. (percent)
            maturity_year: Year of maturity.
            match_mode: Exact matches only, or also likely ones. (default "fuzzy")
            limit: Matches to return. (default 5)
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._answer(
            'resolve.bond',
            {
                'q': q,
                'cusip': cusip,
                'isin': isin,
                'ticker': ticker,
                'coupon': coupon,
                'maturity_year': maturity_year,
                'match_mode': match_mode,
                'limit': limit,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def pricing(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        min_ytm: float | None = None,
        max_ytm: float | None = None,
        min_spread: int | None = None,
        max_spread: int | None = None,
        max_staleness: int | None = None,
        is_active: bool | None = None,
        date: Day | None = None,
        date_from: Day | None = None,
        date_to: Day | None = None,
        aggregation: PricingAggregation | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Prices of bonds with yield and spread to Treasury: latest, by day, or by week.

        Args:
            ticker: Comma-separated tickers.
            cusip: CUSIP.
            min_ytm: Minimum yield, percent. (percent)
            max_ytm: Maximum yield, percent. (percent)
            min_spread: Minimum spread, basis points. (basis points)
            max_spread: Maximum spread, basis points. (basis points)
            max_staleness: Maximum days since the price. (days)
            is_active: Neither matured nor retired: on the as-of date, in a history on the day itself.
            date: The latest prices as of this day: the same as `as_of`.
            date_from: History from this day.
            date_to: History to this day.
            aggregation: Latest price of each bond, one row a day, or the last of each ISO week; default `daily` if
                a date range is given.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            cusip, isin, bond_name, company_ticker, last_price (percent of par), last_trade_date, ytm, spread (basis
            points), staleness_days (days), duration (years), convexity (years squared), dv01 (cents per 100 par),
            z_spread (basis points), ytw, ytw_date, ytc, discount_margin (basis points), price_source, is_stale,
            vwap (percent of par), date, volume, volume_capped, trade_count
        """
        return self._rows(
            'search.pricing',
            {
                'ticker': ticker,
                'cusip': cusip,
                'min_ytm': min_ytm,
                'max_ytm': max_ytm,
                'min_spread': min_spread,
                'max_spread': max_spread,
                'max_staleness': max_staleness,
                'is_active': is_active,
                'date': date,
                'date_from': date_from,
                'date_to': date_to,
                'aggregation': aggregation,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def pricing_history(
        self,
        cusip: str,
        *,
        date_from: Day | None = None,
        date_to: Day | None = None,
        aggregation: PricingHistoryAggregation | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Prices of one bond over up to two years, newest first.

        Args:
            cusip: CUSIP of the bond.
            date_from: From this day; default a year before date_to.
            date_to: To this day; default the as-of date.
            aggregation: One row per day, or the last of each ISO week. (default "daily")
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            date, cusip, isin, bond_name, company_ticker, last_price (percent of par), last_trade_date, ytm, spread
            (basis points), staleness_days (days), duration (years), convexity (years squared), dv01 (cents per 100
            par), z_spread (basis points), ytw, ytw_date, ytc, discount_margin (basis points), price_source,
            is_stale, vwap (percent of par), volume, volume_capped, trade_count
        """
        return self._rows(
            'history.pricing',
            {
                'cusip': cusip,
                'date_from': date_from,
                'date_to': date_to,
                'aggregation': aggregation,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def risk(
        self,
        cusip: str,
        *,
        price: float | None = None,
        oas: float | None = None,
        volatility: float | None = None,
        reversion: float | None = None,
        steps: int | None = None,
        exercise: RiskExercise | None = None,
        calls: str | Sequence[str] | None = None,
        puts: str | Sequence[str] | None = None,
        shift: float | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Answer:
        """Option-adjusted spread, durations and other risk of a bond.

        Args:
            cusip: CUSIP of the bond.
            price: Clean price instead of the latest. (percent of par)
            oas: Price at this OAS instead. (basis points)
            volatility: Short-rate volatility a year. (basis points; default 100)
            reversion: Mean reversion. (per year; default 0.03)
            steps: Steps of the lattice. (default 200)
            exercise: When calls can be exercised. (default "american")
            calls: Call dates and prices; `none` for no calls.
            puts: Put dates and prices; `none` for no puts.
            shift: Move of rates in durations. (basis points; default 50)
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._answer(
            'bond.risk',
            {
                'cusip': cusip,
                'price': price,
                'oas': oas,
                'volatility': volatility,
                'reversion': reversion,
                'steps': steps,
                'exercise': exercise,
                'calls': calls,
                'puts': puts,
                'shift': shift,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def financials(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        fiscal_year: int | Sequence[int] | None = None,
        fiscal_quarter: int | Sequence[int] | None = None,
        sector: str | Sequence[str] | None = None,
        filing_type: str | Sequence[str] | None = None,
        period_after: Day | None = None,
        period_before: Day | None = None,
        min_revenue: float | None = None,
        min_ebitda: float | None = None,
        period: str | None = None,
        reported: FinancialsReported | None = None,
        include_metadata: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Financial statements by quarter and for the trailing twelve months.

        Args:
            ticker: Comma-separated tickers.
            fiscal_year: Fiscal year, as the company names it.
            fiscal_quarter: Fiscal quarters, 1 to 4.
            sector: Sector of the company.
            filing_type: Form the figures were filed with.
            period_after: Periods ending on or after this day.
            period_before: Periods ending on or before this day.
            min_revenue: Minimum revenue, cents. (cents)
            min_ebitda: Minimum EBITDA, cents. (cents)
            period: `TTM`, `latest`, or a quarter: `2024Q3`, `Q3 2024`. Default all quarters.
            reported: Figures as last or first reported, or every version of them. (default "latest")
            include_metadata: Add `_metadata`: quality and sources of the record. (default false)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, fiscal_year, fiscal_quarter, filing_type, period_end_date, currency, revenue,
            gross_profit, operating_income, depreciation_amortization, ebitda, interest_expense, net_income,
            total_assets, total_liabilities, stockholders_equity, total_debt, cash_and_equivalents,
            operating_cash_flow, capex, free_cash_flow, leverage_ratio, is_annualized, ebitda_estimated, filed_date,
            accession, current_assets, current_liabilities, investing_cash_flow, financing_cash_flow,
            net_interest_income, provision_for_credit_losses, pre_provision_profit, gross_margin, operating_margin,
            ebitda_margin, net_margin
        """
        return self._rows(
            'search.financials',
            {
                'ticker': ticker,
                'fiscal_year': fiscal_year,
                'fiscal_quarter': fiscal_quarter,
                'sector': sector,
                'filing_type': filing_type,
                'period_after': period_after,
                'period_before': period_before,
                'min_revenue': min_revenue,
                'min_ebitda': min_ebitda,
                'period': period,
                'reported': reported,
                'include_metadata': include_metadata,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def restatements(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        figure: RestatementsFigure | Sequence[RestatementsFigure] | None = None,
        basis: RestatementsBasis | Sequence[RestatementsBasis] | None = None,
        kind: RestatementsKind | Sequence[RestatementsKind] | None = None,
        min_change: float | None = None,
        restated_after: Day | None = None,
        restated_before: Day | None = None,
        period_after: Day | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Figures that a later version of a statement changed, each with the value before and after and both
        filings.

        Args:
            ticker: Comma-separated tickers.
            figure: Column of `financials` that changed.
            basis: A single quarter or trailing twelve months.
            kind: Kinds of change.
            min_change: Minimum change, up or down, percent. (percent)
            restated_after: Known on or after this day.
            restated_before: Known on or before this day.
            period_after: Periods ending on or after this day.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, fiscal_year, fiscal_quarter, basis, period_end_date, figure, before, after,
            difference, change_pct, unit, kind, restated_on, days_after, filing_type, accession, accession_before
        """
        return self._rows(
            'search.restatements',
            {
                'ticker': ticker,
                'figure': figure,
                'basis': basis,
                'kind': kind,
                'min_change': min_change,
                'restated_after': restated_after,
                'restated_before': restated_before,
                'period_after': period_after,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def collateral(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        bond_id: str | Sequence[str] | None = None,
        collateral_type: CollateralCollateralType | str | Sequence[CollateralCollateralType | str] | None = None,
        priority: CollateralPriority | Sequence[CollateralPriority] | None = None,
        has_valuation: bool | None = None,
        in_force: bool | None = None,
        ended_because: CollateralEndedBecause | Sequence[CollateralEndedBecause] | None = None,
        min_value: float | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Collateral behind secured bonds and loans, pledged on the day by default.

        Args:
            ticker: Comma-separated tickers.
            cusip: CUSIP.
            bond_id: Id of the bond or loan.
            collateral_type: Kind of asset; `unsecured` matches none.
            priority: Lien.
            has_valuation: Whether it has a valuation.
            in_force: Only what is pledged, or only what no longer is.
            ended_because: Why it ended.
            min_value: Minimum estimated value, cents. (cents)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            id, bond_id, bond_name, cusip, company_ticker, company_name, type, description, assets, priority,
            estimated_value, valuation_date, valuation_source, jurisdiction, in_force, ended_on, ended_because,
            evidence_count, last_stated
        """
        return self._rows(
            'search.collateral',
            {
                'ticker': ticker,
                'cusip': cusip,
                'bond_id': bond_id,
                'collateral_type': collateral_type,
                'priority': priority,
                'has_valuation': has_valuation,
                'in_force': in_force,
                'ended_because': ended_because,
                'min_value': min_value,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def instruments(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        instrument_type: InstrumentsInstrumentType | Sequence[InstrumentsInstrumentType] | None = None,
        seniority: BondsSeniority | Sequence[BondsSeniority] | None = None,
        security_type: BondsSecurityType | Sequence[BondsSecurityType] | None = None,
        rate_type: BondsRateType | Sequence[BondsRateType] | None = None,
        cusip: str | Sequence[str] | None = None,
        min_maturity_year: int | None = None,
        max_maturity_year: int | None = None,
        maturity_after: Day | None = None,
        maturity_before: Day | None = None,
        min_principal: float | None = None,
        min_carrying_amount: float | None = None,
        min_undrawn: float | None = None,
        has_bond: bool | None = None,
        is_active: bool | None = None,
        is_current: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Notes, loans, facilities and commercial paper, as filings tag them at the newest balance date and as
        loaded, without leases.

        Args:
            ticker: Comma-separated tickers.
            instrument_type: Instrument.
            seniority: Ranking.
            security_type: Security.
            rate_type: Fixed or floating.
            cusip: CUSIP, of the source or of the bond.
            min_maturity_year: Falls due in or after this year.
            max_maturity_year: Falls due in or before this year.
            maturity_after: Matures on or after this day.
            maturity_before: Matures on or before this day.
            min_principal: Minimum face amount, cents. (cents)
            min_carrying_amount: Minimum carrying amount, cents. (cents)
            min_undrawn: Minimum undrawn amount, cents. (cents)
            has_bond: Whether it is matched to a bond.
            is_active: Not matured on the as-of date.
            is_current: Has a balance, is a facility or notes in a line of several; false for totals and repeats.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            id, ticker, company_name, name, issuer, instrument_type, seniority, security_type, is_group, principal,
            carrying_amount, commitment, drawn, undrawn, currency, rate_type, coupon_rate, effective_rate,
            benchmark, spread_bps, floor_bps, maturity_date, maturity_year, callable, make_whole_bps, par_call_date,
            change_of_control_price, balance_date, is_active, is_counted, is_current, part_of, balance_null_because,
            bond_id, cusip, isin, match_null_because
        """
        return self._rows(
            'search.instruments',
            {
                'ticker': ticker,
                'instrument_type': instrument_type,
                'seniority': seniority,
                'security_type': security_type,
                'rate_type': rate_type,
                'cusip': cusip,
                'min_maturity_year': min_maturity_year,
                'max_maturity_year': max_maturity_year,
                'maturity_after': maturity_after,
                'maturity_before': maturity_before,
                'min_principal': min_principal,
                'min_carrying_amount': min_carrying_amount,
                'min_undrawn': min_undrawn,
                'has_bond': has_bond,
                'is_active': is_active,
                'is_current': is_current,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def corrections(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        corrects: CorrectionsCorrects | Sequence[CorrectionsCorrects] | None = None,
        row_id: str | Sequence[str] | None = None,
        made_by: str | Sequence[str] | None = None,
        is_applied: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Users' corrections of facts read out of documents, in force on the as-of day.

        Args:
            ticker: Comma-separated tickers.
            corrects: Table of the corrected row.
            row_id: Id of the corrected row.
            made_by: Who made it.
            is_applied: Only corrections whose row is there, or only the others.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, corrects, row_id, action, field, value, was, is_applied, reason, made_by, made_on,
            made_at
        """
        return self._rows(
            'search.corrections',
            {
                'ticker': ticker,
                'corrects': corrects,
                'row_id': row_id,
                'made_by': made_by,
                'is_applied': is_applied,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def debt_reconciliation(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        reconciles: bool | None = None,
        reported: CompaniesReported | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """A company's debt instruments added up and compared with its tagged total debt, with the lines between
        them.

        Args:
            ticker: Comma-separated tickers.
            reconciles: The difference is at most 2% of tagged debt.
            reported: Figures as last or first reported.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, balance_date, currency, tagged_debt, instruments, instruments_sum, finance_leases,
            lines_without_instruments, unamortized_discount, hedge_adjustment, tagged_in_other_unit, difference,
            difference_pct, reconciles, likely_causes, basis, form, accession
        """
        return self._rows(
            'search.reconciliations',
            {
                'ticker': ticker,
                'reconciles': reconciles,
                'reported': reported,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def covenants(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        covenant_type: CovenantsCovenantType | Sequence[CovenantsCovenantType] | None = None,
        covenant_name: str | Sequence[str] | None = None,
        test_metric: CovenantsTestMetric | Sequence[CovenantsTestMetric] | None = None,
        min_threshold: float | None = None,
        max_threshold: float | None = None,
        has_step_down: bool | None = None,
        in_force: bool | None = None,
        ended_because: CollateralEndedBecause | Sequence[CollateralEndedBecause] | None = None,
        min_confidence: float | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Covenants of bonds and credit agreements, those in force by default.

        Args:
            ticker: Comma-separated tickers.
            cusip: CUSIP of the instrument.
            covenant_type: Kind of covenant.
            covenant_name: Name of the covenant.
            test_metric: Metric tested.
            min_threshold: Minimum threshold, in times or cents. (times or cents)
            max_threshold: Maximum threshold, in times or cents. (times or cents)
            has_step_down: The threshold tightens on a schedule.
            in_force: Only those in force, or only those that have ended.
            ended_because: Why it ended.
            min_confidence: Minimum confidence of the extraction, 0 to 1.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            id, ticker, company_name, instrument_name, cusip, covenant_type, covenant_name, test_metric,
            threshold_value (times or cents), threshold_type, test_frequency, description, has_step_down,
            step_down_schedule, cure_period_days (days), put_price_pct, extraction_confidence, source_document_date,
            agreement_date, effective_from, in_force, ended_on, ended_because, evidence_count, last_stated
        """
        return self._rows(
            'search.covenants',
            {
                'ticker': ticker,
                'cusip': cusip,
                'covenant_type': covenant_type,
                'covenant_name': covenant_name,
                'test_metric': test_metric,
                'min_threshold': min_threshold,
                'max_threshold': max_threshold,
                'has_step_down': has_step_down,
                'in_force': in_force,
                'ended_because': ended_because,
                'min_confidence': min_confidence,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def compare_covenants(
        self,
        ticker: str | Sequence[str],
        *,
        covenant_type: CovenantsCovenantType | Sequence[CovenantsCovenantType] | None = None,
        test_metric: CovenantsTestMetric | Sequence[CovenantsTestMetric] | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Answer:
        """Covenants in force of two to ten companies side by side.

        Args:
            ticker: Tickers to compare, 2 to 10.
            covenant_type: Only covenants of this type.
            test_metric: Only covenants that test this metric.
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._answer(
            'compare.covenants',
            {
                'ticker': ticker,
                'covenant_type': covenant_type,
                'test_metric': test_metric,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def headroom(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        cusip: str | Sequence[str] | None = None,
        test_metric: CovenantsTestMetric | Sequence[CovenantsTestMetric] | None = None,
        status: HeadroomStatus | Sequence[HeadroomStatus] | None = None,
        min_headroom: float | None = None,
        max_headroom: float | None = None,
        ebitda_shock: float | None = None,
        debt_shock: float | None = None,
        debt_added: float | None = None,
        rate_shock: float | None = None,
        floating_share: float | None = None,
        add_backs: bool | None = None,
        max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Headroom under financial covenants, tightest first, also after a shock.

        Args:
            ticker: Comma-separated tickers.
            sector: Sector of the company.
            rating_bucket: Rating bucket of the company.
            cusip: CUSIP of the instrument.
            test_metric: Metric tested.
            status: Whether the level is met.
            min_headroom: Minimum headroom, percent of EBITDA. (percent)
            max_headroom: Maximum headroom, percent of EBITDA. (percent)
            ebitda_shock: Change of EBITDA, `-20`. (percent)
            debt_shock: Change of debt. (percent)
            debt_added: Debt to add. (cents)
            rate_shock: Change of floating rates. (basis points)
            floating_share: Floating share if unknown. (percent)
            add_backs: Add tagged add-backs to EBITDA. (default false)
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            reported: Figures as last or first reported.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, sector, instrument_name, cusip, test_metric, threshold_type, level (times), ratio,
            headroom_turns (times), headroom_percent, ebitda_headroom, debt_headroom, interest_headroom, status,
            null_because, ratio_before_shock, headroom_percent_before_shock, next_level (times), next_level_date,
            test_frequency, ebitda_basis, ebitda, debt, interest_expense, currency, is_annualized, period_end_date,
            source_document_date, evidence_count, covenant_id
        """
        return self._rows(
            'search.headroom',
            {
                'ticker': ticker,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'cusip': cusip,
                'test_metric': test_metric,
                'status': status,
                'min_headroom': min_headroom,
                'max_headroom': max_headroom,
                'ebitda_shock': ebitda_shock,
                'debt_shock': debt_shock,
                'debt_added': debt_added,
                'rate_shock': rate_shock,
                'floating_share': floating_share,
                'add_backs': add_backs,
                'max_age': max_age,
                'reported': reported,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def maturities(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        year: int | Sequence[int] | None = None,
        due_before: Day | None = None,
        due_source: MaturitiesDueSource | Sequence[MaturitiesDueSource] | None = None,
        min_due: float | None = None,
        min_due_percent: float | None = None,
        max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Maturity wall: principal due by company and year, as filed and by the bonds or instruments known.

        Args:
            ticker: Comma-separated tickers.
            sector: Sector of the company.
            year: Year in which the period ends, of the open last one its first twelve months; null for bonds not
                known to mature in one period.
            due_before: Periods that end on or before this day.
            due_source: What `due` shows; `instruments` if filings give the amounts in `bonds_due`.
            min_due: Minimum principal due, cents. (cents)
            min_due_percent: Minimum share of total debt, percent. (percent)
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            reported: Figures as last or first reported.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 100)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, sector, year, period_start, period_end, due, due_source, is_partial, due_percent,
            filed_due, filed_null_because, bonds_due, bonds_null_because, bond_count, bonds_unknown,
            bonds_in_other_currency, currency, filed_balance_date
        """
        return self._rows(
            'search.maturities',
            {
                'ticker': ticker,
                'sector': sector,
                'year': year,
                'due_before': due_before,
                'due_source': due_source,
                'min_due': min_due,
                'min_due_percent': min_due_percent,
                'max_age': max_age,
                'reported': reported,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def liquidity(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        min_cover: float | None = None,
        max_cover: float | None = None,
        max_cover_24m: float | None = None,
        min_due_12m: float | None = None,
        min_cash: float | None = None,
        max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Cash, undrawn facilities and free cash flow against debt due, thinnest cover first.

        Args:
            ticker: Comma-separated tickers.
            sector: Sector of the company.
            rating_bucket: Rating bucket of the company.
            min_cover: Minimum cover of debt due in 12 months.
            max_cover: Maximum cover of debt due in 12 months.
            max_cover_24m: Maximum cover of debt due in 24 months.
            min_due_12m: Minimum debt due in 12 months, cents. (cents)
            min_cash: Minimum cash, cents. (cents)
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            reported: Figures as last or first reported.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, sector, cash, undrawn_committed, undrawn_source, undrawn_date,
            undrawn_null_because, committed, free_cash_flow, due_12m, due_24m, due_source, cover_12m, cover_24m,
            cash_cover_12m, cover_excludes, cover_null_because, currency, is_annualized, period_end_date
        """
        return self._rows(
            'search.liquidity',
            {
                'ticker': ticker,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'min_cover': min_cover,
                'max_cover': max_cover,
                'max_cover_24m': max_cover_24m,
                'min_due_12m': min_due_12m,
                'min_cash': min_cash,
                'max_age': max_age,
                'reported': reported,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def recovery(
        self,
        ticker: str,
        *,
        enterprise_value: float | None = None,
        ebitda: float | None = None,
        multiple: float | None = None,
        multiples: float | Sequence[float] | None = None,
        cost_percent: float | None = None,
        draw_percent: float | None = None,
        non_guarantor_percent: float | None = None,
        unexplained_debt: bool | None = None,
        max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Answer:
        """Recovery waterfall: a value paid through entities, liens and ranks, at several multiples.

        Args:
            ticker: Ticker or id of the company.
            enterprise_value: Default the multiple of EBITDA. (cents)
            ebitda: Another EBITDA. (cents)
            multiple: Enterprise value over EBITDA. (times; default 6)
            multiples: Those of the sensitivity. (times; default [3,4,5,6,7,8])
            cost_percent: Costs, share of the value. (percent; default 0)
            draw_percent: Share of open commitments drawn. (percent; default 0)
            non_guarantor_percent: Share of value at non-guarantors. (percent)
            unexplained_debt: Count debt that no instrument shows. (default true)
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            reported: Figures as last or first reported.
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._answer(
            'recovery.company',
            {
                'ticker': ticker,
                'enterprise_value': enterprise_value,
                'ebitda': ebitda,
                'multiple': multiple,
                'multiples': multiples,
                'cost_percent': cost_percent,
                'draw_percent': draw_percent,
                'non_guarantor_percent': non_guarantor_percent,
                'unexplained_debt': unexplained_debt,
                'max_age': max_age,
                'reported': reported,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def ratings(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        sp_rating: CompaniesSpRating | Sequence[CompaniesSpRating] | None = None,
        moodys_rating: CompaniesMoodysRating | Sequence[CompaniesMoodysRating] | None = None,
        fitch_rating: CompaniesFitchRating | Sequence[CompaniesFitchRating] | None = None,
        rating_type: RatingsRatingType | Sequence[RatingsRatingType] | None = None,
        cusip: str | Sequence[str] | None = None,
        issuer_only: bool | None = None,
        from_date: Day | None = None,
        to_date: Day | None = None,
        latest: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Rating actions by company, agency and rating type.

        Args:
            ticker: Comma-separated tickers.
            sector: Sector of the company.
            rating_bucket: Bucket of the rating.
            sp_rating: S&P rating, `BB+`.
            moodys_rating: Moody's rating, `Ba1`.
            fitch_rating: Fitch rating, `BB+`.
            rating_type: What the rating applies to.
            cusip: CUSIP, for a rating of an instrument.
            issuer_only: Exclude ratings of instruments.
            from_date: Effective on or after this day.
            to_date: Effective on or before this day.
            latest: Only the newest rating of each company and agency; of one day, the company's before its debt's.
                (default false)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            id, ticker, company_name, sector, cusip, agency, rating, rating_rank, rating_type, outlook,
            effective_date, rating_bucket, source_section_type, rating_date
        """
        return self._rows(
            'search.ratings',
            {
                'ticker': ticker,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'sp_rating': sp_rating,
                'moodys_rating': moodys_rating,
                'fitch_rating': fitch_rating,
                'rating_type': rating_type,
                'cusip': cusip,
                'issuer_only': issuer_only,
                'from_date': from_date,
                'to_date': to_date,
                'latest': latest,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def rating_migrations(
        self,
        *,
        since: Day | None = None,
        until: Day | None = None,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        migration: RatingMigrationsMigration | Sequence[RatingMigrationsMigration] | None = None,
        rating_max_age: int | Literal['none'] | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Issuers whose composite rating moved between two days, as an agency changed its rating: fallen angels,
        rising stars, upgrades and downgrades.

        Args:
            since: From the close of this day; default a year before `until`.
            until: To the close of this day; default the as-of date.
            ticker: Comma-separated tickers.
            sector: Sector of the company.
            migration: How the composite moved: `fallen_angel` and `rising_star` crossed investment grade.
            rating_max_age: Ratings without an action or affirmation for longer form no bucket: null, with the
                reason; `none` uses all. (days)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, sector, migration, previous_bucket, rating_bucket, notches (notches),
            previous_sp_rating, sp_rating, previous_moodys_rating, moodys_rating, previous_fitch_rating,
            fitch_rating, rating_date
        """
        return self._rows(
            'search.migrations',
            {
                'since': since,
                'until': until,
                'ticker': ticker,
                'sector': sector,
                'migration': migration,
                'rating_max_age': rating_max_age,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def spreads(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        industry: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        tenor: SpreadsTenor | Sequence[SpreadsTenor] | None = None,
        source: SpreadsSource | Sequence[SpreadsSource] | None = None,
        from_date: Day | None = None,
        to_date: Day | None = None,
        latest_only: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Credit spread time series by company and tenor.

        Args:
            ticker: Comma-separated tickers.
            sector: Sector of the company.
            industry: Industry of the company.
            rating_bucket: Rating bucket of the company.
            tenor: Tenor.
            source: Feed.
            from_date: On or after this day.
            to_date: On or before this day.
            latest_only: Only the latest spread of each company and tenor. (default false)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            ticker, company_name, spread_date, tenor, spread_bps, trade_count, bond_count, source
        """
        return self._rows(
            'search.spreads',
            {
                'ticker': ticker,
                'sector': sector,
                'industry': industry,
                'rating_bucket': rating_bucket,
                'tenor': tenor,
                'source': source,
                'from_date': from_date,
                'to_date': to_date,
                'latest_only': latest_only,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def spread_aggregate(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        industry: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        tenor: SpreadsTenor | Sequence[SpreadsTenor] | None = None,
        source: SpreadAggregateSource | Sequence[SpreadAggregateSource] | None = None,
        from_date: Day | None = None,
        to_date: Day | None = None,
        group_by: SpreadAggregateGroupBy | Sequence[SpreadAggregateGroupBy] | None = None,
        metrics: SpreadAggregateMetrics | Sequence[SpreadAggregateMetrics] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Statistics of spreads by day, week, month, tenor, sector, industry, rating bucket or company.

        Args:
            ticker: Comma-separated tickers.
            sector: Sector of the company.
            industry: Industry of the company.
            rating_bucket: Rating bucket of the company.
            tenor: Tenor.
            source: Sources; default `bond_spread_proxy` if there, else the one with most rows; `all` mixes them.
            from_date: On or after this day.
            to_date: On or before this day.
            group_by: Keys to group by, comma-separated. (default ["spread_date"])
            metrics: Statistics, comma-separated. (default ["median","mean","count","companies"])
            sort: Key or metric to sort by; default the group keys.
            limit: Rows to return. (default 100)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            spread_date, week, month, tenor, ticker, median, mean, stddev, min, max, p10, p25, p75, p90, count,
            companies, change, average_5d, average_20d, average_60d, percentile_rank
        """
        return self._rows(
            'aggregate.spreads',
            {
                'ticker': ticker,
                'sector': sector,
                'industry': industry,
                'rating_bucket': rating_bucket,
                'tenor': tenor,
                'source': source,
                'from_date': from_date,
                'to_date': to_date,
                'group_by': group_by,
                'metrics': metrics,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def index_spreads(
        self,
        *,
        series: str | Sequence[str] | None = None,
        rating_band: str | Sequence[str] | None = None,
        maturity_band: str | Sequence[str] | None = None,
        from_date: Day | None = None,
        to_date: Day | None = None,
        latest_only: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Option-adjusted spreads of bond indices by day, as published.

        Args:
            series: Publisher's name of the series, `BAMLC0A0CM`.
            rating_band: Ratings of its bonds: `IG`, `HY`, or a letter.
            maturity_band: Maturities of its bonds, `1-3Y`; null for all.
            from_date: On or after this day.
            to_date: On or before this day.
            latest_only: Only the latest spread of each series. (default false)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            series, index_name, rating_band, maturity_band, spread_date, option_adjusted_spread, spread_bps
        """
        return self._rows(
            'search.indices',
            {
                'series': series,
                'rating_band': rating_band,
                'maturity_band': maturity_band,
                'from_date': from_date,
                'to_date': to_date,
                'latest_only': latest_only,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def curves(
        self,
        *,
        level: CurvesLevel | Sequence[CurvesLevel] | None = None,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        min_bonds: int | None = None,
        date: Day | None = None,
        max_staleness: int | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Spread curves of a day, fitted by issuer, sector and rating, rating, and for the market.

        Args:
            level: Kind of group.
            ticker: Comma-separated tickers.
            sector: Sector of the group.
            rating_bucket: Rating bucket of the group on the day; null if it has none.
            min_bonds: Minimum number of bonds.
            date: Day of the curves; default the newest with prices of ten bonds.
            max_staleness: Oldest price used, in days before that day. (days; default 6)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 100)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            curve_date, level, group, ticker, sector, rating_bucket, spread_1y, spread_2y, spread_3y, spread_5y,
            spread_7y, spread_10y, spread_20y, spread_30y, bond_count, shrinkage, rmse, outlier_count, beta0, beta1,
            beta2, tau, min_years, max_years, parent, curve_of, null_because
        """
        return self._rows(
            'market.curves',
            {
                'level': level,
                'ticker': ticker,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'min_bonds': min_bonds,
                'date': date,
                'max_staleness': max_staleness,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def relative_value(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        min_residual: float | None = None,
        max_residual: float | None = None,
        min_z_score: float | None = None,
        max_z_score: float | None = None,
        min_years: float | None = None,
        max_years: float | None = None,
        date: Day | None = None,
        max_staleness: int | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Rich and cheap bonds: residuals to the fitted spread curves of a day, with carry and roll-down.

        Args:
            ticker: Comma-separated tickers.
            cusip: CUSIP.
            sector: Sector of the company.
            rating_bucket: Rating bucket of the company on the day.
            min_residual: Minimum residual, basis points. (basis points)
            max_residual: Maximum residual, basis points. (basis points)
            min_z_score: Minimum z-score.
            max_z_score: Maximum z-score.
            min_years: Minimum remaining years. (years)
            max_years: Maximum remaining years. (years)
            date: Day of the curves; default the newest with prices of ten bonds.
            max_staleness: Oldest price used, in days before that day. (days; default 6)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            cusip, bond_name, ticker, company_name, sector, rating_bucket, maturity_date, remaining_years,
            price_date, last_price (percent of par), ytm, spread, fitted_spread, residual, null_because, z_score,
            z_null_because, percentile, curve_level, carry, roll_down, carry_null_because
        """
        return self._rows(
            'search.relative_value',
            {
                'ticker': ticker,
                'cusip': cusip,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'min_residual': min_residual,
                'max_residual': max_residual,
                'min_z_score': min_z_score,
                'max_z_score': max_z_score,
                'min_years': min_years,
                'max_years': max_years,
                'date': date,
                'max_staleness': max_staleness,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def scenario(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        weights: float | Sequence[float] | None = None,
        shift: float | None = None,
        twist: float | None = None,
        pivot: float | None = None,
        spread_shock: float | None = None,
        rating_shocks: str | Sequence[str] | None = None,
        sector_shocks: str | Sequence[str] | None = None,
        volatility: float | None = None,
        reversion: float | None = None,
        steps: int | None = None,
        exercise: RiskExercise | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Bonds valued after moves of the curve and shocks of spreads.

        Args:
            ticker: Comma-separated tickers.
            cusip: CUSIP.
            sector: Sector of the company.
            rating_bucket: Rating bucket of the company.
            weights: Weights of `cusip`, in its order; default equal.
            shift: Shift of all Treasury spot rates. (basis points; default 0)
            twist: Rise of the 30-year rate less the 2-year. (basis points; default 0)
            pivot: Tenor that a twist leaves. (years; default 10)
            spread_shock: Shock of every spread. (basis points; default 0)
            rating_shocks: Further shocks by rating bucket, basis points.
            sector_shocks: Further shocks by sector, basis points.
            volatility: Short-rate volatility a year. (basis points; default 100)
            reversion: Mean reversion. (per year; default 0.03)
            steps: Steps of the lattice. (default 100)
            exercise: When calls can be exercised. (default "american")
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 100)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            id, cusip, name, ticker, sector, rating_bucket, weight, price (percent of par), price_after (percent of
            par), change_percent, estimate_percent, rates_percent, spread_percent, spread_shock (basis points),
            spread (basis points), effective_duration, options, null_because, price_date
        """
        return self._rows(
            'market.scenario',
            {
                'ticker': ticker,
                'cusip': cusip,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'weights': weights,
                'shift': shift,
                'twist': twist,
                'pivot': pivot,
                'spread_shock': spread_shock,
                'rating_shocks': rating_shocks,
                'sector_shocks': sector_shocks,
                'volatility': volatility,
                'reversion': reversion,
                'steps': steps,
                'exercise': exercise,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def returns(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        currency: str | Sequence[str] | None = None,
        date_from: Day | None = None,
        date_to: Day | None = None,
        every: ReturnsEvery | None = None,
        max_staleness: int | None = None,
        match: ReturnsMatch | None = None,
        weight: ReturnsWeight | None = None,
        members: ReturnsMembers | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Total returns of bonds or of a weighted list, and in excess of Treasuries.

        Args:
            ticker: Comma-separated tickers.
            cusip: CUSIP.
            sector: Sector of the company.
            rating_bucket: Rating bucket of the company.
            currency: Currency.
            date_from: From this day.
            date_to: To this day.
            every: `day`: from each price to the next. (default "month")
            max_staleness: Oldest price used, in days before the end of a period. (days; default 6)
            match: Match of Treasuries. (default "duration")
            weight: One series of the bonds selected, so weighted.
            members: Day on which `weight` selects them. (default "as_of")
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 100)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            cusip, bond_name, ticker, period_end, start_date, end_date, total_return, price_return, treasury_return,
            excess_return, index_level (index), null_because, ending, bonds, weight_covered, turnover
        """
        return self._rows(
            'search.returns',
            {
                'ticker': ticker,
                'cusip': cusip,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'currency': currency,
                'date_from': date_from,
                'date_to': date_to,
                'every': every,
                'max_staleness': max_staleness,
                'match': match,
                'weight': weight,
                'members': members,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def trade_liquidity(
        self,
        *,
        ticker: str | Sequence[str] | None = None,
        cusip: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        min_trades: int | None = None,
        max_zero_days: float | None = None,
        date_from: Day | None = None,
        date_to: Day | None = None,
        max_gap: int | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Liquidity of bonds by their trades: Amihud, Roll, days without trades, sizes.

        Args:
            ticker: Comma-separated tickers.
            cusip: CUSIP.
            sector: Sector of the company.
            rating_bucket: Rating bucket of the company.
            min_trades: Minimum number of trades.
            max_zero_days: Maximum business days without a trade, percent. (percent)
            date_from: From this day.
            date_to: To this day.
            max_gap: Longest time between two trading days that a price change is taken over. (days; default 7)
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            cusip, bond_name, ticker, amihud (percent per million dollars), amihud_null_because, roll (percent of
            price), roll_null_because, dispersion (percent of price), zero_trading_days, trading_days, trade_count,
            average_trade_size, turnover, days_since_trade (days)
        """
        return self._rows(
            'search.trade_liquidity',
            {
                'ticker': ticker,
                'cusip': cusip,
                'sector': sector,
                'rating_bucket': rating_bucket,
                'min_trades': min_trades,
                'max_zero_days': max_zero_days,
                'date_from': date_from,
                'date_to': date_to,
                'max_gap': max_gap,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def traverse(
        self,
        start: Any,
        *,
        relationships: TraverseRelationships | Sequence[TraverseRelationships],
        direction: TraverseDirection | None = None,
        depth: int | None = None,
        filters: Any | None = None,
        fields: str | Sequence[str] | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Answer:
        """Guarantors, subsidiaries, parents and debt reached from a company, a bond or an entity.

        Args:
            start: `company:TICKER`, `bond:CUSIP` or `entity:ID`, or an object with `type` and `id`.
            relationships: Relationships to follow.
            direction: Along the relationship, against it, or both. (default "outbound")
            depth: Maximum steps from the start. (default 1)
            filters: Entities to return: `{"entity_type": [...], "is_guarantor": true, "jurisdiction": "Delaware"}`.
            fields: Fields of entities to return.
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._answer(
            'traverse.entities',
            {
                'start': start,
                'relationships': relationships,
                'direction': direction,
                'depth': depth,
                'filters': filters,
                'fields': fields,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def search(
        self,
        q: str,
        *,
        mode: SearchMode | None = None,
        ticker: str | Sequence[str] | None = None,
        doc_type: str | Sequence[str] | None = None,
        section_type: SearchSectionType | Sequence[SearchSectionType] | None = None,
        filed_after: Day | None = None,
        filed_before: Day | None = None,
        fields: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        collapse: bool | None = None,
        sort: SearchSort | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Sections of filings by keyword, by meaning, or both.

        Args:
            q: Words, "phrases", OR, -excluded and (groups) in keyword and hybrid modes; plain language in semantic
                mode.
            mode: Match words, meaning, or both merged by reciprocal rank fusion. (default "keyword")
            ticker: Comma-separated tickers.
            doc_type: Form, `10-K`.
            section_type: Type of the section.
            filed_after: Filed on or after this day.
            filed_before: Filed on or before this day.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            limit: Rows to return. (default 50)
            offset: Rows to skip. (default 0)
            collapse: Merge near-copies of a section by one company in filings of one form into one hit, with their
                number. (default true)
            sort: Order of the hits. (default "-relevance")
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)

        Columns:
            id, ticker, company_name, doc_type, accession, filing_date, period_end_date, section_type,
            section_title, snippet, relevance_score (score), semantic_score (cosine), ranks.keyword, ranks.semantic,
            copies, content_length (characters), page_count, source_url
        """
        return self._rows(
            'search.documents',
            {
                'q': q,
                'mode': mode,
                'ticker': ticker,
                'doc_type': doc_type,
                'section_type': section_type,
                'filed_after': filed_after,
                'filed_before': filed_before,
                'fields': fields,
                'limit': limit,
                'offset': offset,
                'collapse': collapse,
                'sort': sort,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def suggest(
        self,
        q: str,
        *,
        kind: SuggestKind | Sequence[SuggestKind] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
    ) -> Rows:
        """Companies and titles of filing sections that a text being typed may become, for search fields.

        Args:
            q: What was typed: each word begins a word of a name, ticker or title.
            kind: Only suggestions of these kinds.
            limit: Rows to return. (default 10)
            offset: Rows to skip. (default 0)
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.

        Columns:
            kind, text, ticker, company_id, sections
        """
        return self._rows(
            'suggest',
            {
                'q': q,
                'kind': kind,
                'limit': limit,
                'offset': offset,
                'as_of': as_of,
                'snapshot': snapshot,
            },
        )

    def changes(
        self,
        ticker: str,
        *,
        since: Day | None = None,
        until: Day | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        explain: bool | None = None,
    ) -> Answer:
        """What changed for a company between two days: debt, entities, metrics, ratings, prices, filings.

        Args:
            ticker: Ticker.
            since: From the close of this day; default 90 days before `until`.
            until: To the close of this day; default the as-of date.
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._answer(
            'changes.company',
            {
                'ticker': ticker,
                'since': since,
                'until': until,
                'as_of': as_of,
                'snapshot': snapshot,
                'explain': explain,
            },
        )

    def diff(
        self,
        resource: DiffResource,
        *,
        since: Day,
        until: Day | None = None,
        ticker: str | Sequence[str] | None = None,
        change: DiffChange | Sequence[DiffChange] | None = None,
        column: str | Sequence[str] | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
    ) -> Rows:
        """What differs in a table between two days: rows added and removed, and each value that changed, as known
        at both closes.

        Args:
            resource: The table to compare.
            since: From the close of this day.
            until: To the close of this day; default the as-of date.
            ticker: Comma-separated tickers.
            change: Whether the row is new, gone, or has another value in `column`.
            column: Columns to report, also those not shown by default.
            fields: Columns to return, comma-separated; a parent name includes all its members.
            sort: Column to sort by; prefix `-` for descending; several separated by commas.
            limit: Rows to return. (default 100)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.

        Columns:
            ticker, company_name, id, name, change, column, before, after, difference, unit
        """
        return self._rows(
            'search.changes',
            {
                'resource': resource,
                'since': since,
                'until': until,
                'ticker': ticker,
                'change': change,
                'column': column,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
            },
        )

    def panel(
        self,
        resource: PanelResource,
        *,
        dates: Day | Sequence[Day] | None = None,
        from_: str | None = None,
        to: str | None = None,
        every: ReturnsEvery | None = None,
        limit: int | None = None,
        offset: int | None = None,
        snapshot: str | None = None,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        industry: str | Sequence[str] | None = None,
        min_leverage: float | None = None,
        max_leverage: float | None = None,
        min_net_leverage: float | None = None,
        max_net_leverage: float | None = None,
        min_debt: float | None = None,
        max_debt: float | None = None,
        has_structural_sub: bool | None = None,
        has_floating_rate: bool | None = None,
        has_near_term_maturity: bool | None = None,
        has_holdco_debt: bool | None = None,
        has_opco_debt: bool | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        sp_rating: CompaniesSpRating | Sequence[CompaniesSpRating] | None = None,
        moodys_rating: CompaniesMoodysRating | Sequence[CompaniesMoodysRating] | None = None,
        fitch_rating: CompaniesFitchRating | Sequence[CompaniesFitchRating] | None = None,
        max_age: int | Literal['none'] | None = None,
        rating_max_age: int | Literal['none'] | None = None,
        reported: FinancialsReported | None = None,
        include_metadata: bool | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        group: BondsGroup | Sequence[BondsGroup] | None = None,
        cusip: str | Sequence[str] | None = None,
        seniority: BondsSeniority | Sequence[BondsSeniority] | None = None,
        security_type: BondsSecurityType | Sequence[BondsSecurityType] | None = None,
        instrument_type: BondsInstrumentType | Sequence[BondsInstrumentType] | None = None,
        issuer_type: BondsIssuerType | Sequence[BondsIssuerType] | None = None,
        rate_type: BondsRateType | Sequence[BondsRateType] | None = None,
        min_coupon: float | None = None,
        max_coupon: float | None = None,
        min_ytm: float | None = None,
        max_ytm: float | None = None,
        min_spread: int | None = None,
        max_spread: int | None = None,
        has_pricing: bool | None = None,
        max_staleness: int | None = None,
        maturity_after: Day | None = None,
        maturity_before: Day | None = None,
        issued_after: Day | None = None,
        issued_before: Day | None = None,
        min_outstanding: float | None = None,
        max_outstanding: float | None = None,
        has_guarantors: bool | None = None,
        has_cusip: bool | None = None,
        is_active: bool | None = None,
        currency: str | Sequence[str] | None = None,
        has_currency: bool | None = None,
        aggregation: BondsAggregation | None = None,
        fiscal_year: int | Sequence[int] | None = None,
        fiscal_quarter: int | Sequence[int] | None = None,
        filing_type: str | Sequence[str] | None = None,
        period_after: Day | None = None,
        period_before: Day | None = None,
        min_revenue: float | None = None,
        min_ebitda: float | None = None,
        period: str | None = None,
        rating_type: RatingsRatingType | Sequence[RatingsRatingType] | None = None,
        issuer_only: bool | None = None,
        from_date: Day | None = None,
        to_date: Day | None = None,
        latest: bool | None = None,
        tenor: SpreadsTenor | Sequence[SpreadsTenor] | None = None,
        source: SpreadsSource | Sequence[SpreadsSource] | None = None,
        latest_only: bool | None = None,
    ) -> Rows:
        """Rows of one list as of many days, each with its day. Charged for every 12 days begun.

        Args:
            resource: The list to query as of each day.
            dates: Days, comma-separated; or use `from`, `to` and `every`.
            from_: First day, or month written `2015-01`.
            to: Last day, or month; default the as-of date of the snapshot.
            every: Last day of each month or quarter, Friday of each week, or each weekday.
            limit: Rows to return, over all days. (default 10000)
            offset: Rows to skip. (default 0)
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            ticker: Comma-separated tickers.
            sector: Sector, one of eleven, by the documented map.
            industry: Industry.
            min_leverage: Minimum total debt / EBITDA.
            max_leverage: Maximum total debt / EBITDA.
            min_net_leverage: Minimum net debt / EBITDA.
            max_net_leverage: Maximum net debt / EBITDA.
            min_debt: Minimum total debt, cents. (cents)
            max_debt: Maximum total debt, cents. (cents)
            has_structural_sub: Debt sits at a holding company above operating-company debt.
            has_floating_rate: Has floating-rate debt; null where the bonds known have none but are not all its
                debt.
            has_near_term_maturity: Debt matures within 24 months; null where no bond known does and the debt due
                within two years is not known.
            has_holdco_debt: Debt at the holding company.
            has_opco_debt: Debt at operating companies.
            rating_bucket: Bucket of the composite issuer rating.
            sp_rating: Newest S&P issuer rating, `BB+`, without watch marks.
            moodys_rating: Newest Moody's issuer rating, `Ba1`, without watch marks.
            fitch_rating: Newest Fitch issuer rating, `BB+`, without watch marks.
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            rating_max_age: Ratings without an action or affirmation for longer form no bucket: null, with the
                reason; `none` uses all. (days)
            reported: Figures as last or first reported, or every version of them.
            include_metadata: Add `_metadata`: quality and sources of the record.
            fields: Columns to return, comma-separated.
            sort: Column to sort the rows of a day by.
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`.
            group: Bonds of the companies' whole groups (`parent`), or of themselves (`issuer`).
            cusip: CUSIP.
            seniority: Ranking.
            security_type: Security.
            instrument_type: Instrument.
            issuer_type: Position of the issuer in its group.
            rate_type: Fixed or floating.
            min_coupon: Minimum coupon, percent. (percent)
            max_coupon: Maximum coupon, percent. (percent)
            min_ytm: Minimum yield to maturity, percent. (percent)
            max_ytm: Maximum yield to maturity, percent. (percent)
            min_spread: Minimum spread to Treasury, basis points. (basis points)
            max_spread: Maximum spread to Treasury, basis points. (basis points)
            has_pricing: Whether it has a price.
            max_staleness: Maximum days since the price. (days)
            maturity_after: Matures on or after this day.
            maturity_before: Matures on or before this day.
            issued_after: Issued on or after this day.
            issued_before: Issued on or before this day.
            min_outstanding: Minimum amount outstanding, cents. (cents)
            max_outstanding: Maximum amount outstanding, cents. (cents)
            has_guarantors: Whether it has guarantors; unknown matches neither.
            has_cusip: Whether it has a CUSIP.
            is_active: Neither matured nor retired on the as-of date.
            currency: ISO currency.
            has_currency: Whether its currency is known.
            aggregation: Bonds carry their latest price.
            fiscal_year: Fiscal year, as the company names it.
            fiscal_quarter: Fiscal quarters, 1 to 4.
            filing_type: Form the figures were filed with.
            period_after: Periods ending on or after this day.
            period_before: Periods ending on or before this day.
            min_revenue: Minimum revenue, cents. (cents)
            min_ebitda: Minimum EBITDA, cents. (cents)
            period: `TTM`, `latest`, or a quarter: `2024Q3`, `Q3 2024`. Default all quarters.
            rating_type: What the rating applies to.
            issuer_only: Exclude ratings of instruments.
            from_date: Effective on or after this day.
            to_date: Effective on or before this day.
            latest: Only the newest rating of each company and agency; of one day, the company's before its debt's.
            tenor: Tenor.
            source: Feed.
            latest_only: Only the latest spread of each company and tenor.
        """
        return self._rows(
            'panel',
            {
                'resource': resource,
                'dates': dates,
                'from': from_,
                'to': to,
                'every': every,
                'limit': limit,
                'offset': offset,
                'snapshot': snapshot,
                'ticker': ticker,
                'sector': sector,
                'industry': industry,
                'min_leverage': min_leverage,
                'max_leverage': max_leverage,
                'min_net_leverage': min_net_leverage,
                'max_net_leverage': max_net_leverage,
                'min_debt': min_debt,
                'max_debt': max_debt,
                'has_structural_sub': has_structural_sub,
                'has_floating_rate': has_floating_rate,
                'has_near_term_maturity': has_near_term_maturity,
                'has_holdco_debt': has_holdco_debt,
                'has_opco_debt': has_opco_debt,
                'rating_bucket': rating_bucket,
                'sp_rating': sp_rating,
                'moodys_rating': moodys_rating,
                'fitch_rating': fitch_rating,
                'max_age': max_age,
                'rating_max_age': rating_max_age,
                'reported': reported,
                'include_metadata': include_metadata,
                'fields': fields,
                'sort': sort,
                'on_unknown': on_unknown,
                'group': group,
                'cusip': cusip,
                'seniority': seniority,
                'security_type': security_type,
                'instrument_type': instrument_type,
                'issuer_type': issuer_type,
                'rate_type': rate_type,
                'min_coupon': min_coupon,
                'max_coupon': max_coupon,
                'min_ytm': min_ytm,
                'max_ytm': max_ytm,
                'min_spread': min_spread,
                'max_spread': max_spread,
                'has_pricing': has_pricing,
                'max_staleness': max_staleness,
                'maturity_after': maturity_after,
                'maturity_before': maturity_before,
                'issued_after': issued_after,
                'issued_before': issued_before,
                'min_outstanding': min_outstanding,
                'max_outstanding': max_outstanding,
                'has_guarantors': has_guarantors,
                'has_cusip': has_cusip,
                'is_active': is_active,
                'currency': currency,
                'has_currency': has_currency,
                'aggregation': aggregation,
                'fiscal_year': fiscal_year,
                'fiscal_quarter': fiscal_quarter,
                'filing_type': filing_type,
                'period_after': period_after,
                'period_before': period_before,
                'min_revenue': min_revenue,
                'min_ebitda': min_ebitda,
                'period': period,
                'rating_type': rating_type,
                'issuer_only': issuer_only,
                'from_date': from_date,
                'to_date': to_date,
                'latest': latest,
                'tenor': tenor,
                'source': source,
                'latest_only': latest_only,
            },
        )

    def facets(
        self,
        data_type: FacetsDataType,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        industry: str | Sequence[str] | None = None,
        min_leverage: float | None = None,
        max_leverage: float | None = None,
        min_net_leverage: float | None = None,
        max_net_leverage: float | None = None,
        min_debt: float | None = None,
        max_debt: float | None = None,
        has_structural_sub: bool | None = None,
        has_floating_rate: bool | None = None,
        has_near_term_maturity: bool | None = None,
        has_holdco_debt: bool | None = None,
        has_opco_debt: bool | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        sp_rating: CompaniesSpRating | Sequence[CompaniesSpRating] | None = None,
        moodys_rating: CompaniesMoodysRating | Sequence[CompaniesMoodysRating] | None = None,
        fitch_rating: CompaniesFitchRating | Sequence[CompaniesFitchRating] | None = None,
        group: BondsGroup | Sequence[BondsGroup] | None = None,
        cusip: str | Sequence[str] | None = None,
        seniority: BondsSeniority | Sequence[BondsSeniority] | None = None,
        security_type: BondsSecurityType | Sequence[BondsSecurityType] | None = None,
        instrument_type: BondsInstrumentType | Sequence[BondsInstrumentType] | None = None,
        issuer_type: BondsIssuerType | Sequence[BondsIssuerType] | None = None,
        rate_type: BondsRateType | Sequence[BondsRateType] | None = None,
        min_coupon: float | None = None,
        max_coupon: float | None = None,
        min_ytm: float | None = None,
        max_ytm: float | None = None,
        min_spread: int | None = None,
        max_spread: int | None = None,
        has_pricing: bool | None = None,
        max_staleness: int | None = None,
        maturity_after: Day | None = None,
        maturity_before: Day | None = None,
        issued_after: Day | None = None,
        issued_before: Day | None = None,
        min_outstanding: float | None = None,
        max_outstanding: float | None = None,
        has_guarantors: bool | None = None,
        has_cusip: bool | None = None,
        is_active: bool | None = None,
        currency: str | Sequence[str] | None = None,
        has_currency: bool | None = None,
        fiscal_year: int | Sequence[int] | None = None,
        fiscal_quarter: int | Sequence[int] | None = None,
        filing_type: str | Sequence[str] | None = None,
        period_after: Day | None = None,
        period_before: Day | None = None,
        min_revenue: float | None = None,
        min_ebitda: float | None = None,
        covenant_type: CovenantsCovenantType | Sequence[CovenantsCovenantType] | None = None,
        covenant_name: str | Sequence[str] | None = None,
        test_metric: CovenantsTestMetric | Sequence[CovenantsTestMetric] | None = None,
        min_threshold: float | None = None,
        max_threshold: float | None = None,
        has_step_down: bool | None = None,
        in_force: bool | None = None,
        ended_because: CollateralEndedBecause | Sequence[CollateralEndedBecause] | None = None,
        min_confidence: float | None = None,
        bond_id: str | Sequence[str] | None = None,
        collateral_type: CollateralCollateralType | str | Sequence[CollateralCollateralType | str] | None = None,
        priority: CollateralPriority | Sequence[CollateralPriority] | None = None,
        has_valuation: bool | None = None,
        min_value: float | None = None,
        rating_type: RatingsRatingType | Sequence[RatingsRatingType] | None = None,
        issuer_only: bool | None = None,
        from_date: Day | None = None,
        to_date: Day | None = None,
        tenor: SpreadsTenor | Sequence[SpreadsTenor] | None = None,
        source: SpreadsSource | Sequence[SpreadsSource] | None = None,
        max_age: int | Literal['none'] | None = None,
        rating_max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        newest: bool | None = None,
        of: str | Sequence[str] | None = None,
        limit: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
    ) -> Answer:
        """Distribution of a list's rows by column: counts by value and histograms, each without the filters of its
        own column.

        Args:
            data_type: The list to count.
            ticker: Comma-separated tickers.
            sector: Sector, one of eleven, by the documented map.
            industry: Industry.
            min_leverage: Minimum total debt / EBITDA.
            max_leverage: Maximum total debt / EBITDA.
            min_net_leverage: Minimum net debt / EBITDA.
            max_net_leverage: Maximum net debt / EBITDA.
            min_debt: Minimum total debt, cents. (cents)
            max_debt: Maximum total debt, cents. (cents)
            has_structural_sub: Debt sits at a holding company above operating-company debt.
            has_floating_rate: Has floating-rate debt; null where the bonds known have none but are not all its
                debt.
            has_near_term_maturity: Debt matures within 24 months; null where no bond known does and the debt due
                within two years is not known.
            has_holdco_debt: Debt at the holding company.
            has_opco_debt: Debt at operating companies.
            rating_bucket: Bucket of the composite issuer rating.
            sp_rating: Newest S&P issuer rating, `BB+`, without watch marks.
            moodys_rating: Newest Moody's issuer rating, `Ba1`, without watch marks.
            fitch_rating: Newest Fitch issuer rating, `BB+`, without watch marks.
            group: Bonds of the companies' whole groups (`parent`), or of themselves (`issuer`).
            cusip: CUSIP.
            seniority: Ranking.
            security_type: Security.
            instrument_type: Instrument.
            issuer_type: Position of the issuer in its group.
            rate_type: Fixed or floating.
            min_coupon: Minimum coupon, percent. (percent)
            max_coupon: Maximum coupon, percent. (percent)
            min_ytm: Minimum yield to maturity, percent. (percent)
            max_ytm: Maximum yield to maturity, percent. (percent)
            min_spread: Minimum spread to Treasury, basis points. (basis points)
            max_spread: Maximum spread to Treasury, basis points. (basis points)
            has_pricing: Whether it has a price.
            max_staleness: Maximum days since the price. (days)
            maturity_after: Matures on or after this day.
            maturity_before: Matures on or before this day.
            issued_after: Issued on or after this day.
            issued_before: Issued on or before this day.
            min_outstanding: Minimum amount outstanding, cents. (cents)
            max_outstanding: Maximum amount outstanding, cents. (cents)
            has_guarantors: Whether it has guarantors; unknown matches neither.
            has_cusip: Whether it has a CUSIP.
            is_active: Neither matured nor retired on the as-of date.
            currency: ISO currency.
            has_currency: Whether its currency is known.
            fiscal_year: Fiscal year, as the company names it.
            fiscal_quarter: Fiscal quarter, 1 to 4; for trailing figures the last one.
            filing_type: Form the figures were filed with.
            period_after: Periods ending on or after this day.
            period_before: Periods ending on or before this day.
            min_revenue: Minimum revenue, cents. (cents)
            min_ebitda: Minimum EBITDA, cents. (cents)
            covenant_type: Kind of covenant.
            covenant_name: Name of the covenant.
            test_metric: Metric tested.
            min_threshold: Minimum threshold, in times or cents. (times or cents)
            max_threshold: Maximum threshold, in times or cents. (times or cents)
            has_step_down: The threshold tightens on a schedule.
            in_force: Only those in force, or only those that have ended.
            ended_because: Why it ended.
            min_confidence: Minimum confidence of the extraction, 0 to 1.
            bond_id: Id of the bond or loan.
            collateral_type: Kind of asset; `unsecured` matches none.
            priority: Lien.
            has_valuation: Whether it has a valuation.
            min_value: Minimum estimated value, cents. (cents)
            rating_type: What the rating applies to.
            issuer_only: Exclude ratings of instruments.
            from_date: Effective on or after this day.
            to_date: Effective on or before this day.
            tenor: Tenor.
            source: Feed.
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            rating_max_age: Ratings without an action or affirmation for longer form no bucket: null, with the
                reason; `none` uses all. (days)
            reported: Figures as last or first reported.
            newest: Count only the newest row of each group, as the list's `latest` and `latest_only` do. (default
                false)
            of: Columns to count by; default those that have filters.
            limit: Maximum number of values per column. (default 100)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
        """
        return self._answer(
            'count.facets',
            {
                'data_type': data_type,
                'ticker': ticker,
                'sector': sector,
                'industry': industry,
                'min_leverage': min_leverage,
                'max_leverage': max_leverage,
                'min_net_leverage': min_net_leverage,
                'max_net_leverage': max_net_leverage,
                'min_debt': min_debt,
                'max_debt': max_debt,
                'has_structural_sub': has_structural_sub,
                'has_floating_rate': has_floating_rate,
                'has_near_term_maturity': has_near_term_maturity,
                'has_holdco_debt': has_holdco_debt,
                'has_opco_debt': has_opco_debt,
                'rating_bucket': rating_bucket,
                'sp_rating': sp_rating,
                'moodys_rating': moodys_rating,
                'fitch_rating': fitch_rating,
                'group': group,
                'cusip': cusip,
                'seniority': seniority,
                'security_type': security_type,
                'instrument_type': instrument_type,
                'issuer_type': issuer_type,
                'rate_type': rate_type,
                'min_coupon': min_coupon,
                'max_coupon': max_coupon,
                'min_ytm': min_ytm,
                'max_ytm': max_ytm,
                'min_spread': min_spread,
                'max_spread': max_spread,
                'has_pricing': has_pricing,
                'max_staleness': max_staleness,
                'maturity_after': maturity_after,
                'maturity_before': maturity_before,
                'issued_after': issued_after,
                'issued_before': issued_before,
                'min_outstanding': min_outstanding,
                'max_outstanding': max_outstanding,
                'has_guarantors': has_guarantors,
                'has_cusip': has_cusip,
                'is_active': is_active,
                'currency': currency,
                'has_currency': has_currency,
                'fiscal_year': fiscal_year,
                'fiscal_quarter': fiscal_quarter,
                'filing_type': filing_type,
                'period_after': period_after,
                'period_before': period_before,
                'min_revenue': min_revenue,
                'min_ebitda': min_ebitda,
                'covenant_type': covenant_type,
                'covenant_name': covenant_name,
                'test_metric': test_metric,
                'min_threshold': min_threshold,
                'max_threshold': max_threshold,
                'has_step_down': has_step_down,
                'in_force': in_force,
                'ended_because': ended_because,
                'min_confidence': min_confidence,
                'bond_id': bond_id,
                'collateral_type': collateral_type,
                'priority': priority,
                'has_valuation': has_valuation,
                'min_value': min_value,
                'rating_type': rating_type,
                'issuer_only': issuer_only,
                'from_date': from_date,
                'to_date': to_date,
                'tenor': tenor,
                'source': source,
                'max_age': max_age,
                'rating_max_age': rating_max_age,
                'reported': reported,
                'newest': newest,
                'of': of,
                'limit': limit,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
            },
        )

    def export(
        self,
        data_type: FacetsDataType,
        *,
        ticker: str | Sequence[str] | None = None,
        sector: str | Sequence[str] | None = None,
        industry: str | Sequence[str] | None = None,
        min_leverage: float | None = None,
        max_leverage: float | None = None,
        min_net_leverage: float | None = None,
        max_net_leverage: float | None = None,
        min_debt: float | None = None,
        max_debt: float | None = None,
        has_structural_sub: bool | None = None,
        has_floating_rate: bool | None = None,
        has_near_term_maturity: bool | None = None,
        has_holdco_debt: bool | None = None,
        has_opco_debt: bool | None = None,
        rating_bucket: CompaniesRatingBucket | Sequence[CompaniesRatingBucket] | None = None,
        sp_rating: CompaniesSpRating | Sequence[CompaniesSpRating] | None = None,
        moodys_rating: CompaniesMoodysRating | Sequence[CompaniesMoodysRating] | None = None,
        fitch_rating: CompaniesFitchRating | Sequence[CompaniesFitchRating] | None = None,
        group: BondsGroup | Sequence[BondsGroup] | None = None,
        cusip: str | Sequence[str] | None = None,
        seniority: BondsSeniority | Sequence[BondsSeniority] | None = None,
        security_type: BondsSecurityType | Sequence[BondsSecurityType] | None = None,
        instrument_type: BondsInstrumentType | Sequence[BondsInstrumentType] | None = None,
        issuer_type: BondsIssuerType | Sequence[BondsIssuerType] | None = None,
        rate_type: BondsRateType | Sequence[BondsRateType] | None = None,
        min_coupon: float | None = None,
        max_coupon: float | None = None,
        min_ytm: float | None = None,
        max_ytm: float | None = None,
        min_spread: int | None = None,
        max_spread: int | None = None,
        has_pricing: bool | None = None,
        max_staleness: int | None = None,
        maturity_after: Day | None = None,
        maturity_before: Day | None = None,
        issued_after: Day | None = None,
        issued_before: Day | None = None,
        min_outstanding: float | None = None,
        max_outstanding: float | None = None,
        has_guarantors: bool | None = None,
        has_cusip: bool | None = None,
        is_active: bool | None = None,
        currency: str | Sequence[str] | None = None,
        has_currency: bool | None = None,
        fiscal_year: int | Sequence[int] | None = None,
        fiscal_quarter: int | Sequence[int] | None = None,
        filing_type: str | Sequence[str] | None = None,
        period_after: Day | None = None,
        period_before: Day | None = None,
        min_revenue: float | None = None,
        min_ebitda: float | None = None,
        covenant_type: CovenantsCovenantType | Sequence[CovenantsCovenantType] | None = None,
        covenant_name: str | Sequence[str] | None = None,
        test_metric: CovenantsTestMetric | Sequence[CovenantsTestMetric] | None = None,
        min_threshold: float | None = None,
        max_threshold: float | None = None,
        has_step_down: bool | None = None,
        in_force: bool | None = None,
        ended_because: CollateralEndedBecause | Sequence[CollateralEndedBecause] | None = None,
        min_confidence: float | None = None,
        bond_id: str | Sequence[str] | None = None,
        collateral_type: CollateralCollateralType | str | Sequence[CollateralCollateralType | str] | None = None,
        priority: CollateralPriority | Sequence[CollateralPriority] | None = None,
        has_valuation: bool | None = None,
        min_value: float | None = None,
        rating_type: RatingsRatingType | Sequence[RatingsRatingType] | None = None,
        issuer_only: bool | None = None,
        from_date: Day | None = None,
        to_date: Day | None = None,
        tenor: SpreadsTenor | Sequence[SpreadsTenor] | None = None,
        source: SpreadsSource | Sequence[SpreadsSource] | None = None,
        max_age: int | Literal['none'] | None = None,
        rating_max_age: int | Literal['none'] | None = None,
        reported: CompaniesReported | None = None,
        fields: str | Sequence[str] | None = None,
        sort: str | Sequence[str] | None = None,
        limit: int | None = None,
        offset: int | None = None,
        on_unknown: CompaniesOnUnknown | None = None,
        as_of: Day | None = None,
        snapshot: str | None = None,
        lane: CompaniesLane | None = None,
        explain: bool | None = None,
    ) -> Rows:
        """Rows of one resource in bulk, up to 50,000 over HTTP.

        Args:
            data_type: What to export.
            ticker: Comma-separated tickers.
            sector: Sector, one of eleven, by the documented map.
            industry: Industry.
            min_leverage: Minimum total debt / EBITDA.
            max_leverage: Maximum total debt / EBITDA.
            min_net_leverage: Minimum net debt / EBITDA.
            max_net_leverage: Maximum net debt / EBITDA.
            min_debt: Minimum total debt, cents. (cents)
            max_debt: Maximum total debt, cents. (cents)
            has_structural_sub: Debt sits at a holding company above operating-company debt.
            has_floating_rate: Has floating-rate debt; null where the bonds known have none but are not all its
                debt.
            has_near_term_maturity: Debt matures within 24 months; null where no bond known does and the debt due
                within two years is not known.
            has_holdco_debt: Debt at the holding company.
            has_opco_debt: Debt at operating companies.
            rating_bucket: Bucket of the composite issuer rating.
            sp_rating: Newest S&P issuer rating, `BB+`, without watch marks.
            moodys_rating: Newest Moody's issuer rating, `Ba1`, without watch marks.
            fitch_rating: Newest Fitch issuer rating, `BB+`, without watch marks.
            group: Bonds of the companies' whole groups (`parent`), or of themselves (`issuer`).
            cusip: CUSIP.
            seniority: Ranking.
            security_type: Security.
            instrument_type: Instrument.
            issuer_type: Position of the issuer in its group.
            rate_type: Fixed or floating.
            min_coupon: Minimum coupon, percent. (percent)
            max_coupon: Maximum coupon, percent. (percent)
            min_ytm: Minimum yield to maturity, percent. (percent)
            max_ytm: Maximum yield to maturity, percent. (percent)
            min_spread: Minimum spread to Treasury, basis points. (basis points)
            max_spread: Maximum spread to Treasury, basis points. (basis points)
            has_pricing: Whether it has a price.
            max_staleness: Maximum days since the price. (days)
            maturity_after: Matures on or after this day.
            maturity_before: Matures on or before this day.
            issued_after: Issued on or after this day.
            issued_before: Issued on or before this day.
            min_outstanding: Minimum amount outstanding, cents. (cents)
            max_outstanding: Maximum amount outstanding, cents. (cents)
            has_guarantors: Whether it has guarantors; unknown matches neither.
            has_cusip: Whether it has a CUSIP.
            is_active: Neither matured nor retired on the as-of date.
            currency: ISO currency.
            has_currency: Whether its currency is known.
            fiscal_year: Fiscal year, as the company names it.
            fiscal_quarter: Fiscal quarter, 1 to 4; for trailing figures the last one.
            filing_type: Form the figures were filed with.
            period_after: Periods ending on or after this day.
            period_before: Periods ending on or before this day.
            min_revenue: Minimum revenue, cents. (cents)
            min_ebitda: Minimum EBITDA, cents. (cents)
            covenant_type: Kind of covenant.
            covenant_name: Name of the covenant.
            test_metric: Metric tested.
            min_threshold: Minimum threshold, in times or cents. (times or cents)
            max_threshold: Maximum threshold, in times or cents. (times or cents)
            has_step_down: The threshold tightens on a schedule.
            in_force: Only those in force, or only those that have ended.
            ended_because: Why it ended.
            min_confidence: Minimum confidence of the extraction, 0 to 1.
            bond_id: Id of the bond or loan.
            collateral_type: Kind of asset; `unsecured` matches none.
            priority: Lien.
            has_valuation: Whether it has a valuation.
            min_value: Minimum estimated value, cents. (cents)
            rating_type: What the rating applies to.
            issuer_only: Exclude ratings of instruments.
            from_date: Effective on or after this day.
            to_date: Effective on or before this day.
            tenor: Tenor.
            source: Feed.
            max_age: Figures whose period ended earlier before the as-of date are null, with the reason `stale`;
                `none` shows all. (days)
            rating_max_age: Ratings without an action or affirmation for longer form no bucket: null, with the
                reason; `none` uses all. (days)
            reported: Figures as last or first reported.
            fields: Columns to return, comma-separated.
            sort: Column to sort by.
            limit: Rows to return. (default 10000)
            offset: Rows to skip. (default 0)
            on_unknown: An unknown ticker is an error, or is skipped and listed in `meta.unknown`. (default "error")
            as_of: Answer as of the close of this day.
            snapshot: Answer from this snapshot, an id from `meta.snapshot`, so that pages stay consistent while
                builds publish; default the current one.
            lane: Answer on the remote engine that is connected (TRANCHE_REMOTE), whatever the size of the table; an
                error where none is.
            explain: Add `_explain`: formulas, inputs, sources. (default false)
        """
        return self._rows(
            'export',
            {
                'data_type': data_type,
                'ticker': ticker,
                'sector': sector,
                'industry': industry,
                'min_leverage': min_leverage,
                'max_leverage': max_leverage,
                'min_net_leverage': min_net_leverage,
                'max_net_leverage': max_net_leverage,
                'min_debt': min_debt,
                'max_debt': max_debt,
                'has_structural_sub': has_structural_sub,
                'has_floating_rate': has_floating_rate,
                'has_near_term_maturity': has_near_term_maturity,
                'has_holdco_debt': has_holdco_debt,
                'has_opco_debt': has_opco_debt,
                'rating_bucket': rating_bucket,
                'sp_rating': sp_rating,
                'moodys_rating': moodys_rating,
                'fitch_rating': fitch_rating,
                'group': group,
                'cusip': cusip,
                'seniority': seniority,
                'security_type': security_type,
                'instrument_type': instrument_type,
                'issuer_type': issuer_type,
                'rate_type': rate_type,
                'min_coupon': min_coupon,
                'max_coupon': max_coupon,
                'min_ytm': min_ytm,
                'max_ytm': max_ytm,
                'min_spread': min_spread,
                'max_spread': max_spread,
                'has_pricing': has_pricing,
                'max_staleness': max_staleness,
                'maturity_after': maturity_after,
                'maturity_before': maturity_before,
                'issued_after': issued_after,
                'issued_before': issued_before,
                'min_outstanding': min_outstanding,
                'max_outstanding': max_outstanding,
                'has_guarantors': has_guarantors,
                'has_cusip': has_cusip,
                'is_active': is_active,
                'currency': currency,
                'has_currency': has_currency,
                'fiscal_year': fiscal_year,
                'fiscal_quarter': fiscal_quarter,
                'filing_type': filing_type,
                'period_after': period_after,
                'period_before': period_before,
                'min_revenue': min_revenue,
                'min_ebitda': min_ebitda,
                'covenant_type': covenant_type,
                'covenant_name': covenant_name,
                'test_metric': test_metric,
                'min_threshold': min_threshold,
                'max_threshold': max_threshold,
                'has_step_down': has_step_down,
                'in_force': in_force,
                'ended_because': ended_because,
                'min_confidence': min_confidence,
                'bond_id': bond_id,
                'collateral_type': collateral_type,
                'priority': priority,
                'has_valuation': has_valuation,
                'min_value': min_value,
                'rating_type': rating_type,
                'issuer_only': issuer_only,
                'from_date': from_date,
                'to_date': to_date,
                'tenor': tenor,
                'source': source,
                'max_age': max_age,
                'rating_max_age': rating_max_age,
                'reported': reported,
                'fields': fields,
                'sort': sort,
                'limit': limit,
                'offset': offset,
                'on_unknown': on_unknown,
                'as_of': as_of,
                'snapshot': snapshot,
                'lane': lane,
                'explain': explain,
            },
        )

    def auth_me(
        self,
    ) -> Answer:
        """The account, its tier, and the key's remaining limit and credits.
        """
        return self._answer(
            'auth.me',
            {
            },
        )

    def usage_analytics(
        self,
        *,
        days: int | None = None,
    ) -> Answer:
        """Usage of the account over the last days: queries, credits, errors, latency, and the change from the days
        before.

        Args:
            days: Days to look back, including today, in UTC. (default 30)
        """
        return self._answer(
            'usage.analytics',
            {
                'days': days,
            },
        )

    def request_coverage(
        self,
        ticker: str,
        company_name: str,
        *,
        cik: str | None = None,
        note: str | None = None,
    ) -> Answer:
        """Requests coverage of a company. Free.

        Args:
            ticker: Ticker of the company.
            company_name: Name of the company.
            cik: SEC central index key (CIK).
            note: Anything that helps find its debt.
        """
        return self._answer(
            'request.coverage',
            {
                'ticker': ticker,
                'company_name': company_name,
                'cik': cik,
                'note': note,
            },
        )

    def batch(
        self,
        operations: Any,
    ) -> Answer:
        """Up to ten operations at once. They run in parallel, and a failure does not affect the others.

        Args:
            operations: 1 to 10 objects `{primitive, params, operation_id?}`; the id is returned.
        """
        return self._answer(
            'batch',
            {
                'operations': operations,
            },
        )

    def sql(
        self,
        sql: str,
        *,
        params: Any | None = None,
        as_of: Day | None = None,
        dates: Day | Sequence[Day] | None = None,
        from_: str | None = None,
        to: str | None = None,
        every: ReturnsEvery | None = None,
        limit: int | None = None,
    ) -> Rows:
        """One SELECT or EXPLAIN over the documented tables, within limits on time, memory, rows and bytes.

        Args:
            sql: The statement.
            params: Values of `$name`, as an object, or of `?`, as an array.
            as_of: Answer as of the close of this day.
            dates: Days, comma-separated; or use `from`, `to` and `every`.
            from_: First day, or month written `2015-01`.
            to: Last day, or month; default the as-of date of the snapshot.
            every: Last day of each month or quarter, Friday of each week, or each weekday.
            limit: Maximum rows; without it a larger result is an error.
        """
        return self._rows(
            'sql',
            {
                'sql': sql,
                'params': params,
                'as_of': as_of,
                'dates': dates,
                'from': from_,
                'to': to,
                'every': every,
                'limit': limit,
            },
        )
