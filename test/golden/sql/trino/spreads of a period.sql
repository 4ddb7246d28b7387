SELECT "ticker" AS "ticker", "company_name" AS "company_name", "spread_date" AS "spread_date", "tenor" AS "tenor", "spread_bps" AS "spread_bps", "trade_count" AS "trade_count", "bond_count" AS "bond_count", "source" AS "source"
FROM (SELECT *
FROM "debt"."lake_20250721"."spreads"
WHERE "coverage" = 'standard' AND "tenor" = '5Y' AND "spread_date" >= DATE '2025-01-01' AND "spread_date" <= DATE '2025-03-31')
ORDER BY "spread_date" DESC NULLS LAST, "ticker" ASC NULLS LAST, "tenor" ASC NULLS LAST, "source" ASC NULLS LAST, "company_id" ASC NULLS LAST
-- []

SELECT count(*) AS total
FROM (SELECT *
FROM "debt"."lake_20250721"."spreads"
WHERE "coverage" = 'standard' AND "tenor" = '5Y' AND "spread_date" >= DATE '2025-01-01' AND "spread_date" <= DATE '2025-03-31')
-- []
