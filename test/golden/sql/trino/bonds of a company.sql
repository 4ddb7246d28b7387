SELECT "cusip" AS "cusip"
FROM (SELECT *
FROM "debt"."lake_20250721"."bonds"
WHERE "coverage" = 'standard' AND lower("company_id") = 'alfa' AND "is_active" = TRUE AND "currency" = 'USD')
ORDER BY "company_ticker" ASC NULLS LAST, "maturity_date" ASC NULLS LAST, "id" ASC NULLS LAST
OFFSET 100
LIMIT 50
-- []

SELECT count(*) AS total
FROM (SELECT *
FROM "debt"."lake_20250721"."bonds"
WHERE "coverage" = 'standard' AND lower("company_id") = 'alfa' AND "is_active" = TRUE AND "currency" = 'USD')
-- []
