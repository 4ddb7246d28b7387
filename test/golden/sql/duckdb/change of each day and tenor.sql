SELECT "spread_date", "tenor", "change", "count", count(*) OVER () AS "_total"
FROM (WITH
groups_ AS MATERIALIZED (SELECT "spread_date" AS "spread_date", "tenor" AS "tenor", round(median("spread_bps"), 4) AS "median", count(*) AS "count"
FROM (SELECT *
FROM stored."spreads"
WHERE "source" = ?)
GROUP BY "spread_date", "tenor") SELECT g.*, round(g.median - lag(g.median) OVER (PARTITION BY "tenor"
ORDER BY "spread_date"), 4) AS "change"
FROM groups_ g)
ORDER BY "spread_date" ASC NULLS LAST, "tenor" ASC NULLS LAST
-- ["settlement_price"]
