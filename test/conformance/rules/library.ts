import { expect } from 'vitest'
import type { Section } from '../rule.ts'

/** Specification, GET /v1/library. */
export const library: Section = {
  title: 'GET /v1/library',
  declare: (rule) => {
    rule(
      'answers { data } of entries with slug, name, provider, vertical, description and operations',
      async ({ call }) => {
        const { status, body } = await call('GET', '/v1/library')

        expect(status).toBe(200)
        expect(body.data.length).toBeGreaterThan(0)
        for (const entry of body.data) {
          expect(entry).toEqual({
            slug: expect.any(String),
            name: expect.any(String),
            provider: expect.any(String),
            vertical: expect.any(String),
            description: expect.any(String),
            operations: expect.any(Number),
          })
        }
      },
    )

    rule('the slug of an entry creates a simulation with as many operations', async ({ call, create, detail }) => {
      const [entry] = (await call('GET', '/v1/library')).body.data

      const { api } = await detail((await create({ library: entry.slug })).id)

      expect(api.operations).toBe(entry.operations)
    })

    rule('q searches, whatever its case', async ({ call }) => {
      const all = (await call('GET', '/v1/library')).body.data as { slug: string; name: string }[]
      const [wanted] = all as [{ slug: string; name: string }]

      const found = (await call('GET', `/v1/library?q=${encodeURIComponent(wanted.name.toUpperCase())}`)).body.data
      const none = (await call('GET', '/v1/library?q=no-entry-holds-this')).body.data

      expect(found.map(({ slug }: { slug: string }) => slug)).toContain(wanted.slug)
      expect(none).toEqual([])
    })

    rule('vertical filters by the category label', async ({ call }) => {
      const [{ vertical }] = (await call('GET', '/v1/library')).body.data

      const { data } = (await call('GET', `/v1/library?vertical=${encodeURIComponent(vertical)}`)).body

      expect(data.length).toBeGreaterThan(0)
      expect(new Set(data.map((entry: { vertical: string }) => entry.vertical))).toEqual(new Set([vertical]))
    })

    rule('limit cuts the answer', async ({ call }) => {
      expect((await call('GET', '/v1/library?limit=1')).body.data).toHaveLength(1)
    })

    rule('limit is at most 200', async ({ call }) => {
      expect((await call('GET', '/v1/library?limit=200')).status).toBe(200)
      expect(await call('GET', '/v1/library?limit=201')).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: 'Expected `limit` to be from 1 to 200, got "201".' } },
      })
    })
  },
}
