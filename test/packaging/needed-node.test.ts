import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { engines, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string }
  exports: Record<string, { default: string } | string>
}
const entryPoints = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [] : [target.default]))
const old = findOldNode()

it('names the version that package.json asks for', () => {
  const source = readFileSync(join(root, 'src/runtime/needed-node.ts'), 'utf8')
  const [, major, minor] = /NEEDED = \[(\d+), (\d+)\]/.exec(source) ?? []

  expect(engines.node).toBe(`>=${major}.${minor}`)
})

it.skipIf(old === undefined)('says in one sentence that Node is too old, at every entry point', () => {
  const messages = [...entryPoints, './dist/cli.js'].map((file) => {
    const script = `import(${JSON.stringify(new URL(file, `file://${root}`).href)}).catch((error) => console.log(error.stack))`
    return spawnSync(old?.path ?? '', ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout.trim()
  })

  expect(new Set(messages)).toEqual(new Set([`backlot needs Node 22.19 or later; this is ${old?.version}.`]))
})

it.each(['delete globalThis.process', 'globalThis.process = { env: {} }'])(
  'says what to do in a browser, where each entry point ends at its first lines: %s',
  (shown) => {
    const script = `
    const { log } = console
    ${shown}
    await import(${JSON.stringify(new URL('src/runtime/needed-node.ts', `file://${root}`).href)}).catch((error) => log(error.stack))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })

    expect(stdout.trim()).toBe(
      'backlot runs in Node, and this is a browser. Create the simulation in a `globalSetup`, and give its address to the tests with `project.provide` (docs/vitest.md, "Browser mode").',
    )
  },
)

it('names the globals that a test environment leaves out, and what to use in place of it', () => {
  const script = `
    for (const name of ['TextDecoder', 'structuredClone']) delete globalThis[name]
    await import(${JSON.stringify(new URL('src/runtime/needed-node.ts', `file://${root}`).href)}).catch((error) => console.log(error.stack))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })

  expect(stdout.trim()).toBe(
    "backlot needs `TextDecoder`, `structuredClone`, which this test environment leaves out. In Jest use `jest-fixed-jsdom` in place of `jest-environment-jsdom`, or `testEnvironment: 'node'`.",
  )
})

/** A Node on the path, outside of this repository, that is older than the needed one; the second test is skipped without. */
function findOldNode(): { path: string; version: string } | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder.includes('node_modules')) continue
    const path = join(folder, 'node')
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1)
    if (version && Number(version.split('.')[0]) < 22 && Number(version.split('.')[0]) >= 18) return { path, version }
  }
  return undefined
}
