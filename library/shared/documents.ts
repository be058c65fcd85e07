import { inflateSync } from 'node:zlib'

/** A picture or a document by its first bytes, as providers take them. */
export type Kind = 'application/pdf' | 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp'

const BEGINNINGS: readonly (readonly [string, Kind])[] = [
  ['\x89PNG', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
  ['RIFF', 'image/webp'],
  ['%PDF', 'application/pdf'],
]

export function kindOf(bytes: Buffer): Kind | undefined {
  const start = bytes.toString('latin1', 0, 4)
  const [, kind] = BEGINNINGS.find(([beginning]) => start.startsWith(beginning)) ?? []
  return kind !== 'image/webp' || bytes.toString('latin1', 8, 12) === 'WEBP' ? kind : undefined
}

/** Width and height of a picture, in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Of a picture behind an address, which a simulation does not load. */
export const USUAL_SIZE: Size = { width: 1_024, height: 1_024 }
/** Of a page as a picture. */
export const PAGE_SIZE: Size = { width: 816, height: 1_056 }

export function sizeOf(bytes: Buffer): Size {
  // What a broken one lacks is zero.
  const head = Buffer.concat([bytes.subarray(0, 30), Buffer.alloc(30)])
  switch (kindOf(bytes)) {
    case 'image/png':
      return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    case 'image/gif':
      return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
    case 'image/webp':
      if (head.toString('latin1', 12, 16) === 'VP8X')
        return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
      return head.toString('latin1', 12, 16) === 'VP8 '
        ? { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
        : { width: (head.readUInt32LE(21) & 0x3fff) + 1, height: ((head.readUInt32LE(21) >> 14) & 0x3fff) + 1 }
    case 'image/jpeg':
      return frameOf(bytes)
    default:
      return USUAL_SIZE
  }
}

/** The size in the frame of a JPEG: its segments before that are passed over. */
function frameOf(bytes: Buffer): Size {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
  }
  return USUAL_SIZE
}

/** The text of each page of a PDF: empty of one whose fonts are not read by their letters. At least one page. */
export function pagesOf(pdf: Buffer): string[] {
  const source = pdf.toString('latin1')
  const pages = source.match(/\d+ \d+ obj(?:(?!endobj).)*?\/Type\s*\/Page\b(?!s).*?endobj/gs) ?? ['']
  return pages.map((page) => {
    const [, ids = ''] = /\/Contents\s*\[?((?:\s*\d+ \d+ R)+)/.exec(page) ?? []
    return [...ids.matchAll(/(\d+) \d+ R/g)].map(([, id]) => textOfStream(source, String(id))).join(' ')
  })
}

function textOfStream(source: string, id: string): string {
  const [, head = '', body = ''] =
    new RegExp(`(?:^|\\s)${id} \\d+ obj(.*?)stream\\r?\\n(.*?)\\r?\\n?endstream`, 's').exec(source) ?? []
  const bytes = Buffer.from(body, 'latin1')
  try {
    const drawn = (head.includes('FlateDecode') ? inflateSync(bytes, { maxOutputLength: 8_000_000 }) : bytes).toString(
      'latin1',
    )
    return [...drawn.matchAll(/\(((?:\\.|[^\\()])*)\)|\bT[*dD]\b|'/g)]
      .map(([, text]) => text?.replace(/\\(.)/g, '$1') ?? ' ')
      .join('')
      .replace(/\s+/g, ' ')
      .trim()
  } catch {
    return ''
  }
}

/** The bytes of an address that has them; undefined of another one. */
export function bytesOfUrl(url: unknown): Buffer | undefined {
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(String(url)) ?? []
  return data === undefined ? undefined : Buffer.from(data, 'base64')
}
