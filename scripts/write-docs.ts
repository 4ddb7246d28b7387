import { writeFile } from 'node:fs/promises'
import { openapi } from '../engine/openapi.ts'
import { reference } from '../engine/reference.ts'
import { clientRoutesText } from '../server/client-routes-text.ts'
import { everyEndpoint } from '../server/every-endpoint.ts'

// From `dist/scripts`, two folders below the project.
const write = (path: string, text: string) => writeFile(new URL(`../../${path}`, import.meta.url), text)

await write('docs/reference.md', reference())
await write('docs/openapi.json', `${JSON.stringify(openapi(everyEndpoint), null, 2)}\n`)
await write('server/client-routes.ts', clientRoutesText(everyEndpoint))
