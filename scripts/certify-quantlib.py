"""What QuantLib says of seeded bonds, calls, floating-rate notes and curves: a certificate of our bond maths.

    pip install QuantLib
    python scripts/certify-quantlib.py             writes test/golden/credit/quantlib.json, which the tests compare
    python scripts/certify-quantlib.py --check     makes other cases and compares dist/ with them (npm run build first)

Days are counted from 1970-01-01; rates and yields are percent, spreads and margins basis points, prices percent of par.
Discount margins are solved here from flows written out by hand, on QuantLib's schedules: it has no function for them.
Options are those of TreeCallableFixedRateBondEngine over HullWhite, on as many steps as ours; see docs/risk.md.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

import QuantLib as ql

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "test" / "golden" / "credit" / "quantlib.json"
GOLDEN_SEED = 20251217
EPOCH = date(1970, 1, 1)
COUNTS = {"bonds": 5200, "callable": 500, "floaters": 400, "curves": 40, "options": 400, "american": 24, "sinking": 300}
# A check makes more cases of these than the golden file holds.
CHECKED = {"options": 2000, "american": 60, "sinking": 2000}
TERMS = "coupon maturity accrualStart firstCoupon lastRegularCoupon settle frequency dayCount endOfMonth".split()
COLUMNS = {
    "bonds": TERMS + "yieldPct clean accrued solvedYieldPct modDuration macaulayDuration convexity dv01 zSpreadBps".split(),
    "callable": TERMS + "clean calls yieldsToCall yieldToWorst".split(),
    "floaters": "maturity settle frequency price indexPct quotedMarginBps floorBps currentCouponPct discountMarginBps".split(),
    "curves": "tenorYears ratePct years parPct zeroPct".split(),
    "options": TERMS + "calls puts curve volatility reversion steps clean oasBps nativeOasBps effectiveDuration effectiveConvexity keyDays keyRates".split(),
    "american": TERMS + "calls puts curve volatility reversion steps clean oasBps".split(),
    "sinking": TERMS + "schedule yieldPct clean accrued solvedYieldPct modDuration convexity zSpreadBps".split(),
}
DAY_COUNTS = {
    # The end-of-February rule applies to bonds that pay on month ends only, as their terms have it.
    "30/360": lambda eom: ql.Thirty360(ql.Thirty360.USA if eom else ql.Thirty360.BondBasis),
    "ACT/ACT": lambda eom: ql.ActualActual(ql.ActualActual.ISMA),
    "ACT/360": lambda eom: ql.Actual360(),
    "ACT/365F": lambda eom: ql.Actual365Fixed(),
}
PERIODS = {1: ql.Annual, 2: ql.Semiannual, 4: ql.Quarterly, 12: ql.Monthly}
NULL = ql.NullCalendar()
ODD_FIRST = ("short_first", "long_first", "when_issued", "both")
ODD_LAST = ("odd_last", "both")


def to_days(d):
    return (date(d.year(), d.month(), d.dayOfMonth()) - EPOCH).days


def number(value, digits):
    return float(f"{value:.{digits}g}")


def months_on(day, months, eom=False):
    return NULL.advance(day, ql.Period(months, ql.Months), ql.Unadjusted, eom)


SPOT_DAYS = [0, 30, 91, 182, 365, 730, 1095, 1825, 2555, 3650, 7300, 10950, 36000]
SPOT_PCT = [4.31, 4.3, 4.28, 4.15, 3.92, 3.71, 3.74, 3.86, 4.02, 4.2, 4.71, 4.66, 4.5]


def spot_curve(settle):
    dates = [settle + days for days in SPOT_DAYS]
    return ql.ZeroCurve(dates, [r / 100 for r in SPOT_PCT], ql.Actual365Fixed(), NULL)


class Terms:
    """A bond: its terms as our columns have them, its coupon dates, and whether each period is regular."""

    def __init__(self, rng, kinds):
        self.kind = kind = rng.choice(kinds)
        self.frequency = rng.choice([1, 2, 2, 2, 2, 4, 12])
        self.day_count = rng.choice(["30/360", "30/360", "30/360", "ACT/ACT", "ACT/ACT", "ACT/360", "ACT/365F"])
        self.coupon = 0.0 if kind == "zero" else rng.choice([rng.randint(1, 100) / 8, round(rng.uniform(0.1, 14), 3)])
        maturity = ql.Date(rng.randint(1, 28), rng.randint(1, 12), rng.randint(2004, 2099))
        self.eom = kind == "eom"
        if self.eom:
            maturity = ql.Date.endOfMonth(maturity)
            # QuantLib pays 178 days for a 30/360 half year that ends in February; equal coupons are what the terms say.
            if self.day_count == "30/360":
                maturity = ql.Date.endOfMonth(ql.Date(1, rng.choice([5, 11]), maturity.year()))
                self.frequency = rng.choice([1, 2])
        months = 12 // self.frequency
        counts = [1, 2, 3, rng.randint(1, 20), rng.randint(1, 60), rng.randint(1, 100 * self.frequency)]
        count = min(rng.choice(counts), 400)
        self.maturity = end = maturity
        self.last_regular = None
        if kind in ODD_LAST:
            end = maturity - rng.randint(10, int(months * 30.4 * 1.8))
            end = ql.Date(min(end.dayOfMonth(), 28), end.month(), end.year())
            self.last_regular = end
        regular = [months_on(end, -k * months, self.eom) for k in range(count, -1, -1)]
        regular_start, first = regular[0], regular[1]
        self.start, self.first = regular_start, None
        if kind in ODD_FIRST:
            shift = rng.randint(1, first - regular_start - 1)
            is_long = kind == "long_first" or (kind == "both" and rng.random() < 0.5)
            self.start = regular_start - shift if is_long else regular_start + shift
            self.first = first
        self.dates = [self.start] + regular[1:] + ([maturity] if self.last_regular else [])
        self.regular = [self.start == regular_start] + [True] * (count - 1) + ([False] if self.last_regular else [])
        if kind == "last":
            self.settle = self.dates[-2] + rng.randint(0, maturity - self.dates[-2] - 1)
        elif kind in ("short_first", "long_first"):
            self.settle = self.start + rng.randint(0, first - self.start - 1)
        elif kind == "when_issued":
            self.settle = self.start - rng.randint(1, 15)
        else:
            self.settle = self.start + rng.randint(0, maturity - self.start - 1)
        self.dc = DAY_COUNTS[self.day_count](self.eom)

    def cells(self):
        optional = lambda d: d and to_days(d)
        return [
            self.coupon, to_days(self.maturity), to_days(self.start), optional(self.first), optional(self.last_regular),
            to_days(self.settle), self.frequency, self.day_count, int(self.eom),
        ]  # fmt: skip

    def leg(self, redeemed=None, price=100.0):
        """The cash flows until maturity, or until it is redeemed early."""
        dates, regular = self.dates, self.regular
        if redeemed:
            kept = [d for d in dates if d < redeemed]
            regular = regular[: len(kept) - 1] + [redeemed in dates and regular[len(kept) - 1]]
            dates = kept + [redeemed]
        schedule = ql.Schedule(
            dates, NULL, ql.Unadjusted, ql.Unadjusted, ql.Period(PERIODS[self.frequency]), ql.DateGeneration.Backward,
            self.eom, regular,
        )  # fmt: skip
        ql.Settings.instance().evaluationDate = min(self.settle, self.start)
        bond = ql.FixedRateBond(0, 100.0, schedule, [self.coupon / 100], self.dc, ql.Unadjusted, price, self.start)
        return bond.cashflows()

    def sinking_leg(self, repaid):
        """The cash flows of an issue of 100 that repays percents of it on coupon dates."""
        balances = [100.0]
        for date in self.dates[1:-1]:
            balances.append(balances[-1] - repaid.get(date, 0))
        schedule = ql.Schedule(
            self.dates, NULL, ql.Unadjusted, ql.Unadjusted, ql.Period(PERIODS[self.frequency]), ql.DateGeneration.Backward,
            self.eom, self.regular,
        )  # fmt: skip
        ql.Settings.instance().evaluationDate = min(self.settle, self.start)
        bond = ql.AmortizingFixedRateBond(0, balances, schedule, [self.coupon / 100], self.dc, ql.Unadjusted, self.start)
        return bond.cashflows()

    def accrued(self, leg):
        return ql.CashFlows.accruedAmount(leg, False, self.settle) if self.settle >= self.start else 0.0

    def periods_left(self, leg):
        """Coupon periods from settlement to the next payment, and whether that is the last."""
        flows = [cf for cf in leg if cf.date() > self.settle]
        period = next(ql.as_coupon(cf) for cf in flows if ql.as_coupon(cf))
        reference = (period.referencePeriodStart(), period.referencePeriodEnd())
        start = period.accrualStartDate()
        years = self.dc.yearFraction(start, period.accrualEndDate(), *reference)
        years -= self.dc.yearFraction(start, self.settle, *reference)
        return years * self.frequency, len({cf.date() for cf in flows}) == 1

    def compounding(self, leg):
        """Simple interest where a single payment is left, at most a period away; None where no time is left."""
        left, is_last = self.periods_left(leg)
        if is_last and left <= 1e-9:
            return None
        return ql.SimpleThenCompounded if is_last and left <= 1 else ql.Compounded

    def solve(self, leg, dirty, compounding, guess):
        frequency = PERIODS[self.frequency]
        return ql.CashFlows.yieldRate(
            leg, dirty, self.dc, compounding, frequency, False, self.settle, self.settle, 1e-13, 1000, guess
        )


KINDS = [
    "regular", "regular", "short_first", "long_first", "eom", "zero", "last", "odd_last", "both", "when_issued",
]  # fmt: skip


def certified_bond(rng):
    terms = Terms(rng, KINDS)
    y = round(rng.choice([rng.uniform(0.05, 15), rng.uniform(2, 8), rng.uniform(-0.8, 40)]), 6)
    if terms.dates[-2] >= terms.maturity or terms.dates[0] >= terms.dates[1]:
        return None
    leg, settle = terms.leg(), terms.settle
    compounding = terms.compounding(leg)
    if compounding is None:
        return None
    frequency = PERIODS[terms.frequency]
    rate = ql.InterestRate(y / 100, terms.dc, compounding, frequency)
    dirty = ql.CashFlows.npv(leg, rate, False, settle, settle)
    accrued = terms.accrued(leg)
    clean = number(dirty - accrued, 12)
    if not 0.5 < clean < 400:
        return None
    solved = terms.solve(leg, clean + accrued, compounding, y / 100)
    modified = ql.CashFlows.duration(leg, rate, ql.Duration.Modified, False, settle)
    if compounding == ql.Compounded:
        macaulay = ql.CashFlows.duration(leg, rate, ql.Duration.Macaulay, False, settle)
    else:
        macaulay = modified * (1 + y / 100 * terms.periods_left(leg)[0] / terms.frequency)
    z = None
    if settle >= terms.start and terms.maturity - settle < SPOT_DAYS[-1]:
        try:
            z = ql.CashFlows.zSpread(
                leg, dirty, spot_curve(settle), ql.Actual365Fixed(), ql.Compounded, ql.Semiannual, False, settle, settle,
                1e-12, 1000, 0.0,
            )  # fmt: skip
        except RuntimeError:
            z = None
    return terms.cells() + [
        y, clean, number(accrued, 11), number(solved * 100, 11), number(modified, 9), number(macaulay, 9),
        number(ql.CashFlows.convexity(leg, rate, False, settle), 9), number(modified * dirty / 100, 9),
        None if z is None else number(z * 1e4, 9),
    ]  # fmt: skip


def certified_calls(rng):
    """A price, calls on coupon dates and between them, the yield to each, and the lowest of these and to maturity."""
    terms = Terms(rng, ["regular", "regular", "eom", "zero", "short_first"])
    ahead = [d for d in terms.dates[1:-1] if d > terms.settle]
    if not ahead or terms.dates[0] >= terms.dates[1]:
        return None
    days = {rng.choice(ahead) + rng.choice([0, 0, rng.randint(1, 25)]) for _ in range(rng.randint(1, 4))}
    calls = [(d, rng.choice([100.0, round(rng.uniform(100, 110), 3)])) for d in sorted(days) if d < terms.maturity]
    clean = round(rng.uniform(88, 122), 3)
    accrued = terms.accrued(terms.leg())
    yields = []
    for day, price in calls + [(None, 100.0)]:
        leg = terms.leg(day, price)
        compounding = terms.compounding(leg)
        if compounding is None:
            return None
        try:
            yields.append(terms.solve(leg, clean + accrued, compounding, 0.05) * 100)
        except RuntimeError:
            return None
    if not yields or max(map(abs, yields)) > 100:
        return None
    to_calls = [number(y, 11) for y in yields[:-1]]
    return terms.cells() + [clean, [[to_days(d), p] for d, p in calls], to_calls, number(min(yields), 11)]


def certified_sinking(rng):
    """An amortising bond, of which some may be repaid already; figures per 100 outstanding."""
    terms = Terms(rng, ["regular", "regular", "short_first", "long_first", "eom", "odd_last"])
    if terms.dates[0] >= terms.dates[1] or len(terms.dates) < 4 or terms.coupon == 0:
        return None
    between = terms.dates[1:-1]
    days = sorted(set(rng.choices(between, k=rng.randint(1, 12))))
    percents = [rng.choice([2, 2.5, 5, 7.25, 10]) for _ in days]
    if sum(percents) > 95 or not any(day > terms.settle for day in days):
        return None
    left = 100 - sum(percent for day, percent in zip(days, percents) if day <= terms.settle)
    leg, settle = terms.sinking_leg(dict(zip(days, percents))), terms.settle
    y = round(rng.choice([rng.uniform(0.05, 15), rng.uniform(2, 8), rng.uniform(-0.8, 40)]), 6)
    frequency = PERIODS[terms.frequency]
    rate = ql.InterestRate(y / 100, terms.dc, ql.Compounded, frequency)
    dirty = ql.CashFlows.npv(leg, rate, False, settle, settle)
    accrued = terms.accrued(leg)
    clean = number((dirty - accrued) / left * 100, 12)
    if not 0.5 < clean < 400:
        return None
    solved = terms.solve(leg, dirty, ql.Compounded, y / 100)
    z = None
    if terms.maturity - settle < SPOT_DAYS[-1]:
        try:
            z = ql.CashFlows.zSpread(
                leg, dirty, spot_curve(settle), ql.Actual365Fixed(), ql.Compounded, ql.Semiannual, False, settle, settle,
                1e-12, 1000, 0.0,
            )  # fmt: skip
        except RuntimeError:
            z = None
    return terms.cells() + [
        [[to_days(day), percent] for day, percent in zip(days, percents)], y, clean, number(accrued / left * 100, 11),
        number(solved * 100, 11), number(ql.CashFlows.duration(leg, rate, ql.Duration.Modified, False, settle), 9),
        number(ql.CashFlows.convexity(leg, rate, False, settle), 9), None if z is None else number(z * 1e4, 9),
    ]  # fmt: skip


def certified_floater(rng):
    frequency = rng.choice([1, 2, 4, 4, 4, 12])
    months = 12 // frequency
    maturity = ql.Date(rng.randint(1, 28), rng.randint(1, 12), rng.randint(2026, 2050))
    if rng.random() < 0.2:
        maturity = ql.Date.endOfMonth(maturity)
    # Our notes pay on month ends where they mature on one.
    eom = maturity == ql.Date.endOfMonth(maturity)
    count = rng.randint(1, 15 * frequency)
    dates = [months_on(maturity, -k * months, eom) for k in range(count, -1, -1)]
    settle = dates[0] + rng.randint(0, dates[1] - dates[0] - 1)
    price = round(rng.uniform(75, 108), 3)
    index, margin = round(rng.uniform(-0.3, 9), 4), rng.randint(0, 900)
    floor = rng.choice([None, None, rng.randint(0, 500)])
    running = rng.choice([None, round(rng.uniform(0.5, 12), 4)])
    base = max(index, floor / 100) if floor is not None else index
    coupon = base + margin / 100
    first = coupon if running is None else running
    day_count = ql.Actual360()
    flows = []
    for k, (start, end) in enumerate(zip(dates, dates[1:])):
        rate = first if k == 0 else coupon
        amount = rate * day_count.yearFraction(start, end) + (100 if end == maturity else 0)
        flows.append((day_count.yearFraction(max(start, settle), end), amount))
    dirty = price + first * day_count.yearFraction(dates[0], settle)

    def miss(bps):
        discount, worth = 1.0, 0.0
        for years, amount in flows:
            discount /= 1 + (base / 100 + bps / 1e4) * years
            worth += amount * discount
        return worth - dirty

    low, high = -800.0, 60000.0
    if not miss(low) > 0 > miss(high):
        return None
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if miss(middle) > 0 else (low, middle)
    return [to_days(maturity), to_days(settle), frequency, price, index, margin, floor, running, number(low, 11)]


TENORS = [1 / 12, 0.125, 2 / 12, 0.25, 4 / 12, 0.5, 1, 2, 3, 5, 7, 10, 20, 30]


def certified_curve(rng):
    """A par curve, with tenors missing as in the years that lacked them, and spot rates bootstrapped from it."""
    tenors = [t for t in TENORS if t in (1, 5, 10) or rng.random() < 0.75]
    level, slope = rng.uniform(0.2, 11), rng.uniform(-0.06, 0.08)
    rates = [round(max(0.01, level + slope * min(t, 12) + rng.uniform(-0.25, 0.25)), 2) for t in tenors]
    par = ql.LinearInterpolation(tenors, rates)
    par_at = lambda t: par(min(max(t, tenors[0]), tenors[-1]))
    # In mid-month 30/360 makes every tenor exact.
    settle = ql.Date(15, 6, 2025)
    ql.Settings.instance().evaluationDate = settle
    day_count = ql.Thirty360(ql.Thirty360.BondBasis)
    helpers = []

    def add(bond, price):
        helpers.append(ql.BondHelper(ql.QuoteHandle(ql.SimpleQuote(price)), bond))

    for t, r in zip(tenors, rates):
        if t < 0.5:
            whole = int(t * 12)
            end = months_on(settle, whole) + round((t * 12 - whole) * 30)
            add(ql.ZeroCouponBond(0, NULL, 100.0, end, ql.Unadjusted, 100.0, settle), 100 * (1 + r / 200) ** (-2 * t))
    for half in range(1, max(1, round(tenors[-1] * 2)) + 1):
        end = months_on(settle, 6 * half)
        schedule = ql.Schedule(
            settle, end, ql.Period(ql.Semiannual), NULL, ql.Unadjusted, ql.Unadjusted, ql.DateGeneration.Backward, False
        )
        coupon = par_at(half / 2) / 100
        add(ql.FixedRateBond(0, 100.0, schedule, [coupon], day_count, ql.Unadjusted, 100.0, settle), 100.0)
    bootstrap = ql.IterativeBootstrap(1e-14)
    curve = ql.PiecewiseLinearZero(settle, helpers, day_count, [], [], ql.Linear(), bootstrap)
    years = sorted(round(rng.uniform(0.01, tenors[-1]), 4) for _ in range(12))
    zero = [number(curve.zeroRate(t, ql.Continuous).rate() * 100, 12) for t in years]
    return [tenors, rates, years, [number(par_at(t), 12) for t in years], zero]


# Spot curves of options: flat, rising, inverted, humped, below zero, steep. Percent, continuous, linear.
SHAPE_DAYS = [0, 182, 365, 730, 1825, 3650, 7300, 10950, 12000]
SHAPES = [
    [3.0] * 9, [4.31, 4.28, 4.15, 3.71, 3.86, 4.2, 4.71, 4.66, 4.5], [0.3, 0.5, 0.8, 1.2, 2.1, 2.8, 3.3, 3.5, 3.5],
    [5.4, 5.3, 5.0, 4.6, 4.1, 4.0, 4.2, 4.1, 4.0], [2.0, 2.6, 3.3, 4.1, 4.4, 3.9, 3.5, 3.3, 3.2],
    [-0.7, -0.6, -0.6, -0.4, 0.1, 0.5, 0.9, 0.9, 1.0], [9.0, 9.2, 9.5, 10.1, 11.0, 11.4, 11.2, 11.0, 11.0], [6.0] * 9,
]  # fmt: skip
FLAT = (0, 7)
SHIFT = 0.001
KEY_DAYS = [91, 182, 365, 730, 1095, 1825, 2555, 3650, 7300, 10950]
# QuantLib moves an exercise date that is nearer than this to a coupon date onto it.
SNAPPED_DAYS = 8


class Option:
    """A bond with calls or puts, valued by QuantLib's tree under a curve with spreads, compounded twice a year."""

    def __init__(self, rng):
        self.terms = terms = Terms(rng, ["regular", "regular", "eom", "zero", "short_first"])
        self.is_usable = (
            terms.dates[0] < terms.dates[1] and 400 < terms.maturity - terms.settle < 11000 and terms.frequency < 12
            and not (terms.day_count == "30/360" and terms.eom)
        )  # fmt: skip
        self.curve = rng.randrange(len(SHAPES))
        self.volatility = rng.choice([0.0005, 0.006, 0.008, 0.01, 0.012, 0.02])
        self.reversion = rng.choice([0.001, 0.01, 0.03, 0.05, 0.1])
        self.steps = rng.choice([40, 60, 100, 150])
        self.spread = rng.choice([0.0, rng.uniform(-0.004, 0.01), rng.uniform(0, 0.09)])
        self.calls, self.puts = [], []

    def far(self, day):
        return all(abs(day - coupon) >= SNAPPED_DAYS or day == coupon for coupon in self.terms.dates)

    def draw_rights(self, rng):
        settle, maturity = self.terms.settle, self.terms.maturity
        kind = rng.choice(["call", "call", "call", "put", "both"])
        ahead = [d for d in self.terms.dates[1:-1] if d > settle]
        if not ahead:
            return
        first = rng.randrange(len(ahead))
        on_coupons = ahead[first :: rng.choice([1, 1, 2, 100])]
        off = {d + rng.randint(9, 80) for d in on_coupons}
        days = on_coupons if rng.random() < 0.6 else sorted(d for d in off if d < maturity - SNAPPED_DAYS)
        days = [d for d in days if self.far(d)][:40]
        premium = rng.choice([0.0, self.terms.coupon / 2, rng.uniform(0, 6)])
        if self.terms.kind == "zero":
            premium = -30 * rng.random()
        if kind != "put":
            self.calls = [(d, round(100 + premium * (1 - i / len(days)), 3)) for i, d in enumerate(days)]
        if kind != "call":
            self.puts = [(d, round(rng.uniform(92, 100), 2)) for d in ahead[-2:][:1] if (d, 0) not in self.calls]
            self.puts = [p for p in self.puts if all(p[0] != d or p[1] < price for d, price in self.calls)]

    def base(self):
        dates = [self.terms.settle + d for d in SHAPE_DAYS]
        return ql.ZeroCurve(dates, [r / 100 for r in SHAPES[self.curve]], ql.Actual365Fixed(), NULL)

    def shifted(self, shift):
        """The curve with the spread and a shift, or a shift for each key tenor, over semiannual spot rates."""
        base = ql.YieldTermStructureHandle(self.base())
        if isinstance(shift, list):
            quotes = [ql.QuoteHandle(ql.SimpleQuote(self.spread + each)) for each in shift]
            days = [self.terms.settle + d for d in KEY_DAYS]
            return ql.SpreadedLinearZeroInterpolatedTermStructure(base, quotes, days, ql.Compounded, ql.Semiannual, ql.Actual365Fixed())
        quote = ql.QuoteHandle(ql.SimpleQuote(self.spread + shift))
        return ql.ZeroSpreadedTermStructure(base, quote, ql.Compounded, ql.Semiannual, ql.Actual365Fixed())

    def bond(self, calls, puts):
        terms = self.terms
        schedule = ql.Schedule(
            terms.dates, NULL, ql.Unadjusted, ql.Unadjusted, ql.Period(PERIODS[terms.frequency]), ql.DateGeneration.Backward,
            terms.eom, terms.regular,
        )  # fmt: skip
        ql.Settings.instance().evaluationDate = terms.settle
        rights = sorted([(d, p, ql.Callability.Call) for d, p in calls] + [(d, p, ql.Callability.Put) for d, p in puts])
        made = ql.CallabilitySchedule()
        for day, price, kind in rights:
            made.append(ql.Callability(ql.BondPrice(price, ql.BondPrice.Clean), kind, day))
        return ql.CallableFixedRateBond(
            0, 100.0, schedule, [terms.coupon / 100], terms.dc, ql.Unadjusted, 100.0, terms.start, made
        )

    def dirty(self, bond, curve, steps):
        curve.enableExtrapolation()
        model = ql.HullWhite(ql.YieldTermStructureHandle(curve), self.reversion, self.volatility)
        bond.setPricingEngine(ql.TreeCallableFixedRateBondEngine(model, steps))
        return bond.NPV()

    def cells(self):
        days = lambda rights: [[to_days(d), p] for d, p in rights]
        return self.terms.cells() + [days(self.calls), days(self.puts), self.curve, self.volatility, self.reversion]


    def is_divided_alike(self):
        """Whether no gap between dates is a half step over: rounding decides there how many steps the gap gets."""
        ends = self.terms.dates[1:] + [d for d, _ in self.calls + self.puts]
        days = sorted({d - self.terms.settle for d in ends if d > self.terms.settle} | {0})
        gaps = [(later - day) * self.steps / days[-1] for day, later in zip(days, days[1:])]
        return all(gap < 1 or abs(gap % 1 - 0.5) > 1e-9 for gap in gaps)


