import { renderHandlebars } from '../../library/sendgrid/handlebars.ts'
import { renderTexts } from '../../library/shared/rendered.ts'
import { nestPairs } from '../../src/protocol/form.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { maskSecrets } from '../../src/protocol/mask-secrets.ts'
import { CheckEffort } from '../../src/schema/check-effort.ts'
import { fits } from '../../src/schema/checker.ts'
import { parseMultipart, parsePairs } from '../../src/service/simulated-api/body/form.ts'
import { startService } from '../../src/service.ts'
import { datasetOf, tableOf } from '../../test/dataset/shop.ts'
import { answers, modelOf, object, schemaOf } from '../../test/openapi/describe-api.ts'
import { atMost, type BenchRow } from '../bench-row.ts'

const MEGABYTE = 'x'.repeat(1_000_000)
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/** Inputs that cost much where an algorithm takes more than linear time, and the most processor time that each may take. */
const WORKS: { name: string; mostMs: number; run: () => unknown }[] = [
  {
    name: 'mask secrets in 64 KB of beginnings of one',
    mostMs: 500,
    run: () => {
      for (const part of ['\\', '%25', '%', '&#0', 's%5c', 'svc_', 'c3ZjX', 'A', '7376635f', 'whsec_%'])
        maskSecrets(part.repeat(65_536 / part.length))
    },
  },
  {
    name: 'forms of 10,000 fields of one name',
    mostMs: 250,
    run: () => {
      nestPairs(parsePairs('a[]=x&'.repeat(10_000)))
      nestPairs(parsePairs('a=x&'.repeat(10_000)))
    },
  },
  { name: 'refuse a form of 200,000 parts', mostMs: 300, run: refuseParts },
  {
    name: 'merge two enums of 100,000 values',
    mostMs: 200,
    run: () => {
      const many = times(100_000, (at) => `v${at}`)
      schemaOf({ allOf: [{ enum: many }, { enum: many.toReversed() }] })
    },
  },
  {
    name: 'read names of 100,000 capitals',
    mostMs: 200,
    run: () => {
      const name = 'A'.repeat(100_000)
      modelOf({ '/a': { get: { operationId: name, summary: name, ...answers(object({ [name]: 'string' })) } } })
    },
  },
  { name: 'check against 300 alternatives of alternatives', mostMs: 1_000, run: checkAlternatives },
  { name: 'read 4,000 alternatives', mostMs: 1_000, run: readAlternatives },
  {
    name: 'fill templates that repeat much',
    mostMs: 500,
    run: () => [
      renderHandlebars('{{a}}'.repeat(300), { a: MEGABYTE }),
      renderHandlebars(`{{#each l}}${'y'.repeat(20_000)}{{/each}}`, { l: times(9_000, (at) => at) }),
      renderHandlebars('{{!--'.repeat(100_000), {}),
      renderTexts('{{a}} '.repeat(300), { a: MEGABYTE }),
      renderTexts(Array(300).fill('{{a}}'), { a: MEGABYTE }),
    ],
  },
  { name: 'five texts of the longest kind', mostMs: 250, run: makeLongTexts },
  { name: 'HTML of 200 KB of Markdown, seven times', mostMs: 4_000, run: renderMarkdown },
]

/** Processor time of inputs at the limits. `npm test` checks their results. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const { name, mostMs, run: work } of WORKS) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    rows.push(atMost({ name, value: (user + system) / 1_000, unit: 'ms', most: mostMs }))
  }
  return rows
}

function refuseParts(): void {
  const part = '--x\r\nContent-Disposition: form-data; name="a[]"\r\n\r\n1\r\n'
  try {
    parseMultipart(new TextEncoder().encode(`${part.repeat(200_000)}--x--\r\n`), 'multipart/form-data; boundary=x')
  } catch {
    return
  }
  throw new Error('Expected a form of 200,000 parts to be refused.')
}

function checkAlternatives(): void {
  const schemas: Record<string, JsonObject> = Object.fromEntries(
    times(300, (at) => [`V${at}`, object({ [`p${at}`]: ref('X'), other: ref('X') })]),
  )
  schemas.X = { oneOf: Object.keys(schemas).map(ref) }
  const effort = new CheckEffort(10_000)
  const value = { other: { other: { other: { other: { other: 5 } } } } }
  for (let time = 0; time < 100; time++) fits(schemaOf(ref('X'), schemas), value, effort)
}

function readAlternatives(): void {
  const names = times(4_000, (at) => `D${at}`)
  const kind = (name: string) => object({ kind: { type: 'string', enum: [name] } }, { required: ['kind'] })
  const X = { ...object({ id: 'string' }), oneOf: names.map(ref) }
  const schemas = { X, ...Object.fromEntries(names.map((name) => [name, { allOf: [ref('X'), kind(name)] }])) }
  modelOf({ '/things': { get: answers(ref('X')) } }, { components: { schemas } })
  schemaOf(ref('X'), schemas)
}

function makeLongTexts(): void {
  const body = { type: 'string', minLength: 600_000_000, pattern: '^a+$' }
  const table = tableOf(
    datasetOf({ notes: { type: 'object', properties: { id: { type: 'integer' }, body } } }),
    'notes',
  )
  for (const index of [0, 1, 2, 3, 4]) table.valueAt(index, ['body'])
}

async function renderMarkdown(): Promise<void> {
  const service = await startService()
  const post = async (url: string, key: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const made = await post(`${service.url}/v1/simulations`, service.accountKey, { library: 'github', behaviour: [] })
  const { url, apiKey } = (await made.json()) as { url: string; apiKey: string }
  for (const part of ['[', '>', '\n', '```\n', '[a', '# ', 'x'])
    await (await post(`${url}/markdown`, apiKey, { text: part.repeat(200_000 / part.length) })).text()
  await service.close()
}
