import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * What each room may import, of ours and of others'. `(type)` means types alone; `(lazy)` means at first need, by
 * `import()` (types may be imported anyhow). An arrow that is not here is a decision: it needs a reason, not only a
 * line.
 */
const HOUSE: Readonly<Record<string, readonly string[]>> = {
  names: [],
  // The parts of a description that a client sends, and the reading of its text.
  excerpt: ['names', 'protocol', 'js-yaml (lazy)'],
  protocol: ['names', 'zod'],
  // undici by one file, which lends it what a test environment lacks.
  runtime: ['undici (lazy)'],
  schema: ['protocol', 'runtime', 're2js'],
  server: ['runtime', 'node-forge (lazy)'],
  client: ['protocol', 'runtime', 'undici (type)', 'p-retry (lazy)'],
  sink: ['protocol', 'runtime', 'server'],
  fixture: [
    'names',
    'client',
    'sink',
    'protocol',
    'runtime',
    'service/start (lazy)',
    'server',
    'library (type)',
    'excerpt (lazy)',
  ],
  doors: ['runtime', 'fixture', 'client', 'sink', 'protocol', 'cli', 'service/start', 'vitest', '@playwright/test'],
  cli: [
    'schema (type)',
    'schema (lazy)',
    'names',
    'fixture',
    'client',
    'sink',
    'server',
    'protocol',
    'runtime',
    'commander',
    'picocolors',
    'service/start (lazy)',
    'openapi (lazy)',
    'simulated-api (lazy)',
    'library (lazy)',
    'behaviour (lazy)',
    'store (lazy)',
    'account (lazy)',
    'get-port (lazy)',
    'js-yaml (lazy)',
    'excerpt (lazy)',
    'instructions (type)',
  ],
  library: ['names', 'protocol', 'runtime', 'zod', 'js-yaml (lazy)'],

  account: ['store', 'protocol', 'runtime', 'zod'],
  openapi: ['schema', 'names', 'protocol', 'excerpt'],
  dataset: ['schema', 'names', 'openapi (type)', 'protocol', 'runtime'],
  world: ['schema (type)', 'names', 'dataset (type)', 'openapi (type)', 'protocol', 'runtime'],
  behaviour: [
    'names',
    'schema (type)',
    'simulated-api',
    'world',
    'dataset (type)',
    'openapi (type)',
    'protocol',
    'runtime',
  ],
  webhooks: ['protocol', 'runtime', 'world', 'undici (type)'],
  'simulated-api': [
    'schema',
    'names',
    'world',
    'openapi (type)',
    'dataset (type)',
    'protocol',
    'runtime',
    'zod',
    // Its code is required at first need: an answer is made synchronously.
    'fast-xml-parser (type)',
  ],
  instructions: ['schema (type)', 'openapi (type)', 'world', 'protocol', 'runtime', 'zod'],
  simulation: [
    'names',
    'world',
    'dataset',
    'behaviour',
    'webhooks',
    'simulated-api',
    'openapi (type)',
    'store',
    'protocol',
    'runtime',
  ],
  store: ['protocol', 'runtime', 'zod', 'pg (lazy)'],
  operations: ['protocol', 'store', 'server', 'runtime', 'prom-client (lazy)'],
  management: [
    'names',
    'simulation',
    'store',
    'account (type)',
    'library',
    'openapi',
    'webhooks (type)',
    'protocol',
    'runtime',
    'zod',
    'instructions (type)',
  ],
  // The page, which a browser runs: types of the protocol alone.
  ui: ['protocol (type)', 'preact', '@preact/signals'],
  'service/ui': ['listener', 'management', 'account (type)', 'store', 'protocol', 'runtime (type)', 'zod'],
  listener: ['management', 'simulation (type)', 'simulated-api (type)', 'world', 'server', 'protocol', 'runtime'],
  'service/start': [
    'listener',
    'instructions',
    'management',
    'service/ui',
    'webhooks',
    'account',
    'library (lazy)',
    'server',
    'store',
    'protocol',
    'runtime',
    'simulation',
    'operations (lazy)',
  ],
}

/** Files that may do what their room may not. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'fixture -> service/start': ['fixture/run/open-service.ts', 'fixture/run/shared-run.ts'],
  'doors -> service/start': ['service.ts'],
  'doors -> vitest': ['vitest.ts', 'vitest/'],
  'doors -> @playwright/test': ['playwright.ts', 'playwright/'],
  'doors -> cli': ['cli.ts'],
}

/** Exported names that several files may declare, each a thing of its own there. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  Simulation: 'what a test author holds, and what the service runs: no file knows both',
  simulationTest: 'the same call for the tests of Vitest and for those of Playwright, a door each',
}

const src = join(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ path: file.replaceAll(sep, '/'), text: readFileSync(join(src, file), 'utf8') }))

/** From a file to a file of ours or to a package, with the rooms of both. */
interface Arrow {
  file: string
  target: string
  from: string
  to: string
  form: 'static' | 'type' | 'lazy'
}

