import { type Json, valueText } from '../../../protocol/json.ts'

/** Small valid files, of one pixel or one frame, by prefix of the media type; in base64. */
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
  [/^application\/(x-)?gzip/, 'H4sIAAAAAAAAAwMAAAAAAAAAAAA='],
]

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'

/** A small valid file of a binary media type: an image, a PDF, a sound, an archive. Undefined for other types. */
export function fileOf(mediaType: string): Uint8Array | undefined {
  const found = FILES.find(([pattern]) => pattern.test(mediaType))
  if (found) return Buffer.from(found[1], 'base64')
  if (mediaType.startsWith('image/svg')) return Buffer.from(SVG)
  if (mediaType.startsWith('application/pdf')) return Buffer.from(pdf(), 'latin1')
  if (/^audio\/(mpeg|mp3)/.test(mediaType)) return mp3()
  return /^audio\/(x-|vnd\.)?wave?\b|^audio\/\*/.test(mediaType) ? wav() : undefined
}

/** An empty A4 page. */
function pdf(): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets: string[] = []
  for (const [at, object] of objects.entries()) {
    offsets.push(`${String(text.length).padStart(10, '0')} 00000 n \n`)
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
  }
  const size = objects.length + 1
  return `${text}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

/** A tenth of a second of silence: 8,000 samples a second, 8 bits, one channel. */
function wav(): Uint8Array {
  const samples = Buffer.alloc(800, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
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
