import { type IncomingMessage, ServerResponse } from 'node:http'

// Loaded into a server process before everything else (`node --import`): a request with the header `X-Misbehave` ends
// or blocks its process in the named way.

function hangsForEver(): never {
  for (;;);
}

function runsOutOfMemory(): never {
  const all: unknown[] = []
  for (;;) all.push(Array.from({ length: 1e5 }, (_, i) => ({ i })))
}

const ways: Readonly<Record<string, () => void>> = {
  hang: hangsForEver,
  memory: runsOutOfMemory,
  abort: () => process.abort(),
  throw: () => {
    process.nextTick(() => {
      throw new Error('an error that nothing catches')
    })
  },
}

const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (
  this: ServerResponse & { req: IncomingMessage },
  ...args: never[]
) {
  ways[String(this.req.headers['x-misbehave'])]?.()
  return (writeHead as (...args: unknown[]) => ServerResponse).apply(this, args)
} as typeof writeHead
