import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * The folders and packages that each folder may import. `(type)` allows only types; `(lazy)` allows `import()` at first
 * use, and types. A new arrow needs a reason in the commit.
 */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  names: [],
  // The parts of a description that a client sends, and the reading of its text.
  description: ['names', 'protocol', 'js-yaml (lazy)'],
  protocol: ['names', 'zod'],
  // Only one file uses undici, where a test environment has no `fetch`.
  runtime: ['undici (lazy)'],
  schema: ['protocol', 'runtime', 're2js (type)'],
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
    // A folder beside a description is read by the test's side, and sent with the creation.
    'library (lazy)',
    'description (lazy)',
  ],
  'entry points': [
    'runtime',
    'fixture',
    'client',
    'sink',
    'protocol',
    'cli',
    'service/start',
    'vitest',
    '@playwright/test',
  ],
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
    'store (lazy)',
    'account (lazy)',
    'get-port (lazy)',
    'js-yaml (lazy)',
    'description (lazy)',
    'instructions (type)',
  ],
  library: ['names', 'openapi (type)', 'protocol', 'runtime', 'zod', 'js-yaml (lazy)'],

  account: ['store', 'protocol', 'runtime', 'zod'],
  openapi: ['schema', 'names', 'protocol', 'description'],
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
  pages: ['protocol (type)'],
  'sign-in': ['names', 'openapi (type)', 'pages', 'protocol'],
  'simulated-api': [
    'schema',
    'names',
    'world',
    'sign-in',
    'pages',
    'openapi (type)',
    'dataset (type)',
    'protocol',
    'runtime',
    'zod',
    // Its code is loaded with `require` at first use, since answers are synchronous.
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
    'pages',
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
    'simulated-api (lazy)',
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
  // Runs in a browser, so it has only names and types of the protocol.
  ui: ['names', 'protocol (type)', 'preact', '@preact/signals'],
  'service/ui': ['listener', 'management', 'account (type)', 'store', 'protocol', 'runtime (type)', 'zod'],
  listener: [
    'pages',
    'management',
    'simulation (type)',
    'simulated-api (type)',
    'world',
    'server',
    'protocol',
    'runtime',
  ],
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

/** Imports that only some files of a folder may have. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'fixture -> service/start': ['fixture/run/open-service.ts', 'fixture/run/shared-run.ts'],
  'entry points -> service/start': ['service.ts'],
  'entry points -> vitest': ['vitest.ts', 'vitest/'],
  'entry points -> @playwright/test': ['playwright.ts', 'playwright/'],
  'entry points -> cli': ['cli.ts'],
}

const src = join(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ path: file.replaceAll(sep, '/'), text: readFileSync(join(src, file), 'utf8') }))

/** An import from a file to another file or to a package, with the folders of both. */
interface Arrow {
  file: string
  target: string
  from: string
  to: string
  form: 'static' | 'type' | 'lazy'
}

const imports = files.flatMap(({ path, text }) => importsOf(path, text))
const arrows = imports.filter(({ from, to }) => from !== to)

it('imports between folders only what the table allows', () => {
  const forbidden = arrows.filter((arrow) => !isAllowed(arrow))

  expect(forbidden.map(({ file, to, form }) => `${file} imports ${to} (${form})`)).toEqual([])
})

it('has restricted imports only in the files listed for them', () => {
  const forbidden = arrows.filter(({ file, from, to }) => {
    const places = EXCEPTIONS[`${from} -> ${to}`]
    return places !== undefined && !places.some((place) => file.startsWith(place))
  })

  expect(forbidden.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
})

it('has no import in the table that no file uses', () => {
  const used = new Set(arrows.map(({ from, to, form }) => `${from}: ${to}${form === 'static' ? '' : ` (${form})`}`))
  const listed = Object.entries(ALLOWED_IMPORTS).flatMap(([folder, targets]) =>
    targets.map((target) => `${folder}: ${target}`),
  )

  expect(listed.filter((arrow) => !used.has(arrow))).toEqual([])
})

it('has no import cycle of folders', () => {
  expect(cyclesOf(arrows.map(({ from, to }) => [from, to]))).toEqual([])
})

it('has no import cycle of files, types included', () => {
  expect(cyclesOf(imports.map(({ file, target }) => [file, target]))).toEqual([])
})

it('has no import cycle of the folders in a folder', () => {
  const inside = imports.filter(({ from, to }) => from === to)
  const pairs = inside.map(({ file, target }) => [partOf(file), partOf(target)] as const)

  expect(cyclesOf(pairs.filter(([from, to]) => from !== to))).toEqual([])
})

it('has no module state except what decisions/module-state.md lists', () => {
  const record = readFileSync(join(src, '../decisions/module-state.md'), 'utf8')
  const listed = [...record.matchAll(/^- `src\/([^`]+)` (.+?):/gm)].map(
    ([, file = '', names = '']) => `${file}: ${names}`,
  )
  const found = files.flatMap((file) => {
    const names = stateOf(withoutComments(file.text))
    return names.length > 0 ? [`${file.path}: ${names.map((name) => `\`${name}\``).join(', ')}`] : []
  })

  expect(found.toSorted()).toEqual(listed.toSorted())
})

/**
 * Files of `test/` that measure time or let it pass, and why. `npm test` asserts no time: what must be short is counted, or measured by
 * `npm run bench -- bounds`, and a wait ends with its event.
 */
const TIMED_TESTS: Readonly<Record<string, string>> = {
  'fixture/projects/killed/hang.ts': 'a test that hangs until it is killed',
  'fixture/runners/held.test.ts': "holds a test for longer than its hook's time limit",
  'fixture/forward-by-record.test.ts': 'an application that answers late',
  'fuzz/fuzz-service.ts': 'measures for `npm run fuzz`',
  'fuzz/soak/caller.ts': 'measures for `npm run soak`',
  'fuzz/soak/clients.ts': 'clients of `npm run soak`',
  'fuzz/soak/service.ts': 'leaves a timer, which the soak must notice',
  'neighbours/delay-others.ts': 'measures for `npm run neighbours`',
  'openapi/hostile/probe-process.ts': 'ends a process that hangs',
  'server/unread-answers.test.ts': 'answers late, and a client that reads slowly',
  'store/stored-service.test.ts': 'waits until a node asks no more, as often as it needs',
  'store/two-services.test.ts': 'a store that is slow',
  'support/process-watch.ts': 'measures for `npm run soak` and `npm run chaos`',
  'support/processor-time.ts': 'measures for `npm run hostile` and `npm run neighbours`',
  'ui/security.spec.ts': 'code of a page that attacks',
}

it('measures no time in tests, and waits for events instead of delays', () => {
  const folder = import.meta.dirname
  const measure =
    /\bperformance\.now\b|\bhrtime\b|[cC]puUsage\b|\bmonitorEventLoopDelay\b|expect\((?:Math\.abs\()?Date\.now\b/
  const wait = /(?<![.\w])setTimeout\(|(?<![.\w])sleep\(|timers\/promises/
  // The project's own limits are against hangs alone.
  const limit =
    /^(?:\}| {2}\}), [\d_]+_000\)$|\b(?:it|describe)\b.*\{ timeout: [\d_]+ \}|expect\.poll\(.*timeout:|\bvi\.waitFor\(/
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => /\.(?:[cm]?ts|mjs)$/.test(path) && !/node_modules|^nodes\/|^architecture\.test/.test(path))
    .flatMap((path) => {
      const lines = withoutComments(readFileSync(join(folder, path), 'utf8')).split('\n')
      const isLimited = !path.startsWith('fixture/projects/') && lines.some((line) => limit.test(line))
      return isLimited || lines.some((line) => measure.test(line) || wait.test(line)) ? [path] : []
    })

  expect(found.toSorted()).toEqual(Object.keys(TIMED_TESTS).toSorted())
})

describe('style', () => {
  it('uses the clock, timers and randomness only in runtime/', () => {
    const clock =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|(?<![.\w])set(?:Timeout|Interval|Immediate)\(/

    // The dashboard uses the browser's clock.
    const forbidden = linesMatching(clock, ({ path }) => !/^(?:runtime|ui)\//.test(path))

    expect(forbidden).toEqual([])
  })

  it('names files and folders in kebab-case, without vague names', () => {
    const misnamed = files.filter(({ path }) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(path))
    const vague = files.filter(({ path }) => isVague(path))

    expect([...misnamed, ...vague].map(({ path }) => path)).toEqual([])
  })

  it('has only named exports', () => {
    expect(linesMatching(/^export default /, () => true)).toEqual([])
  })

  it('has no any, no ignored type error and no unverified TLS', () => {
    expect(linesMatching(/: any\b|as any\b|@ts-ignore|rejectUnauthorized: *false/, () => true)).toEqual([])
  })

  it('has no TODO', () => {
    expect(linesMatching(/\b(TODO|FIXME|XXX)\b|\b[Nn]ot implemented\b/, () => true)).toEqual([])
  })
})

function importsOf(file: string, text: string): Arrow[] {
  const statement = /^(?:import|export)\s+(type\s+)?(?:[^'"();]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm
  return [...withoutComments(text).matchAll(statement)].flatMap(([whole, type, named, lazy]): Arrow[] => {
    const target = targetOf(file, named ?? lazy ?? '')
    if (target === undefined) return []
    const form = lazy !== undefined ? 'lazy' : type !== undefined || importsOnlyTypes(whole) ? 'type' : 'static'
    return [{ file, target, from: folderOf(file), to: /\.tsx?$/.test(target) ? folderOf(target) : target, form }]
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

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** The path of a file in `src`, or a package's name; undefined for modules of Node. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return relative(src, join(src, dirname(file), specifier)).replaceAll(sep, '/')
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function folderOf(file: string): string {
  const [first = '', second = '', third] = file.split('/')
  if (first === 'service' && second === 'ui') return 'service/ui'
  if (first === 'service') return third === undefined ? 'service/start' : second
  return second === '' || first === 'vitest' || first === 'playwright' ? 'entry points' : first
}

/** The subfolder of a file; a file at the top of a folder is a part of its own. */
function partOf(file: string): string {
  const folder = dirname(file)
  return folder.split('/').length > (file.startsWith('service/') ? 2 : 1) ? folder : file
}

function isAllowed({ from, to, form }: Arrow): boolean {
  const allowed = ALLOWED_IMPORTS[from] ?? []
  if (allowed.includes(to)) return true
  return (
    (form !== 'static' && allowed.includes(`${to} (lazy)`)) || (form === 'type' && allowed.includes(`${to} (type)`))
  )
}

/** The strongly connected sets of more than one name, or of a name that leads to itself, in alphabetical order. */
function cyclesOf(pairs: readonly (readonly [string, string])[]): string[][] {
  const next = Map.groupBy(pairs, ([from]) => from)
  const reached = new Map([...next.keys()].map((name) => [name, reachableFrom(name)]))
  const cycles = [...next.keys()].map((name) =>
    [...(reached.get(name) ?? [])].filter((other) => reached.get(other)?.has(name)).toSorted(),
  )
  const byFirst = new Map(cycles.filter(({ length }) => length > 0).map((cycle) => [cycle[0], cycle]))
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

/** Names of a module whose values can change after loading: `let`, instances of classes, collections and members that are written, caches. */
function stateOf(text: string): string[] {
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  const caches = names(/^(?:export )?const (\w+)(?: = \{\n)?[^\n]*(?:new Weak(?:Map|Set)\b|= remember\()/gm)
  const objects = names(
    /^(?:export )?const (\w+)\b[^\n]* = new (?!(?:Map|Set|RegExp|URL|Uint8Array|TextDecoder|Intl)\b)/gm,
  )
  const written = names(/^(?:export )?const (\w+)/gm).filter((name) => isWritten(name, text))
  return [...names(/^(?:export )?let (\w+)/gm), ...new Set([...caches, ...objects, ...written])]
}

/** Whether the text sets a member of `name`, or calls a method that changes a collection. */
function isWritten(name: string, text: string): boolean {
  const call = '\\.(?:set|add|delete|clear|push|unshift|splice|pop|shift)\\('
  const member = '(?:\\.\\w+|\\[[^\\]]+\\]) (?:[-+*/|&]|\\?\\?)?=[^=>]'
  return new RegExp(`(?<![.\\w])${name}(?:${call}|${member})`).test(text)
}

/** File names that do not describe the content. In `cli/` a file is named after its command. */
function isVague(path: string): boolean {
  return /(^|\/)(utils|helpers|common|types)\.ts$|\/index\.ts$/.test(path) && path !== 'cli/types.ts'
}

function linesMatching(pattern: RegExp, applies: (file: { path: string }) => boolean): string[] {
  return files.filter(applies).flatMap(({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
}
