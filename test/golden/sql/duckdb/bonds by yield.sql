SELECT "name" AS "name", "pricing.last_price" AS "pricing.last_price", "pricing.last_trade_date" AS "pricing.last_trade_date", "pricing.ytm" AS "pricing.ytm", "pricing.spread" AS "pricing.spread", "pricing.staleness_days" AS "pricing.staleness_days", "pricing.duration" AS "pricing.duration", "pricing.convexity" AS "pricing.convexity", "pricing.dv01" AS "pricing.dv01", "pricing.z_spread" AS "pricing.z_spread", "pricing.ytw" AS "pricing.ytw", "pricing.ytw_date" AS "pricing.ytw_date", "pricing.ytc" AS "pricing.ytc", "pricing.discount_margin" AS "pricing.discount_margin", "pricing.price_source" AS "pricing.price_source", "pricing.is_stale" AS "pricing.is_stale", count(*) OVER () AS "_total"
FROM (SELECT *
FROM stored."bonds"
WHERE "coverage" = ? AND "seniority" = ? AND "pricing.ytm" >= CAST(? AS DOUBLE) AND "is_active" = ? AND "currency" = ?)
ORDER BY "pricing.ytm" DESC NULLS LAST, "id" ASC NULLS LAST
LIMIT ?
-- ["standard","senior_secured",8,true,"USD",10]

SELECT count(*) AS total
FROM (SELECT *
FROM stored."bonds"
WHERE "coverage" = ? AND "seniority" = ? AND "pricing.ytm" >= CAST(? AS DOUBLE) AND "is_active" = ? AND "currency" = ?)
-- ["standard","senior_secured",8,true,"USD"]
