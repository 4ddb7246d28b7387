/**
 * How to start a process as a user would: the test runner watches its own processes through Node's options, and with
 * its handlers in place signals end them in another way.
 * @param url of the test: a source is run by whatever runs the test, compiled code by Node alone
 */
export function plainProcess(url: string): { execArgv: string[]; env: NodeJS.ProcessEnv } {
  const { NODE_OPTIONS: _, ...rest } = process.env
  const env = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('_TAPJS')))
  return { execArgv: url.endsWith('.ts') ? process.execArgv : [], env }
}
