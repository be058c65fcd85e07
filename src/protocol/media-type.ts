/** `application/json; charset=utf-8` as `application/json`. */
export function toEssence(contentType: string): string {
  if (contentType === 'application/json') return contentType
  return (contentType.split(';', 1)[0] as string).trim().toLowerCase()
}

/** Whether a media type carries JSON: `application/json`, `text/json`, `application/vnd.api+json`. */
export const isJsonType = (mediaType: string): boolean =>
  mediaType.endsWith('/json') || mediaType.endsWith('+json') || mediaType === 'application/x-json'

/** Whether a media type carries one value of JSON a line. */
export const hasLinesOfJson = (mediaType: string): boolean =>
  /^(application|text)\/(x-)?(nd-?json|json-?l(ines)?|json-stream|ldjson)\b/.test(mediaType)

/** Whether a media type carries data as XML: no pictures, no pages. */
export const isXmlType = (mediaType: string): boolean =>
  /^(application|text)\/xml$|\+xml$/.test(mediaType) && !/svg|xhtml/.test(mediaType)

/** Whether a media type carries a form, also under invented names in descriptions: `application/form-data`. */
export const isFormType = (mediaType: string): boolean =>
  /^(application|multipart)\/(x-www-)?form-(data|urlencoded)$/.test(mediaType)

/** Whether `mediaType` is within `range`: the same, `type/*`, `type/*+json` or `* / *` without the blanks. */
export function isWithin(mediaType: string, range: string): boolean {
  if (range === mediaType || range === '*/*' || range === '*') return true
  const [front, back] = range.split('*+')
  if (back !== undefined) return mediaType.startsWith(front as string) && mediaType.endsWith(`+${back}`)
  return range.endsWith('/*') && mediaType.startsWith(range.slice(0, -1))
}
