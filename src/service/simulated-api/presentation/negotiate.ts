import { isJsonType, isWithin, isXmlType } from '../../../protocol/media-type.ts'
import type { Schema } from '../../../schema/schema.ts'
import type { MediaModel, ResponseModel } from '../../openapi/model.ts'
import { Refusal } from '../refusal.ts'
import { fileOf } from './media-sample.ts'

/** The representation of an answer. */
export class Representation {
  readonly mediaType: string
  readonly media: MediaModel | undefined
  /** Whether it is JSON, even if it is finally written as XML. */
  readonly isJson: boolean
  readonly isXml: boolean
  #schema: { readonly read: Schema | undefined } | undefined

  constructor(mediaType: string, media: MediaModel | undefined) {
    this.mediaType = mediaType
    this.media = media
    this.isXml = isXmlType(mediaType)
    this.isJson = this.isXml || isJsonType(mediaType) || isObjectAsBytes(mediaType, media)
  }

  /** Schema of the whole body. */
  get schema(): Schema | undefined {
    this.#schema ??= { read: this.media?.schema }
    return this.#schema.read
  }
}

const JSON_TYPE = 'application/json'

/** A type of each range: no answer has the type `image/*`. */
const ONE_OF: ReadonlyMap<string, string> = new Map([
  ['image/*', 'image/png'],
  ['audio/*', 'audio/wav'],
  ['video/*', 'video/mp4'],
  ['text/*', 'text/plain'],
])

/** An object is sent as JSON, also where a description names no better media type than bytes. */
const isObjectAsBytes = (mediaType: string, media: MediaModel | undefined): boolean =>
  mediaType === 'application/octet-stream' && (media?.schema?.fields.size ?? 0) > 0

/** A version of the API, asked for by a media type of its own: `application/vnd.acme.v2`, `application/vnd.acme.v2026-02-25`. */
const VERSION = /^application\/vnd\.[^+]*\bv\d[\w.-]*$/

/**
 * Chooses the representation of a response. All JSON types are one family: SDKs ask for `application/json` where a
 * description declares a vendor's type, and the other way round. Refuses impossible requests with 406.
 */
export function negotiate(
  response: ResponseModel,
  byDefault: Representation,
  accept: string | undefined,
): Representation {
  if (accept === undefined || accept === '' || accept === '*/*' || response.content.size === 0) return byDefault
  const ranges = parseAccept(accept)
  const first = ranges[0]
  if (first === undefined) return byDefault
  for (const range of ranges) {
    const named = range === byDefault.mediaType || range.includes('*') ? undefined : response.content.get(range)
    const within = [...response.content].find(([type]) => type.includes('*+') && isWithin(range, type))?.[1]
    const media = named ?? within
    if (media?.schema !== undefined) return new Representation(range, media)
    if (isWithin(byDefault.mediaType, range) || (isJsonType(byDefault.mediaType) && isJsonType(range))) return byDefault
    for (const [mediaType, media] of response.content) {
      if (isWithin(mediaType, range) || (isXmlType(mediaType) && isXmlType(range)))
        return new Representation(ONE_OF.get(mediaType) ?? mediaType, media)
      if (ONE_OF.has(mediaType) && isWithin(range, mediaType))
        return new Representation(typeWithin(mediaType, range), media)
    }
  }
  if (byDefault.isJson && !byDefault.isXml && ranges.some((range) => VERSION.test(range))) return byDefault
  // A text that is described as JSON is a file more often than not: `GET /files/{id}/content`.
  if (byDefault.media?.schema?.types.join() === 'string') return byDefault
  const offered = [...response.content.keys()].join(', ')
  throw new Refusal(406, 'not_acceptable', `Failed to answer as ${accept}: the operation offers ${offered}.`)
}

export function defaultRepresentation(response: ResponseModel): Representation {
  const types = [...response.content.keys()]
  const named = types.find((type) => type === JSON_TYPE) ?? types.find(isJsonType)
  const wild = types.find((type) => type === '*/*' || type === 'application/*')
  const chosen = named ?? wild ?? types[0]
  if (chosen === undefined) return new Representation(JSON_TYPE, undefined)
  const media = response.content.get(chosen)
  const anyType = chosen === wild && media?.schema?.format === 'binary' ? 'application/octet-stream' : JSON_TYPE
  const mediaType = chosen === wild || chosen.includes('*+') ? anyType : (ONE_OF.get(chosen) ?? chosen)
  return new Representation(mediaType, media)
}

/** The type that a client asks for, of a range; where there is no such file, but one of another type, the other. */
function typeWithin(range: string, asked: string): string {
  const usual = ONE_OF.get(range) ?? asked
  return fileOf(asked) === undefined && fileOf(usual) !== undefined ? usual : asked
}

/** Media ranges of an `Accept` header, the most wanted first, without refused ones (`q=0`). */
function parseAccept(accept: string): string[] {
  return accept
    .split(',')
    .map((entry) => {
      const [range, ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { range: (range ?? '').toLowerCase(), quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ range, quality }) => range !== '' && quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .map(({ range }) => range)
}
