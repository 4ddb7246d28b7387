import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { QueryError } from '../../engine/base/errors.ts'
import { withLargeNumbersAsText } from '../../engine/base/exact-number.ts'
import { version } from '../../engine/base/version.ts'
import type { Manifest } from '../../engine/lake/snapshot.ts'
import { nearest } from '../../engine/names/nearest.ts'
import type { Input } from '../../engine/schema/params.ts'
import { listedPrompts, promptNamed } from './prompts.ts'
import { readResource, resources, unknownResource } from './resources.ts'
import { failure, resultOf, type ToolFailure, unknownTool } from './result.ts'
import { inputOf, type Tool } from './tools.ts'

/** Reports progress to a waiting caller. */
export type Progress = (message: string) => void

/** The backend of the tools: a lake, or the accounts of a server. */
export interface ToolBackend {
  readonly tools: readonly Tool[]
  /** The tools listed for the caller. */
  readonly listed: readonly Tool[]
  /** The whole answer of a tool's endpoint; `input` throws on wrong arguments. */
  ask(
    tool: Tool,
    input: () => Input,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<Readonly<Record<string, unknown>>>
  manifest(): Promise<Manifest>
  /** What may be disclosed about a failure. */
  told(error: unknown): ToolFailure
}

const instructions = `Corporate debt: companies, bonds, prices, statements, covenants, ratings, spreads and filings, from one immutable snapshot.
Amounts are whole cents (minor units of \`currency\`), rates and yields percent, spreads basis points, leverage and coverage plain ratios; a list says the unit of each column. null means not known, never zero.
Companies are named by ticker; resolve_bond finds a bond from any description or identifier.
Lists of names, identifiers and words are comma-separated text: ticker "F,GM".
Parameters that tools share: ticker takes one or several; fields names the columns to return (a parent takes its members; without it the most telling ones); sort names columns, "-" before one sorts downwards; limit (20, at most 100, unless the tool says otherwise) and offset page; on_unknown "skip" leaves unknown tickers out instead of failing; include_metadata adds quality and sources of the record; explain true adds formulas, inputs and sources; as_of "YYYY-MM-DD" answers with what was known at the close of that day. Bounds (min_, max_) and days (after, before, from, to) include the value. Figures and ratings older than max_age and rating_max_age are null with the reason.
Lists return a page: meta.total counts all matches, meta.next holds the arguments of the next page, meta.left_out says what is not shown.
An error says what to change: fix the arguments and call again.`

/** A protocol server for one transport. */
export function mcpServer(behind: ToolBackend): Server {
  const server = new Server(
    { name: 'tranche', title: 'Tranche', version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: behind.listed.map(tool => ({ ...tool.shown })),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, sendNotification }) => {
    const progressToken = params._meta?.progressToken
    let told = 0
    const progress = (message: string) => {
      if (progressToken === undefined) return
      const about = { progressToken, progress: ++told, message }
      // Callers that left get nothing.
      sendNotification({ method: 'notifications/progress', params: about }).catch(() => {})
    }
    return call(behind, params.name, params.arguments ?? {}, signal, progress)
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    orProtocolError(behind, async () => {
      const text = await readResource(uri, behind.manifest)
      if (text === null) throw unknownResource(uri)
      const { mimeType } = resources.find(resource => resource.uri === uri)!
      return { contents: [{ uri, ...(mimeType && { mimeType }), text }] }
    }),
  )
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...listedPrompts] }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    orProtocolError(behind, async () => promptNamed(params.name, params.arguments ?? {})),
  )
  return server
}

async function call(
  behind: ToolBackend,
  name: string,
  given: Input,
  signal: AbortSignal,
  progress: Progress,
): Promise<CallToolResult> {
  const { tools } = behind
  const tool = tools.find(t => t.name === name)
  if (!tool)
    return failure(
      unknownTool(
        name,
        tools,
        nearest(
          name,
          tools.map(t => t.name),
        ),
      ),
    )
  let asked: Input = {}
  try {
    const body = await behind.ask(
      tool,
      () => {
        asked = inputOf(tool, given)
        return asked
      },
      signal,
      progress,
    )
    // Clients of the protocol read JSON numbers as doubles, and models read the text first.
    return resultOf(tool, given, asked, withLargeNumbersAsText(body) as typeof body)
  } catch (error) {
    if (signal.aborted) throw error
    return failure(behind.told(error))
  }
}

/** An unknown tool fails in the protocol's own form. */
async function orProtocolError<T>(behind: ToolBackend, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, kind, message, details } = behind.told(error)
    const isCallers = error instanceof QueryError && (kind === 'invalid' || kind === 'missing')
    throw new McpError(isCallers ? ErrorCode.InvalidParams : ErrorCode.InternalError, message, {
      code,
      details,
    })
  }
}
