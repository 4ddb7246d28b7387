SELECT "spread_date", "median", count(*) OVER () AS "_total"
FROM (SELECT "spread_date" AS "spread_date", round(median("spread_tenths") / 10::DOUBLE, 4) AS "median"
FROM (SELECT *
FROM stored."spreads_by_tenor")
GROUP BY "spread_date")
ORDER BY "spread_date" ASC NULLS LAST
-- []
