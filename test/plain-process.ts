/**
 * The command that starts a script as a user would. The test runner adds Node options to every child process to
 * observe it, and its handlers change how signals end processes.
 * @param url of the test: sources run with the test's loader, compiled code with plain Node
 * @param node options for Node itself
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
