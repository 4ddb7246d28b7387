SELECT "spread_date", "median", "mean"
FROM (SELECT "spread_date" AS "spread_date", round(reduce(array_sort(map_entries(histogram("spread_tenths"))), CAST(ROW(0.5E0 * (count("spread_tenths") - 1), NULL, NULL) AS ROW(rank DOUBLE, low DOUBLE, high DOUBLE)), (s, e) -> IF(s.rank > -1, CAST(ROW(s.rank - e[2], IF(s.rank >= 0, e[1], s.low), e[1]) AS ROW(rank DOUBLE, low DOUBLE, high DOUBLE)), s), s -> s.low + (s.high - s.low) * (s.rank - floor(s.rank))) / CAST(10 AS DOUBLE), 4) AS "median", round(sum("spread_tenths") / CAST(10 AS DOUBLE) / count(*), 6) AS "mean"
FROM (SELECT *
FROM "debt"."lake_20250721"."spreads_by_tenor")
GROUP BY "spread_date")
ORDER BY "spread_date" ASC NULLS LAST
-- []
