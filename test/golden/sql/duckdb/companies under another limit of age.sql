SELECT "ticker" AS "ticker", "leverage_ratio" AS "leverage_ratio", count(*) OVER () AS "_total"
FROM (SELECT *
FROM stored."companies_by_age"
WHERE "coverage" = ? AND "max_age_from" <= CAST(? AS DOUBLE) AND "max_age_to" >= CAST(? AS DOUBLE) AND "rating_max_age_from" <= CAST(? AS DOUBLE) AND "rating_max_age_to" >= CAST(? AS DOUBLE) AND "is_latest" = ? AND "leverage_ratio" >= CAST(? AS DOUBLE))
ORDER BY "ticker" ASC NULLS LAST, "company_id" ASC NULLS LAST
LIMIT ?
-- ["standard",2147483647,2147483647,1826,1826,true,4,50]

SELECT count(*) AS total
FROM (SELECT *
FROM stored."companies_by_age"
WHERE "coverage" = ? AND "max_age_from" <= CAST(? AS DOUBLE) AND "max_age_to" >= CAST(? AS DOUBLE) AND "rating_max_age_from" <= CAST(? AS DOUBLE) AND "rating_max_age_to" >= CAST(? AS DOUBLE) AND "is_latest" = ? AND "leverage_ratio" >= CAST(? AS DOUBLE))
-- ["standard",2147483647,2147483647,1826,1826,true,4]
