import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PAGES } from '../../docs/.vitepress/pages.ts'
import { makeDelivery, SECRET } from '../sink/sink-client.ts'
import { CHROMIUM_ARGS } from '../support/chromium-args.ts'
import { LONG_LIMITS } from '../support/example-projects.ts'
import { bin, runCommand } from '../support/run-command.ts'

const root = join(import.meta.dirname, '../..')
const PACKAGES = [
  'vitest',
  '@playwright/test',
  '@types/node',
  'stripe',
  'openai',
  '@anthropic-ai/sdk',
  '@google/genai',
  'resend',
  'twilio',
  '@sendgrid/client',
  '@sendgrid/eventwebhook',
  '@sendgrid/mail',
  '@clerk/backend',
  '@discordjs/rest',
  'discord-api-types',
  'discord-interactions',
  '@octokit/rest',
  '@octokit/webhooks',
  '@slack/bolt',
  '@slack/web-api',
  '@workos-inc/node',
  '@hubspot/api-client',
  'intercom-client',
  'plaid',
  '@notionhq/client',
  'jira.js',
  'square',
  'jsdom',
]

/** A code block that begins with the path of a file of the repository. */
const FILE_BLOCK = /```\w+\n(?:\/\/|#) (examples\/\S+)\n([\s\S]*?)```/g

/** Code for Java, Bun, Docker and Cypress is shown and not run: none of them is a dependency of this repository. */
const hasPython = spawnSync('python3', ['--version']).status === 0

let folder: string
let files: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-docs-'))
  files = await writeExamples()
  await linkPackages()
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'documentation', private: true, type: 'module' }),
  )
})
afterAll(() => rm(folder, { recursive: true }))

it('shows files of the examples as they are', async () => {
  const shown: string[] = []
  for (const page of PAGES) {
    for (const [, path = '', code = ''] of (await readFile(join(root, page), 'utf8')).matchAll(FILE_BLOCK)) {
      shown.push(path)
      expect(code, `${page} shows ${path}`).toBe(await readFile(join(root, path), 'utf8'))
    }
  }

  expect(shown).toEqual(
    expect.arrayContaining(['examples/jest/test/shipped.test.js', 'examples/stripe/test/renewal.test.ts']),
  )
})

it('has no code for TypeScript that is not run', async () => {
  const unnamed: string[] = []
  for (const page of PAGES.filter((path) => /^(docs|README)/.test(path))) {
    const blocks = (await readFile(join(root, page), 'utf8')).matchAll(/```tsx?\n(.*)\n/g)
    for (const [, first = ''] of blocks) if (!/^\/\/ \S+\.tsx?$/.test(first)) unnamed.push(`${page}: ${first}`)
  }

  expect(unnamed).toEqual([])
})

it('has examples that are typed', async () => {
  const options = {
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))

  const { exitCode, output } = await runCommand(bin('tsc'), ['-p', '.', '--checkers', '1'], { cwd: folder })

  expect(output).toBe('')
  expect(exitCode).toBe(0)
})

it('has examples for Vitest that pass', async () => {
  // The package is where users have it, below `node_modules/`, only by a link: Vitest would compile megabytes of it.
  const config = 'export default { test: { server: { deps: { external: [/\\/dist\\//] } } } }'
  await writeFile(join(folder, 'vitest.config.ts'), config)

  const { exitCode, output } = await runCommand(
    bin('vitest'),
    ['run', '--no-isolate', '--exclude=**/*.spec.ts', ...LONG_LIMITS.vitest],
    {
      cwd: folder,
    },
  )

  expect(files.filter((file) => file.endsWith('.test.ts')).length).toBeGreaterThan(10)
  expect(exitCode, output).toBe(0)
})

it('has examples for Playwright that pass', async () => {
  const { CHROMIUM_PATH } = process.env
  const use = CHROMIUM_PATH ? { launchOptions: { executablePath: CHROMIUM_PATH, args: CHROMIUM_ARGS } } : {}
  const config = { testMatch: '*.spec.ts', use, build: { external: ['**/dist/**'] } }
  await writeFile(join(folder, 'playwright.config.ts'), `export default ${JSON.stringify(config)}`)

  const { exitCode, output } = await runCommand(bin('playwright'), ['test', ...LONG_LIMITS.playwright], { cwd: folder })

  expect(exitCode, output).toBe(0)
})

it('has an example for node:test that passes', async () => {
  const { exitCode, output } = await runCommand(process.execPath, ['--test', 'orders.node-test.ts'], { cwd: folder })

  expect(output).toContain('pass 1')
  expect(exitCode).toBe(0)
})

it.runIf(hasPython)(
  'has an example for Python that reads the sink',
  async () => {
    const page = await readFile(join(root, 'docs/webhooks.md'), 'utf8')
    const [, code = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? []
    const args = [join(root, 'dist/cli.js'), 'sink', '--json', '--no-tls', '--secret', SECRET]
    const sink = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface(sink.stdout), 'line')
    const { url, api } = JSON.parse(String(line))
    const { headers, body } = makeDelivery()

    await fetch(url, { method: 'POST', headers: headers as Record<string, string>, body })
    const reading = `${code}\nprint(expect_webhook("${api}", "task.*")["type"])`
    const { exitCode, output } = await runCommand('python3', ['-c', reading], { cwd: folder })

    sink.kill('SIGTERM')
    expect([exitCode, output]).toEqual([0, 'task.created\n'])
  },
  60_000,
)

/** Writes every code block that begins with the name of its file, as in `// retry.test.ts`. */
async function writeExamples(): Promise<string[]> {
  const names: string[] = []
  for (const page of PAGES) {
    const blocks = (await readFile(join(root, page), 'utf8')).matchAll(/```ts\n\/\/ ([^\s/]+\.ts)\n([\s\S]*?)```/g)
    for (const [, name = '', code = ''] of blocks) {
      if (names.includes(name)) throw new Error(`Expected examples to have names of their own, got ${name} again.`)
      names.push(name)
      await writeFile(join(folder, name), code)
    }
  }
  return names
}

async function linkPackages(): Promise<void> {
  for (const name of PACKAGES) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
  }
  await symlink(root, join(folder, 'node_modules/backlot'), 'junction')
}
