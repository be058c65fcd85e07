import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('loads undici where the test environment lacks a name that it looks up, and lends that only meanwhile', () => {
  const source = fileURLToPath(new URL('../../src/runtime/load-undici.ts', import.meta.url))
  const script = `
    delete globalThis.MessagePort
    const { loadUndici } = await import(${JSON.stringify(source)})
    const { Client } = await loadUndici()
    console.log(typeof Client + ' ' + ('MessagePort' in globalThis))`

  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })

  expect(said).toBe('function false\n')
})
