import { spawn } from 'node:child_process'

/** Without colours of its own, and gone at once if the text fits after all. */
const DEFAULT = 'less -FRX'

/** Whether a text is longer than the terminal, so that its beginning would scroll away. */
export const needsPager = (
  text: string,
  { isTTY, rows }: Pick<NodeJS.WriteStream, 'isTTY' | 'rows'>,
): boolean => isTTY === true && rows > 0 && text.split('\n').length > rows

/** Shows a text in the user's pager (`PAGER`; empty or `cat` means none). False if there is no such program. */
export function page(text: string, env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  const pager = (env['PAGER'] ?? DEFAULT).trim()
  if (pager === '' || pager === 'cat') return Promise.resolve(false)
  return new Promise((resolve, reject) => {
    // PAGER is a command line, as git and man read it.
    const child = spawn(pager, { shell: true, stdio: ['pipe', 'inherit', 'inherit'] })
    child.stdin.on('error', () => {})
    child.once('error', reject)
    // 126 and 127 are the shell's, for a program that cannot be run.
    child.once('close', code => resolve(code !== 126 && code !== 127))
    child.stdin.end(text)
  })
}
