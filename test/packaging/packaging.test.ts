import { once } from 'node:events'
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLine } from '../conformance/served-target.ts'
import { OF_FIXTURE, OF_SERVICE } from '../support/built-words.ts'
import { CHROMIUM_ARGS } from '../support/chromium-args.ts'
import { LONG_LIMITS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'
import { createProject, pack, readmeExamples } from './packed-project.ts'
import { canMount, runImage } from './run-image.ts'

const TOOLS = ['vitest', '@playwright/test', 'typescript', '@types/node', 'pg', 'prom-client']
const ENTRY_POINTS = [
  'backlot',
  'backlot/vitest',
  'backlot/vitest/plugin',
  'backlot/playwright',
  'backlot/handlers',
  'backlot/service',
]

/** The files and folders at the top of the package. */
const TOP = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json']

/** Sources that are in the maps without their text: lists of words, and handlers of entries. */
const WITHOUT_TEXT = /\/dataset\/words\/|^(?:\.\.\/)+library\//

const stack = new AsyncDisposableStack()
let tarball: string
let project: string

beforeAll(async () => {
  tarball = stack.use(await pack()).tarball
  project = stack.use(await createProject(tarball, TOOLS)).folder
  for (const [name, code] of await readmeExamples()) await writeFile(join(project, name), code)
})
afterAll(() => stack.disposeAsync())

const contents = async () =>
  (await runCommand('tar', ['-tzf', tarball], { cwd: project })).output.split('\n').filter(Boolean)

it('holds what it needs and nothing of how it was made', async () => {
  const files = await contents()

  expect(files).toEqual(expect.arrayContaining(['package/README.md', 'package/LICENSE', 'package/CHANGELOG.md']))
  expect(new Set(files.map((file) => file.split('/')[1]))).toEqual(new Set(TOP))
  expect(files.filter((file) => /\.(test\.\w+|tsbuildinfo|env|key|pem)$|\/(test|tests|fixtures)\//.test(file))).toEqual(
    [],
  )
  const built =
    /(\.js|\.js\.map|\/zod\.cjs|\.d\.ts|\.LICENSE|\/ui\/index\.html|\/ui\/assets\/[\w-]+\.(js|css)\.br|\/library\/(index\.json|[\w-]+\.json\.br))$/
  expect(files.filter((file) => file.startsWith('package/dist/') && !built.test(file))).toEqual([])
})

it('holds all library entries, each with its model', async () => {
  const folder = join(project, 'node_modules/backlot/dist/library')
  const listed: { slug: string }[] = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'))
  const entries = await Promise.all(listed.map(({ slug }) => readFile(join(folder, `${slug}.json.br`))))

  expect(listed.map(({ slug }) => slug).toSorted()).toEqual(
    (await readdir('library')).filter((name) => name !== 'shared').toSorted(),
  )
  for (const entry of entries) expect(JSON.parse(brotliDecompressSync(entry).toString()).compiled.model.format).toBe(1)
})

it('is smaller than 3 MB, and 20 MB unpacked', async () => {
  const folder = join(project, 'node_modules/backlot')
  const files = (await readdir(folder, { recursive: true })).map((file) => join(folder, file))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))

  expect((await stat(tarball)).size).toBeLessThan(3_000_000)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000_000)
})

// Elsewhere the release builds and starts the image.
it.skipIf(!canMount)(
  'runs in its image: as another user, on a read-only root, with a store in its volume',
  async () => {
    const args = ['serve', 'stripe', '--key', 'svc_sim_of_the_image', '--store', '/data/backlot.db']
    await using image = await runImage(join(project, 'node_modules'), args)
    const { url, opsUrl } = JSON.parse(await firstLine(image.child))

    const headers = { authorization: 'Bearer svc_sim_of_the_image' }
    const answers = await Promise.all([
      fetch(`${url}/s/stripe/v1/customers`, { method: 'POST', headers }),
      fetch(`${opsUrl}/readyz`),
    ])
    const status = await readFile(`/proc/${image.child.pid}/status`, 'utf8')
    const mounts = await readFile(`/proc/${image.child.pid}/mounts`, 'utf8')
    image.child.kill('SIGTERM')
    const [code] = await once(image.child, 'exit')

    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    expect(status).toMatch(process.getuid?.() === 0 ? /^Uid:\t1000\t/m : /^Uid:\t[1-9]/m)
    expect(mounts).toMatch(/ \/ \S+ ro,/)
    expect(code).toBe(0)
  },
)

