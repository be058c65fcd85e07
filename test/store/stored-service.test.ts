import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { systemRuntime } from '../../src/runtime/runtime.ts'
import { ENGINE } from '../../src/service/simulation/origin/simulation-init.ts'
import { type Service, type ServiceOptions, startOver, startService } from '../../src/service/start.ts'
import { openSqlite } from '../../src/service/store/open-sqlite.ts'
import { SqliteStore } from '../../src/service/store/sqlite-store.ts'
import { runCli } from '../support/run-cli.ts'
import { serve } from '../support/serve.ts'
import { ACCOUNT_KEY, manage } from './manage.ts'
import { MemoryStore } from './memory/memory-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'backlot-stored-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = () => join(folder, `${++files}.db`)

const KEY = 'svc_sim_0123456789abcdef'

const start = (store: string, options: ServiceOptions = {}) =>
  startService({
    store,
    addresses: 'path',
    accounts: [{ keys: [{ key: ACCOUNT_KEY }] }],
    simulations: [{ library: 'task-tracker', key: KEY }],
    ...options,
  })

async function call(service: Service, path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...init.headers }
  const answer = await fetch(`${service.url}/s/task-tracker/v1${path}`, { ...init, headers })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const ONE = '/simulations/task-tracker'
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

it('has all answered changes after a restart', async () => {
  const file = newFile()
  const before = await start(file)
  const project = { name: 'Kept', key: 'KEPT' }
  const headers = { 'idempotency-key': 'once' }
  const created = await call(before, '/projects', { method: 'POST', body: JSON.stringify(project), headers })
  await manage(before, 'POST', `${ONE}/fast-forward`, { hours: 23 })
  await manage(before, 'POST', `${ONE}/rules`, {
    name: 'r',
    kind: 'error',
    method: 'DELETE',
    pathPattern: '/*',
    config: { status: 418 },
  })
  await manage(before, 'POST', `${ONE}/webhooks`, { url: 'https://example.com/hook', events: ['*'] })
  await manage(before, 'POST', `${ONE}/webhook-faults`, { kind: 'lost', probability: 0.5 })
  await manage(before, 'PUT', `${ONE}/access`, { ipAllowlist: ['127.0.0.1'] })
  const snapshot = await manage(before, 'POST', `${ONE}/snapshots`)
  await manage(before, 'POST', `${ONE}/pause`)
  const seen = await seenOf(before)
  await before.close()

  const after = await start(file)

  expect(created.status).toBe(201)
  expect(await seenOf(after)).toEqual(seen)
  expect(seen).toMatchObject({ status: 'paused', webhooks: [{ url: 'https://example.com/hook' }] })
  await manage(after, 'POST', `${ONE}/resume`)
  const again = await call(after, '/projects', { method: 'POST', body: JSON.stringify(project), headers })
  expect(again.body).toEqual(created.body)
  expect((await manage(after, 'POST', `${ONE}/snapshots/${snapshot.body.id}/restore`)).status).toBe(200)
  await after.close()
})

it('repeats an answer of bytes by its idempotency key after a restart', async () => {
  const file = newFile()
  const pdf = {
    201: { description: '', content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } },
  }
  const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }
  const spec = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Letters', version: '1' },
    paths: { '/letters': { post: { parameters: [key], responses: pdf } } },
  })
  const before = await start(file)
  const { body } = await manage(before, 'POST', '/simulations', { spec, slug: 'letters' })
  const write = async (service: Service, query = '') => {
    const headers = { authorization: `Bearer ${body.apiKey}`, 'idempotency-key': 'once' }
    const answer = await fetch(`${service.url}/s/letters/letters${query}`, { method: 'POST', headers })
    const type = answer.headers.get('content-type')
    return { status: answer.status, type, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const first = await write(before)
  await before.close()

  const after = await start(file)

  expect(first.bytes.toString('latin1')).toMatch(/^%PDF-/)
  expect(await write(after)).toEqual(first)
  expect((await write(after, '?another=request')).status).toBe(422)
  await after.close()
})

async function seenOf(service: Service) {
  const { url: _, curl: __, ...detail } = (await manage(service, 'GET', ONE)).body
  const { data: events } = (await manage(service, 'GET', `${ONE}/events`)).body
  const records = (await manage(service, 'GET', `${ONE}/records/projects?limit=100`)).body
  return { ...detail, events, records }
}

