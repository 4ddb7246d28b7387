"""Writes test/golden/credit/quantlib.json: seeded bonds and what QuantLib says of them.

    pip install QuantLib && python scripts/certify-quantlib.py

Each row of `bonds` is, in the order of `columns`: coupon (percent), maturity, accrual start, first coupon (or null), last
regular coupon (or null), settlement (days since 1970-01-01), frequency, day count, pays on month ends (0 or 1), yield
(percent), then QuantLib's clean price, accrued interest, yield solved from the clean price rounded to 6 decimals, modified
duration, Macaulay duration, convexity, and Z-spread (bps, or null for bonds not valued on the curve).
"""

import json
import random
from datetime import date, timedelta
from pathlib import Path

import QuantLib as ql

EPOCH = date(1970, 1, 1)
COUNT = 6000
COLUMNS = (
    "coupon maturity accrualStart firstCoupon lastRegularCoupon settle frequency dayCount endOfMonth "
    "yieldPct clean accrued solvedYieldPct modDuration macaulayDuration convexity zSpreadBps"
).split()
DAY_COUNTS = {
    # The end-of-February rule applies to bonds that pay on month ends only, as their terms have it.
    "30/360": lambda eom: ql.Thirty360(ql.Thirty360.USA if eom else ql.Thirty360.BondBasis),
    "ACT/ACT": lambda eom: ql.ActualActual(ql.ActualActual.ISMA),
    "ACT/360": lambda eom: ql.Actual360(),
    "ACT/365F": lambda eom: ql.Actual365Fixed(),
}
PERIODS = {1: ql.Annual, 2: ql.Semiannual, 4: ql.Quarterly, 12: ql.Monthly}
NULL = ql.NullCalendar()


def to_days(d):
    return (date(d.year(), d.month(), d.dayOfMonth()) - EPOCH).days


def to_ql(days):
    d = EPOCH + timedelta(days=days)
    return ql.Date(d.day, d.month, d.year)


SPOT_DAYS = [0, 30, 91, 182, 365, 730, 1095, 1825, 2555, 3650, 7300, 10950, 36000]
SPOT_PCT = [4.31, 4.3, 4.28, 4.15, 3.92, 3.71, 3.74, 3.86, 4.02, 4.2, 4.71, 4.66, 4.5]


def spot_curve(settle):
    dates = [settle + days for days in SPOT_DAYS]
    curve = ql.ZeroCurve(dates, [r / 100 for r in SPOT_PCT], ql.Actual365Fixed(), NULL)
    return curve


def generate(rng):
    kind = rng.choice(["regular", "regular", "short_first", "long_first", "eom", "zero", "last", "stub_last", "when_issued"])
    frequency = rng.choice([1, 2, 2, 2, 2, 4, 12])
    months = 12 // frequency
    day_count = rng.choice(["30/360", "30/360", "30/360", "ACT/ACT", "ACT/ACT", "ACT/360", "ACT/365F"])
    coupon = 0.0 if kind == "zero" else rng.choice([rng.randint(1, 100) / 8, round(rng.uniform(0.1, 14), 3)])
    day = rng.randint(1, 28)
    maturity = ql.Date(day, rng.randint(1, 12), rng.randint(2004, 2099))
    eom = kind == "eom"
    if eom:
        maturity = ql.Date.endOfMonth(maturity)
        # QuantLib pays 178 days for a 30/360 half year that ends in February; equal coupons are what the terms say.
        if day_count == "30/360":
            maturity = ql.Date.endOfMonth(ql.Date(1, rng.choice([5, 11]), maturity.year()))
            frequency = rng.choice([1, 2])
            months = 12 // frequency
    periods = rng.choice([1, 2, 3, rng.randint(1, 20), rng.randint(1, 60), rng.randint(1, 100 * frequency)])
    periods = min(periods, 100 * frequency, 400)
    step = lambda d, k: NULL.advance(d, ql.Period(k * months, ql.Months), ql.Unadjusted, eom)
    last_regular = None
    end = maturity
    if kind == "stub_last":
        # An odd last period, short or long.
        end = maturity - rng.randint(10, int(months * 30.4 * 1.8))
        end = ql.Date(min(end.dayOfMonth(), 28), end.month(), end.year())
        last_regular = end
    first = step(end, -(periods - 1)) if periods > 1 else end
    regular_start = step(first, -1)
    start, explicit_first = regular_start, None
    if kind in ("short_first", "long_first", "when_issued"):
        length = first - regular_start
        shift = rng.randint(1, length - 1)
        start = regular_start + shift if kind != "long_first" else regular_start - shift
        explicit_first = first
    if first >= maturity and kind == "stub_last":
        return None
    dates = []
    d = first
    for k in range(periods):
        dates.append(step(end, -(periods - 1 - k)) if k < periods - 1 else end)
    dates = [start] + dates + ([maturity] if last_regular else [])
    is_regular = [start == regular_start] + [True] * (periods - 1) + ([False] if last_regular else [])
    schedule = ql.Schedule(
        dates, NULL, ql.Unadjusted, ql.Unadjusted, ql.Period(PERIODS[frequency]), ql.DateGeneration.Backward, eom, is_regular
    )
    if kind == "last":
        previous = dates[-2]
        settle = previous + rng.randint(0, (maturity - previous) - 1)
    elif kind in ("short_first", "long_first"):
        settle = start + rng.randint(0, (first - start) - 1)
    elif kind == "when_issued":
        settle = start - rng.randint(1, 15)
    else:
        settle = start + rng.randint(0, (maturity - start) - 1)
    y = rng.choice([rng.uniform(0.05, 15), rng.uniform(2, 8), rng.uniform(-0.8, 40)])
    return coupon, maturity, start, explicit_first, last_regular, settle, frequency, day_count, eom, y, schedule


