/**
 * `node scripts/python-client.ts` writes the methods of `examples/python/backlot.py` from the management API's description. With `--check`
 * it compares instead, and fails on a difference.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { composeDocument } from '../src/service/management/openapi-document.ts'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: { readonly $ref: string } }> }
  readonly responses: Record<string, { readonly content?: Record<string, unknown> }>
}
interface ObjectSchema {
  readonly properties?: Record<string, unknown>
  readonly required?: readonly string[]
}

const FILE = join(import.meta.dirname, '../examples/python/backlot.py')
const OF_SIMULATION = '/v1/simulations/{id}'
/** Written by hand: it splits long durations. */
const BY_HAND = ['fastForward']

const { paths, components } = composeDocument({ version: '', url: '', workerSinks: false }) as unknown as {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, ObjectSchema> }
}

const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const usable = operations.filter(
  ({ operation: { operationId, responses } }) =>
    !BY_HAND.includes(operationId) &&
    !Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content),
)
const isOfOne = ({ path }: { path: string }) => path.startsWith(OF_SIMULATION)
const classOf = (name: string, owned: readonly (typeof operations)[number][]) =>
  [`class ${name}:`, ...owned.map(methodOf)].join('\n')

function methodOf({ method, path, operation }: (typeof operations)[number]): string {
  const { operationId, summary, parameters = [], requestBody } = operation
  const own = path.replace(OF_SIMULATION, '')
  const places = [...own.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const query = parameters.flatMap((parameter) => (parameter.in === 'query' ? parameter.name : []))
  const schema = components.schemas[requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? '']
  const fields = Object.keys(schema?.properties ?? {})
  const isNeeded = (field: string) => schema?.required?.includes(field) === true
  const isWhole = schema !== undefined && fields.length === 0
  const named = [
    ...fields.filter(isNeeded).map(toSnake),
    ...[...fields.filter((field) => !isNeeded(field)), ...query].map((name) => `${toSnake(name)}=None`),
  ]
  const given = [
    'self',
    ...places.map(toSnake),
    ...(isWhole ? ['body'] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ]
  const asObject = (names: readonly string[]) => `{${names.map((name) => `"${name}": ${toSnake(name)}`).join(', ')}}`
  const quoted = places.length === 0 ? `"${own}"` : `f"${own.replace(/\{(\w+)\}/g, (_, name) => `{${toSnake(name)}}`)}"`
  const passed = [
    `"${method}"`,
    quoted,
    ...(query.length > 0 ? [`query=${asObject(query)}`] : []),
    ...(isWhole ? ['body=body'] : fields.length > 0 ? [`body=_drop_none(${asObject(fields)})`] : []),
  ]
  const name = isOfOne({ path }) ? operationId.replace(/Simulation$/, '') : operationId
  return `    def ${toSnake(name)}(${given.join(', ')}):\n        """${summary.replaceAll('\\', '\\\\')}"""\n        return self._call(${passed.join(', ')})\n`
}

function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const generated = [
  classOf(
    '_ServiceCalls',
    usable.filter((one) => !isOfOne(one)),
  ),
  classOf('_SimulationCalls', usable.filter(isOfOne)),
].join('\n\n')
const text = readFileSync(FILE, 'utf8')
const next = text.replace(
  /(# generated: begin\n)[\s\S]*(# generated: end)/,
  (_, begin, end) => `${begin}${generated}${end}`,
)
if (!parseArgs({ options: { check: { type: 'boolean' } } }).values.check) writeFileSync(FILE, next)
else if (next !== text) {
  console.error(
    'Failed to find the methods of examples/python/backlot.py as the management API has them. Run `node scripts/python-client.ts`.',
  )
  process.exitCode = 1
}