it('gives an upload back after a restart, and after a restored snapshot', async () => {
  const file = newFile()
  const binary = { type: 'string', format: 'binary' }
  const kept = { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/File' } } } }
  const spec = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Files', version: '1' },
    paths: {
      '/files': {
        post: {
          requestBody: {
            content: { 'multipart/form-data': { schema: { type: 'object', properties: { file: binary } } } },
          },
          responses: { 201: kept },
        },
      },
      '/files/{id}': {
        get: { parameters: [ID], responses: { 200: kept } },
        delete: { parameters: [ID], responses: { 204: { description: '' } } },
      },
      '/files/{id}/content': {
        get: {
          parameters: [ID],
          responses: { 200: { description: '', content: { 'application/octet-stream': { schema: binary } } } },
        },
      },
    },
    components: { schemas: { File: { type: 'object', properties: { id: { type: 'integer' } } } } },
  })
  const options = { simulations: [{ spec, slug: 'files', key: KEY }] }
  const ask = (service: Service, method: string, path: string, body?: FormData) =>
    fetch(`${service.url}/s/files/files${path}`, {
      method,
      headers: { authorization: `Bearer ${KEY}` },
      ...(body !== undefined && { body }),
    })
  const bytes = Buffer.alloc(300_000, 'a\0é')
  const form = new FormData()
  form.set('file', new Blob([bytes], { type: 'application/x-odd' }), 'odd.bin')
  const before = await start(file, options)
  const { id } = (await (await ask(before, 'POST', '', form)).json()) as { id: number }
  const snapshot = await manage(before, 'POST', '/simulations/files/snapshots')
  await before.close()

  await using after = await start(file, options)
  const read = await ask(after, 'GET', `/${id}/content`)
  expect(read.headers.get('content-type')).toBe('application/x-odd')
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true)

  await ask(after, 'DELETE', `/${id}`)
  expect((await ask(after, 'GET', `/${id}/content`)).status).toBe(404)
  await manage(after, 'POST', `/simulations/files/snapshots/${snapshot.body.id}/restore`)
  const again = await ask(after, 'GET', `/${id}/content`)
  expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true)
})

it('lists, finds and deletes simulations that it has not loaded, and counts their places', async () => {
  const file = newFile()
  const accounts = [{ keys: [{ key: ACCOUNT_KEY }], plan: { simulationLimit: 2 } }]
  const first = await start(file, { accounts })
  await manage(first, 'POST', '/simulations', { library: 'crm', slug: 'mine' })
  await first.close()

  const second = await start(file, { accounts, simulations: [] })

  expect((await manage(second, 'POST', '/simulations', { library: 'crm' })).status).toBe(402)
  const { data } = (await manage(second, 'GET', '/simulations')).body
  expect(data.map(({ slug }: { slug: string }) => slug)).toEqual(['task-tracker', 'mine'])
  expect((await manage(second, 'DELETE', '/simulations/mine')).status).toBe(204)
  expect((await manage(second, 'POST', '/simulations', { library: 'crm', slug: 'mine' })).status).toBe(201)
  expect((await manage(second, 'DELETE', '/simulations/mine')).status).toBe(204)
  await second.close()
  const third = await start(file, { accounts, simulations: [] })
  expect((await manage(third, 'GET', '/simulations/mine')).status).toBe(404)
  expect((await manage(third, 'GET', '/usage')).body).toMatchObject({ simulations: 1 })
  await third.close()
})

it('keeps counting the requests of an account after a restart, and enforces its limit', async () => {
  const file = newFile()
  const accounts = [{ keys: [{ key: ACCOUNT_KEY }], plan: { requestLimit: 3 } }]
  const before = await start(file, { accounts })
  await call(before, '/projects')
  await call(before, '/projects')
  expect((await manage(before, 'GET', '/usage')).body).toMatchObject({ requestsThisMonth: 2 })
  await call(before, '/projects')
  await before.close()

  const after = await start(file, { accounts })

  expect((await manage(after, 'GET', '/usage')).body).toMatchObject({ requestsThisMonth: 3 })
  expect((await call(after, '/projects')).status).toBe(429)
  await after.close()
})

