SELECT "sector", "change", "mean"
FROM (WITH
rows_ AS (SELECT *
FROM "debt"."lake_20250721"."spreads"
WHERE "source" = 'settlement_price'),
days_ AS (SELECT "sector" AS "sector", "spread_date" AS "_day", reduce(array_sort(map_entries(histogram("spread_bps"))), CAST(ROW(0.5E0 * (count("spread_bps") - 1), NULL, NULL) AS ROW(rank DOUBLE, low DOUBLE, high DOUBLE)), (s, e) -> IF(s.rank > -1, CAST(ROW(s.rank - e[2], IF(s.rank >= 0, e[1], s.low), e[1]) AS ROW(rank DOUBLE, low DOUBLE, high DOUBLE)), s), s -> s.low + (s.high - s.low) * (s.rank - floor(s.rank))) AS "_median"
FROM rows_
GROUP BY "sector", "spread_date"), d AS (SELECT "sector", round((max_by("_median", "_day") - min_by("_median", "_day")), 4) AS "change"
FROM days_
GROUP BY "sector"), g AS (SELECT "sector" AS "sector", round(CAST(avg(CAST("spread_bps" AS DECIMAL(38, 12))) AS DOUBLE), 6) AS "mean"
FROM rows_
GROUP BY "sector") SELECT g.*, d."change"
FROM g
JOIN d ON coalesce(CAST(g."sector" AS VARCHAR), '') = coalesce(CAST(d."sector" AS VARCHAR), '') AND (g."sector" IS NULL) = (d."sector" IS NULL))
ORDER BY "sector" ASC NULLS LAST
-- []
