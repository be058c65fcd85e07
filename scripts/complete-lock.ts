/**
 * Names in `package-lock.json` the optional packages of other platforms that npm left out, so that `npm ci` accepts the lock:
 * an npm registry that does not serve them makes npm write a lock that it then refuses. Run it after a change of
 * dependencies; where nothing is missing it changes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'x64', 'ppc64', 'riscv64', 's390x', 'loong64', 'mips64el', 'wasm32']

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> }
let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue
    lock.packages[`node_modules/${name}`] = toEntry(name, range, path === '' || entry.dev === true)
    added++
  }
}
if (added > 0) {
  const sorted = Object.entries(lock.packages).sort(([left], [right]) => left.localeCompare(right, 'en'))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
}
console.log(`${added} packages of other platforms added to package-lock.json`)

/** Whether a package is found from `path` upwards, as Node looks for it. */
function isLocked(path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`] !== undefined) return true
    if (at === '') return false
  }
}

function toEntry(name: string, range: string, isDev: boolean): LockEntry {
  const words = name.toLowerCase().split(/[-_/]/)
  const os = SYSTEMS.filter((system) => words.includes(system) || (system === 'darwin' && words.includes('fsevents')))
  const isArm32 = words.some((word) => /^arm(?!64)/.test(word))
  const cpu = isArm32 ? ['arm'] : PROCESSORS.filter((processor) => words.includes(processor))
  const isMusl = words.some((word) => word.startsWith('musl'))
  const isGnu = os.includes('linux') && words.some((word) => word.startsWith('gnu'))
  return {
    version: range.replace(/^[\^~>=]+/, ''),
    ...(cpu.length > 0 && { cpu }),
    ...(isDev && { dev: true }),
    ...((isMusl || isGnu) && { libc: [isMusl ? 'musl' : 'glibc'] }),
    optional: true,
    ...(os.length > 0 && { os }),
  }
}
