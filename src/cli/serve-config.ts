import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { didYouMean } from '../names/nearest-name.ts'
import type { ServiceOptions } from '../service/start.ts'

/** What a configuration file may hold. */
export type ServeConfig = Pick<ServiceOptions, 'accounts' | 'trustProxy'>

/**
 * Reads a configuration file: `.json`, `.yaml`, or a module whose default export is the configuration.
 *
 * Rejects with a message that names the file when it cannot be read, holds no object, or holds a key that means nothing.
 */
export async function readServeConfig(file: string): Promise<ServeConfig> {
  const config = await load(file).catch((cause: Error) => {
    throw new Error(`Failed to read the configuration "${file}": ${cause.message}`, { cause })
  })
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new Error(`Failed to read the configuration "${file}": it holds no object. Export \`{ accounts: [...] }\`.`)
  }
  for (const key of Object.keys(config)) {
    if (KEYS.includes(key)) continue
    throw new Error(`Failed to read the configuration "${file}": it has no key "${key}".${didYouMean(key, KEYS)}`)
  }
  const { accounts, trustProxy } = config as ServeConfig
  return { ...(accounts === undefined ? {} : { accounts }), ...(trustProxy === undefined ? {} : { trustProxy }) }
}

const KEYS = ['accounts', 'trustProxy']

async function load(file: string): Promise<unknown> {
  const extension = extname(file)
  if (extension === '.json') return JSON.parse(await readFile(file, 'utf8'))
  if (extension === '.yaml' || extension === '.yml') return (await import('js-yaml')).load(await readFile(file, 'utf8'))
  return ((await import(pathToFileURL(resolve(file)).href)) as { default?: unknown }).default
}
