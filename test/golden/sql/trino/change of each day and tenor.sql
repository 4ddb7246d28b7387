SELECT "spread_date", "tenor", "change", "count"
FROM (WITH
groups_ AS (SELECT "spread_date" AS "spread_date", "tenor" AS "tenor", round(reduce(array_sort(map_entries(histogram("spread_bps"))), CAST(ROW(0.5E0 * (count("spread_bps") - 1), NULL, NULL) AS ROW(rank DOUBLE, low DOUBLE, high DOUBLE)), (s, e) -> IF(s.rank > -1, CAST(ROW(s.rank - e[2], IF(s.rank >= 0, e[1], s.low), e[1]) AS ROW(rank DOUBLE, low DOUBLE, high DOUBLE)), s), s -> s.low + (s.high - s.low) * (s.rank - floor(s.rank))), 4) AS "median", count(*) AS "count"
FROM (SELECT *
FROM "debt"."lake_20250721"."spreads"
WHERE "source" = 'settlement_price')
GROUP BY "spread_date", "tenor") SELECT g.*, round(g.median - lag(g.median) OVER (PARTITION BY "tenor"
ORDER BY "spread_date"), 4) AS "change"
FROM groups_ g)
ORDER BY "spread_date" ASC NULLS LAST, "tenor" ASC NULLS LAST
-- []
