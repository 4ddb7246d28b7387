import { createRequire } from 'node:module'
import type * as DuckDB from '@duckdb/node-api'

/**
 * The package. Loaded by `require`: Node's analysis of CommonJS exports for `import` takes longer than loading it.
 */
export const duckdb: typeof DuckDB = createRequire(import.meta.url)('@duckdb/node-api')
