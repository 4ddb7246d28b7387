import { readFileSync } from 'node:fs'

/** How many files and connections this process may have open; null if unknown. */
export function openFiles(): number | null {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return found && Number(found[1])
  } catch {
    return null
  }
}
