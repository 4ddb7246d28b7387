"""What QuantLib and plain arithmetic say of total returns: a certificate of engine/credit/returns.ts.

    pip install QuantLib polars
    python scripts/certify-returns.py             writes test/golden/credit/returns.json, which a test compares
    python scripts/certify-returns.py --lake DIR  forms every monthly return of a built lake again, from its Parquet
                                                  files, and compares those of dist/ with them (npm run build first)

Schedules, accrued interest and coupons are QuantLib's. Days are counted from 1970-01-01; returns, rates and coupons are
percent, prices percent of par. Spot rates are compounded continuously, linear between points, flat outside.
"""

import argparse
import calendar
import csv
import importlib.util
import io
import json
import math
import random
import subprocess
import time
from bisect import bisect_right
from datetime import date, timedelta
from pathlib import Path

import QuantLib as ql

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "test" / "golden" / "credit" / "returns.json"
SEED = 20250721
CASES = 1500
SAME = 1e-9

spec = importlib.util.spec_from_file_location("quantlib_terms", ROOT / "scripts" / "certify-quantlib.py")
quantlib = importlib.util.module_from_spec(spec)
spec.loader.exec_module(quantlib)

KINDS = ["regular", "regular", "eom", "zero", "short_first", "long_first", "last", "odd_last", "both"]
COLUMNS = quantlib.TERMS + (
    "ending endSettle startClean endClean duration startCurve endCurve "
    "startAccrued endAccrued coupons total zeroYears zero flows"
).split()
CURVES = [
    {"years": [0.25, 1, 2, 5, 10, 30], "zeroPct": [4.3, 4.1, 3.9, 3.8, 4.1, 4.6]},
    {"years": [0.25, 1, 2, 5, 10, 30], "zeroPct": [5.2, 5.0, 4.6, 4.3, 4.3, 4.5]},
    {"years": [0.5, 3, 7, 20], "zeroPct": [0.1, 0.4, 1.1, 1.9]},
]


def spot(curve, years):
    xs, ys = curve["years"], curve["zeroPct"]
    if years <= xs[0]:
        return ys[0]
    if years >= xs[-1]:
        return ys[-1]
    i = bisect_right(xs, years)
    return ys[i - 1] + (ys[i] - ys[i - 1]) * (years - xs[i - 1]) / (xs[i] - xs[i - 1])


def factor(curve, years):
    return math.exp(-spot(curve, years) / 100 * years)


def zero_of(curve, duration):
    """The years T at which T / (1 + y / 2) is the duration, y the zero's yield compounded twice a year: by bisection."""
    low, high = 0.0, 2 * duration + 1
    for _ in range(200):
        years = (low + high) / 2
        growth = math.exp(spot(curve, years) / 200)
        low, high = (years, high) if years / growth < duration else (low, years)
    return (low + high) / 2


def accrued(leg, day, start):
    return ql.CashFlows.accruedAmount(leg, False, day) if day >= start else 0.0


def coupons(leg, after, to):
    return sum(cf.amount() for cf in leg if ql.as_coupon(cf) and after < cf.date() <= to)


def case(rng):
    terms = quantlib.Terms(rng, KINDS)
    if terms.dates[-2] >= terms.maturity or terms.dates[0] >= terms.dates[1] or terms.maturity - terms.settle < 2:
        return None
    leg, settle = terms.leg(), terms.settle
    ending = rng.choice(["price", "price", "price", "coupon", "matured", "called"])
    ahead = [d for d in terms.dates[1:-1] if d > settle]
    if ending == "matured":
        end = terms.maturity
    elif ending == "coupon" and ahead:
        end = rng.choice(ahead[:3])
    else:
        end = settle + rng.randint(1, min(200, terms.maturity - settle - 1))
    bought, sold = round(rng.uniform(40, 130), 3), 100.0 if ending == "matured" else round(rng.uniform(40, 130), 3)
    first = 0.0 if terms.coupon == 0 else accrued(leg, settle, terms.start)
    last = 0.0 if terms.coupon == 0 or end == terms.maturity else accrued(leg, end, terms.start)
    paid = coupons(leg, settle, end)
    total = 100 * ((sold + last + paid) / (bought + first) - 1)
    before, after = rng.randrange(len(CURVES)), rng.randrange(len(CURVES))
    duration = round(rng.uniform(0.1, 18), 4)
    years = zero_of(CURVES[before], duration)
    left = max(0.0, years - (end - settle) / 365)
    zero = 100 * (factor(CURVES[after], left) / factor(CURVES[before], years) - 1)
    value = held = 0.0
    for flow in leg:
        if flow.date() > settle:
            value += flow.amount() * factor(CURVES[before], (flow.date() - settle) / 365)
            held += flow.amount() * (1 if flow.date() <= end else factor(CURVES[after], (flow.date() - end) / 365))
    return terms.cells() + [
        ending, quantlib.to_days(end), bought, sold, duration, before, after, first, last, paid, total, years, zero,
        100 * (held / value - 1),
    ]  # fmt: skip


