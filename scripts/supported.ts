/**
 * `npm run supported` proves the entries of the library, writes what each supports to `docs/supported/`, pages of the site, and prints a table.
 * Arguments: slugs, by default all; `--descriptions <folder>` has the providers' own descriptions as `<slug>.json` or `.yaml`.
 *
 * With `--since <file>` it looks instead which operations the providers' newest descriptions have more or less than in that file of an
 * earlier run, notes them there, and writes the changes beside it as `<file>.md`.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from 'js-yaml'
import { proveEntry } from '../src/cli/prove-entry.ts'
import { toTable } from '../src/fixture/table.ts'
import type { LibraryEntry } from '../src/library/library-entry.ts'
import { readFolder } from '../src/library/own-entries.ts'
import { withModelFile } from '../src/protocol/model-extension.ts'
import { readDescription } from '../src/service/openapi/read-description.ts'
import { CompiledApi } from '../src/service/simulated-api/compiled/compiled-api.ts'
import { inspectModel } from '../src/service/simulated-api/inspect-model.ts'

/** Where providers publish their descriptions. */
const PUBLISHED: Readonly<Record<string, string>> = {
  discord: 'https://raw.githubusercontent.com/discord/discord-api-spec/main/specs/openapi.json',
  github:
    'https://raw.githubusercontent.com/github/rest-api-description/main/descriptions/api.github.com/api.github.com.json',
  intercom: 'https://raw.githubusercontent.com/intercom/Intercom-OpenAPI/main/descriptions/2.15/api.intercom.io.yaml',
  resend: 'https://raw.githubusercontent.com/resend/resend-openapi/main/resend.yaml',
  slack: 'https://raw.githubusercontent.com/slackapi/slack-api-specs/master/web-api/slack_web_openapi_v2.json',
  square: 'https://raw.githubusercontent.com/square/connect-api-specification/master/api.json',
  stripe: 'https://raw.githubusercontent.com/stripe/openapi/master/latest/openapi.spec3.json',
  twilio: 'https://raw.githubusercontent.com/twilio/twilio-oai/main/spec/json/twilio_api_v2010.json',
  workos: 'https://raw.githubusercontent.com/workos/openapi-spec/main/spec/open-api-spec.yaml',
}
const METHODS = ['get', 'put', 'post', 'delete', 'patch']
const OUT = 'docs/supported'

interface Compared {
  readonly source: string
  readonly operations: readonly string[]
  readonly missing: readonly string[]
  readonly further: readonly string[]
}

const { values, positionals } = parseArgs({
  options: { since: { type: 'string' }, descriptions: { type: 'string' } },
  allowPositionals: true,
})

/** An operation without the names of its parameters. */
const toShape = (operation: string) => operation.replaceAll(/\{[^}]*\}/g, '{}')

/** The operations of the provider's own description; undefined where none is here. */
async function publishedOperations(slug: string): Promise<{ source: string; operations: string[] } | undefined> {
  const endings = values.descriptions === undefined ? [] : ['json', 'yaml']
  const file = endings.map((ending) => join(values.descriptions ?? '', `${slug}.${ending}`)).find(existsSync)
  if (file !== undefined)
    return { source: `\`${basename(file)}\``, operations: operationsIn(await readFile(file, 'utf8')) }
  return slug === 'github' ? operationsOfTypes('@octokit/openapi-types') : undefined
}

function operationsIn(text: string): string[] {
  const { paths } = (text.startsWith('{') ? JSON.parse(text) : load(text)) as { paths: Record<string, object> }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => (METHODS.includes(method) ? `${method.toUpperCase()} ${path}` : [])),
  )
}

/** Notes the operations of the newest descriptions, and what has changed since the file was written. */
async function noteChanges(file: string): Promise<void> {
  const before = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Record<string, string[]>) : {}
  const after: Record<string, string[]> = {}
  const lines: string[] = []
  for (const [slug, url] of Object.entries(PUBLISHED)) {
    const answer = await fetch(url)
    after[slug] = answer.ok ? operationsIn(await answer.text()) : (before[slug] ?? [])
    if (!answer.ok) lines.push(`- ${slug}: ${url} answers ${answer.status}. Mend its address in scripts/supported.ts.`)
    const { behaves, schema } = await operationsOf(await readFolder(join('library', slug)))
    const own = new Set([...behaves, ...schema].map(toShape))
    const mark = (sign: string, operation: string) =>
      `- ${slug}: ${sign} \`${operation}\`${own.has(toShape(operation)) ? ', which is simulated' : ''}`
    const [old, now] = [new Set(before[slug] ?? after[slug]), new Set(after[slug])]
    lines.push(...[...old].filter((one) => !now.has(one)).map((one) => mark('no longer', one)))
    lines.push(...[...now].filter((one) => !old.has(one)).map((one) => mark('new', one)))
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(after))
  if (lines.length > 0) await writeFile(`${file}.md`, `${lines.join('\n')}\n`)
}

/** The operations of a package that has the description as types. */
async function operationsOfTypes(name: string): Promise<{ source: string; operations: string[] }> {
  const require = createRequire(import.meta.url)
  const { version } = require(`${name}/package.json`) as { version: string }
  const text = await readFile(join(require.resolve(`${name}/package.json`), '../types.d.ts'), 'utf8')
  const operations: string[] = []
  let path = ''
  for (const line of text.split('\n')) {
    path = /^ {2}"(\/[^"]*)": \{$/.exec(line)?.[1] ?? path
    const [, method] = /^ {4}(\w+): operations\[/.exec(line) ?? []
    if (method !== undefined) operations.push(`${method.toUpperCase()} ${path}`)
  }
  return { source: `\`${name}\` ${version}`, operations }
}

