SELECT "spread_date", "median", "mean", count(*) OVER () AS "_total"
FROM (SELECT "spread_date" AS "spread_date", round(median("spread_tenths") / CAST(10 AS DOUBLE), 4) AS "median", round(sum("spread_tenths") / CAST(10 AS DOUBLE) / count(*), 6) AS "mean"
FROM (SELECT *
FROM stored."spreads_by_tenor")
GROUP BY "spread_date")
ORDER BY "spread_date" ASC NULLS LAST
-- []