def write_golden():
    rng, rows = random.Random(SEED), []
    while len(rows) < CASES:
        row = case(rng)
        if row:
            rows.append([quantlib.number(v, 14) if isinstance(v, float) else v for v in row])
    text = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    GOLDEN.write_text(
        f'{{"quantlib":"{ql.__version__}","curves":{json.dumps(CURVES)},\n"columns":{json.dumps(COLUMNS)},\n"rows":[\n{text}\n]}}\n'
    )
    print(f"{len(rows)} periods in {GOLDEN.relative_to(ROOT)}")


# A lake again, from its files.

T1, T2 = date(2024, 5, 28), date(2017, 9, 5)
MARKET = ql.UnitedStates(ql.UnitedStates.GovernmentBond)


def qday(day):
    return ql.Date(day.day, day.month, day.year)


def settlement(day):
    lag = 1 if day >= T1 else 2 if day >= T2 else 3
    at = MARKET.advance(qday(day), lag, ql.Days)
    return date(at.year(), at.month(), at.dayOfMonth())


def leg_of(bond):
    """The coupons of a fixed bond whose first period may be odd: short ones under 75 days of 30/360 join the next."""
    months = 12 // int(bond["coupon_frequency"] or 2)
    maturity, start = bond["maturity_date"], bond["accrual_date"] or bond["issue_date"]
    is_30_360 = (bond["day_count"] or "30/360") == "30/360"
    last_of_month = maturity.day == calendar.monthrange(maturity.year, maturity.month)[1]
    eom = last_of_month and not (is_30_360 and maturity.month == 2)
    end = qday(maturity)
    back = [end]
    while start is None and len(back) < 200 or start is not None and back[-1] > qday(start):
        back.append(ql.NullCalendar().advance(end, ql.Period(-len(back) * months, ql.Months), ql.Unadjusted, eom))
    dates, regular = back[::-1], [True] * (len(back) - 1)
    if start is not None and dates[0] != qday(start):
        known = bond["first_coupon_date"]
        dates = [qday(start)] + dates[1:]
        days = ql.Thirty360(ql.Thirty360.BondBasis).dayCount(dates[0], dates[1])
        merges = dates[1] != qday(known) if known else days * 12 / months < 75 / 180 * 360
        if merges and len(dates) > 2:
            del dates[1], regular[0]
        regular[0] = False
    count = quantlib.DAY_COUNTS[(bond["day_count"] or "30/360").replace("ACT/365", "ACT/365F")](eom)
    schedule = ql.Schedule(
        dates, NULL, ql.Unadjusted, ql.Unadjusted, ql.Period(months, ql.Months), ql.DateGeneration.Backward, eom, regular
    )
    ql.Settings.instance().evaluationDate = dates[0]
    rate, repaid = [bond["coupon_rate"] / 100], repayments(bond)
    if not repaid:
        return ql.FixedRateBond(0, 100.0, schedule, rate, count, ql.Unadjusted, 100.0, dates[0]).cashflows()
    balances = [100 - sum(percent for day, percent in repaid if day <= start) for start in dates[:-1]]
    return ql.AmortizingFixedRateBond(0, balances, schedule, rate, count, ql.Unadjusted, dates[0]).cashflows()


def repayments(bond):
    """Days before maturity on which a sinking bond repays, and percents of the amount issued."""
    return [(qday(date.fromisoformat(each["date"])), each["percent"]) for each in json.loads(bond["sinking_schedule"] or "[]")]


NULL = ql.NullCalendar()


