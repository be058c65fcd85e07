import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../protocol/json.ts'
import { systemClock } from '../../runtime/clock.ts'
import { systemRuntime } from '../../runtime/runtime.ts'
import type { ApiModel } from '../openapi/model.ts'
import { fromModelDocument } from '../openapi/model-document.ts'
import { toModelDocument } from '../openapi/write-model.ts'

/** Most files and bytes of the folder; the least recently used files are removed. */
const MOST_FILES = 64
const MOST_BYTES = 256_000_000
/** A shorter text is read in less time than its file. */
const SHORTEST_TEXT = 10_000
/** A writer that takes so long has ended. */
const WRITING_MS = 60_000
const ENDING = '.model'

/**
 * Models of descriptions in a folder that only this user can write to, shared by processes: `decisions/cold-start.md`.
 * A file is read only if its content has the hash that it begins with; any other is left out, and written again.
 */
export class ModelFiles {
  readonly #folder: string
  readonly #release: string
  #writing: Promise<unknown> = Promise.resolve()

  /** @param release changes with the code that reads descriptions */
  constructor(folder: string, release: string) {
    this.#folder = folder
    this.#release = release
  }

  /** The model of a text; undefined without a file that can be trusted. */
  async read(text: string): Promise<ApiModel | undefined> {
    if (text.length < SHORTEST_TEXT) return undefined
    const path = this.#pathOf(text)
    try {
      const content = await readOwn(path)
      const end = content.indexOf('\n')
      const body = content.subarray(end + 1)
      if (content.toString('latin1', 0, end) !== hashOf(body)) return undefined
      const middle = body.indexOf('\n')
      const model = JSON.parse(body.toString('utf8', 0, middle))
      const description = JSON.parse(body.toString('utf8', middle + 1))
      const now = systemClock.now() / 1_000
      await utimes(path, now, now)
      return fromModelDocument(model, description)
    } catch {
      // No file, or one of another user: the description is read anew.
      return undefined
    }
  }

  /** Writes a model in the background. What cannot be written is read anew by the next process. */
  write(text: string, model: ApiModel): void {
    if (text.length < SHORTEST_TEXT) return
    const write = () => this.#write(this.#pathOf(text), model).catch(() => undefined)
    this.#writing = this.#writing.then(write)
  }

  /** Resolves when all is written. */
  async settled(): Promise<void> {
    await this.#writing
  }

  #pathOf(text: string): string {
    const hash = createHash('sha256').update(`${this.#release}\n`).update(text)
    return join(this.#folder, `${hash.digest('hex')}${ENDING}`)
  }

  async #write(path: string, model: ApiModel): Promise<void> {
    const parts: unknown[] = [toModelDocument(model), model.reader.references.document satisfies JsonObject]
    const body = Buffer.from(parts.map((part) => JSON.stringify(part)).join('\n'))
    const unfinished = `${path}.${systemRuntime.uuid()}`
    // Readers of other processes see the whole file or none.
    await writeFile(unfinished, [`${hashOf(body)}\n`, body], { mode: 0o600, flag: 'wx' })
    await rename(unfinished, path)
    await this.#removeOldest()
  }

  async #removeOldest(): Promise<void> {
    const paths = (await readdir(this.#folder))
      .filter((name) => name.includes(ENDING))
      .map((name) => join(this.#folder, name))
    const found = await Promise.all(paths.map(async (path) => ({ path, ...(await sizeOf(path)) })))
    const newestFirst = found.toSorted((left, right) => right.usedAt - left.usedAt)
    let bytes = 0
    for (const [at, { path, size, usedAt }] of newestFirst.entries()) {
      bytes += size
      const isLeftOver = !path.endsWith(ENDING) && usedAt < systemClock.now() - WRITING_MS
      if (at >= MOST_FILES || bytes > MOST_BYTES || isLeftOver) await rm(path, { force: true })
    }
  }
}

/** Another process may have removed it. */
const sizeOf = (path: string): Promise<{ size: number; usedAt: number }> =>
  stat(path).then(
    ({ size, mtimeMs }) => ({ size, usedAt: mtimeMs }),
    () => ({ size: 0, usedAt: 0 }),
  )

const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')

/** The content of a file that only this user can write to, and of no link. */
async function readOwn(path: string): Promise<Buffer> {
  const file: FileHandle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    if (!isOwn(await file.stat())) throw new Error(`Failed to read "${path}": it is not a file of this user alone.`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Windows has no such bits: a user's folder is closed there. */
const isOwn = (file: Stats): boolean =>
  file.isFile() &&
  file.size <= MOST_BYTES &&
  (process.getuid === undefined || (file.uid === process.getuid() && (file.mode & 0o022) === 0))