const imports = files.flatMap(({ path, text }) => importsOf(path, text))
const arrows = imports.filter(({ from, to }) => from !== to)

it('has rooms that import only what the table of the house lets them', () => {
  const strange = arrows.filter((arrow) => !isAllowed(arrow))

  expect(strange.map(({ file, to, form }) => `${file} imports ${to} (${form})`)).toEqual([])
})

it('reaches the special doors only from the files named for it', () => {
  const strange = arrows.filter(({ file, from, to }) => {
    const places = EXCEPTIONS[`${from} -> ${to}`]
    return places !== undefined && !places.some((place) => file.startsWith(place))
  })

  expect(strange.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
})

it('lets rooms import no more than they do', () => {
  const drawn = new Set(arrows.map(({ from, to, form }) => `${from}: ${to}${form === 'static' ? '' : ` (${form})`}`))
  const listed = Object.entries(HOUSE).flatMap(([room, targets]) => targets.map((target) => `${room}: ${target}`))

  expect(listed.filter((arrow) => !drawn.has(arrow))).toEqual([])
})

it('has no circle of rooms', () => {
  expect(circlesOf(arrows.map(({ from, to }) => [from, to]))).toEqual([])
})

it('has no circle of files, types included', () => {
  expect(circlesOf(imports.map(({ file, target }) => [file, target]))).toEqual([])
})

it('has no circle of folders in a room', () => {
  const inside = imports.filter(({ from, to }) => from === to)
  const pairs = inside.map(({ file, target }) => [partOf(file), partOf(target)] as const)

  expect(circlesOf(pairs.filter(([from, to]) => from !== to))).toEqual([])
})

it('gives each exported name to one thing', () => {
  // A library entry is a document in parts: each has a file of its `paths`, one of its `schemas` and so on.
  const declared = files
    .filter(({ path }) => !path.startsWith('library/'))
    .flatMap(({ path, text }) => [...new Set(exportsOf(withoutComments(text)))].map((name) => ({ name, path })))
  const shared = [...Map.groupBy(declared, ({ name }) => name)].filter(([, places]) => places.length > 1)

  expect(shared.map(([name]) => name).toSorted()).toEqual(Object.keys(SHARED_NAMES))
})

it('keeps no state in modules but what decisions/014-module-state.md lists', () => {
  const decision = readFileSync(join(src, '../decisions/014-module-state.md'), 'utf8')
  const listed = [...decision.matchAll(/^- `src\/([^`]+)` (.+?):/gm)].map(
    ([, file = '', names = '']) => `${file}: ${names}`,
  )
  const found = files.flatMap((file) => {
    const names = stateOf(withoutComments(file.text))
    return names.length > 0 ? [`${file.path}: ${names.map((name) => `\`${name}\``).join(', ')}`] : []
  })

  expect(found.toSorted()).toEqual(listed.toSorted())
})

describe('style', () => {
  it('keeps time, timers and chance in the room runtime', () => {
    const clock =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|(?<![.\w])set(?:Timeout|Interval|Immediate)\(/

    // The page has the clock of its browser.
    const strange = linesMatching(clock, ({ path }) => !/^(?:runtime|ui)\//.test(path))

    expect(strange).toEqual([])
  })

  it('names files and folders in kebab-case, after what they hold', () => {
    const strange = files.filter(({ path }) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(path))
    const vague = files.filter(({ path }) => isVague(path))

    expect([...strange, ...vague].map(({ path }) => path)).toEqual([])
  })

  it('exports by name', () => {
    expect(linesMatching(/^export default /, () => true)).toEqual([])
  })

  it('holds no any, no ignored type error and no unverified TLS', () => {
    expect(linesMatching(/: any\b|as any\b|@ts-ignore|rejectUnauthorized: *false/, () => true)).toEqual([])
  })

  it('leaves nothing for later', () => {
    expect(linesMatching(/\b(TODO|FIXME|XXX)\b|\b[Nn]ot implemented\b/, () => true)).toEqual([])
  })
})

function importsOf(file: string, text: string): Arrow[] {
  const statement = /^(?:import|export)\s+(type\s+)?(?:[^'"();]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm
  return [...withoutComments(text).matchAll(statement)].flatMap(([whole, type, named, lazy]): Arrow[] => {
    const target = targetOf(file, named ?? lazy ?? '')
    if (target === undefined) return []
    const form = lazy !== undefined ? 'lazy' : type !== undefined || importsOnlyTypes(whole) ? 'type' : 'static'
    return [{ file, target, from: roomOf(file), to: /\.tsx?$/.test(target) ? roomOf(target) : target, form }]
  })
}

/** `import { type A, type B } from`. */
function importsOnlyTypes(statement: string): boolean {
  const names = /\{([^}]*)\}/
    .exec(statement)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names !== undefined && names.length > 0 && names.every((name) => name.startsWith('type '))
}

/** Names that a file declares and exports; what it passes on from another file is not its own. */
function exportsOf(text: string): string[] {
  const declaration = /^export (?:async |abstract )?(?:function\*?|class|interface|type|const|let) (\w+)/gm
  return [...text.matchAll(declaration)].map(([, name = '']) => name)
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** A file of ours, or a package; undefined for what Node brings. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative(src, join(src, dirname(file), specifier)).replaceAll(sep, '/')
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function roomOf(file: string): string {
  const [first = '', second = '', third] = file.split('/')
  if (first === 'service' && second === 'ui') return 'service/ui'
  if (first === 'service') return third === undefined ? 'service/start' : second
  return second === '' || first === 'vitest' || first === 'playwright' ? 'doors' : first
}

/** The part of a room that has a file: its folder; at the top of a room, each file is a part. */
function partOf(file: string): string {
  const folder = dirname(file)
  return folder.split('/').length > (file.startsWith('service/') ? 2 : 1) ? folder : file
}

function isAllowed({ from, to, form }: Arrow): boolean {
  const allowed = HOUSE[from] ?? []
  if (allowed.includes(to)) return true
  return (
    (form !== 'static' && allowed.includes(`${to} (lazy)`)) || (form === 'type' && allowed.includes(`${to} (type)`))
  )
}

/** Each largest set of names in which every name leads to every other, in alphabetical order. */
function circlesOf(pairs: readonly (readonly [string, string])[]): string[][] {
  const next = Map.groupBy(pairs, ([from]) => from)
  const reached = new Map([...next.keys()].map((name) => [name, reachableFrom(name)]))
  const circles = [...next.keys()].map((name) =>
    [...(reached.get(name) ?? [])].filter((other) => reached.get(other)?.has(name)).toSorted(),
  )
  const byFirst = new Map(circles.filter(({ length }) => length > 0).map((circle) => [circle[0], circle]))
  return [...byFirst.values()].toSorted(([left = ''], [right = '']) => left.localeCompare(right, 'en'))

  function reachableFrom(name: string, seen = new Set<string>()): Set<string> {
    for (const [, to] of next.get(name) ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      reachableFrom(to, seen)
    }
    return seen
  }
}

/** Names of a module that change after it was loaded: `let`, objects of our classes, what is written to, remembered answers. */
function stateOf(text: string): string[] {
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const caches = names(/^(?:export )?const (\w+)(?: = \{\n)?[^\n]*(?:new Weak(?:Map|Set)\b|= remember\()/gm)
  const objects = names(
    /^(?:export )?const (\w+)\b[^\n]* = new (?!(?:Map|Set|RegExp|URL|Uint8Array|TextDecoder|Intl)\b)/gm,
  )
  const written = names(/^(?:export )?const (\w+)/gm).filter((name) => isWritten(name, text))
  return [...names(/^(?:export )?let (\w+)/gm), ...new Set([...caches, ...objects, ...written])]
}

/** Whether a member of it is set, or called by a name that changes collections. */
function isWritten(name: string, text: string): boolean {
  const call = '\\.(?:set|add|delete|clear|push|unshift|splice|pop|shift)\\('
  const member = '(?:\\.\\w+|\\[[^\\]]+\\]) (?:[-+*/|&]|\\?\\?)?=[^=>]'
  return new RegExp(`(?<![.\\w])${name}(?:${call}|${member})`).test(text)
}

/** A name that says nothing of what the file holds. In `cli/` a file is named after its command. */
function isVague(path: string): boolean {
  return /(^|\/)(utils|helpers|common|types)\.ts$|\/index\.ts$/.test(path) && path !== 'cli/types.ts'
}

/** Lists of words are data, and types of entries are written by a script: their length is no burden to who reads the code. */
function linesMatching(pattern: RegExp, applies: (file: { path: string }) => boolean): string[] {
  return files.filter(applies).flatMap(({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
}
