"""Nelson-Siegel curves of a market and its issuers by pandas and numpy: reads columns as JSON, prints milliseconds and residuals.

The fit is that of docs/curves.md: Huber weights, tau searched where there are ten bonds, issuers drawn towards the market.
"""

import json
import sys
import time

import numpy as np
import pandas as pd

TAUS = [0.75, 1, 1.5, 2, 3, 4, 6, 8, 12]
PROJECTED = np.array([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30], dtype=float)
SECTION = (np.sqrt(5) - 1) / 2


def loadings(years, tau):
    x = years / tau
    slope = -np.expm1(-x) / x
    return np.column_stack([np.ones_like(x), slope, slope - np.exp(-x)])


def projected(beta, of, tau):
    """The betas under another tau that come nearest to a curve."""
    if tau == of:
        return beta
    return np.linalg.lstsq(loadings(PROJECTED, tau), loadings(PROJECTED, of) @ beta, rcond=None)[0]


def solve(x, y, weights, mean, prior):
    return np.linalg.solve(x.T @ (weights[:, None] * x) + np.diag(prior), prior * mean + x.T @ (weights * y))


def reweighted(x, y, beta, mean, prior):
    for _ in range(30):
        distance = np.abs(y - x @ beta)
        most = 1.345 * max(5.0, 1.4826 * np.median(distance))
        weights = np.where(distance <= most, 1.0, most / np.maximum(distance, 1e-300))
        before, beta = beta, solve(x, y, weights, mean, prior)
        if np.abs(beta - before).sum() < 1e-4:
            break
    return beta, weights


def best_tau(years, y, weights, curve, prior):
    def loss(tau):
        x, mean = loadings(years, tau), projected(*curve, tau)
        beta = solve(x, y, weights, mean, prior)
        return prior @ (beta - mean) ** 2 + weights @ (y - x @ beta) ** 2

    best = min(range(len(TAUS)), key=lambda k: loss(TAUS[k]))
    low, high = TAUS[max(0, best - 1)], TAUS[min(len(TAUS) - 1, best + 1)]
    left, right = high - SECTION * (high - low), low + SECTION * (high - low)
    at_left, at_right = loss(left), loss(right)
    for _ in range(12):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - SECTION * (high - low)
            at_left = loss(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + SECTION * (high - low)
            at_right = loss(right)
    return (low + high) / 2


def fit(years, y, curve, prior):
    """Betas, tau, and the leverage of each bond; drawn towards a curve, which is its betas and tau."""
    tau = curve[1]
    x, mean = loadings(years, tau), curve[0]
    start = mean + np.array([np.median(y - x @ mean), 0, 0])
    beta, weights = reweighted(x, y, start, mean, prior)
    for _ in range(4 if len(y) >= 10 else 0):
        before, tau = tau, best_tau(years, y, weights, curve, prior)
        x, mean = loadings(years, tau), projected(*curve, tau)
        beta, weights = reweighted(x, y, solve(x, y, weights, mean, prior), mean, prior)
        if abs(tau - before) < 0.01 * tau:
            break
    inverse = np.linalg.inv(x.T @ (weights[:, None] * x) + np.diag(prior))
    return beta, tau, (y - x @ beta) / (1 - weights * np.einsum("ij,jk,ik->i", x, inverse, x))


frame = pd.DataFrame(json.load(sys.stdin))
start = time.perf_counter()
years, bps = frame["years"].to_numpy(), frame["bps"].to_numpy()
beta, tau, _ = fit(years, bps, (np.array([np.median(bps), 0, 0]), 3), np.array([0, 0.001, 0.001]))
residual = np.empty(len(frame))
for rows in frame.groupby("issuer").indices.values():
    residual[rows] = fit(years[rows], bps[rows], (beta, tau), np.array([0.1, 0.1, 0.1]))[2]
milliseconds = (time.perf_counter() - start) * 1000
print(json.dumps({"milliseconds": milliseconds, "residual": residual.tolist()}))
