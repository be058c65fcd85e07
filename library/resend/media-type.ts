import { type Json, valueText } from '../../src/protocol/json.ts'

const BY_ENDING: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
}

/** The media type of a file name's ending (RFC 2046, and the registry of IANA). */
export const typeOfFile = (filename: Json): string =>
  BY_ENDING[/\.(\w+)$/.exec(valueText(filename))?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'
