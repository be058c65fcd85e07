import { expect } from 'vitest'
import type { Section } from '../rule.ts'
import { KEYS } from '../target.ts'

const UNAUTHORISED = { error: { code: 'unauthorised', message: expect.any(String) } }

/** Specification, Authentication. */
export const authentication: Section = {
  title: 'Authentication',
  declare: (rule) => {
    rule('every request carries Authorization: Bearer <ACCOUNT_KEY>', async ({ call }) => {
      const answer = await call('GET', '/v1/simulations')

      expect(answer.status).toBe(200)
    })

    rule('authentication is required on every endpoint', async ({ call }) => {
      const endpoints = [
        ['GET', '/v1/library'],
        ['GET', '/v1/simulations'],
        ['POST', '/v1/simulations'],
        ['GET', '/v1/simulations/any'],
        ['DELETE', '/v1/simulations/any'],
        ...['pause', 'resume', 'reset', 'fast-forward', 'rules', 'webhooks', 'keys'].map((part) => [
          'POST',
          `/v1/simulations/any/${part}`,
        ]),
        ['PUT', '/v1/simulations/any/behaviour'],
        ['PUT', '/v1/simulations/any/access'],
        ['DELETE', '/v1/simulations/any/rules/any'],
        ['GET', '/v1/simulations/any/records/any'],
        ['GET', '/v1/simulations/any/events'],
        ['GET', '/v1/simulations/any/logs'],
        ['GET', '/v1/usage'],
      ] as [string, string][]

      const answers = await Promise.all(endpoints.map(([method, path]) => call(method, path, { key: null })))

      expect(answers).toHaveLength(19)
      expect(answers.map(({ status }) => status)).toEqual(Array(19).fill(401))
    })

    rule('a missing key gives 401 unauthorised', async ({ call }) => {
      expect(await call('GET', '/v1/usage', { key: null })).toMatchObject({ status: 401, body: UNAUTHORISED })
    })

    rule('an invalid key gives 401 unauthorised', async ({ call }) => {
      expect(await call('GET', '/v1/usage', { key: 'svc_acc_unknown' })).toMatchObject({
        status: 401,
        body: UNAUTHORISED,
      })
    })

    rule('another scheme than Bearer gives 401 unauthorised', async ({ call, target }) => {
      const headers = { authorization: `Basic ${Buffer.from(`${target.accountKey}:`).toString('base64')}` }

      expect(await call('GET', '/v1/usage', { key: null, headers })).toMatchObject({ status: 401, body: UNAUTHORISED })
    })

    rule(
      'a revoked key gives 401 unauthorised',
      async ({ call }) => {
        expect(await call('GET', '/v1/usage', { key: KEYS.revoked })).toMatchObject({ status: 401, body: UNAUTHORISED })
      },
      'accounts',
    )

    rule(
      'an expired key gives 401 unauthorised',
      async ({ call }) => {
        expect(await call('GET', '/v1/usage', { key: KEYS.expired })).toMatchObject({ status: 401, body: UNAUTHORISED })
      },
      'accounts',
    )

    rule(
      'a key without simulations:write gives 403 unauthorised on every endpoint that changes something',
      async ({ call, create }) => {
        const { id } = await create()
        const writes = [
          ['POST', '/v1/simulations'],
          ['DELETE', `/v1/simulations/${id}`],
          ...['pause', 'resume', 'reset', 'fast-forward', 'rules', 'webhooks', 'keys'].map((part) => [
            'POST',
            `/v1/simulations/${id}/${part}`,
          ]),
          ['PUT', `/v1/simulations/${id}/behaviour`],
          ['PUT', `/v1/simulations/${id}/access`],
          ['DELETE', `/v1/simulations/${id}/rules/any`],
        ] as [string, string][]

        const answers = await Promise.all(
          writes.map(([method, path]) =>
            call(method, path, { key: KEYS.readOnly, ...(method === 'DELETE' ? {} : { body: {} }) }),
          ),
        )

        expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
          Array(writes.length).fill([403, 'unauthorised']),
        )
      },
      'accounts',
    )

    rule(
      'a key without simulations:read gives 403 unauthorised on the list of simulations',
      async ({ call }) => {
        const answer = await call('GET', '/v1/simulations', { key: KEYS.writeOnly })

        expect(answer).toMatchObject({ status: 403, body: UNAUTHORISED })
      },
      'accounts',
    )

    rule(
      'a caller IP that the key does not allow gives 403 unauthorised',
      async ({ call }) => {
        expect(await call('GET', '/v1/usage', { key: KEYS.elsewhere })).toMatchObject({
          status: 403,
          body: UNAUTHORISED,
        })
      },
      'accounts',
    )

    rule(
      'a suspended account gives 403 unauthorised',
      async ({ call }) => {
        expect(await call('GET', '/v1/usage', { key: KEYS.suspended })).toMatchObject({
          status: 403,
          body: UNAUTHORISED,
        })
      },
      'accounts',
    )

    rule(
      'no active subscription gives 402 payment_required',
      async ({ call }) => {
        expect(await call('POST', '/v1/simulations', { key: KEYS.unsubscribed, body: {} })).toMatchObject({
          status: 402,
          body: { error: { code: 'payment_required', message: expect.any(String) } },
        })
      },
      'accounts',
    )

    rule('simulation keys are no credentials of the management API', async ({ call, create }) => {
      const { apiKey } = await create()

      expect(await call('GET', '/v1/usage', { key: apiKey })).toMatchObject({ status: 401, body: UNAUTHORISED })
    })

    rule('account keys are no credentials of a simulated API', async ({ create, send, target }) => {
      const { url } = await create()

      const answer = await send('GET', `${url}/tasks`, { headers: { authorization: `Bearer ${target.accountKey}` } })

      expect(answer.status).toBe(401)
    })

    rule(
      "another account's simulation is 404 not_found, by id and by slug, for every read and write",
      async ({ call, create }) => {
        const { id, slug } = await create()
        const below = [
          ['GET', ''],
          ['DELETE', ''],
          ...['pause', 'resume', 'reset', 'fast-forward', 'rules', 'webhooks', 'keys', 'snapshots'].map((part) => [
            'POST',
            `/${part}`,
          ]),
          ['PUT', '/behaviour'],
          ['PUT', '/access'],
          ['DELETE', '/rules/any'],
          ['DELETE', '/webhooks/any'],
          ...['records/tasks', 'events', 'logs', 'clock', 'webhooks', 'activity'].map((part) => ['GET', `/${part}`]),
        ] as [string, string][]
        const calls = [id, slug].flatMap((name) =>
          below.map(([method, part]): [string, string] => [method, `/v1/simulations/${name}${part}`]),
        )

        const answers = await Promise.all(calls.map(([method, path]) => call(method, path, { key: KEYS.stranger })))
        const { data } = (await call('GET', '/v1/simulations', { key: KEYS.stranger })).body

        expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
          Array(calls.length).fill([404, 'not_found']),
        )
        expect(data).toEqual([])
        expect((await call('GET', `/v1/simulations/${id}`)).status).toBe(200)
      },
      'accounts',
    )
  },
}
