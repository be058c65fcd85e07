import { createHash } from 'node:crypto'
import type { JsonObject } from '../../protocol/json.ts'
import type { ApiModel } from '../openapi/model.ts'
import { parseDescription } from '../openapi/parse-description.ts'
import { readDescription } from '../openapi/read-description.ts'

/** Models kept at most; the one that was asked for longest ago goes first. */
const CAPACITY = 64

/** What descriptions amount to, so that none is read twice. Models are immutable and shared by simulations. */
export class ModelCache {
  readonly #models = new Map<string, Promise<ApiModel>>()

  /** The model of an uploaded text. Rejects with {@link ApiError} `invalid_spec`. */
  ofText(text: string): Promise<ApiModel> {
    const key = `text:${createHash('sha256').update(text).digest('base64')}`
    return this.#get(key, async () => readDescription(await parseDescription(text)))
  }

  /** The model of a library entry. */
  ofEntry(slug: string, document: JsonObject): Promise<ApiModel> {
    return this.#get(`entry:${slug}`, async () => readDescription(document))
  }

  #get(key: string, read: () => Promise<ApiModel>): Promise<ApiModel> {
    const model = this.#models.get(key) ?? read()
    this.#models.delete(key)
    this.#models.set(key, model)
    model.catch(() => this.#models.delete(key))
    if (this.#models.size > CAPACITY) this.#models.delete(this.#models.keys().next().value as string)
    return model
  }
}