def certified_option(rng):
    """A price at a spread on the same steps; durations and key rates from prices under moved curves."""
    option = Option(rng)
    wants_keys, wants_native = rng.random() < 0.1, rng.random() < 0.4
    if not option.is_usable:
        return None
    option.draw_rights(rng)
    if not (option.calls or option.puts) or not option.is_divided_alike():
        return None
    bond = option.bond(option.calls, option.puts)
    value, up, down = [option.dirty(bond, option.shifted(shift), option.steps) for shift in (0.0, SHIFT, -SHIFT)]
    accrued = bond.accruedAmount()
    # Where it will be called in a few months for sure the price says little of the spread, and QuantLib's digits nothing.
    if not 20 < value - accrued < 250 or (down - up) / (2 * SHIFT * value) < 0.3:
        return None
    keys = None
    if wants_keys:
        prices = []
        for turn in (1, -1):
            moves = [[turn * (SHIFT if i < n else -SHIFT) for i in range(len(KEY_DAYS))] for n in range(len(KEY_DAYS) + 1)]
            prices.append([option.dirty(bond, option.shifted(move), option.steps) for move in moves])
        rising, falling = prices
        keys = [
            number((rising[i] - rising[i + 1] + falling[i + 1] - falling[i]) / (4 * SHIFT * value), 9)
            for i in range(len(KEY_DAYS))
        ]
    native = None
    if wants_native and option.curve in FLAT and option.steps <= 100:
        handle = ql.YieldTermStructureHandle(option.base())
        option.dirty(bond, option.base(), option.steps)
        try:
            native = bond.OAS(value - accrued, handle, ql.Actual365Fixed(), ql.Compounded, ql.Semiannual)
        except RuntimeError:
            native = None
    return option.cells() + [
        option.steps, number(value - accrued, 12), number(option.spread * 1e4, 11),
        None if native is None else number(native * 1e4, 9), number((down - up) / (2 * SHIFT * value), 9),
        number((down + up - 2 * value) / (SHIFT * SHIFT * value), 9), KEY_DAYS if keys else None, keys,
    ]  # fmt: skip


