import { expect } from 'vitest'
import { DESCRIPTION } from '../description.ts'
import type { Section } from '../rule.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Specification, Errors; and what is decided for malformed requests. */
export const errors: Section = {
  title: 'Errors',
  declare: (rule) => {
    rule('every error has the body { error: { code, message } } as JSON', async ({ call, create }) => {
      const { id } = await create()
      const answers = await Promise.all([
        call('GET', '/v1/usage', { key: null }),
        call('GET', '/v1/simulations/unknown'),
        call('POST', '/v1/simulations', { body: {} }),
        call('POST', `/v1/simulations/${id}/fast-forward`, { body: { hours: 0 } }),
        call('GET', '/v1/unknown'),
        call('PATCH', '/v1/simulations'),
      ])

      for (const { headers, body } of answers) {
        expect(headers['content-type']).toMatch(/^application\/json/)
        expect(body).toEqual({ error: { code: expect.any(String), message: expect.any(String) } })
      }
    })

    rule('several faults at once name the first and count the others', async ({ call }) => {
      const { body } = await call('POST', '/v1/simulations', {
        body: { spec: DESCRIPTION, name: 7, instructions: 7, useModel: 'yes' },
      })

      expect(body.error.message).toBe('Expected `name` to be a string, got 7. 2 more faults found.')
    })

    rule('malformed JSON gives 400 invalid_request', async ({ call, create }) => {
      const { id } = await create()

      for (const raw of [
        '{',
        '{"hours":1',
        "{'hours':1}",
        '',
        'null',
        '[]',
        '"x"',
        new Uint8Array([0x7b, 0xff, 0x7d]),
      ]) {
        const answer = await call('POST', `/v1/simulations/${id}/fast-forward`, { raw, headers: JSON_TYPE })
        expect([raw, answer.status, answer.body.error.code]).toEqual([raw, 400, 'invalid_request'])
      }
    })

    rule('a body that is nested too deeply gives 400 invalid_request', async ({ call, create }) => {
      const { id } = await create()
      const raw = `{"hours":${'['.repeat(50_000)}${']'.repeat(50_000)}}`

      const answer = await call('POST', `/v1/simulations/${id}/fast-forward`, { raw, headers: JSON_TYPE })

      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    })

    rule('a content type that is not JSON gives 415 bad_request', async ({ call, create }) => {
      const { id } = await create()

      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const answer = await call('POST', `/v1/simulations/${id}/fast-forward`, {
          raw: '{"hours":1}',
          headers: { 'content-type': type },
        })
        expect(answer).toMatchObject({ status: 415, body: { error: { code: 'bad_request' } } })
      }
    })

    rule('JSON may come with a charset', async ({ call, create }) => {
      const { id } = await create()

      const answer = await call('POST', `/v1/simulations/${id}/fast-forward`, {
        raw: '{"hours":1}',
        headers: { 'content-type': 'application/json; charset=utf-8' },
      })

      expect(answer.status).toBe(200)
    })

    rule('a body over 32 MiB gives 413 invalid_request', async ({ call }) => {
      const answer = await call('POST', '/v1/simulations', {
        raw: Buffer.alloc(32 * 1024 * 1024 + 1, 0x20),
        headers: JSON_TYPE,
      })

      expect(answer).toMatchObject({ status: 413, body: { error: { code: 'invalid_request' } } })
    })

    rule('an unknown route gives 404 not_found', async ({ call }) => {
      for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/simulations/x/y/z', '/v2/usage', '/v1/simulations/']) {
        expect(await call('GET', path)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
      }
    })

    rule('a wrong method gives 405 bad_request with Allow', async ({ call }) => {
      const answers = await Promise.all([
        call('PATCH', '/v1/simulations'),
        call('POST', '/v1/usage'),
        call('GET', '/v1/simulations/any/pause'),
      ])

      expect(answers.map(({ status, body, headers }) => [status, body.error.code, headers.allow])).toEqual([
        [405, 'bad_request', 'GET, POST'],
        [405, 'bad_request', 'GET'],
        [405, 'bad_request', 'POST'],
      ])
    })

    rule('401 comes before 404, and 404 before the validation of the body', async ({ call }) => {
      const path = '/v1/simulations/unknown/fast-forward'

      const answers = await Promise.all([
        call('POST', path, { key: null, body: { hours: 0 } }),
        call('POST', path, { body: { hours: 0 } }),
      ])

      expect(answers.map(({ status }) => status)).toEqual([401, 404])
    })

    rule('a creation that fails leaves nothing behind', async ({ call }) => {
      const ids = async () => (await call('GET', '/v1/simulations')).body.data.map(({ id }: { id: string }) => id)
      const before = await ids()

      for (const body of [
        { spec: '{' },
        { spec: DESCRIPTION, slug: 'half-made', volume: { chores: 1 } },
        { spec: DESCRIPTION, slug: 'half-made', ipAllowlist: ['x'] },
        { library: 'unknown', slug: 'half-made' },
      ]) {
        await call('POST', '/v1/simulations', { body })
      }

      expect(await ids()).toEqual(before)
      expect((await call('GET', '/v1/simulations/half-made')).status).toBe(404)
    })

    rule('bodies of requests that need none are ignored', async ({ call, create }) => {
      const { id } = await create()

      const answer = await call('POST', `/v1/simulations/${id}/pause`, {
        raw: 'no json',
        headers: { 'content-type': 'text/plain' },
      })

      expect(answer).toMatchObject({ status: 200, body: { ok: true } })
    })
  },
}
