SELECT "ticker" AS "ticker", "company_name" AS "company_name", "spread_date" AS "spread_date", "tenor" AS "tenor", "spread_bps" AS "spread_bps", "trade_count" AS "trade_count", "bond_count" AS "bond_count", "source" AS "source", count(*) OVER () AS "_total"
FROM (SELECT *
FROM stored."spreads"
WHERE "coverage" = ? AND "tenor" = ? AND "spread_date" >= CAST(? AS DATE) AND "spread_date" <= CAST(? AS DATE))
ORDER BY "spread_date" DESC NULLS LAST, "ticker" ASC NULLS LAST, "tenor" ASC NULLS LAST, "source" ASC NULLS LAST, "company_id" ASC NULLS LAST
-- ["standard","5Y","2025-01-01","2025-03-31"]

SELECT count(*) AS total
FROM (SELECT *
FROM stored."spreads"
WHERE "coverage" = ? AND "tenor" = ? AND "spread_date" >= CAST(? AS DATE) AND "spread_date" <= CAST(? AS DATE))
-- ["standard","5Y","2025-01-01","2025-03-31"]
