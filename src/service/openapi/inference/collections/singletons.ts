import { singularName } from '../../../../names/nouns.ts'
import { snakeCase } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { Envelope } from '../../model.ts'
import {
  countShared,
  fieldsOf,
  isArraySchema,
  isDownload,
  isObjectSchema,
  schemaOfBody,
  schemaOfResponse,
} from '../bodies/bodies.ts'
import { findRecordShape, type RecordHints } from '../bodies/shapes.ts'
import { lastStatic } from '../paths/path-shape.ts'
import { type PathSite, shownAt } from '../paths/sites.ts'
import { NO_RECORD } from './envelopes.ts'
import { namesFor } from './naming.ts'

/** A singleton during inference. */
export interface SingletonDraft {
  readonly site: PathSite
  readonly name: string
  readonly singular: string
  readonly hints: RecordHints
  readonly schema: Schema | undefined
  /** The kind of its whole content, where that is not an object of fields. */
  readonly whole: 'value' | 'file' | undefined
  readonly valueSchema: Schema | undefined
}

/** Finds the documents that exist once in each scope: one for each path. */
export class SingletonFinder {
  readonly #found = new Map<string, SingletonDraft>()
  readonly #taken: Set<string>

  constructor(collectionNames: Iterable<string>) {
    this.#taken = new Set(collectionNames)
  }

  /** All singletons of operations, in the order of their first operation. */
  get all(): readonly SingletonDraft[] {
    return [...this.#found.values()]
  }

  at(site: PathSite): SingletonDraft {
    const known = this.#found.get(site.key)
    if (known) return known
    const noun = snakeCase(lastStatic(site.steps)) || 'document'
    const hints: RecordHints = { nouns: [noun, singularName(noun)], keys: [] }
    const name = this.#freeName(site, noun)
    const whole = wholeAt(site)
    const valueSchema = whole === 'value' ? shownAt(site) : undefined
    const schema = whole === undefined ? schemaOf(site, hints) : undefined
    const draft: SingletonDraft = { site, name, singular: name, hints, schema, whole, valueSchema }
    this.#taken.add(name)
    this.#found.set(site.key, draft)
    return draft
  }

  /** The place of the document in an answer. */
  envelopeOf(singleton: SingletonDraft, answer: Schema | undefined, isDelete: boolean): Envelope {
    if (!answer || isArraySchema(answer)) return NO_RECORD
    const found = findRecordShape(answer, singleton.hints)
    if (!isDelete && found.shape === 'record') return found
    return found.shape === 'record' && countShared(found.schema, singleton.schema) > 1 ? found : NO_RECORD
  }

  /** The place of the document in the body of a request. */
  bodyOf(singleton: SingletonDraft, body: Schema | undefined): Envelope {
    if (!body || isArraySchema(body)) return { path: [], shape: 'record', schema: body }
    if (countShared(body, singleton.schema) > 0) return { path: [], shape: 'record', schema: body }
    const found = findRecordShape(body, singleton.hints)
    return found.shape === 'record' ? found : { path: [], shape: 'record', schema: body }
  }

  #freeName(site: PathSite, noun: string): string {
    const names = namesFor(site.steps, noun)
    const free = names.find((name) => !this.#taken.has(name))
    if (free !== undefined) return free
    let count = 2
    while (this.#taken.has(`${names[2]}_${count}`)) count++
    return `${names[2]}_${count}`
  }
}

/** The kind of a document that is not an object of fields: another JSON value, or a file. */
function wholeAt(site: PathSite): SingletonDraft['whole'] {
  const get = site.own.get('GET')
  if (get === undefined) return undefined
  const { success } = get.draft
  const shown = schemaOfResponse(success)
  if (isDownload(success) || shown?.format === 'binary') return 'file'
  if (shown === undefined) return site.own.size > 1 ? undefined : 'value'
  return isObjectSchema(shown) || shown.types.includes('object') ? undefined : 'value'
}

/** The first object of fields in its answers, else in its requests. */
function schemaOf({ own }: PathSite, hints: RecordHints): Schema | undefined {
  const all = ['GET', 'PUT', 'PATCH', 'POST'].flatMap((method) => own.get(method)?.draft ?? [])
  const bodies = [
    ...all.map(({ success }) => schemaOfResponse(success)),
    ...all.map((one) => schemaOfBody(one.requestBody)),
  ]
  const found = bodies.map((body) => findRecordShape(body, hints)).filter(({ shape }) => shape === 'record')
  return (found.find(({ schema }) => fieldsOf(schema).size > 0) ?? found[0])?.schema
}