it('has the source of all code in its source maps, but of handlers of entries only lines and names', async () => {
  const folder = join(project, 'node_modules/backlot/dist')
  const maps = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.map'))

  expect(maps).toEqual(expect.arrayContaining(['cli.js.map', 'index.js.map', 'vitest.js.map', 'service.js.map']))
  for (const file of maps) {
    const { sources, sourcesContent = [] } = JSON.parse(await readFile(join(folder, file), 'utf8'))
    expect(sourcesContent.map((text: unknown) => typeof text)).toEqual(sources.map(() => 'string'))
    const empty = sources.filter((_: string, at: number) => sourcesContent[at] === '')
    expect(empty.filter((source: string) => !WITHOUT_TEXT.test(source))).toEqual([])
  }
})

describe('the stack of an error', () => {
  beforeAll(async () => {
    for (const [name, code] of Object.entries(FAILING)) await writeFile(join(project, name), code)
  })

  it('has functions and lines of the source in a script with `--enable-source-maps`', async () => {
    const { output } = await runCommand(process.execPath, ['--enable-source-maps', 'failing.mjs'], { cwd: project })

    expect(output).toMatch(/at checkSignature \(.*shop\.mjs:8:3\)/)
    expect(output).toMatch(/at refusePayment \(.*shop\.mjs:4:9\)/)
    await expectSource(output, 'verifyWebhook', 'return verifySignature(')
    await expectSource(output, 'verifySignature', 'checkSignatureHeader(')
    await expectSource(output, 'ask', 'return handler(context')
  })

  it('has functions and lines of the source in a test of Vitest, beside which the README’s example passes', async () => {
    const files = ['failing.test.js', 'tasks.test.ts']
    const { output } = await runCommand(bin('vitest', project), ['run', ...files, ...LONG_LIMITS.vitest], {
      cwd: project,
    })

    expect(output).toContain('2 failed | 1 passed')
    expect(output).toContain('checkSignature shop.mjs:8:3')
    expect(output).toContain('refusePayment shop.mjs:4:9')
    await expectSource(output, 'verifyWebhook', 'return verifySignature(')
    await expectSource(output, 'verifySignature', 'checkSignatureHeader(')
  })
})

it('holds code in Latin-1, since V8 keeps all of another file in two bytes a character', async () => {
  const folder = join(project, 'node_modules/backlot/dist')
  const files = (await readdir(folder)).filter((file) => /\.c?js$/.test(file))
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const),
  )

  expect(texts.filter(([, text]) => /[\u0100-\uffff]/.test(text)).map(([file]) => file)).toEqual([])
})

it('loads no service where a test file imports it', async () => {
  const folder = join(project, 'node_modules/backlot/dist')
  expect(await importedText(folder, 'service.js')).toContain(OF_SERVICE)
  // The main thread of `serve` starts a thread and waits: it is one file, into which each import goes.
  expect((await stat(join(folder, 'cli.js'))).size).toBeLessThan(20_000)
  for (const entryPoint of ['index.js', 'vitest.js', 'playwright.js']) {
    const loaded = await importedText(folder, entryPoint)

    expect(loaded).toContain(OF_FIXTURE)
    expect(loaded).not.toContain(OF_SERVICE)
    expect(loaded.length).toBeLessThan(420_000)
  }
})

it('has a file for each entry point', async () => {
  const files = await contents()
  const { exports, bin } = JSON.parse(await readFile(join(project, 'node_modules/backlot/package.json'), 'utf8'))

  const targets = [...Object.values(exports), ...Object.values(bin)].flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target as Record<string, string>),
  )

  expect(targets.length).toBeGreaterThan(15)
  for (const target of targets) expect(files).toContain(target.replace('./', 'package/'))
})

it('passes publint', async () => {
  const { exitCode, output } = await runCommand(bin('publint'), ['--strict', tarball], { cwd: project })

  expect(output).toContain('All good!')
  expect(exitCode).toBe(0)
})

it('passes attw for ES modules', async () => {
  const { exitCode, output } = await runCommand(bin('attw'), ['--profile', 'esm-only', '--no-emoji', tarball], {
    cwd: project,
  })

  expect(exitCode, output).toBe(0)
  expect(output).toContain('"backlot/vitest/matchers"')
})

it('says nothing about this machine', async () => {
  const folder = join(project, 'node_modules/backlot')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8'))
  const homes = [process.cwd(), `${homedir()}/`]

  expect(texts.length).toBeGreaterThan(15)
  for (const text of await Promise.all(texts)) expect(homes.filter((home) => text.includes(home))).toEqual([])
})

it('has entry points that load without a test runner', async () => {
  const script = "await Promise.all(['backlot', 'backlot/service'].map((name) => import(name))); console.log('loaded')"

  const { exitCode, output } = await runCommand(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: project,
  })

  expect(output).toBe('loaded\n')
  expect(exitCode).toBe(0)
})

