SELECT "month", "tenor", "p10", "median", "p90", "mean", "stddev", "min", "max", "count", "companies", count(*) OVER () AS "_total"
FROM (SELECT CAST(date_trunc('month', "spread_date") AS DATE) AS "month", "tenor" AS "tenor", round(quantile_cont(CAST("spread_bps" AS DOUBLE), 0.1), 4) AS "p10", round(median("spread_bps"), 4) AS "median", round(quantile_cont(CAST("spread_bps" AS DOUBLE), 0.9), 4) AS "p90", round(favg("spread_bps"), 6) AS "mean", round(stddev_samp("spread_bps"), 6) AS "stddev", min("spread_bps") AS "min", max("spread_bps") AS "max", count(*) AS "count", count(DISTINCT "company_id") AS "companies"
FROM (SELECT *
FROM stored."spreads")
GROUP BY CAST(date_trunc('month', "spread_date") AS DATE), "tenor")
ORDER BY "month" ASC NULLS LAST, "tenor" ASC NULLS LAST
-- []