it('refuses a slug that a simulation in the store has, and makes another where none was asked for', async () => {
  const file = newFile()
  await (await start(file)).close()
  const service = await start(file, { simulations: [] })

  expect(
    (await manage(service, 'POST', '/simulations', { library: 'crm', slug: 'task-tracker' })).body.error.message,
  ).toBe('Failed to create the simulation: the slug "task-tracker" is taken. Choose another, or leave it out.')
  const { slug } = (await manage(service, 'POST', '/simulations', { library: 'task-tracker' })).body
  expect(slug).toMatch(/^task-tracker-[0-9a-f]{6}$/)
  await service.close()
})

it('answers 507 to changes while the disk is full, answers reads, and works again when there is room', async () => {
  const file = newFile()
  await (await openSqlite(file, ENGINE)).close()
  const database = new DatabaseSync(file)
  database.exec('pragma foreign_keys = on')
  const options = { addresses: 'path' as const, accounts: [{ keys: [{ key: ACCOUNT_KEY }] }] }
  const simulations = [{ library: 'task-tracker', key: KEY }]
  const service = await startOver(new SqliteStore(database, () => {}), { ...options, simulations })
  const create = (name: string) =>
    call(service, '/projects', { method: 'POST', body: JSON.stringify({ name, key: 'KEY' }) })
  database.exec('pragma max_page_count = 1')

  const refused = await fillUp(create)
  const read = await call(service, '/projects')
  database.exec('pragma max_page_count = 100000')
  const kept = await create('Later')

  expect(refused).toMatchObject({ status: 507, body: { error: { code: 'insufficient_storage' } } })
  expect(read.status).toBe(200)
  expect(kept.status).toBe(201)
  await service.close()
})

/** Creates until the file has no page left. */
async function fillUp(create: (name: string) => ReturnType<typeof call>) {
  for (let at = 0; ; at++) {
    const answer = await create(`${at} ${'x'.repeat(150)}`)
    if (answer.status !== 201 || at > 200) return answer
  }
}

it('leaves no stream open behind a batch that was done again', async () => {
  const store = new MemoryStore(systemRuntime.clock)
  const { heads } = MemoryStore.prototype
  let asked = 0
  let lies = false
  store.heads = async (ids) => {
    asked++
    if (!lies) return heads.call(store, ids)
    lies = false
    return new Map()
  }
  const options = { addresses: 'path' as const, accounts: [{ keys: [{ key: ACCOUNT_KEY }] }] }
  const service = await startOver(store, { ...options, simulations: [{ library: 'task-tracker' }] })
  const request = new Request(`${service.url}/v1${ONE}/activity?kinds=change`, {
    headers: { authorization: `Bearer ${ACCOUNT_KEY}` },
  })
  lies = true
  const stream = await service.fetch(request)

  await stream.body?.cancel()

  // A node asks for heads by itself while events are read, every 250 ms.
  const askedIn600Ms = async () => {
    asked = 0
    await new Promise((resolve) => setTimeout(resolve, 600))
    return asked
  }
  await expect.poll(askedIn600Ms).toBe(0)
  expect(lies).toBe(false)
  await service.close()
})

it('names unsupported options', async () => {
  await expect(start(newFile(), { addresses: 'port' })).rejects.toThrow(
    'Expected `addresses` to be `path` where `store` is given, got `port`.',
  )
  await expect(start('mysql://user:secret@host/db')).rejects.toThrow(
    'Expected the store to be a file such as "backlot.db", or "postgres://host/database", got "mysql://...".',
  )
  const twins = [{ keys: [{ key: ACCOUNT_KEY }] }, { keys: [{ key: 'svc_acc_fedcba9876543210' }] }]
  await expect(start(newFile(), { accounts: twins })).rejects.toThrow(
    'Expected accounts to have names of their own where there is a store, got "default" twice.',
  )
})

it('is served by the command line, which refuses a second service and copies the file', async () => {
  const file = newFile()
  await using served = await serve(['--store', file, '--account-key', ACCOUNT_KEY, 'task-tracker'])

  const second = await runCli(['serve', '--store', file, '--port', '0'])
  const copy = await runCli(['store', 'backup', file, `${file}.copy`])

  expect(second.exitCode).toBe(1)
  expect(second.stderr).toContain(`Failed to open the store "${file}": another service has it open.`)
  expect(copy).toMatchObject({ exitCode: 0, stdout: `Copied ${file} to ${file}.copy.\n` })
  await using restored = await serve(['--store', `${file}.copy`, '--account-key', ACCOUNT_KEY])
  expect((await restored.client.listSimulations()).length).toBe((await served.client.listSimulations()).length)
})