it('names to Vitest a setup that is there', async () => {
  const script = "import { backlot } from 'backlot/vitest/plugin'; console.log(backlot().config().test.globalSetup[0])"

  const { output } = await runCommand(process.execPath, ['--input-type=module', '--eval', script], { cwd: project })

  await expect(access(output.trim())).resolves.toBeUndefined()
})

it('gives the tests of a browser no matchers, which need Node', async () => {
  const script = `import { backlot } from 'backlot/vitest/plugin'
    const setupFilesOf = (enabled) => backlot().config({ test: { browser: { enabled } } }).test.setupFiles
    console.log(JSON.stringify([false, true].map(setupFilesOf)))`

  const { output } = await runCommand(process.execPath, ['--input-type=module', '--eval', script], { cwd: project })

  expect(JSON.parse(output)).toEqual([['backlot/vitest/matchers'], []])
})

it('has declarations that pass the strictest check', async () => {
  const lines = ENTRY_POINTS.map((name, at) => `import type * as entry${at} from '${name}'\nexport type { entry${at} }`)
  await writeFile(join(project, 'entry-points.ts'), lines.join('\n'))
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: STRICT, include: ['*.ts'] }))

  const { exitCode, output } = await runCommand(bin('tsc', project), ['--noEmit'], { cwd: project })

  expect(output).toBe('')
  expect(exitCode).toBe(0)
})

it('passes with the README’s example for Playwright', async () => {
  const { CHROMIUM_PATH } = process.env
  const launch = CHROMIUM_PATH ? { use: { launchOptions: { executablePath: CHROMIUM_PATH, args: CHROMIUM_ARGS } } } : {}
  await writeFile(
    join(project, 'playwright.config.ts'),
    `export default ${JSON.stringify({ ...launch, testMatch: '*.spec.ts' })}`,
  )

  const { exitCode, output } = await runCommand(bin('playwright', project), ['test'], {
    cwd: project,
  })

  expect(output).toContain('1 passed')
  expect(exitCode).toBe(0)
})

it('has a command', async () => {
  const command = bin('backlot', project)

  const help = await runCommand(command, ['--help'], { cwd: project })
  const library = await runCommand(command, ['library', '--json'], { cwd: project })

  expect(help.output).toContain('serve')
  expect(library.output).toContain('task-tracker')
})

const STRICT = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
}

/** Code of a user that fails in a function of the user, and in one of the package. */
const FAILING = {
  'shop.mjs': `import { verifyWebhook } from 'backlot'

export function refusePayment() {
  throw new Error('No payment today.')
}

export function checkSignature() {
  verifyWebhook({ header: 't=1,v1=00', rawBody: '{}', secret: 'whsec_c2VjcmV0' })
}
`,
  'failing.mjs': `import { createSimulation } from 'backlot'
import { checkSignature, refusePayment } from './shop.mjs'
try { checkSignature() } catch (error) { console.log(error.stack) }
const simulation = await createSimulation('task-tracker')
await simulation.respondWith('GET /tasks', () => refusePayment())
await simulation.fetch('/tasks')
await simulation.delete().catch(({ stack }) => console.log(stack))
`,
  'failing.test.js': `import { useSimulation } from 'backlot/vitest'
import { it } from 'vitest'
import { checkSignature, refusePayment } from './shop.mjs'
const simulation = useSimulation('task-tracker')
it('fails in the package', () => checkSignature())
it('fails in an answer of its own', async () => {
  await simulation.respondWith('GET /tasks', () => refusePayment())
  await simulation.fetch('/tasks')
})
`,
}

/** Expects that the stack has a function of the package, at a line of a file in `src/` that has this code. */
async function expectSource(stack: string, name: string, code: string): Promise<void> {
  const found = RegExp(`\\b${name} \\(?.*node_modules/backlot/(src/\\S+\\.ts):(\\d+)`).exec(stack)
  expect(found, stack).not.toBeNull()
  const [, file = '', line = ''] = found ?? []
  expect((await readFile(file, 'utf8')).split('\n')[Number(line) - 1]).toContain(code)
}

/** Bytes of a file and of all that it imports at once. */
async function importedText(folder: string, entryPoint: string): Promise<string> {
  const files = [entryPoint]
  let loaded = ''
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    loaded += text
    for (const [, name = ''] of text.matchAll(/\b(?:import|from)\s*"\.\/([^"]+)"/g)) {
      if (!files.includes(name)) files.push(name)
    }
  }
  return loaded
}
