SELECT "ticker" AS "ticker", "agency" AS "agency", "rating" AS "rating"
FROM (SELECT *
FROM (SELECT *, row_number() OVER (PARTITION BY "company_id", "agency"
ORDER BY "rating_date" DESC NULLS LAST, "rating_type" ASC NULLS LAST, "known_from" DESC NULLS LAST, "is_withdrawn" DESC NULLS LAST, "rating_rank" DESC NULLS LAST, "id" ASC NULLS LAST) AS "_place"
FROM "debt"."lake_20250721"."ratings"
WHERE "coverage" = 'standard')
WHERE "_place" = 1 AND "rating_bucket" = 'HY-B')
ORDER BY "effective_date" DESC NULLS LAST, "ticker" ASC NULLS LAST, "agency" ASC NULLS LAST, "id" ASC NULLS LAST
LIMIT 50
-- []

SELECT count(*) AS total
FROM (SELECT *
FROM (SELECT *, row_number() OVER (PARTITION BY "company_id", "agency"
ORDER BY "rating_date" DESC NULLS LAST, "rating_type" ASC NULLS LAST, "known_from" DESC NULLS LAST, "is_withdrawn" DESC NULLS LAST, "rating_rank" DESC NULLS LAST, "id" ASC NULLS LAST) AS "_place"
FROM "debt"."lake_20250721"."ratings"
WHERE "coverage" = 'standard')
WHERE "_place" = 1 AND "rating_bucket" = 'HY-B')
-- []
