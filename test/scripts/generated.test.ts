import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { operations } from '../../engine/operations/api.ts'
import { operationCommandsText } from '../../scripts/operation-commands.ts'
import { reference } from '../../scripts/reference.ts'
import { sectorsPage } from '../../scripts/sectors-page.ts'
import { openapi } from '../../server/openapi/openapi.ts'
import { everyEndpoint } from '../../server/v1/every-endpoint.ts'
import { root } from '../root.ts'

t.test('the committed generated files are up to date', async t => {
  const generated = {
    'docs/reference.md': reference(),
    'docs/sectors.md': sectorsPage(),
    'docs/openapi.json': `${JSON.stringify(openapi(everyEndpoint), null, 2)}\n`,
    'cli/operation-commands.ts': operationCommandsText(operations),
  }
  for (const [path, text] of Object.entries(generated))
    t.ok(readFileSync(join(root, path), 'utf8') === text, `${path}: run "npm run docs"`)
})
