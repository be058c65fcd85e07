import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Whether a library can be preloaded into a service here: on Linux, with a compiler of C. */
export const canPreload = (): boolean => process.platform === 'linux' && existsSync('/usr/bin/cc')

/** Compiles a source of this folder into another one. Returns the library's path, for `LD_PRELOAD`. */
export function makeLibrary(source: string, folder: string): string {
  const library = join(folder, source.replace(/\.c$/, '.so'))
  const path = fileURLToPath(new URL(source, import.meta.url))
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, path, '-ldl'])
  return library
}
