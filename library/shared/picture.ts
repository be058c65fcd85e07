import type { Json } from '../../src/protocol/json.ts'

/** Width and height of a PNG or a GIF. */
export function sizeOfPicture(base64: Json | undefined): readonly [width: number, height: number] | undefined {
  const bytes = Buffer.from(String(base64 ?? ''), 'base64')
  if (bytes.length < 24) return undefined
  if (bytes.toString('latin1', 1, 4) === 'PNG') return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  return bytes.toString('latin1', 0, 3) === 'GIF' ? [bytes.readUInt16LE(6), bytes.readUInt16LE(8)] : undefined
}
