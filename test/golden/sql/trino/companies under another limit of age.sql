SELECT "ticker" AS "ticker", "leverage_ratio" AS "leverage_ratio"
FROM (SELECT *
FROM "debt"."lake_20250721"."companies_by_age"
WHERE "coverage" = 'standard' AND "max_age_from" <= DOUBLE '2147483647' AND "max_age_to" >= DOUBLE '2147483647' AND "rating_max_age_from" <= DOUBLE '1826' AND "rating_max_age_to" >= DOUBLE '1826' AND "is_latest" = TRUE AND "leverage_ratio" >= DOUBLE '4')
ORDER BY "ticker" ASC NULLS LAST, "company_id" ASC NULLS LAST
LIMIT 50
-- []

SELECT count(*) AS total
FROM (SELECT *
FROM "debt"."lake_20250721"."companies_by_age"
WHERE "coverage" = 'standard' AND "max_age_from" <= DOUBLE '2147483647' AND "max_age_to" >= DOUBLE '2147483647' AND "rating_max_age_from" <= DOUBLE '1826' AND "rating_max_age_to" >= DOUBLE '1826' AND "is_latest" = TRUE AND "leverage_ratio" >= DOUBLE '4')
-- []
