"""Z-spread, key-rate durations and a scenario of bonds by QuantLib: reads bonds as JSON, prints milliseconds and figures."""

import json
import sys
import time

import QuantLib as ql

asked = json.load(sys.stdin)
NULL = ql.NullCalendar()
DAY_COUNT = ql.Actual365Fixed()
shift, scenario, keys = asked["shift"], asked["scenario"], asked["keyDays"]


def date(days):
    return ql.Date(1, 1, 1970) + days


settle = date(asked["settle"])
ql.Settings.instance().evaluationDate = settle
base = ql.ZeroCurve([settle + day for day in asked["curveDays"]], [rate / 100 for rate in asked["zeroPct"]], DAY_COUNT, NULL)
base.enableExtrapolation()


def spreaded(days):
    """The curve with a spread at each of some days, linear between them and held beyond; and its quotes."""
    quotes = [ql.SimpleQuote(0.0) for _ in days]
    curve = ql.SpreadedLinearZeroInterpolatedTermStructure(
        ql.YieldTermStructureHandle(base), [ql.QuoteHandle(quote) for quote in quotes],
        [settle + day for day in days], ql.Compounded, ql.Semiannual, DAY_COUNT,
    )  # fmt: skip
    curve.enableExtrapolation()
    return ql.YieldTermStructureHandle(curve), quotes


key_curve, key_quotes = spreaded(keys)
# A twist is linear between 2 and 30 years and held beyond them.
twist_days = [730, 10950]
twist_curve, twist_quotes = spreaded(twist_days)
slope = scenario["twist"] / 28


def npv(leg, curve, quotes, values):
    for quote, value in zip(quotes, values):
        quote.setValue(value)
    return ql.CashFlows.npv(leg, curve, False, settle, settle)


answers = []
for bond in asked["bonds"]:
    start = time.perf_counter()
    maturity = date(bond["maturity"])
    schedule = ql.Schedule(
        maturity - ql.Period(40, ql.Years), maturity, ql.Period(ql.Semiannual), NULL, ql.Unadjusted, ql.Unadjusted,
        ql.DateGeneration.Backward, False,
    )  # fmt: skip
    made = ql.FixedRateBond(0, 100.0, schedule, [bond["coupon"] / 100], ql.Thirty360(ql.Thirty360.BondBasis), ql.Unadjusted)
    leg = [flow for flow in made.cashflows() if flow.date() > settle]
    dirty = bond["price"] + made.accruedAmount(settle)
    z = ql.CashFlows.zSpread(
        leg, dirty, base, DAY_COUNT, ql.Compounded, ql.Semiannual, False, settle, settle, 1e-12, 1000, 0.0
    )
    prices = []
    for turn in (1, -1):
        moves = [[z + turn * (shift if i < n else -shift) for i in range(len(keys))] for n in range(len(keys) + 1)]
        prices.append([npv(leg, key_curve, key_quotes, move) for move in moves])
    rising, falling = prices
    rates = [
        (rising[i] - rising[i + 1] + falling[i + 1] - falling[i]) / (4 * shift * dirty) for i in range(len(keys))
    ]
    moved = [z + scenario["spread"] + scenario["shift"] + slope * (day / 365 - scenario["pivot"]) for day in twist_days]
    change = 100 * (npv(leg, twist_curve, twist_quotes, moved) / dirty - 1)
    answers.append([(time.perf_counter() - start) * 1000, z * 10_000, change, rates])
print(json.dumps(answers))
