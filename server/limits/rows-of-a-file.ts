/** Rows of a list in a format other than JSON: by default, and at most unless the operator allows more. */
export const ROWS_OF_A_FILE = 1000
