import { expect } from 'vitest'
import type { Section } from '../rule.ts'
import { KEYS } from '../target.ts'

/** Specification, PUT access and POST keys. */
export const accessAndKeys: Section = {
  title: 'Access and simulation keys',
  declare: (rule) => {
    rule('PUT access answers { ok: true } and changes what was given', async ({ call, create, detail }) => {
      const { id } = await create()

      const answer = await call('PUT', `/v1/simulations/${id}/access`, {
        body: { ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'] },
      })

      expect(answer).toMatchObject({ status: 200, body: { ok: true } })
      expect((await detail(id)).access).toEqual({
        ipRestrictionEnabled: false,
        ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'],
      })
    })

    rule('restriction can be switched on and off apart from the list', async ({ call, create, detail }) => {
      const { id } = await create({ ipAllowlist: ['10.0.0.0/8'] })
      const { ipAllowlist } = (await detail(id)).access

      await call('PUT', `/v1/simulations/${id}/access`, { body: { ipRestrictionEnabled: true } })
      const on = (await detail(id)).access
      await call('PUT', `/v1/simulations/${id}/access`, { body: { ipRestrictionEnabled: false } })

      expect(on).toEqual({ ipRestrictionEnabled: true, ipAllowlist })
      expect((await detail(id)).access.ipRestrictionEnabled).toBe(false)
    })

    rule('with restriction on, the creator is let in', async ({ create, use }) => {
      const simulation = await create({ ipRestrictionEnabled: true })

      expect((await use(simulation, 'GET', '/tasks')).status).toBe(200)
    })

    rule('with restriction on, an address that is not on the list is refused', async ({ call, create, use }) => {
      const simulation = await create()
      await call('PUT', `/v1/simulations/${simulation.id}/access`, {
        body: { ipRestrictionEnabled: true, ipAllowlist: ['203.0.113.0/24'] },
      })

      expect((await use(simulation, 'GET', '/tasks')).status).toBe(403)
    })

    rule(
      'entries may be mapped addresses and ranges: they mean the IPv4 ones',
      async ({ call, create, detail, use }) => {
        const simulation = await create()
        await call('PUT', `/v1/simulations/${simulation.id}/access`, {
          body: { ipRestrictionEnabled: true, ipAllowlist: ['::ffff:127.0.0.0/104'] },
        })

        expect((await detail(simulation.id)).access.ipAllowlist).toEqual(['127.0.0.0/8'])
        expect((await use(simulation, 'GET', '/tasks')).status).toBe(200)
      },
      'restrict',
    )

    rule('an invalid CIDR range gives 400 bad_request and changes nothing', async ({ call, create, detail }) => {
      const { id } = await create()
      const before = (await detail(id)).access

      const answers = await Promise.all(
        ['10.0.0.0/33', '300.1.1.1', '2001:db8::/129', 'localhost', ''].map((entry) =>
          call('PUT', `/v1/simulations/${id}/access`, {
            body: { ipRestrictionEnabled: true, ipAllowlist: ['10.0.0.1', entry] },
          }),
        ),
      )

      for (const { status, body } of answers) {
        expect([status, body.error.code]).toEqual([400, 'bad_request'])
        expect(body.error.message).toContain('`ipAllowlist[1]`')
      }
      expect((await detail(id)).access).toEqual(before)
    })

    rule('ipAllowlist has up to 50 entries', async ({ call, create }) => {
      const { id } = await create()
      const entries = Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`)

      const within = await call('PUT', `/v1/simulations/${id}/access`, { body: { ipAllowlist: entries.slice(0, 50) } })
      const over = await call('PUT', `/v1/simulations/${id}/access`, { body: { ipAllowlist: entries } })

      expect(within.status).toBe(200)
      expect(over).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringMatching(/`ipAllowlist`.*50 items, got 51/) } },
      })
    })

    rule('50 entries and the creator can be written back as they were read', async ({ call, create, detail }) => {
      const entries = Array.from({ length: 50 }, (_, index) => `10.0.0.${index}`)
      const { id } = await create({ ipAllowlist: entries })
      const { access } = await detail(id)

      const back = await call('PUT', `/v1/simulations/${id}/access`, { body: access })

      expect(access.ipAllowlist).toHaveLength(51)
      expect(back).toMatchObject({ status: 200, body: { ok: true } })
      expect((await detail(id)).access).toEqual(access)
    })

    rule('X-Forwarded-For of a stranger changes no address', async ({ call, create, send }) => {
      const { id, url, apiKey } = await create()
      await call('PUT', `/v1/simulations/${id}/access`, {
        body: { ipRestrictionEnabled: true, ipAllowlist: ['203.0.113.0/24'] },
      })

      const answer = await send('GET', `${url}/tasks`, {
        headers: { authorization: `Bearer ${apiKey}`, 'x-forwarded-for': '203.0.113.9' },
      })

      expect(answer.status).toBe(403)
    })

    rule('POST keys returns 201 with apiKey and note', async ({ call, create }) => {
      const { id } = await create()

      expect(await call('POST', `/v1/simulations/${id}/keys`, { body: { name: 'CI' } })).toMatchObject({
        status: 201,
        body: { apiKey: expect.stringMatching(/^svc_sim_/), note: expect.any(String) },
      })
    })

    rule('several keys can exist, and each opens the simulated API', async ({ call, create, send, detail }) => {
      const simulation = await create()
      const issued = (await call('POST', `/v1/simulations/${simulation.id}/keys`, { body: { name: 'CI' } })).body.apiKey

      const answers = await Promise.all(
        [simulation.apiKey, issued].map((key) =>
          send('GET', `${simulation.url}/tasks`, { headers: { authorization: `Bearer ${key}` } }),
        ),
      )

      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await detail(simulation.id)).keys).toEqual([simulation.apiKey, issued].map((key) => key.slice(0, 14)))
    })

    rule('name of a key is required', async ({ call, create }) => {
      const { id } = await create()

      expect(await call('POST', `/v1/simulations/${id}/keys`, { body: {} })).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: expect.stringContaining('`name`') } },
      })
    })

    rule('the simulated API wants a simulation key', async ({ create, send }) => {
      const { url } = await create()
      const other = await create()

      const answers = await Promise.all([
        send('GET', `${url}/tasks`),
        send('GET', `${url}/tasks`, { headers: { authorization: 'Bearer svc_sim_unknown' } }),
        send('GET', `${url}/tasks`, { headers: { authorization: `Bearer ${other.apiKey}` } }),
      ])

      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    })

    rule(
      'past requestLimit the simulated API answers 429 with Retry-After',
      async ({ call, create, use }) => {
        const simulation = await create({}, { key: KEYS.fewRequests })

        const statuses: number[] = []
        for (let at = 0; at < 3; at++) statuses.push((await use(simulation, 'GET', '/tasks')).status)
        const over = await use(simulation, 'GET', '/tasks')
        const usage = (await call('GET', '/v1/usage', { key: KEYS.fewRequests })).body

        expect(statuses).toEqual([200, 200, 200])
        expect([over.status, Number(over.headers['retry-after'])]).toEqual([429, expect.any(Number)])
        expect(usage).toMatchObject({ requestsThisMonth: 3, requestLimit: 3 })
      },
      'accounts',
    )
  },
}
