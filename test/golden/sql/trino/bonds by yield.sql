SELECT "name" AS "name", "pricing.last_price" AS "pricing.last_price", "pricing.last_trade_date" AS "pricing.last_trade_date", "pricing.ytm" AS "pricing.ytm", "pricing.spread" AS "pricing.spread", "pricing.staleness_days" AS "pricing.staleness_days", "pricing.duration" AS "pricing.duration", "pricing.convexity" AS "pricing.convexity", "pricing.dv01" AS "pricing.dv01", "pricing.z_spread" AS "pricing.z_spread", "pricing.ytw" AS "pricing.ytw", "pricing.ytw_date" AS "pricing.ytw_date", "pricing.ytc" AS "pricing.ytc", "pricing.discount_margin" AS "pricing.discount_margin", "pricing.price_source" AS "pricing.price_source", "pricing.is_stale" AS "pricing.is_stale"
FROM (SELECT *
FROM "debt"."lake_20250721"."bonds"
WHERE "coverage" = 'standard' AND "seniority" = 'senior_secured' AND "pricing.ytm" >= DOUBLE '8' AND "is_active" = TRUE AND "currency" = 'USD')
ORDER BY "pricing.ytm" DESC NULLS LAST, "id" ASC NULLS LAST
LIMIT 10
-- []

SELECT count(*) AS total
FROM (SELECT *
FROM "debt"."lake_20250721"."bonds"
WHERE "coverage" = 'standard' AND "seniority" = 'senior_secured' AND "pricing.ytm" >= DOUBLE '8' AND "is_active" = TRUE AND "currency" = 'USD')
-- []
