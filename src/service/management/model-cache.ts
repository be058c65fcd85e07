import { createHash } from 'node:crypto'
import type { BuiltInEntry, LaidEntry } from '../../library/library-entry.ts'
import { invalidSpec } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { withModelFile } from '../../protocol/model-extension.ts'
import { withSignInFile } from '../../protocol/sign-in.ts'
import { computedMs } from '../../runtime/clock.ts'
import type { Account } from '../account/account.ts'
import type { LaidOver } from '../openapi/lay-over.ts'
import type { ApiModel } from '../openapi/model.ts'
import { fromModelDocument } from '../openapi/model-document.ts'
import type { ParsedText } from '../openapi/parse-description.ts'
import { Blueprint } from '../simulation/origin/blueprint.ts'
import type { Slices } from '../simulation/slices.ts'
import { type EntryParts, type SharedEntry, toEntryParts } from './entry-parts.ts'
import type { ModelFiles } from './model-files.ts'
import { ThreadReader } from './thread-reader.ts'

/** Estimated limit of cached blueprints, in bytes; the least recently used one is dropped first. */
const MOST_BYTES = 200_000_000
/** The same as a share of the heap: in a heap of 200 MB these models would exhaust the memory. */
const MOST_OF_HEAP = 0.25
/** Measured bytes for each value of a description, and for each operation and collection of its model. */
const VALUE_BYTES = 80
const OPERATION_BYTES = 5_000
const COLLECTION_BYTES = 3_000

/** Most processor time for reading one description. The largest real ones take 2 s. */
const LONGEST_READING_MS = 30_000

/** The scheduler of a long reading. */
interface ReadingTurn {
  readonly account: Account
  readonly slices: Slices
  /** Models that earlier processes have read. */
  readonly modelFiles?: ModelFiles | undefined
}

/** An entry over a description. */
interface Laid extends Pick<LaidEntry, 'slug' | 'openapi' | 'model' | 'signIn'> {
  /** The slug of an entry of the library, which never changes. */
  readonly known?: string
}

/** A blueprint and its size in bytes. */
interface Sized {
  readonly blueprint: Blueprint
  readonly bytes: number
}

interface Kept {
  readonly blueprint: Promise<Blueprint>
  /** Size of the text until it is read. */
  readonly bytes: number
}

/** A cache of descriptions' blueprints, so that no description is read twice. */
export class ModelCache {
  readonly #ofTexts = new Map<string, Kept>()
  readonly #ofDocuments = new WeakMap<JsonObject, Blueprint>()
  readonly #ofEntries = new WeakMap<SharedEntry, Promise<EntryParts>>()
  /** Sizes of models of texts, in bytes. */
  readonly #sizes = new WeakMap<ApiModel, number>()
  readonly #reader = new ThreadReader()
  #bytes = 0

  /**
   * The blueprint of an uploaded text, read in slices, joined with `entry` if given. Rejects with {@link ApiError}
   * `invalid_spec`.
   */
  ofText(text: string, turn: ReadingTurn, entry?: Laid): Promise<Blueprint> {
    const key = createHash('sha256')
      .update(
        `${entry === undefined ? '' : (entry.known ?? JSON.stringify([entry.openapi, entry.model, entry.signIn]))}\n`,
      )
      .update(text)
      .digest('base64')
    const known = this.#ofTexts.get(key)
    if (known !== undefined) {
      this.#keep(key, known)
      return known.blueprint
    }
    const reading = this.#read(text, turn, entry)
    const kept = { blueprint: reading.then(({ blueprint }) => blueprint), bytes: text.length }
    this.#keep(key, kept)
    reading.then(
      ({ blueprint, bytes }) => {
        this.#sizes.set(blueprint.model, bytes)
        if (this.#ofTexts.get(key) === kept) this.#keep(key, { ...kept, bytes })
      },
      () => this.#ofTexts.get(key) === kept && this.#forget(key),
    )
    return kept.blueprint
  }

  async #read(text: string, turn: ReadingTurn, entry: Laid | undefined): Promise<Sized> {
    const { modelFiles } = entry === undefined ? turn : {}
    const known = await modelFiles?.read(text)
    if (known !== undefined) return prepare(new Blueprint(known), turn.slices)
    const parsed = await this.#reader.read(text, turn.account, turn.slices)
    const { document, isTree } = parsed
    if (entry === undefined) {
      const read = await readInSlices(parsed, turn, (model) => new Blueprint(model))
      // In JSON the parts that a document shares would be several.
      if (isTree) modelFiles?.write(text, read.blueprint.model)
      return read
    }
    const { slug, openapi } = entry
    let laid: LaidOver = { document, unmet: [] }
    if (openapi !== undefined) {
      const [{ walkDocument }, { layingOver }] = await Promise.all([
        import('../openapi/document-walk.ts'),
        import('../openapi/lay-over.ts'),
      ])
      await turn.slices.finish(walkDocument(document, undefined, { isTree }))
      laid = await turn.slices.finish(layingOver(openapi, document))
    }
    const joined = withLines(laid.document, entry)
    const notes = laid.unmet.length === 0 ? [] : [noteOf(slug, laid.unmet)]
    const toBlueprint = (model: ApiModel) =>
      new Blueprint({ ...model, warnings: [...notes, ...model.warnings] }, { joined })
    return readInSlices({ document: joined, isTree: isTree && openapi === undefined }, turn, toBlueprint)
  }

