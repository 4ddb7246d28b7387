#!/usr/bin/env node
import { main } from './program.ts'

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes early, `tranche bonds | head`, has what it wanted.
    if (error.code === 'EPIPE') process.exit(0)
    if (stream === process.stdout)
      process.stderr.write(`tranche: cannot write the output: ${error.message}\n`)
    process.exit(5)
  })

process.exitCode = await main(process.argv.slice(2))