def certify(row):
    coupon, maturity, start, first, last_regular, settle, frequency, day_count, eom, y, schedule = row
    dc = DAY_COUNTS[day_count](eom)
    ql.Settings.instance().evaluationDate = min(settle, start)
    bond = ql.FixedRateBond(0, 100.0, schedule, [coupon / 100], dc, ql.Unadjusted, 100.0, start)
    flows = [cf for cf in bond.cashflows() if cf.date() > settle]
    dates = {cf.date() for cf in flows}
    next_period = next((ql.as_coupon(cf) for cf in flows if ql.as_coupon(cf)), None)
    years_left = dc.yearFraction(
        next_period.accrualStartDate(), next_period.accrualEndDate(),
        next_period.referencePeriodStart(), next_period.referencePeriodEnd(),
    ) - dc.yearFraction(
        next_period.accrualStartDate(), settle, next_period.referencePeriodStart(), next_period.referencePeriodEnd()
    )
    if years_left * frequency <= 1e-9 and len(dates) == 1:
        return None
    is_money_market = len(dates) == 1 and years_left * frequency <= 1
    comp = ql.SimpleThenCompounded if is_money_market else ql.Compounded
    freq = PERIODS[frequency]
    rate = ql.InterestRate(y / 100, dc, comp, freq)
    leg = bond.cashflows()
    dirty = ql.CashFlows.npv(leg, rate, False, settle, settle)
    accrued = ql.CashFlows.accruedAmount(leg, False, settle) if settle >= start else 0.0
    clean = dirty - accrued
    if not 0.5 < clean < 400:
        return None
    given = round(clean, 6)
    solved = ql.CashFlows.yieldRate(leg, given + accrued, dc, comp, freq, False, settle, settle, 1e-13, 1000, y / 100)
    modified = ql.CashFlows.duration(leg, rate, ql.Duration.Modified, False, settle)
    macaulay = modified * (1 + y / 100 * years_left if is_money_market else 1 + y / 100 / frequency)
    convexity = ql.CashFlows.convexity(leg, rate, False, settle)
    curve = spot_curve(settle)
    z = None
    if settle >= start and maturity - settle < SPOT_DAYS[-1]:
        try:
            z = ql.CashFlows.zSpread(leg, dirty, curve, ql.Actual365Fixed(), ql.Compounded, ql.Semiannual, False, settle, settle, 1e-12, 1000, 0.0)
        except RuntimeError:
            z = None
    number = lambda v, digits: float(f"{v:.{digits}g}")
    return [
        coupon, to_days(maturity), to_days(start), first and to_days(first), last_regular and to_days(last_regular),
        to_days(settle), frequency, day_count, int(eom), y, number(clean, 13), number(accrued, 12), number(solved * 100, 12),
        number(modified, 9), number(macaulay, 9), number(convexity, 9), None if z is None else number(z * 1e4, 9),
    ]  # fmt: skip


def main():
    rng = random.Random(20251217)
    rows = []
    while len(rows) < COUNT:
        row = generate(rng)
        if row is None:
            continue
        row = row[:9] + (round(row[9], 6),) + row[10:]
        done = certify(row)
        if done:
            rows.append(done)
    out = Path(__file__).parent.parent / "test" / "golden" / "credit" / "quantlib.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "source": f"QuantLib {ql.__version__}, scripts/certify-quantlib.py",
        "spot": {"days": SPOT_DAYS, "zeroPct": SPOT_PCT},
        "columns": COLUMNS,
    }
    body = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    out.write_text(json.dumps(head)[:-1] + ', "bonds": [\n' + body + "\n]}\n")
    print(f"{len(rows)} bonds, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
