import { createHash } from 'node:crypto'
import type { JsonObject } from '../../protocol/json.ts'
import type { ApiModel } from '../openapi/model.ts'
import { parseDescription } from '../openapi/parse-description.ts'
import { readDescription } from '../openapi/read-description.ts'

/** Texts kept at most; the one that was asked for longest ago goes first. */
const CAPACITY = 64

/** What descriptions amount to, so that none is read twice. Models are immutable and shared by simulations. */
export class ModelCache {
  readonly #ofTexts = new Map<string, Promise<ApiModel>>()
  readonly #ofDocuments = new WeakMap<JsonObject, ApiModel>()

  /** The model of an uploaded text. Rejects with {@link ApiError} `invalid_spec`. */
  ofText(text: string): Promise<ApiModel> {
    const key = createHash('sha256').update(text).digest('base64')
    const model = this.#ofTexts.get(key) ?? parseDescription(text).then(readDescription)
    this.#ofTexts.delete(key)
    this.#ofTexts.set(key, model)
    model.catch(() => this.#ofTexts.delete(key))
    if (this.#ofTexts.size > CAPACITY) this.#ofTexts.delete(this.#ofTexts.keys().next().value as string)
    return model
  }

  /** The model of a library entry's document, which is never changed. */
  ofDocument(document: JsonObject): ApiModel {
    const model = this.#ofDocuments.get(document) ?? readDescription(document)
    this.#ofDocuments.set(document, model)
    return model
  }
}
