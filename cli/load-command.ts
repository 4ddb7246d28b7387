import type { Command } from './command.ts'

// Named exports: tsc 5.9 does not rewrite an import() inside an `export default`.
const own: Readonly<Record<string, () => Promise<Command>>> = {
  sample: async () => (await import('./sample.ts')).sampleCommand,
  fetch: async () => (await import('./fetch.ts')).fetchCommand,
  ingest: async () => (await import('./ingest.ts')).ingestCommand,
  rejects: async () => (await import('./rejects.ts')).rejectsCommand,
  link: async () => (await import('./link.ts')).linkCommand,
  correct: async () => (await import('./correct.ts')).correctCommand,
  build: async () => (await import('./build.ts')).buildCommand,
  snapshots: async () => (await import('./snapshots.ts')).snapshotsCommand,
  days: async () => (await import('./days.ts')).daysCommand,
  iceberg: async () => (await import('./iceberg.ts')).icebergCommand,
  push: async () => (await import('./push.ts')).pushCommand,
  pull: async () => (await import('./pull.ts')).pullCommand,
  sql: async () => (await import('./sql.ts')).sqlCommand,
  schema: async () => (await import('./schema.ts')).schemaCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  accounts: async () => (await import('./accounts.ts')).accountsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  state: async () => (await import('./state.ts')).stateCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
}

/** The command of a word that `commands.ts` lists. */
export async function loadCommand(word: string): Promise<Command> {
  if (Object.hasOwn(own, word)) return own[word]!()
  const [{ operations }, { operationCommand }] = await Promise.all([
    import('../engine/operations/api.ts'),
    import('./operation-command.ts'),
  ])
  return operationCommand(operations.find(o => o.command === word)!)
}
