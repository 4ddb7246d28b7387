import { crc32, deflateSync } from 'node:zlib'

/** A picture as a PNG of at most 256 colours: the most frequent ones, and for every other the nearest of them. */
export function palettePng(rgba: Uint8Array, width: number, height: number): Buffer {
  const counts = new Map<number, number>()
  const colours = new Uint32Array(width * height)
  for (let i = 0; i < colours.length; i++) {
    const colour = (rgba[4 * i]! << 16) | (rgba[4 * i + 1]! << 8) | rgba[4 * i + 2]!
    colours[i] = colour
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 256)
    .map(([colour]) => colour)
  const places = new Map([...counts.keys()].map(colour => [colour, nearest(palette, colour)]))
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = places.get(colours[y * width + x]!)!
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(colour => partsOf(colour)))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const partsOf = (colour: number): [number, number, number] => [
  colour >> 16,
  (colour >> 8) & 255,
  colour & 255,
]

function nearest(palette: readonly number[], colour: number): number {
  const [red, green, blue] = partsOf(colour)
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (const [i, other] of palette.entries()) {
    const [r, g, b] = partsOf(other)
    const away = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (away < least) [best, least] = [i, away]
  }
  return best
}

/** A chunk says its length, and its sum over kind and data. */
function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
