/** Joins the company of a dataset's row; the row is `alias`, the company arrives as `company`. */
export const joinCompany = (alias: string, name = 'company_name', lei?: string): string => `
  LEFT JOIN mention_link link_ ON link_.ticker IS NOT DISTINCT FROM ${alias}.ticker
    AND link_.cik IS NOT DISTINCT FROM ${alias}.cik
    AND link_.lei IS NOT DISTINCT FROM ${lei ? `${alias}.${lei}` : 'CAST(NULL AS VARCHAR)'}
    AND link_.name IS NOT DISTINCT FROM ${name.includes('(') ? name : `${alias}.${name}`}
  LEFT JOIN companies_base company ON company.company_id = link_.company_id`
