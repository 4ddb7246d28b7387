import { writeFile } from 'node:fs/promises'
import { reference } from '../engine/reference.ts'

await writeFile(new URL('../../docs/reference.md', import.meta.url), reference())
