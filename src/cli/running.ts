import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runningFolder } from '../runtime/compile-cache.ts'

/** What `backlot env`, `list` and `trigger` know of a running `backlot serve` of this user. */
export interface RunningService {
  readonly url: string
  readonly accountKey: string
  readonly ca?: string | undefined
  readonly simulations: readonly { readonly slug: string; readonly env?: Readonly<Record<string, string>> }[]
  readonly hostsEnv?: Readonly<Record<string, string>> | undefined
}

/** Notes this process's service for other commands of this user, in a file that only the user reads. Returns what removes it. */
export function noteRunning(service: RunningService): () => void {
  const folder = runningFolder()
  if (folder === undefined) return () => {}
  findRunning()
  const file = join(folder, `${process.pid}.json`)
  writeFileSync(file, JSON.stringify(service), { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** The running services, the latest first. Removes what killed ones have left. */
export function findRunning(): RunningService[] {
  const folder = runningFolder()
  if (folder === undefined) return []
  const services = readdirSync(folder).flatMap((name) => {
    const file = join(folder, name)
    if (isAlive(Number.parseInt(name, 10)))
      return { at: statSync(file).mtimeMs, service: JSON.parse(readFileSync(file, 'utf8')) as RunningService }
    rmSync(file, { force: true })
    return []
  })
  return services.toSorted((a, b) => b.at - a.at).map(({ service }) => service)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
