import { readFile, writeFile } from 'node:fs/promises'
import { operations } from '../engine/operations/api.ts'
import { openapi } from '../server/openapi/openapi.ts'
import { clientRoutesText } from '../server/v1/client-routes-text.ts'
import { everyEndpoint } from '../server/v1/every-endpoint.ts'
import { operationCommandsText } from './operation-commands.ts'
import { pythonErrors, pythonOperations } from './python-client.ts'
import { reference } from './reference.ts'
import { sectorsPage } from './sectors-page.ts'

/** Writes what differs, so that nothing is built anew for the rest; from `dist/scripts`, two folders below the project. */
async function write(path: string, text: string): Promise<void> {
  const url = new URL(`../../${path}`, import.meta.url)
  if ((await readFile(url, 'utf8').catch(() => null)) !== text) await writeFile(url, text)
}

await write('docs/reference.md', reference())
await write('docs/sectors.md', sectorsPage())
await write('docs/openapi.json', `${JSON.stringify(openapi(everyEndpoint), null, 2)}\n`)
await write('server/v1/client-routes.ts', clientRoutesText(everyEndpoint))
await write('cli/operation-commands.ts', operationCommandsText(operations))
await write('python/tranchedb/_operations.py', pythonOperations(everyEndpoint))
await write('python/tranchedb/errors.py', pythonErrors())
