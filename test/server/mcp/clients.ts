import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Test } from 'tap'
import { exampleInput } from '../../../engine/schema/examples.ts'
import type { Input } from '../../../engine/schema/params.ts'
import { isOffered, toolOf } from '../../../server/mcp/tools.ts'
import { everyEndpoint } from '../../../server/v1/every-endpoint.ts'

/** What a test looks at in an answer. */
export interface Called {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ from tool to tool
  readonly body: any
}

export interface Asking {
  readonly client: Client
  call(name: string, args?: Input): Promise<Called>
}

/** The protocol's own client gives up after a minute, which a busy machine may need to start a program. */
const patience = { timeout: 300_000 }

/** The protocol's own client over a transport, closed with the test. */
export async function connected(t: Test, transport: Transport): Promise<Asking> {
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(transport, patience)
  t.teardown(() => client.close())
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: { ...args } }, undefined, patience)
      const [first] = result.content as { text: string }[]
      return { isError: result.isError === true, text: first!.text, body: result.structuredContent }
    },
  }
}

export const overHttp = (t: Test, url: string, headers: Record<string, string>): Promise<Asking> =>
  // The transport's own type does not say that its session may be undefined.
  connected(
    t,
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }) as Transport,
  )

const tools = everyEndpoint.filter(isOffered).map(toolOf)

/** Every tool's first declared example, said of the two issuers of the small lake. */
export const examples = tools.map(tool => {
  const { endpoint, params, name } = tool
  const [input] = endpoint.examples.flatMap(example => exampleInput({ ...endpoint, params }, example) ?? [])
  const given = JSON.stringify(input ?? { data_type: 'bonds' })
    .replaceAll(/FLKNT|FRNLL/g, 'ALFA')
    .replaceAll('MRVND', 'BETA')
    .replaceAll('998XSRA10', '000000AA7')
    .replaceAll('yarveron 13.5 2031', 'alfa 6 2030')
  return { name, endpoint, args: JSON.parse(given) as Record<string, unknown> }
})
