import { once } from 'node:events'
import { boolean } from '../engine/schema/column.ts'
import { fallback, one } from '../engine/schema/params.ts'
import { command, lakeFolder, lakeParams } from './command.ts'

export const mcpCommand = command({
  word: 'mcp',
  params: {
    enable_sql: fallback(
      one(boolean('Enable SQL, each statement in its own process, within limits.')),
      false,
    ),
    ...lakeParams,
  },
  notes:
    'Started by an assistant rather than by hand: speaks JSON-RPC on standard input and output until its input ends.\n' +
    'Opens the lake on the first call and follows new snapshots. A server offers the same at /mcp.',
  examples: ['--lake /data/lake', '--lake /data/lake --enable-sql'],
  async run({ lake, enable_sql }) {
    const [{ StdioServerTransport }, { openLakeBackend }, { mcpServer }] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('../server/mcp/over-lake.ts'),
      import('../server/mcp/speak.ts'),
    ])
    const behind = openLakeBackend(lakeFolder(lake), { sql: enable_sql })
    const server = mcpServer(behind)
    const ended = once(process.stdin, 'end')
    await server.connect(new StdioServerTransport())
    await ended
    await server.close()
    await behind.close()
    return undefined
  },
})
