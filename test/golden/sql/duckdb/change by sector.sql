SELECT "sector", "change", "mean", count(*) OVER () AS "_total"
FROM (WITH
rows_ AS MATERIALIZED (SELECT *
FROM stored."spreads"
WHERE "source" = ?),
days_ AS (SELECT "sector" AS "sector", "spread_date" AS "_day", median("spread_bps") AS "_median"
FROM rows_
GROUP BY "sector", "spread_date"), d AS (SELECT "sector", round((max_by("_median", "_day") - min_by("_median", "_day")), 4) AS "change"
FROM days_
GROUP BY "sector"), g AS (SELECT "sector" AS "sector", round(favg("spread_bps"), 6) AS "mean"
FROM rows_
GROUP BY "sector") SELECT g.*, d."change"
FROM g
JOIN d ON g."sector" IS NOT DISTINCT FROM d."sector")
ORDER BY "sector" ASC NULLS LAST
-- ["settlement_price"]
