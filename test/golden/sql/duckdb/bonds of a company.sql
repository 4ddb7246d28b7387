SELECT "cusip" AS "cusip", count(*) OVER () AS "_total"
FROM (SELECT *
FROM stored."bonds"
WHERE "coverage" = ? AND lower("company_id") = ? AND "is_active" = ? AND "currency" = ?)
ORDER BY "company_ticker" ASC NULLS LAST, "maturity_date" ASC NULLS LAST, "id" ASC NULLS LAST
LIMIT ?
OFFSET ?
-- ["standard","alfa",true,"USD",50,100]

SELECT count(*) AS total
FROM (SELECT *
FROM stored."bonds"
WHERE "coverage" = ? AND lower("company_id") = ? AND "is_active" = ? AND "currency" = ?)
-- ["standard","alfa",true,"USD"]
