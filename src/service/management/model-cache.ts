import { createHash } from 'node:crypto'
import type { JsonObject } from '../../protocol/json.ts'
import type { ApiModel } from '../openapi/model.ts'
import { parseDescription } from '../openapi/parse-description.ts'
import { readDescription } from '../openapi/read-description.ts'

/** Characters of texts whose models are kept; the one that was asked for longest ago goes first. */
const CAPACITY = 20_000_000

interface Kept {
  readonly model: Promise<ApiModel>
  readonly characters: number
}

/** What descriptions amount to, so that none is read twice. Models are immutable and shared by simulations. */
export class ModelCache {
  readonly #ofTexts = new Map<string, Kept>()
  readonly #ofDocuments = new WeakMap<JsonObject, ApiModel>()
  #characters = 0

  /** The model of an uploaded text. Rejects with {@link ApiError} `invalid_spec`. */
  ofText(text: string): Promise<ApiModel> {
    const key = createHash('sha256').update(text).digest('base64')
    const model = this.#ofTexts.get(key)?.model ?? parseDescription(text).then(readDescription)
    this.#forget(key)
    this.#ofTexts.set(key, { model, characters: text.length })
    this.#characters += text.length
    for (const oldest of this.#ofTexts.keys()) {
      if (this.#characters <= CAPACITY) break
      this.#forget(oldest)
    }
    model.catch(() => this.#forget(key))
    return model
  }

  /** The model of a library entry's document, which is never changed. */
  ofDocument(document: JsonObject): ApiModel {
    const model = this.#ofDocuments.get(document) ?? readDescription(document)
    this.#ofDocuments.set(document, model)
    return model
  }

  #forget(key: string): void {
    this.#characters -= this.#ofTexts.get(key)?.characters ?? 0
    this.#ofTexts.delete(key)
  }
}
