/** A file of an archive. */
export interface ZipEntry {
  readonly path: string
  readonly text: string
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array>).arrayBuffer())
}

/** Fields of a header, little-endian, as pairs of a size in bytes and a value. */
function header(fields: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [size, value] of fields) {
    if (size === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += size
  }
  return bytes
}

const VERSION = 20
/** Names are UTF-8. */
const FLAGS = 0x0800
const DEFLATE = 8
/** 1 January 1980, so that the same rows are the same bytes. */
const DAY = 0x0021

/** A zip archive, compressed by the platform. */
export async function zip(entries: readonly ZipEntry[]): Promise<Blob> {
  const encoder = new TextEncoder()
  const files: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { path, text } of entries) {
    const [name, bytes] = [encoder.encode(path), encoder.encode(text)]
    const body = await deflated(bytes)
    const common = [
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATE],
      [2, 0],
      [2, DAY],
      [4, crc32(bytes)],
      [4, body.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ] as const
    const local = header([[4, 0x04034b50], ...common])
    directory.push(
      header([[4, 0x02014b50], [2, VERSION], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]),
      name,
    )
    files.push(local, name, body)
    offset += local.length + name.length + body.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = entries.length
  const end = header([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, offset],
    [2, 0],
  ])
  return new Blob([...files, ...directory, end])
}
