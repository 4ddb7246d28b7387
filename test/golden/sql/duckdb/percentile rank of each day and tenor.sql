SELECT "spread_date", "tenor", "percentile_rank", "average_20d", count(*) OVER () AS "_total"
FROM (WITH
groups_ AS MATERIALIZED (SELECT "spread_date" AS "spread_date", "tenor" AS "tenor", round(median("spread_bps"), 4) AS "median"
FROM (SELECT *
FROM stored."spreads"
WHERE "source" = ?)
GROUP BY "spread_date", "tenor") SELECT g.*, round(1E2 * (SELECT count(*)
FROM groups_ h
WHERE h."tenor" IS NOT DISTINCT FROM g."tenor" AND h."spread_date" <= g."spread_date" AND h.median <= g.median) / count(*) OVER (PARTITION BY "tenor"
ORDER BY "spread_date"), 2) AS percentile_rank, CASE WHEN count(*) OVER (PARTITION BY "tenor"
ORDER BY "spread_date" ROWS 19 PRECEDING) = 20 THEN round(avg(g.median) OVER (PARTITION BY "tenor"
ORDER BY "spread_date" ROWS 19 PRECEDING), 4) END AS average_20d
FROM groups_ g)
ORDER BY "spread_date" ASC NULLS LAST, "tenor" ASC NULLS LAST
-- ["settlement_price"]
