import { expect } from 'vitest'
import { DESCRIPTION, HALVING } from '../description.ts'
import type { Section } from '../rule.ts'

/** What the specification does not have (`decisions/open-points.md`). */
export const extensions: Section = {
  title: 'Extensions (ours)',
  declare: (rule) => {
    rule(
      'GET /v1/meta names the service, its version and its extensions',
      async ({ call }) => {
        const { status, body } = await call('GET', '/v1/meta')

        expect(status).toBe(200)
        expect(body).toEqual({ name: expect.any(String), version: expect.any(String), extensions: expect.any(Array) })
        expect(body.extensions).toEqual(expect.arrayContaining(['seed', 'snapshots', 'activity', 'deliveries-advance']))
      },
      'extensions',
    )

    rule(
      'POST /v1/inspect says what a description amounts to, and makes nothing',
      async ({ call }) => {
        const before = (await call('GET', '/v1/simulations')).body.data.length

        const { status, body } = await call('POST', '/v1/inspect', { body: { spec: DESCRIPTION } })
        const refused = await call('POST', '/v1/inspect', { body: { spec: 'no description' } })

        expect(status).toBe(200)
        expect(body).toMatchObject({
          title: 'Errands',
          collections: [{ name: 'tasks', id: 'id', events: ['task.created', 'task.updated', 'task.deleted'] }],
          summary: expect.stringContaining('certain'),
          warnings: [],
        })
        expect([refused.status, refused.body.error.code]).toEqual([422, 'invalid_spec'])
        expect((await call('GET', '/v1/simulations')).body.data).toHaveLength(before)
      },
      'extensions',
    )

    rule(
      'GET behaviour reads the plan',
      async ({ call, create }) => {
        const { id } = await create()
        await call('PUT', `/v1/simulations/${id}/behaviour`, { body: HALVING })

        expect((await call('GET', `/v1/simulations/${id}/behaviour`)).body).toEqual(HALVING)
      },
      'extensions',
    )

    rule(
      'a snapshot puts data, clock and plan back',
      async ({ call, create, use }) => {
        const simulation = await create({ volume: { tasks: 6 } })
        const part = `/v1/simulations/${simulation.id}`
        const before = (await use(simulation, 'GET', '/tasks')).body
        const taken = await call('POST', `${part}/snapshots`)
        await call('PUT', `${part}/behaviour`, { body: HALVING })
        await call('POST', `${part}/fast-forward`, { body: { hours: 3 } })

        const restored = await call('POST', `${part}/snapshots/${taken.body.id}/restore`)

        expect([taken.status, restored.status, restored.body]).toEqual([201, 200, { ok: true }])
        expect((await use(simulation, 'GET', '/tasks')).body).toEqual(before)
        expect((await call('GET', `${part}/behaviour`)).body).not.toEqual(HALVING)
        expect((await call('GET', `${part}/clock`)).body.offsetMs).toBeLessThan(3_600_000)
      },
      'extensions',
    )

    rule(
      'a request can be read with headers, body, its answer and what it changed',
      async ({ call, create, use }) => {
        const simulation = await create()
        const logs = `/v1/simulations/${simulation.id}/logs`
        const made = await use(simulation, 'POST', '/tasks', { title: 'seen', status: 'open' })
        const [{ id }] = (await call('GET', logs)).body.data

        const { status, body } = await call('GET', `${logs}/${id}`)

        expect(status).toBe(200)
        expect(body).toMatchObject({
          id,
          status: 201,
          request: {
            headers: { 'content-type': 'application/json', 'content-length': '32' },
            body: '{"title":"seen","status":"open"}',
            encoding: 'utf-8',
            bytes: 32,
            truncated: false,
          },
          response: { headers: { 'content-type': 'application/json' }, truncated: false, fault: null },
          changes: [{ type: 'task.created', cause: 'request', data: { object: made.body } }],
        })
        expect(JSON.parse(body.response.body)).toEqual(made.body)
        expect((await call('GET', `${logs}/req_999`)).status).toBe(404)
      },
      'extensions',
    )

    rule(
      'a body of the log is cut to its first 16 KiB, and bytes that are no text are base64',
      async ({ call, create, use, send }) => {
        const simulation = await create()
        await use(simulation, 'POST', '/nowhere', { title: 'x'.repeat(20_000) })
        await send('POST', `${simulation.url}/nowhere`, { body: Uint8Array.from([255, 0]) })

        const { body } = await call('GET', `/v1/simulations/${simulation.id}/logs?detail=true`)

        const [image, long] = body.data.map(({ request }: { request: object }) => request)
        expect(long).toMatchObject({ bytes: 20_012, truncated: true, body: `{"title":"${'x'.repeat(16_384 - 10)}` })
        expect(image).toMatchObject({ bytes: 2, truncated: false, body: '/wA=', encoding: 'base64' })
      },
      'extensions',
    )

    rule(
      'no key is shown whole in a request, as HTTP Basic neither',
      async ({ call, create, use, send }) => {
        const simulation = await create()
        const { apiKey } = simulation
        const basic = Buffer.from(`${apiKey}:`).toString('base64')
        await use(simulation, 'POST', `/tasks?other=a${apiKey}`, { title: apiKey })
        await send('GET', `${simulation.url}/tasks`, { headers: { authorization: `Basic ${basic}` } })

        const { text } = await call('GET', `/v1/simulations/${simulation.id}/logs?detail=true`)

        expect(text).toContain(`a${apiKey.slice(0, 14)}…`)
        expect(text).not.toContain(apiKey)
        expect(text).not.toContain(basic)
      },
      'extensions',
    )

    rule(
      'logs can be read by page, status and operation',
      async ({ call, create, use }) => {
        const simulation = await create()
        for (const path of ['/tasks?n=1', '/nowhere', '/tasks?n=2', '/tasks?n=3']) await use(simulation, 'GET', path)
        const logs = `/v1/simulations/${simulation.id}/logs`
        const paths = async (query: string) =>
          (await call('GET', `${logs}?${query}`)).body.data.map(({ path }: { path: string }) => path)
        const { data } = (await call('GET', logs)).body

        expect(await paths('limit=1')).toEqual(['/tasks?n=3'])
        expect(await paths(`limit=2&before=${data[0].id}`)).toEqual(['/tasks?n=2', '/nowhere'])
        expect(await paths(`after=${data[2].id}`)).toEqual(['/tasks?n=3', '/tasks?n=2'])
        expect(await paths('status=404')).toEqual(['/nowhere'])
        expect(await paths('operation=listTasks&limit=2')).toEqual(['/tasks?n=3', '/tasks?n=2'])
        for (const wrong of [
          'limit=0',
          'limit=1001',
          'before=x',
          'after=req_x',
          'status=99',
          'detail=yes',
          'operation=listTask',
        ]) {
          expect((await call('GET', `${logs}?${wrong}`)).status, wrong).toBe(400)
        }
      },
      'extensions',
    )

    rule(
      'events can be read by page, kind and record',
      async ({ call, create, use }) => {
        const simulation = await create()
        for (const title of ['one', 'two', 'three']) await use(simulation, 'POST', '/tasks', { title, status: 'open' })
        const events = `/v1/simulations/${simulation.id}/events`
        const titles = async (query: string) => {
          const { data } = (await call('GET', `${events}?${query}`)).body
          return data.map(({ data: { object } }: { data: { object: { title: string } } }) => object.title)
        }
        const { data } = (await call('GET', events)).body

        expect(await titles(`limit=1&before=${data[0].id}`)).toEqual(['two'])
        expect(await titles(`recordId=${data[2].data.id}`)).toEqual(['one'])
        expect(await titles('type=task.*&limit=1000')).toEqual(['three', 'two', 'one'])
        for (const wrong of ['limit=0', 'limit=1001', 'before=x', 'type=tasks.created']) {
          expect((await call('GET', `${events}?${wrong}`)).status, wrong).toBe(400)
        }
      },
      'extensions',
    )

    rule(
      'records can be found, ordered and counted',
      async ({ call, create, use }) => {
        const simulation = await create()
        for (const title of ['beta', 'alpha']) await use(simulation, 'POST', '/tasks', { title, status: 'open' })
        const part = `/v1/simulations/${simulation.id}`
        const where = encodeURIComponent('{"title":{"in":["alpha","beta"]}}')
        const { body } = await call('GET', `${part}/records/tasks?where=${where}&sort=title`)

        expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['alpha', 'beta'])
        expect(body.total).toBe(2)
        expect((await call('GET', `${part}/records/tasks?q=ALPH`)).body.total).toBe(1)
        const counts = (await call('GET', `${part}/collections/tasks/counts?field=status`)).body.data
        const { total } = (await call('GET', `${part}/records/tasks`)).body
        expect(Object.values<number>(counts).reduce((sum, count) => sum + count, 0)).toBe(total)
        for (const wrong of ['records/tasks?where=x', 'records/tasks?sort=titel', 'collections/tasks/counts?field=x']) {
          expect((await call('GET', `${part}/${wrong}`)).status, wrong).toBe(400)
        }
      },
      'extensions',
    )

    rule(
      'a response rule can be replaced, and switched off and on',
      async ({ call, create, use }) => {
        const simulation = await create()
        const rules = `/v1/simulations/${simulation.id}/rules`
        const asked = { name: 'down', kind: 'error', method: 'GET', pathPattern: '/tasks', config: { status: 503 } }
        const { id } = (await call('POST', rules, { body: asked })).body
        const statusWith = async (change: object) => {
          expect((await call('PUT', `${rules}/${id}`, { body: { ...asked, ...change } })).body.id).toBe(id)
          return (await use(simulation, 'GET', '/tasks')).status
        }

        expect(await statusWith({ enabled: false })).toBe(200)
        expect(await statusWith({ config: { status: 500 } })).toBe(500)
        expect((await call('PUT', `${rules}/none`, { body: asked })).status).toBe(404)
      },
      'extensions',
    )

    rule(
      'snapshots can be named and listed',
      async ({ call, create }) => {
        const part = `/v1/simulations/${(await create()).id}/snapshots`
        for (const path of [part, `${part}?name=second`]) await call('POST', path)

        const { data } = (await call('GET', part)).body

        expect(data.map(({ id, name }: { id: string; name: string | null }) => [id, name])).toEqual([
          ['snap_2', 'second'],
          ['snap_1', null],
        ])
      },
      'extensions',
    )

    rule(
      'restoring an unknown snapshot gives 404 not_found',
      async ({ call, create }) => {
        const { id } = await create()

        expect((await call('POST', `/v1/simulations/${id}/snapshots/unknown/restore`)).status).toBe(404)
      },
      'extensions',
    )

    rule(
      'the latest 100 snapshots are kept',
      async ({ call, create }) => {
        const part = `/v1/simulations/${(await create()).id}/snapshots`
        for (let taken = 0; taken < 101; taken++) await call('POST', part)

        const [first, second] = await Promise.all(
          ['snap_1', 'snap_2'].map((id) => call('POST', `${part}/${id}/restore`)),
        )

        expect([first?.status, second?.status]).toEqual([404, 200])
        expect(first?.body.error.message).toBe('No snapshot "snap_1" of this simulation: snap_2 to snap_101 are kept.')
      },
      'extensions',
    )

    rule(
      'GET clock shows the world time, which a fast-forward moves',
      async ({ call, create }) => {
        const { id } = await create({ volume: { tasks: 1 } })
        const before = (await call('GET', `/v1/simulations/${id}/clock`)).body
        await call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 2 } })

        const { now, offsetMs, paused } = (await call('GET', `/v1/simulations/${id}/clock`)).body

        expect(offsetMs - before.offsetMs).toBeGreaterThanOrEqual(2 * 3_600_000 - 1)
        expect(Date.parse(now) - Date.parse(before.now)).toBeGreaterThanOrEqual(2 * 3_600_000)
        expect(paused).toBe(false)
      },
      'extensions',
    )

    rule(
      'POST clock turns the world clock by seconds',
      async ({ call, create }) => {
        const { id } = await create({ volume: { tasks: 1 } })
        const part = `/v1/simulations/${id}/clock`
        const before = (await call('GET', part)).body

        const turned = await call('POST', part, { body: { seconds: 90 } })
        const refused = await call('POST', part, { body: { seconds: 0 } })

        expect(turned).toMatchObject({ status: 200, body: { hours: 0.025 } })
        expect((await call('GET', part)).body.offsetMs - before.offsetMs).toBeGreaterThanOrEqual(90_000 - 1)
        expect(refused.body.error.message).toBe('Expected `seconds` to be from 1 to 2,592,000, got 0.')
      },
      'extensions',
    )

    rule(
      'webhooks can be listed with their state, and deleted',
      async ({ call, create, detail }) => {
        const { id } = await create()
        const part = `/v1/simulations/${id}/webhooks`
        const registered = (await call('POST', part, { body: { url: 'https://8.8.8.8/', events: ['*'] } })).body

        const { data } = (await call('GET', part)).body
        const removed = await call('DELETE', `${part}/${registered.id}`)

        expect(data).toEqual([
          { id: registered.id, url: 'https://8.8.8.8/', events: ['*'], state: 'active', failures: 0 },
        ])
        expect(removed.status).toBe(204)
        expect((await detail(id)).webhooks).toEqual([])
        expect((await call('DELETE', `${part}/${registered.id}`)).status).toBe(404)
        expect((await call('POST', `${part}/unknown/enable`)).status).toBe(404)
        expect((await call('GET', `${part}/unknown/deliveries`)).status).toBe(404)
      },
      'extensions',
    )

    rule(
      'a webhook may ask for a scheme, and its secret has the form of that scheme',
      async ({ call, create }) => {
        const { id } = await create()
        const register = (scheme: string) =>
          call('POST', `/v1/simulations/${id}/webhooks`, { body: { url: 'https://8.8.8.8/', events: ['*'], scheme } })

        const [svc, github, telnyx, unknown] = [
          await register('svc'),
          await register('github'),
          await register('telnyx'),
          await register('gthub'),
        ]

        expect(svc.body.secret).toMatch(/^whsec_[0-9a-f]{64}$/)
        expect(github.body).toMatchObject({ scheme: 'github', secret: expect.stringMatching(/^[0-9a-f]{40}$/) })
        expect(telnyx.body.publicKey).toMatch(/^[A-Za-z0-9+/]{43}=$/)
        expect(unknown.status).toBe(400)
        expect(unknown.body.error).toMatchObject({
          code: 'invalid_request',
          message: expect.stringContaining('"github"'),
        })
      },
      'extensions',
    )

    rule(
      'deliveries/advance wants seconds or until, deliveries/settled answers at once when nothing waits',
      async ({ call, create }) => {
        const { id } = await create()

        const advance = (body: object) => call('POST', `/v1/simulations/${id}/deliveries/advance`, { body })
        expect((await advance({ seconds: 60 })).body).toEqual({ attempts: 0 })
        expect((await advance({ until: 'next' })).body).toEqual({ attempts: 0 })
        expect((await advance({ until: 'drained' })).body).toEqual({ attempts: 0 })
        expect((await advance({})).body.error.code).toBe('invalid_request')
        expect((await advance({ seconds: 1, until: 'next' })).body.error.code).toBe('invalid_request')
        expect((await advance({ seconds: -1 })).body.error.code).toBe('invalid_request')
        expect((await call('GET', `/v1/simulations/${id}/deliveries/settled`)).body).toEqual({ settled: true })
      },
      'extensions',
    )

    rule(
      'with validation: warn, a request that does not fit is let through; the log says what is wrong with it, as with one refused',
      async ({ call, create, use }) => {
        const body = { title: '', status: 'unheard of' }
        const [strict, lax] = [await create(), await create({ validation: 'warn' })]

        const [refused, taken] = [await use(strict, 'POST', '/tasks', body), await use(lax, 'POST', '/tasks', body)]
        const warningsOf = async ({ id }: { id: string }) =>
          (await call('GET', `/v1/simulations/${id}/logs`)).body.data[0].warnings

        expect([refused.status >= 400, taken.status]).toEqual([true, 201])
        expect((await warningsOf(lax))[0]).toMatch(/title|status/)
        expect(await warningsOf(strict)).toEqual([refused.body.error.message])
      },
      'extensions',
    )

    rule(
      'seed and epoch give the same data again, whatever the time',
      async ({ call, create }) => {
        const records = async (init: object) => {
          const { id } = await create({ volume: { tasks: 5 }, ...init })
          return (await call('GET', `/v1/simulations/${id}/records/tasks`)).body.data
        }
        const epoch = '2025-05-05T05:05:05Z'

        const [first, second, other] = [
          await records({ seed: 'a', epoch }),
          await records({ seed: 'a', epoch }),
          await records({ seed: 'b', epoch }),
        ]

        expect(second).toEqual(first)
        expect(other).not.toEqual(first)
      },
      'extensions',
    )

    rule(
      'behaviour and rules may come with the creation',
      async ({ create, detail }) => {
        const rules = [{ name: 'Slow', kind: 'latency', method: '*', pathPattern: '*', config: { latencyMs: 1 } }]

        const { behaviour, rules: kept } = await detail((await create({ behaviour: HALVING.rules, rules })).id)

        expect(behaviour.rules).toEqual(HALVING.rules)
        expect(kept).toMatchObject(rules)
      },
      'extensions',
    )

    rule(
      'a library entry may be laid over a description',
      async ({ call, create, use }) => {
        const spec = JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'More of it', version: '1' },
          paths: { '/shelves': { get: { responses: { 200: { description: 'ok' } } } } },
        })
        const simulation = await create({ spec, entry: 'task-tracker' })
        const body = { library: 'task-tracker', entry: 'task-tracker' }
        const alone = await call('POST', '/v1/simulations', { body })

        const answers = [await use(simulation, 'GET', '/tasks'), await use(simulation, 'GET', '/shelves')]

        expect(answers.map(({ status }) => status)).toEqual([200, 200])
        expect([alone.status, alone.body.error.code]).toEqual([400, 'invalid_request'])
      },
      'extensions',
    )

    rule(
      'a response rule may name an operation, templates in its path, and what a request holds',
      async ({ call, create, use }) => {
        const simulation = await create()
        const rule = { name: 'Teapot', kind: 'error', config: { status: 418 } }
        const add = (match: object) =>
          call('POST', `/v1/simulations/${simulation.id}/rules`, { body: { ...rule, ...match } })
        const operation = await add({ operation: 'listTasks', when: { query: { limit: 1 } } })
        const template = await add({ method: 'PATCH', pathPattern: '/tasks/{id}', when: { body: { title: 'Bad' } } })

        const statuses = [
          (await use(simulation, 'GET', '/tasks')).status,
          (await use(simulation, 'GET', '/tasks?limit=1')).status,
          (await use(simulation, 'PATCH', '/tasks/1', { title: 'Bad' })).status,
          (await use(simulation, 'PATCH', '/tasks/1', { title: 'Good' })).status,
        ]

        expect([operation.status, template.status]).toEqual([201, 201])
        expect(statuses.map((status) => status === 418)).toEqual([false, true, true, false])
        const { rules } = (await call('GET', `/v1/simulations/${simulation.id}`)).body
        expect(rules).toMatchObject([{ firings: 1 }, { firings: 1 }])
        expect((await add({ operation: 'unknown' })).status).toBe(400)
      },
      'extensions',
    )
  },
}
