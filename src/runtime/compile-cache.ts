import { lstatSync, mkdirSync } from 'node:fs'
import nodeModule from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Lets Node keep the compiled code of this process for the next one, where no `NODE_COMPILE_CACHE` says so already. V8 runs
 * what such a folder holds without a second look, and Node's own choice is one that all users of the machine may
 * write to; so it is a folder that only this user can.
 */
export function keepCompiledCode(): void {
  const folder = compileCacheFolder()
  if (folder !== undefined) nodeModule.enableCompileCache(folder)
}

/** A folder for compiled code that this user alone can read and write; undefined where none can be made. */
export function compileCacheFolder(): string | undefined {
  const parent = cacheFolder()
  if (parent === undefined) return undefined
  const folder = join(parent, 'backlot', 'compiled')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isPrivate(join(parent, 'backlot')) && isPrivate(folder) ? folder : undefined
  } catch {
    return undefined
  }
}

/** Where programs of this user keep what can be made again: as the XDG base directory specification says, or Windows. */
function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: chosen = '', LOCALAPPDATA: local = '' } = process.env
  if (isAbsolute(chosen)) return chosen
  if (process.platform === 'win32') return isAbsolute(local) ? local : undefined
  const home = homedir()
  return isAbsolute(home) ? join(home, '.cache') : undefined
}

/** Whether a folder is this user's and closed to others. Windows has no such bits: there the folder of a user is closed. */
function isPrivate(folder: string): boolean {
  const found = lstatSync(folder)
  if (process.getuid === undefined) return found.isDirectory()
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o077) === 0
}