def certified_american(rng):
    """A call from a first date on: QuantLib's tree with exercise dates every four days, and steps as fine."""
    option = Option(rng)
    terms = option.terms
    ahead = [d for d in terms.dates[1:-1] if 40 < d - terms.settle]
    if not option.is_usable or not ahead or terms.maturity - terms.settle > 3700 or terms.kind == "zero":
        return None
    first = rng.choice(ahead)
    prices = sorted({100.0, round(100 + terms.coupon / 2, 3)}, reverse=True)
    starts = [first] + [d for d in ahead if d - first > 700][:1]
    option.calls = list(zip(starts, prices))
    option.steps = 400
    dense, day = [], first
    while day < terms.maturity:
        dense.append((day, [p for d, p in option.calls if d <= day][-1]))
        day += 4
    bond = option.bond(dense, [])
    value = option.dirty(bond, option.shifted(0.0), 400)
    down, up = [option.dirty(bond, option.shifted(s), 400) for s in (-SHIFT, SHIFT)]
    clean = value - bond.accruedAmount()
    if not 60 < clean < 200 or (down - up) / (2 * SHIFT * value) < 1:
        return None
    return option.cells() + [option.steps, number(clean, 12), number(option.spread * 1e4, 11)]


MAKERS = {
    "bonds": certified_bond, "callable": certified_calls, "floaters": certified_floater, "curves": certified_curve,
    "options": certified_option, "american": certified_american, "sinking": certified_sinking,
}  # fmt: skip


