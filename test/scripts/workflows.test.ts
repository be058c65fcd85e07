import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'

interface Workflow {
  jobs: Record<
    string,
    {
      strategy?: { matrix: { system: string[]; node: number[] } }
      permissions?: Record<string, string>
      steps: Record<string, unknown>[]
    }
  >
  on?: { schedule?: { cron: string }[] }
  permissions?: Record<string, string>
}

interface Form {
  name?: string
  description?: string
  body?: { type: string; attributes?: { label?: string } }[]
}

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
  engines: { node: string }
  publishConfig?: { provenance?: boolean }
}
const workflows = new Map(namesIn('workflows').map((name) => [name, read<Workflow>(`workflows/${name}`)]))
const steps = [...workflows].flatMap(([file, { jobs }]) =>
  Object.values(jobs).flatMap((job) => job.steps.map((step) => ({ file, step }))),
)

it('runs commands that are there', () => {
  const commands = steps.flatMap(({ file, step }) => commandsOf(step).map((command) => ({ file, command })))

  expect(commands.map(({ command }) => command)).toContain('.ci/run')
  expect(commands.filter(({ command }) => !isThere(command))).toEqual([])
})

it('runs every night what is too slow for each change', () => {
  const { on, jobs } = workflows.get('nightly.yml') ?? {}
  const commands = Object.values(jobs ?? {}).flatMap((job) => job.steps.flatMap(commandsOf))

  expect(on?.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }])
  expect(commands.map((command) => command.split(' --')[0])).toEqual(
    expect.arrayContaining(
      ['soak', 'chaos', 'test:nodes', 'test:ui:stores', 'hostile', 'docs'].map((script) => `npm run ${script}`),
    ),
  )
  // The same seed would try the same moments each night.
  expect(commands).toContainEqual(expect.stringMatching(/^npm run chaos -- store --seconds 600 --seed /))
})

it('publishes with provenance, which npm signs with the identity of the run, and gives no other job a right to write but issues', () => {
  const { permissions, jobs = {} } = workflows.get('release.yml') ?? {}
  const others = [...workflows].filter(([name]) => name !== 'release.yml')

  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.release?.permissions).toMatchObject({ 'id-token': 'write' })
  expect(manifest.publishConfig).toMatchObject({ provenance: true })
  for (const [name, workflow] of others) {
    expect(workflow.permissions, name).toEqual({ contents: 'read' })
    for (const job of Object.values(workflow.jobs))
      expect([undefined, 'contents: read, issues: write']).toContain(
        job.permissions &&
          JSON.stringify(job.permissions).replace(/[{}"]/g, '').replaceAll(':', ': ').replace(',', ', '),
      )
  }
})

it('scans and starts the image before it is published', () => {
  const { steps = [], permissions } = workflows.get('release.yml')?.jobs.image ?? {}
  const at = (word: string) => steps.findIndex((step) => JSON.stringify(step).includes(word))

  expect([at('load'), at('scan-action'), at('--read-only'), at('"push":true')]).toEqual([3, 4, 5, 8])
  expect(permissions).toEqual({ contents: 'read', packages: 'write' })
})

it('names the exact version of each action', () => {
  const actions = steps.flatMap(({ step }) => (typeof step.uses === 'string' ? [step.uses] : []))

  expect(actions.length).toBeGreaterThan(0)
  expect(actions.filter((action) => !/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/.test(action))).toEqual([])
})

it('tests on three systems and on every supported version of Node', () => {
  const matrix = workflows.get('ci.yml')?.jobs.test?.strategy?.matrix

  expect(matrix?.system.map((system) => system.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows'])
  expect(matrix?.node).toEqual([22, 24, 26])
  expect(manifest.engines.node).toMatch(/^>=22\./)
})

it('asks for facts in issue forms that GitHub can show', () => {
  const forms = namesIn('ISSUE_TEMPLATE').filter((name) => name !== 'config.yml')

  expect(forms.length).toBeGreaterThan(0)
  for (const name of forms) {
    const form = read<Form>(`ISSUE_TEMPLATE/${name}`)
    expect(form, name).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    expect(
      form.body?.every(({ attributes }) => attributes?.label),
      name,
    ).toBe(true)
  }
})

it('lets Dependabot look after packages and actions', () => {
  const { updates } = read<{ updates: { 'package-ecosystem': string }[] }>('dependabot.yml')

  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions'])
})

function namesIn(folder: string): string[] {
  return readdirSync(join(root, '.github', folder))
}

function read<Content>(file: string): Content {
  return load(readFileSync(join(root, '.github', file), 'utf8')) as Content
}

/** What a step runs itself, and what it hands to an action to be run. */
function commandsOf({ run, with: inputs }: Record<string, unknown>): string[] {
  const handed = Object.values(inputs ?? {}).filter((value) => typeof value === 'string' && value.startsWith('npm '))
  return [run, ...handed].flatMap((text) => (typeof text === 'string' ? text.trim().split('\n') : []))
}

function isThere(command: string): boolean {
  const [program = '', verb, script = ''] = command.split(/\s+/)
  if (program === 'npm') return verb === 'ci' || (verb === 'run' && script in manifest.scripts)
  if (program.includes('/')) return existsSync(join(root, program))
  return ['echo', 'npx', 'docker', 'timeout', 'gh'].includes(program)
}
