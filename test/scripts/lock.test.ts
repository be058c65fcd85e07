import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

interface LockEntry {
  version?: string
  integrity?: string
  resolved?: string
  optional?: boolean
  dev?: boolean
  os?: string[]
  cpu?: string[]
}

const file = join(import.meta.dirname, '../../package-lock.json')
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> }
const locked = Object.entries(packages).filter(([path]) => path !== '')

/**
 * Binaries of tools for other platforms than the one that the lock was written on, whose registry did not serve them
 * (`scripts/complete-lock.ts`). npm installs one on its platform alone, for development alone, and no other package may go without.
 */
const isOfAnotherPlatform = ({ optional, dev, os, cpu }: LockEntry): boolean =>
  optional === true && dev === true && (os !== undefined || cpu !== undefined)

it('holds the content of every package to a hash, but for tools of other platforms', () => {
  const open = locked.filter(([, entry]) => entry.integrity === undefined && !isOfAnotherPlatform(entry))
  const weak = locked.filter(([, { integrity }]) => integrity !== undefined && !/^sha512-[\w+/]{86}==$/.test(integrity))

  expect(locked.length).toBeGreaterThan(100)
  expect([...open, ...weak].map(([path]) => path)).toEqual([])
})

it('takes packages from the registry that npm is set to, each in one exact version', () => {
  const elsewhere = locked.filter(([, { resolved }]) => resolved !== undefined)
  const loose = locked.filter(([, { version = '' }]) => !/^\d+\.\d+\.\d+(-[\w.]+)?(\+[\w.]+)?$/.test(version))

  expect([...elsewhere, ...loose].map(([path]) => path)).toEqual([])
})