def certificate(seed, counts):
    made = {}
    for name, count in counts.items():
        rng = random.Random(f"{name} {seed}")
        rows = made[name] = []
        while len(rows) < count:
            row = MAKERS[name](rng)
            if row:
                rows.append(row)
    return made


def write(path, seed, counts):
    made = certificate(seed, counts)
    parts = [
        f'"source": {json.dumps(f"QuantLib {ql.__version__}, scripts/certify-quantlib.py, seed {seed}")}',
        f'"spot": {json.dumps({"days": SPOT_DAYS, "zeroPct": SPOT_PCT})}',
        f'"shapes": {json.dumps({"days": SHAPE_DAYS, "zeroPct": SHAPES, "shift": SHIFT})}',
    ]
    for name, rows in made.items():
        body = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        parts.append(f'"{name}": {{"columns": {json.dumps(COLUMNS[name])}, "rows": [\n{body}\n]}}')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{" + ",\n".join(parts) + "}\n")


def check(seed, share):
    """Compares what is built in dist/ with a certificate made now."""
    print(f"QuantLib {ql.__version__}, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "quantlib.json"
        write(path, seed, {name: -(-count // share) for name, count in (COUNTS | CHECKED).items()})
        return subprocess.run(["node", ROOT / "dist" / "scripts" / "check-certificate.js", path]).returncode


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--check", action="store_true", help="compare dist/ with new cases; writes nothing")
    options.add_argument("--seed", type=int, help="with --check: makes the same cases again; any if not said")
    options.add_argument("--share", type=int, default=1, help="with --check: one of so many cases of each kind; all if not said")
    asked = options.parse_args()
    if asked.check:
        sys.exit(check(random.randrange(10**9) if asked.seed is None else asked.seed, asked.share))
    write(GOLDEN, GOLDEN_SEED, COUNTS)
    print(f"{COUNTS}, {GOLDEN.stat().st_size} bytes")


if __name__ == "__main__":
    main()
