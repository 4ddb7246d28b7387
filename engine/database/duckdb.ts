import { createRequire } from 'node:module'
import type * as DuckDB from '@duckdb/node-api'

/** The package. Node takes longer to find out what an `import` of CommonJS would give than to load all of it. */
export const duckdb: typeof DuckDB = createRequire(import.meta.url)('@duckdb/node-api')
