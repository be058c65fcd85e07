import { createHash } from 'node:crypto'
import type { JsonObject } from '../../protocol/json.ts'
import { parseDescription } from '../openapi/parse-description.ts'
import { readDescription } from '../openapi/read-description.ts'
import { Blueprint } from '../simulation/blueprint.ts'

/** Characters of texts whose blueprints are kept; the one that was asked for longest ago goes first. */
const CAPACITY = 20_000_000

interface Kept {
  readonly blueprint: Promise<Blueprint>
  readonly characters: number
}

/** Blueprints of descriptions, so that no description is read twice. */
export class ModelCache {
  readonly #ofTexts = new Map<string, Kept>()
  readonly #ofDocuments = new WeakMap<JsonObject, Blueprint>()
  #characters = 0

  /** The blueprint of an uploaded text. Rejects with {@link ApiError} `invalid_spec`. */
  ofText(text: string): Promise<Blueprint> {
    const key = createHash('sha256').update(text).digest('base64')
    const blueprint =
      this.#ofTexts.get(key)?.blueprint ??
      parseDescription(text).then((document) => new Blueprint(readDescription(document)))
    this.#forget(key)
    this.#ofTexts.set(key, { blueprint, characters: text.length })
    this.#characters += text.length
    for (const oldest of this.#ofTexts.keys()) {
      if (this.#characters <= CAPACITY) break
      this.#forget(oldest)
    }
    blueprint.catch(() => this.#forget(key))
    return blueprint
  }

  /** The blueprint of a library entry's document, which is never changed. */
  ofDocument(document: JsonObject): Blueprint {
    const blueprint = this.#ofDocuments.get(document) ?? new Blueprint(readDescription(document))
    this.#ofDocuments.set(document, blueprint)
    return blueprint
  }

  #forget(key: string): void {
    this.#characters -= this.#ofTexts.get(key)?.characters ?? 0
    this.#ofTexts.delete(key)
  }
}
