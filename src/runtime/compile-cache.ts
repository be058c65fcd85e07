import { lstatSync, mkdirSync } from 'node:fs'
import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/**
 * Enables Node's compile cache, unless `NODE_COMPILE_CACHE` is set. V8 runs the contents of its folder unchecked, and
 * all users of the machine may write to Node's default; so this folder belongs to this user only.
 */
export function keepCompiledCode(): void {
  const folder = compileCacheFolder()
  // Deno has no compile cache.
  if (folder !== undefined) nodeModule.enableCompileCache?.(folder)
}

/** A folder for compiled code that only this user can read and write; undefined where none can be made. */
export function compileCacheFolder(): string | undefined {
  const parent = cacheFolder()
  return parent && privateFolder(parent, 'compiled')
}

/** The same for models of descriptions, below `chosen` instead of the user's cache folder if given; undefined for `off`. */
export function modelFolder(chosen?: string): string | undefined {
  if (chosen === 'off') return undefined
  const parent = chosen === undefined ? cacheFolder() : resolve(chosen)
  return parent && privateFolder(parent, 'models')
}

/** The same for notes of running services. */
export function runningFolder(): string | undefined {
  const parent = cacheFolder()
  return parent && privateFolder(parent, 'running')
}

function privateFolder(parent: string, name: string): string | undefined {
  const folder = join(parent, 'backlot', name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isPrivate(join(parent, 'backlot')) && isPrivate(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/** The user's cache folder: by the XDG base directory specification, or by Windows. */
function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: chosen = '', LOCALAPPDATA: local = '' } = process.env
  if (isAbsolute(chosen)) return chosen
  if (process.platform === 'win32') return isAbsolute(local) ? local : undefined
  try {
    const home = homedir()
    return isAbsolute(home) ? join(home, '.cache') : undefined
  } catch {
    // A container may run as a user that has no entry in its passwd.
    return undefined
  }
}

/** Whether a folder is this user's and closed to others. Windows has no such bits: a user's folder is closed there. */
function isPrivate(folder: string): boolean {
  const found = lstatSync(folder)
  if (process.getuid === undefined) return found.isDirectory()
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0
}
