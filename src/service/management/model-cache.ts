import { createHash } from 'node:crypto'
import { invalidSpec } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { checkBounds } from '../openapi/document-bounds.ts'
import { parseText } from '../openapi/parse-description.ts'
import { readDescription, readingDescription } from '../openapi/read-description.ts'
import { Blueprint } from '../simulation/blueprint.ts'
import type { Slices } from '../simulation/slices.ts'

/** Characters of texts whose blueprints are kept; the one that was asked for longest ago goes first. */
const CAPACITY = 20_000_000

/** Longest computing that the reading of one description may take. The largest real ones take 2 s. */
const LONGEST_READING_MS = 30_000

/** What a long reading takes turns with. */
interface ReadingTurn {
  readonly slices: Slices
  readonly runtime: Runtime
}

interface Kept {
  readonly blueprint: Promise<Blueprint>
  readonly characters: number
}

/** Blueprints of descriptions, so that no description is read twice. */
export class ModelCache {
  readonly #ofTexts = new Map<string, Kept>()
  readonly #ofDocuments = new WeakMap<JsonObject, Blueprint>()
  #characters = 0

  /** The blueprint of an uploaded text, read in slices. Rejects with {@link ApiError} `invalid_spec`. */
  ofText(text: string, turn: ReadingTurn): Promise<Blueprint> {
    const key = createHash('sha256').update(text).digest('base64')
    const blueprint = this.#ofTexts.get(key)?.blueprint ?? readInSlices(text, turn)
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

/** Works out beforehand what the first request would: for a large description it takes longer than a slice. */
async function prepare(blueprint: Blueprint, slices: Slices): Promise<Blueprint> {
  await slices.finish(blueprint.api.compiling())
  return blueprint
}

/** Reads a description so that nothing else waits for a large one. */
async function readInSlices(text: string, { slices, runtime }: ReadingTurn): Promise<Blueprint> {
  const document = await parseText(text)
  await slices.finish(checkBounds(document))
  const run = readingDescription(document)
  for (let computedMs = 0; computedMs < LONGEST_READING_MS; ) {
    const startedAt = runtime.clock.monotonic()
    const done = slices.run(run)
    if (done !== undefined) return prepare(new Blueprint(done.value), slices)
    computedMs += runtime.clock.monotonic() - startedAt
    await slices.next()
  }
  throw invalidSpec(
    `Failed to read the description: it takes more than ${LONGEST_READING_MS / 1_000} s of computing. Split it, or leave out what the tests do not call.`,
  )
}
