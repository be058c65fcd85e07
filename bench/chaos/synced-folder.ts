import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('note-synced.c', import.meta.url))

/** A folder of a service, whose files can be put back to what they were when they were synced last: what a loss of power leaves. */
export class SyncedFolder {
  readonly #folder: string
  readonly #copies: string
  readonly #library: string

  /** @param copies an empty folder, for copies of what was synced */
  constructor(folder: string, copies: string) {
    this.#folder = folder
    this.#copies = copies
    this.#library = join(copies, 'note-synced.so')
    mkdirSync(join(copies, 'files'))
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', this.#library, SOURCE, '-ldl'])
  }

  /** Whether it can be known here what was synced: on Linux, with a compiler of C. */
  static get isPossible(): boolean {
    return process.platform === 'linux' && existsSync('/usr/bin/cc')
  }

  close(): void {
    rmSync(this.#copies, { recursive: true, force: true })
  }

  /** For the process of the service. */
  get environment(): Readonly<Record<string, string>> {
    return { LD_PRELOAD: this.#library, SYNCED_FROM: this.#folder, SYNCED_TO: join(this.#copies, 'files') }
  }

  /** The service has to be dead. Names that were not synced are gone, and so is what was written since the last sync of each file. */
  losePower(): void {
    const copies = join(this.#copies, 'files')
    const synced = new Set(readFileSync(join(copies, 'names'), 'utf8').split('\n'))
    for (const name of readdirSync(this.#folder)) rmSync(join(this.#folder, name))
    for (const name of readdirSync(copies)) {
      if (synced.has(name)) copyFileSync(join(copies, name), join(this.#folder, name))
    }
  }
}
