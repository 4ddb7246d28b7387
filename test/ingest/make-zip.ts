import { crc32, deflateRawSync } from 'node:zlib'

export interface Member {
  readonly name: string
  readonly content: string | Uint8Array
  /** The size given in the archive, if it is to be wrong. */
  readonly crc?: number
  readonly size?: number
  /** The local header, if it is to differ from the directory. */
  readonly localName?: string
  readonly encrypted?: boolean
}

/** A zip archive of deflated members. */
export function makeZip(members: readonly Member[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, crc, size, localName, encrypted } of members) {
    const plain = Buffer.from(content as Uint8Array)
    const data = deflateRawSync(plain)
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800 | (encrypted ? 1 : 0), 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc ?? crc32(plain), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(size ?? plain.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04', 'latin1'),
      common,
      Buffer.from(localName ?? name),
      data,
    ])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, path]))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}
