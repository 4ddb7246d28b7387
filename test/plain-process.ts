/**
 * The command that starts a script as a user would. The test runner watches processes through Node's options, which it
 * adds to every process that is started, and with its handlers in place signals end them in another way.
 * @param url of the test: a source is run by whatever runs the test, compiled code by Node alone
 * @param node options of Node itself
 */
export function plainProcess(
  url: string,
  script: string,
  args: readonly string[],
  node: readonly string[] = [],
): [string, string[]] {
  const loaders = url.endsWith('.ts') ? process.execArgv : []
  return ['env', ['-u', 'NODE_OPTIONS', process.execPath, ...loaders, ...node, script, ...args]]
}