  /** Estimated size of a model, in bytes; 0 for one of a library entry, which stays in memory anyway. */
  bytesOf(model: ApiModel): number {
    return this.#sizes.get(model) ?? 0
  }

  /** The blueprint of a library entry, which never changes. */
  async ofEntry(entry: BuiltInEntry): Promise<Blueprint> {
    const { openapi, compiled } = entry
    const known = this.#ofDocuments.get(openapi)
    if (known !== undefined) return known
    const blueprint = compiled
      ? new Blueprint(fromModelDocument(compiled.model, withLines(openapi, entry)), { checked: entry })
      : new Blueprint((await loadReader()).readDescription(withLines(openapi, entry)))
    this.#ofDocuments.set(openapi, blueprint)
    return blueprint
  }

  /** Parts that simulations of a library entry share besides the blueprint. */
  partsOf(entry: SharedEntry): Promise<EntryParts> {
    const parts = this.#ofEntries.get(entry) ?? toEntryParts(entry)
    this.#ofEntries.set(entry, parts)
    return parts
  }

  /** Caches a blueprint as the most recently used one. One beyond the limit is not cached. */
  #keep(key: string, kept: Kept): void {
    this.#forget(key)
    const { heap_size_limit: heap } = process.getBuiltinModule('node:v8').getHeapStatistics()
    const capacity = Math.min(MOST_BYTES, heap * MOST_OF_HEAP)
    if (kept.bytes > capacity) return
    this.#ofTexts.set(key, kept)
    this.#bytes += kept.bytes
    for (const oldest of this.#ofTexts.keys()) {
      if (this.#bytes <= capacity) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#ofTexts.get(key)?.bytes ?? 0
    this.#ofTexts.delete(key)
  }
}

/** Most operations named in a note. */
const NAMED = 5

/** Inference: entries with a compiled model do without. */
const loadReader = () => import('../openapi/read-description.ts')

/** A description with what an entry says of its operations. */
const withLines = (document: JsonObject, { model, signIn }: Pick<LaidEntry, 'model' | 'signIn'>): JsonObject =>
  withSignInFile(model === undefined ? document : withModelFile(document, model), signIn)

function noteOf(slug: string, unmet: readonly string[]): string {
  const more = unmet.length > NAMED ? ` and ${unmet.length - NAMED} more` : ''
  return `The description lacks ${unmet.length} of the operations that the library entry "${slug}" has, which are simulated nevertheless: ${unmet.slice(0, NAMED).join(', ')}${more}.`
}

/** Reads a description in slices, so that other requests do not wait for a large one. */
async function readInSlices(
  { document, isTree }: ParsedText,
  { slices }: ReadingTurn,
  toBlueprint: (model: ApiModel) => Blueprint,
): Promise<Sized> {
  const { readingDescription } = await loadReader()
  const run = readingDescription(document, { isTree })
  for (let takenMs = 0; takenMs < LONGEST_READING_MS; ) {
    const startedAt = computedMs()
    const done = slices.run(run)
    if (done !== undefined) return prepare(toBlueprint(done.value), slices)
    takenMs += computedMs() - startedAt
    await slices.next()
  }
  throw invalidSpec(
    `Failed to read the description: it takes more than ${LONGEST_READING_MS / 1_000} s of computing. Split it, or leave out what the tests do not call.`,
  )
}

/** Prepares what the first request would: for a large description this takes longer than a slice. */
async function prepare(blueprint: Blueprint, slices: Slices): Promise<Sized> {
  const { operations, collections, values } = blueprint.model
  await slices.finish(blueprint.preparing())
  const bytes = values * VALUE_BYTES + operations.length * OPERATION_BYTES + collections.length * COLLECTION_BYTES
  return { blueprint, bytes }
}
