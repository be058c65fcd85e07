import { expect } from 'vitest'
import { DESCRIPTION } from '../description.ts'
import type { Section } from '../rule.ts'
import { KEYS } from '../target.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Specification, POST /v1/simulations. */
export const creation: Section = {
  title: 'POST /v1/simulations',
  declare: (rule) => {
    rule('returns 201 with id, slug, url, status, apiKey and note', async ({ call }) => {
      const { status, body } = await call('POST', '/v1/simulations', { body: { spec: DESCRIPTION } })

      expect(status).toBe(201)
      expect(body).toMatchObject({
        id: expect.stringMatching(UUID),
        slug: expect.stringMatching(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/),
        url: expect.stringMatching(/^https:\/\//),
        status: 'queued',
        apiKey: expect.stringMatching(/^svc_sim_/),
        note: expect.stringMatching(/^Store this key/),
      })
      expect((await call('DELETE', `/v1/simulations/${body.id}`)).status).toBe(204)
    })

    rule('status is queued right after creation, and running is seen later', async ({ create, call, detail }) => {
      const { id, status } = await create()
      await call('GET', `/v1/simulations/${id}/events`)

      expect([status, (await detail(id)).status]).toEqual(['queued', 'running'])
    })

    rule('library names a library entry', async ({ call, create, detail }) => {
      const [entry] = (await call('GET', '/v1/library')).body.data

      const { api, collections } = await detail((await create({ library: entry.slug })).id)

      expect(api.operations).toBeGreaterThan(0)
      expect(collections.length).toBeGreaterThan(0)
    })

    rule('an unknown library slug gives 404 not_found', async ({ call }) => {
      expect(await call('POST', '/v1/simulations', { body: { library: 'no-such-entry' } })).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', message: expect.stringContaining('"no-such-entry"') } },
      })
    })

    rule('spec is an OpenAPI description as JSON text', async ({ create, detail }) => {
      const { api } = await detail((await create()).id)

      expect(api).toMatchObject({ title: 'Errands', version: '2.1.0', basePath: '/api', operations: 5 })
    })

    rule('spec is an OpenAPI description as YAML text', async ({ create, detail }) => {
      const spec = [
        'openapi: 3.0.0',
        'info: { title: Tiny, version: "1" }',
        'paths:',
        '  /notes:',
        '    get:',
        '      responses:',
        '        "200":',
        '          description: Notes',
        '          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Note" } } } }',
        '  /notes/{id}:',
        '    get:',
        '      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]',
        '      responses:',
        '        "200":',
        '          description: A note',
        '          content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } }',
        'components:',
        '  schemas:',
        '    Note: { type: object, properties: { id: { type: string }, text: { type: string } } }',
      ].join('\n')

      const { api, collections } = await detail((await create({ spec })).id)

      expect(api).toMatchObject({ title: 'Tiny', basePath: '', operations: 2 })
      expect(collections.map(({ name }) => name)).toEqual(['notes'])
    })

    rule('one of library and spec is required', async ({ call }) => {
      expect(await call('POST', '/v1/simulations', { body: {} })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringMatching(/`library` and `spec`.*neither/) } },
      })
    })

    rule('library and spec together give 400 invalid_request', async ({ call }) => {
      const body = { library: 'task-tracker', spec: DESCRIPTION }

      expect(await call('POST', '/v1/simulations', { body })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringMatching(/`library` and `spec`.*both/) } },
      })
    })

    rule('a spec that cannot be parsed gives 422 invalid_spec', async ({ call }) => {
      const texts = ['{ "openapi": ', 'just text', '[]', '{}', '{"openapi":"3.0.0"}', 'a: [b']

      const answers = await Promise.all(texts.map((spec) => call('POST', '/v1/simulations', { body: { spec } })))

      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
        texts.map(() => [422, 'invalid_spec']),
      )
    })

    rule('a spec over 5 MB gives 400 invalid_request and names the bound', async ({ call }) => {
      const padded = (bytes: number) => DESCRIPTION + ' '.repeat(bytes - Buffer.byteLength(DESCRIPTION))

      const [within, over] = await Promise.all(
        [5_000_000, 5_000_001].map((bytes) => call('POST', '/v1/simulations', { body: { spec: padded(bytes) } })),
      )

      expect(within?.status).toBe(201)
      expect(over).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringMatching(/`spec`.*5,000,000 bytes/) } },
      })
      await call('DELETE', `/v1/simulations/${within?.body.id}`)
    })

    rule('name and slug are kept', async ({ create, detail }) => {
      const slug = `errands-${process.pid}`

      const { id } = await create({ name: 'My errands', slug })

      expect(await detail(id)).toMatchObject({ name: 'My errands', slug })
    })

    rule('a slug that is taken gives 400 bad_request', async ({ call, create }) => {
      const { slug } = await create()

      expect(await call('POST', '/v1/simulations', { body: { spec: DESCRIPTION, slug } })).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: expect.stringContaining(`"${slug}" is taken`) } },
      })
    })

    rule('a slug that is no DNS label gives 400 invalid_request', async ({ call }) => {
      const slugs = ['', 'Upper', 'under_score', '-start', 'end-', 'x'.repeat(64), 'a.b', 'ü']

      const answers = await Promise.all(
        slugs.map((slug) => call('POST', '/v1/simulations', { body: { spec: DESCRIPTION, slug } })),
      )

      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
        slugs.map(() => [400, 'invalid_request']),
      )
    })

    rule('simulations of one name get slugs of their own', async ({ create }) => {
      const created = await Promise.all([1, 2, 3].map(() => create({ name: 'The same' })))

      expect(new Set(created.map(({ slug }) => slug)).size).toBe(3)
      expect(new Set(created.map(({ url }) => url)).size).toBe(3)
    })

    rule('instructions have up to 2,000 characters', async ({ call, create }) => {
      await create({ instructions: 'x'.repeat(2_000) })

      const over = await call('POST', '/v1/simulations', {
        body: { spec: DESCRIPTION, instructions: 'x'.repeat(2_001) },
      })

      expect(over).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringMatching(/`instructions`.*2,000/) } },
      })
    })

    rule('volume maps a collection name to the number of records to generate', async ({ create, detail }) => {
      const { collections } = await detail((await create({ volume: { tasks: 7 } })).id)

      expect(collections).toMatchObject([{ name: 'tasks', records: 7 }])
    })

    rule('volume may be 0', async ({ create, detail }) => {
      const { collections } = await detail((await create({ volume: { tasks: 0 } })).id)

      expect(collections).toMatchObject([{ name: 'tasks', records: 0 }])
    })

    rule('volume must be integers', async ({ call }) => {
      const volumes = [{ tasks: 1.5 }, { tasks: -1 }, { tasks: '3' }, { tasks: null }]

      const answers = await Promise.all(
        volumes.map((volume) => call('POST', '/v1/simulations', { body: { spec: DESCRIPTION, volume } })),
      )

      for (const { status, body } of answers) {
        expect([status, body.error.code]).toEqual([400, 'invalid_request'])
        expect(body.error.message).toMatch(/`volume\.tasks`.*1,000,000/)
      }
    })

    rule('an unknown collection in volume gives 400 bad_request and names the nearest one', async ({ call }) => {
      const answer = await call('POST', '/v1/simulations', { body: { spec: DESCRIPTION, volume: { task: 3 } } })

      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: expect.stringMatching(/`volume\.task`.*"tasks"\?.*tasks/) } },
      })
    })

    rule('seedRecords stand before the generated records of their collection', async ({ create, use, detail }) => {
      const simulation = await create({ volume: { tasks: 3 }, seedRecords: { tasks: [{ title: 'Buy milk' }] } })

      const titles = (await use(simulation, 'GET', '/tasks')).body.map(({ title }: { title: string }) => title)

      expect(titles[0]).toBe('Buy milk')
      expect(titles).toHaveLength(4)
      expect((await detail(simulation.id)).collections).toMatchObject([{ name: 'tasks', records: 4 }])
    })

    rule('a seed record that does not fit the description gives 400 invalid_request', async ({ call }) => {
      const seeded = (task: object) =>
        call('POST', '/v1/simulations', { body: { spec: DESCRIPTION, seedRecords: { tasks: [{}, task] } } })

      const answers = [await seeded({ titel: 'A' }), await seeded({ status: 'don' }), await seeded({ title: 5 })]

      expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
        answers.map(() => [400, 'invalid_request']),
      )
      expect(answers[0]?.body.error.message).toMatch(
        /^Expected `seedRecords\.tasks\[1\]` to have no field "titel", got one\. Did you mean "title"\?/,
      )
      expect(answers[1]?.body.error.message).toMatch(
        /^Expected `seedRecords\.tasks\[1\]\.status` to be one of .*, got "don"\. Did you mean "done"\?$/,
      )
      expect(answers[2]?.body.error.message).toBe('Expected `seedRecords.tasks[1].title` to be a string, got 5.')
    })

    rule('an unknown collection in seedRecords gives 400 bad_request', async ({ call }) => {
      const body = { spec: DESCRIPTION, seedRecords: { chores: [{}] } }

      expect(await call('POST', '/v1/simulations', { body })).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request' } },
      })
    })

    rule('useModel without a model gives 400 bad_request', async ({ call }) => {
      expect(await call('POST', '/v1/simulations', { body: { spec: DESCRIPTION, useModel: true } })).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: expect.stringContaining('`useModel`') } },
      })
    })

    rule('ipAllowlist and ipRestrictionEnabled are kept, in canonical form', async ({ create, detail }) => {
      const { id } = await create({ ipAllowlist: ['10.1.2.3/8', '2001:DB8::1'], ipRestrictionEnabled: false })

      const { access } = await detail(id)

      expect(access.ipRestrictionEnabled).toBe(false)
      expect(access.ipAllowlist.slice(0, 2)).toEqual(['10.0.0.0/8', '2001:db8::1'])
    })

    rule('the IP address that sent the request is added to the allow-list', async ({ create, detail }) => {
      const { access } = await detail((await create({ ipAllowlist: ['10.0.0.0/8'] })).id)

      expect(access.ipAllowlist).toHaveLength(2)
      expect(access.ipAllowlist[1]).toMatch(/^[0-9a-f.:]+$/)
    })

    rule('an invalid entry of ipAllowlist gives 400 bad_request and creates nothing', async ({ call }) => {
      const before = (await call('GET', '/v1/simulations')).body.data.length

      const answer = await call('POST', '/v1/simulations', {
        body: { spec: DESCRIPTION, ipAllowlist: ['10.0.0.0/8', '10.0.0.0/33'] },
      })

      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: expect.stringContaining('`ipAllowlist[1]`') } },
      })
      expect((await call('GET', '/v1/simulations')).body.data).toHaveLength(before)
    })

    rule('ipAllowlist has up to 50 entries', async ({ call, create, detail }) => {
      const entries = Array.from({ length: 50 }, (_, index) => `10.0.0.${index}`)

      const { access } = await detail((await create({ ipAllowlist: entries })).id)
      const over = await call('POST', '/v1/simulations', {
        body: { spec: DESCRIPTION, ipAllowlist: [...entries, '10.0.0.50'] },
      })

      expect(access.ipAllowlist).toHaveLength(51)
      expect(over).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    })

    rule('fields that the service does not know are ignored', async ({ create }) => {
      expect((await create({ colour: 'blue', nested: { deep: [1] } })).status).toBe('queued')
    })

    rule(
      'creating one simulation more than the plan allows gives 402 plan_limit',
      async ({ call }) => {
        const key = KEYS.oneSimulation
        const first = await call('POST', '/v1/simulations', { key, body: { spec: DESCRIPTION } })

        const second = await call('POST', '/v1/simulations', { key, body: { spec: DESCRIPTION } })
        const removed = await call('DELETE', `/v1/simulations/${first.body.id}`, { key })
        const third = await call('POST', '/v1/simulations', { key, body: { spec: DESCRIPTION } })
        await call('DELETE', `/v1/simulations/${third.body.id}`, { key })

        expect([first.status, removed.status, third.status]).toEqual([201, 204, 201])
        expect(second).toMatchObject({ status: 402, body: { error: { code: 'plan_limit' } } })
      },
      'accounts',
    )

    rule(
      'of many creations at once only as many succeed as the plan allows',
      async ({ call }) => {
        const key = KEYS.oneSimulation

        const answers = await Promise.all(
          Array.from({ length: 8 }, () => call('POST', '/v1/simulations', { key, body: { spec: DESCRIPTION } })),
        )
        const created = answers.filter(({ status }) => status === 201)
        for (const { body } of created) await call('DELETE', `/v1/simulations/${body.id}`, { key })

        expect(created).toHaveLength(1)
      },
      'accounts',
    )

    rule(
      'too little generation credit for the records gives 402 no_credit and takes nothing',
      async ({ call }) => {
        const key = KEYS.poor

        const refused = await call('POST', '/v1/simulations', {
          key,
          body: { spec: DESCRIPTION, volume: { tasks: 51 } },
        })
        const usage = (await call('GET', '/v1/usage', { key })).body
        const made = await call('POST', '/v1/simulations', { key, body: { spec: DESCRIPTION, volume: { tasks: 20 } } })
        await call('DELETE', `/v1/simulations/${made.body.id}`, { key })

        expect(refused).toMatchObject({ status: 402, body: { error: { code: 'no_credit' } } })
        expect(usage).toMatchObject({ creditUsd: 0.5, simulations: 0 })
        expect((await call('GET', '/v1/usage', { key })).body.creditUsd).toBeCloseTo(0.3)
      },
      'accounts',
    )
  },
}
