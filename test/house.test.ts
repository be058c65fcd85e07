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
  protocol: ['names', 'zod'],
  runtime: [],
  server: ['runtime', 'node-forge (lazy)'],
  client: ['protocol', 'runtime', 'undici (lazy)'],
  sink: ['protocol', 'runtime', 'server'],
  fixture: ['names', 'client', 'sink', 'protocol', 'runtime', 'undici (lazy)', 'service/start (lazy)', 'server (lazy)'],
  doors: [
    'fixture',
    'client',
    'sink',
    'protocol',
    'runtime (type)',
    'cli',
    'service/start',
    'vitest',
    '@playwright/test',
    'commander',
  ],
  cli: [
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
    'get-port (lazy)',
    'js-yaml (lazy)',
    'instructions (type)',
  ],
  library: ['names', 'protocol', 'zod', 'js-yaml (lazy)'],

  account: ['protocol', 'runtime', 'zod'],
  openapi: ['names', 'protocol', 'js-yaml (lazy)'],
  schedule: ['runtime (type)'],
  dataset: ['names', 'openapi (type)', 'protocol', 'runtime'],
  world: ['names', 'dataset (type)', 'openapi (type)', 'protocol', 'runtime'],
  behaviour: ['world', 'dataset (type)', 'openapi (type)', 'protocol', 'runtime', 'schedule (type)'],
  webhooks: ['protocol', 'schedule', 'runtime', 'world (type)', 'undici (lazy)'],
  'simulated-api': ['names', 'world', 'openapi (type)', 'dataset (type)', 'protocol', 'runtime', 're2js', 'zod'],
  instructions: ['openapi (type)', 'world', 'protocol', 'runtime', 'zod'],
  simulation: [
    'names',
    'world',
    'dataset',
    'behaviour',
    'webhooks',
    'schedule',
    'simulated-api',
    'openapi (type)',
    'protocol',
    'runtime',
  ],
  management: [
    'names',
    'simulation',
    'account (type)',
    'library',
    'openapi',
    'webhooks',
    'protocol',
    'runtime',
    'zod (type)',
    'instructions (type)',
  ],
  listener: ['management', 'simulation (type)', 'simulated-api', 'server', 'protocol', 'runtime'],
  'service/start': [
    'listener',
    'instructions',
    'management',
    'webhooks',
    'account',
    'library (lazy)',
    'server',
    'protocol',
    'runtime',
  ],
}

/** Files that may do what their room may not. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'fixture -> service/start': ['fixture/run/open-service.ts'],
  'doors -> service/start': ['service.ts'],
  'doors -> vitest': ['vitest.ts', 'vitest/'],
  'doors -> @playwright/test': ['playwright.ts', 'playwright/'],
  'doors -> cli': ['cli.ts'],
  'doors -> commander': ['cli.ts'],
}

const src = join(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ path: file.replaceAll(sep, '/'), text: readFileSync(join(src, file), 'utf8') }))

interface Arrow {
  file: string
  from: string
  to: string
  form: 'static' | 'type' | 'lazy'
}

const arrows = files.flatMap(({ path, text }) => importsOf(path, text))

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

it('has no circle of rooms', () => {
  expect(findCircle()).toBeUndefined()
})

describe('style', () => {
  it('keeps time, timers and chance in the room runtime', () => {
    const clock =
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|(?<![.\w])set(?:Timeout|Interval|Immediate)\(/

    const strange = linesMatching(clock, ({ path }) => !path.startsWith('runtime/'))

    expect(strange).toEqual([])
  })

  it('has files of at most 300 lines', () => {
    const long = files.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 })).filter(isLong)

    expect(long).toEqual([])
  })

  it('names files and folders in kebab-case, after what they hold', () => {
    const strange = files.filter(({ path }) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(path))
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
  const from = roomOf(file)
  return [...withoutComments(text).matchAll(statement)].flatMap((match): Arrow[] => {
    const [whole, type, named, lazy] = match
    const to = targetOf(file, named ?? lazy ?? '')
    if (to === undefined || to === from) return []
    const form = lazy !== undefined ? 'lazy' : type !== undefined || importsOnlyTypes(whole) ? 'type' : 'static'
    return [{ file, from, to, form }]
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

/** A room of ours, or a package; undefined for what Node brings. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return roomOf(relative(src, join(src, dirname(file), specifier)).replaceAll(sep, '/'))
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) return undefined
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function roomOf(file: string): string {
  const [first = '', second = '', third] = file.split('/')
  if (first === 'service') return third === undefined ? 'service/start' : second
  return second === '' || first === 'vitest' || first === 'playwright' ? 'doors' : first
}

function isAllowed({ from, to, form }: Arrow): boolean {
  const allowed = HOUSE[from] ?? []
  if (allowed.includes(to)) return true
  return (
    (form !== 'static' && allowed.includes(`${to} (lazy)`)) || (form === 'type' && allowed.includes(`${to} (type)`))
  )
}

function findCircle(): string | undefined {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of arrows) next.set(from, (next.get(from) ?? new Set()).add(to))
  const visit = (room: string, path: string[]): string | undefined => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room].join(' -> ')
    for (const to of next.get(room) ?? []) {
      const circle = visit(to, [...path, room])
      if (circle) return circle
    }
    return undefined
  }
  return [...next.keys()].map((room) => visit(room, [])).find((circle) => circle !== undefined)
}

/** A name that says nothing of what the file holds. In `cli/` a file is named after its command. */
function isVague(path: string): boolean {
  return /(^|\/)(utils|helpers|common|types)\.ts$|\/index\.ts$/.test(path) && path !== 'cli/types.ts'
}

/** Lists of words are data: their length is no burden to who reads the code. */
function isLong({ path, lines }: { path: string; lines: number }): boolean {
  return lines > 300 && !path.startsWith('service/dataset/words/')
}

function linesMatching(pattern: RegExp, applies: (file: { path: string }) => boolean): string[] {
  return files.filter(applies).flatMap(({ path, text }) =>
    withoutComments(text)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
}
