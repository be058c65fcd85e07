import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeLibrary } from './preloaded-library.ts'

/** Machines whose clocks are set wrong: a service that is started with {@link by} sees another time. */
export class WrongClocks {
  #folder: string | undefined

  /** @param seconds how far the clock is before the right one */
  by(seconds: number): { readonly environment: Readonly<Record<string, string>> } {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'backlot-clocks-'))
    const library = makeLibrary('offset-clock.c', this.#folder)
    return { environment: { LD_PRELOAD: library, CLOCK_OFFSET_SECONDS: String(seconds) } }
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }
}
