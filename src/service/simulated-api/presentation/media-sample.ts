import { type Json, valueText } from '../../../protocol/json.ts'

/** Small valid files, of one pixel, one empty page or a moment of silence, by prefix of the media type; in base64. */
const FILES: readonly (readonly [RegExp, string])[] = [
  [
    /^image\/jpe?g/,
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AIgAf//Z',
  ],
  [/^image\/gif/, 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'],
  [/^image\/webp/, 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'],
  [
    /^image\/(png|x-png|\*)/,
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  ],
  [/^application\/(x-)?zip/, 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA=='],
  [/^audio\/(x-|vnd\.)?wave?\b|^audio\/\*/, 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=='],
  [/^image\/svg/, 'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxIiBoZWlnaHQ9IjEiLz4='],
  [
    /^application\/pdf/,
    'JVBERi0xLjQKMSAwIG9iago8PCAvVHlwZSAvQ2F0YWxvZyAvUGFnZXMgMiAwIFIgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL1BhZ2VzIC9LaWRzIFszIDAgUl0gL0NvdW50IDEgPj4KZW5kb2JqCjMgMCBvYmoKPDwgL1R5cGUgL1BhZ2UgL1BhcmVudCAyIDAgUiAvTWVkaWFCb3ggWzAgMCA1OTUgODQyXSA+PgplbmRvYmoKeHJlZgowIDQKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDA5IDAwMDAwIG4gCjAwMDAwMDAwNTggMDAwMDAgbiAKMDAwMDAwMDExNSAwMDAwMCBuIAp0cmFpbGVyCjw8IC9TaXplIDQgL1Jvb3QgMSAwIFIgPj4Kc3RhcnR4cmVmCjE4NgolJUVPRgo=',
  ],
  [/^application\/(x-)?gzip/, 'H4sIAAAAAAAAAwMAAAAAAAAAAAA='],
]

/** A small valid file of a binary media type: an image, a PDF, a sound, an archive. Undefined for other types. */
export function fileOf(mediaType: string): Uint8Array | undefined {
  const found = FILES.find(([pattern]) => pattern.test(mediaType))
  if (found) return Buffer.from(found[1], 'base64')
  return /^audio\/(mpeg|mp3)/.test(mediaType) ? mp3() : undefined
}

/** Four silent frames of MPEG 1 layer III: 128 kbit/s at 44,100 samples a second, 417 bytes each. */
function mp3(): Uint8Array {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xff_fb_90_64)
  return Buffer.concat([frame, frame, frame, frame])
}

/** Rows of comma-separated values (RFC 4180), with a header of field names. */
export function rowsOf(records: readonly Readonly<Record<string, Json>>[]): string {
  if (records.length === 0) return ''
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const lines = [names, ...records.map((record) => names.map((name) => valueText(record[name])))]
  return lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
