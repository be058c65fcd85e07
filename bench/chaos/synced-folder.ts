import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { canPreload, makeLibrary } from './preloaded-library.ts'

/** A folder of a service that can restore its files to their last sync, as after a loss of power. */
export class SyncedFolder {
  readonly #folder: string
  readonly #copies: string
  readonly #library: string

  /** @param copies an empty folder, for copies of synced files */
  constructor(folder: string, copies: string) {
    this.#folder = folder
    this.#copies = copies
    this.#library = makeLibrary('note-synced.c', copies)
    mkdirSync(join(copies, 'files'))
  }

  /** Whether this system can track syncs: Linux with a C compiler. */
  static get isPossible(): boolean {
    return canPreload()
  }

  close(): void {
    rmSync(this.#copies, { recursive: true, force: true })
  }

  /** For the process of the service. */
  get environment(): Readonly<Record<string, string>> {
    return { LD_PRELOAD: this.#library, SYNCED_FROM: this.#folder, SYNCED_TO: join(this.#copies, 'files') }
  }

  /** Call after the end of the service. Removes unsynced names, and all writes since the last sync of each file. */
  losePower(): void {
    const copies = join(this.#copies, 'files')
    const synced = new Set(readFileSync(join(copies, 'names'), 'utf8').split('\n'))
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name))
    for (const name of readdirSync(copies)) {
      if (synced.has(name)) copyFileSync(join(copies, name), join(this.#folder, name))
    }
  }
}