async function compare(slug: string, own: readonly string[]): Promise<Compared | undefined> {
  const published = await publishedOperations(slug)
  if (published === undefined) return undefined
  const [ours, theirs] = [own, published.operations].map((list) => new Set(list.map(toShape)))
  return {
    ...published,
    missing: published.operations.filter((operation) => !ours?.has(toShape(operation))),
    further: own.filter((operation) => !theirs?.has(toShape(operation))),
  }
}

/** The operations that do what the provider's do, and those that answer what fits their schemas. */
async function operationsOf({
  openapi,
  model: lines,
  handlers,
}: LibraryEntry): Promise<Record<'behaves' | 'schema', string[]>> {
  const model = readDescription(lines === undefined ? openapi : withModelFile(openapi, lines))
  const code = handlers === undefined ? {} : ((await import(handlers)) as { default: object }).default
  const decided = new Set(Object.keys(code).map(toShape))
  const found = { behaves: [] as string[], schema: [] as string[] }
  for (const { method, path, kind, confidence } of inspectModel(new CompiledApi(model)).operations) {
    const isKnown = kind !== 'example' && confidence !== 'guess'
    found[isKnown || decided.has(toShape(`${method} ${path}`)) ? 'behaves' : 'schema'].push(`${method} ${path}`)
  }
  return found
}

const list = (names: readonly string[]) => names.map((name) => `- \`${name}\``).join('\n')
const section = (title: string, text: string) => (text === '' ? '' : `\n## ${title}\n\n${text}\n`)

/** How many operations each part of an API has, the largest first. */
function byPart(operations: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const operation of operations) {
    const part = operation.split('/').find((word, at) => at > 0 && !/^(v?\d[\d-]*|v\d+|\{.*|api)$/.test(word)) ?? '/'
    counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([part, count]) => `${part} ${count}`)
    .join(', ')
}

async function support(slug: string): Promise<{ row: string[]; page: string }> {
  const { entry, sdk, proved } = await proveEntry(join('library', slug))
  const { behaves, schema } = await operationsOf(entry)
  const compared = await compare(slug, [...behaves, ...schema])
  const types = [...(proved?.types ?? [])].toSorted()
  const version = sdk === undefined ? 'none' : `${entry.sdk?.npm} ${sdk.version}`
  const page = `# ${entry.provider}

\`useSimulation('${slug}')\`, or \`npx backlot ${slug}\`. This page is made from the entry and its proof${sdk === undefined ? '' : `, which ran with \`${version}\` (supported: \`${entry.sdk?.range}\`)`}.

- ${behaves.length} operations behave, ${schema.length} answer what fits their schema.
- ${proved?.steps ?? 0} steps of the proof pass, each through ${sdk === undefined ? 'HTTP' : 'the SDK or HTTP'}.
- ${types.length} types of events were received, and each of ${proved?.deliveries ?? 0} deliveries was verified${proved?.isOfficial ? " by the provider's own verifier too" : ''}.
${section('Operations that behave', list(behaves))}${section('Operations that answer from their schema', list(schema))}${section('Events', list(types))}${section('What is missing', (entry.missing ?? []).map((text) => `- ${text}`).join('\n'))}${section(
  'Ignored parameters',
  (entry.ignored ?? [])
    .map(
      ({ fields, why, on }) =>
        `- \`${fields.join('`, `')}\`${on === undefined ? '' : ` of \`${[on].flat().join('`, `')}\``}: ${why}`,
    )
    .join('\n'),
)}${
  compared === undefined
    ? ''
    : section(
        "Compared with the provider's description",
        `Of ${compared.operations.length} operations in ${compared.source}, ${compared.missing.length} are not simulated: ${byPart(compared.missing)}. Your own copy of that description [adds them](../apis/your-description.md).${compared.further.length === 0 ? '' : `\n\nNot in that description, but in the SDK, the documentation or backlot alone:\n\n${list(compared.further)}`}`,
      )
}`
  const share = compared === undefined ? '' : String(compared.operations.length)
  const row = [slug, behaves.length, schema.length, share, proved?.steps ?? 0, types.length, version].map(String)
  return { row, page }
}

async function writePages(slugs: readonly string[]): Promise<void> {
  await mkdir(OUT, { recursive: true })
  const rows: string[][] = []
  for (const slug of slugs) {
    const { row, page } = await support(slug)
    rows.push(row)
    await writeFile(join(OUT, `${slug}.md`), page)
  }
  const sum = (at: number) => String(rows.reduce((total, row) => total + Number(row[at]), 0))
  const titles = ['ENTRY', 'BEHAVE', 'SCHEMA', 'PROVIDER HAS', 'STEPS', 'EVENTS', 'SDK']
  for (const line of toTable([titles, ...rows, ['all', sum(1), sum(2), '', sum(4), sum(5), '']])) console.log(line)
}

const proved = (await readdir('library')).filter((slug) => existsSync(join('library', slug, 'verify.yaml')))
await (values.since === undefined
  ? writePages(positionals.length > 0 ? positionals : proved)
  : noteChanges(values.since))
// SDKs leave timers and sockets behind.
process.exit()
