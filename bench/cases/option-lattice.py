"""OAS and effective duration of callable bonds by QuantLib: reads bonds as JSON, prints milliseconds and both figures."""

import json
import sys
import time

import QuantLib as ql

asked = json.load(sys.stdin)
NULL = ql.NullCalendar()
DAY_COUNT = ql.Actual365Fixed()


def date(days):
    return ql.Date(1, 1, 1970) + days


settle = date(asked["settle"])
ql.Settings.instance().evaluationDate = settle
curve = ql.YieldTermStructureHandle(ql.FlatForward(settle, asked["zeroPct"] / 100, DAY_COUNT))
answers = []
for bond in asked["bonds"]:
    start = time.perf_counter()
    maturity = date(bond["maturity"])
    schedule = ql.Schedule(
        maturity - ql.Period(40, ql.Years), maturity, ql.Period(ql.Semiannual), NULL, ql.Unadjusted, ql.Unadjusted,
        ql.DateGeneration.Backward, False,
    )  # fmt: skip
    calls = ql.CallabilitySchedule()
    for day, price in bond["calls"]:
        calls.append(ql.Callability(ql.BondPrice(price, ql.BondPrice.Clean), ql.Callability.Call, date(day)))
    made = ql.CallableFixedRateBond(
        0, 100.0, schedule, [bond["coupon"] / 100], ql.Thirty360(ql.Thirty360.BondBasis), ql.Unadjusted, 100.0,
        schedule[0], calls,
    )  # fmt: skip
    model = ql.HullWhite(curve, asked["reversion"], asked["volatility"])
    made.setPricingEngine(ql.TreeCallableFixedRateBondEngine(model, asked["steps"]))
    oas = made.OAS(bond["price"], curve, DAY_COUNT, ql.Compounded, ql.Semiannual)
    duration = made.effectiveDuration(oas, curve, DAY_COUNT, ql.Compounded, ql.Semiannual, asked["shift"])
    answers.append([(time.perf_counter() - start) * 1000, oas * 10_000, duration])
print(json.dumps(answers))
