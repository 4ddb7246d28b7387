/** Annual reports: 10-K, 20-F and 40-F with their amendments and transition forms. */
export const isAnnualForm = (form: string | null): boolean => /^(10-?K|20-?F|40-?F)/i.test(form ?? '')
