import { type Json, valueText } from '../../src/protocol/json.ts'

const BY_ENDING: Readonly<Record<string, string>> = {
  ...{ csv: 'text/csv', htm: 'text/html', html: 'text/html', ics: 'text/calendar', md: 'text/markdown' },
  ...{ gif: 'image/gif', jpeg: 'image/jpeg', jpg: 'image/jpeg', png: 'image/png', svg: 'image/svg+xml' },
  ...{ json: 'application/json', pdf: 'application/pdf', xml: 'application/xml', zip: 'application/zip' },
  ...{ mp3: 'audio/mpeg', mp4: 'video/mp4', txt: 'text/plain', webp: 'image/webp', doc: 'application/msword' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The media type of a file name's ending (RFC 2046, and the registry of IANA). */
export const typeOfFile = (filename: Json): string =>
  BY_ENDING[/\.(\w+)$/.exec(valueText(filename))?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'