def monthly(bond, prices, ends, as_of):
    """Returns by the month's end of one bond with a fixed coupon, from its prices by day; none where one is missing."""
    found = {}
    if bond["rate_structure"] not in ("fixed", "zero") or bond["coupon_rate"] is None or bond["maturity_date"] is None:
        return found
    if bond["status"] != "active":
        return found
    leg, maturity = leg_of(bond), bond["maturity_date"]
    start_of = ql.as_coupon(leg[0]).accrualStartDate()
    days = [day for day, _ in prices]
    repaid = repayments(bond)
    # Cash flows are of 100 issued, prices of 100 outstanding.
    left = lambda day: 1 - sum(percent for at, percent in repaid if at <= day) / 100

    def price_at(end):
        i = bisect_right(days, end) - 1
        return prices[i] if i >= 0 and days[i] >= end - timedelta(6) else None

    for before, end in zip(ends, ends[1:]):
        start, last = price_at(before), price_at(end)
        if start is None or before >= maturity:
            continue
        bought = qday(settlement(start[0]))
        if maturity <= end and maturity <= as_of:
            sold, clean = qday(maturity), 100.0
        elif last is None:
            continue
        else:
            sold, clean = min(qday(settlement(last[0])), qday(maturity)), last[1]
        first = accrued(leg, bought, start_of)
        still = 0.0 if sold >= qday(maturity) else accrued(leg, sold, start_of)
        if bought < sold or last is not None:
            sunk = sum(percent for day, percent in repaid if bought < day <= sold)
            held = clean * left(sold) + still + coupons(leg, bought, sold) + sunk
            found[end.isoformat()] = 100 * (held / (start[1] * left(bought) + first) - 1)
    return found


def recompute(snapshot, ends):
    """Every monthly return of the fixed bonds of a snapshot that neither defaulted nor retired, by bond and month's end."""
    import polars as pl

    bonds = {row["id"]: row for row in pl.read_parquet(snapshot / "bonds.parquet").to_dicts()}
    history = pl.read_parquet(snapshot / "pricing_history.parquet", columns=["bond_id", "date", "last_price", "is_active"])
    as_of = date.fromisoformat(json.loads((snapshot / "manifest.json").read_text())["as_of"])
    found = {}
    for (bond,), group in history.filter(pl.col("is_active")).sort("date").group_by("bond_id", maintain_order=True):
        prices = list(zip(group["date"].to_list(), group["last_price"].to_list()))
        for end, value in monthly(bonds[bond], prices, ends, as_of).items():
            found[bond, end] = value
    return found, bonds


def check_lake(lake):
    snapshot = Path(lake) / "snapshots" / (Path(lake) / "CURRENT").read_text().strip()
    asked = ["node", str(ROOT / "dist/cli/main.js"), "returns", "--lake", lake, "--format", "csv"]
    asked += ["--fields", "bond_id,period_start,period_end,total_return,null_because"]
    rows = list(csv.DictReader(io.StringIO(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)))
    ours = {(r["bond_id"], r["period_end"]): float(r["total_return"]) for r in rows if r["total_return"]}
    ends = sorted({date.fromisoformat(r[name]) for r in rows for name in ("period_start", "period_end")})
    theirs, bonds = recompute(snapshot, ends)
    plain = {key for key in ours if bonds[key[0]]["status"] == "active" and bonds[key[0]]["rate_structure"] in ("fixed", "zero")}
    off = [(abs(ours[key] - theirs[key]), key) for key in plain & theirs.keys()]
    wrong = [each for each in off if each[0] > SAME]
    print(f"{len(off):,} returns of {len({key[0] for _, key in off}):,} bonds: largest difference {max(off)[0]:.1e}")
    print(f"only here {len(theirs.keys() - ours.keys())}, only there {len(plain - theirs.keys())}, different {len(wrong)}")
    for miss, key in sorted(wrong, reverse=True)[:10]:
        print(miss, key, ours[key], theirs[key], bonds[key[0]]["display_name"])
    return not wrong and not (plain ^ theirs.keys())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lake", help="a built lake to form again")
    parser.add_argument("--snapshot", help="a folder of Parquet files whose returns to print, for the bench")
    parser.add_argument("--ends", default="", help="ends of its months, separated by commas")
    given = parser.parse_args()
    if given.snapshot:
        ends = [date.fromisoformat(end) for end in given.ends.split(",")]
        start = time.perf_counter()
        found, _ = recompute(Path(given.snapshot), ends)
        milliseconds = 1000 * (time.perf_counter() - start)
        print(json.dumps({"milliseconds": milliseconds, "returns": {" ".join(key): v for key, v in found.items()}}))
    elif given.lake:
        raise SystemExit(0 if check_lake(given.lake) else 1)
    else:
        write_golden()
