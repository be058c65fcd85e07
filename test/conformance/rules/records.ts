import { expect } from 'vitest'
import type { Caller } from '../caller.ts'
import type { Section } from '../rule.ts'

/** A simulation of three tasks, with ways to its records. */
async function withTasks({ call, create }: Caller, creation: object = {}) {
  const { id } = await create({ volume: { tasks: 3 }, behaviour: [], ...creation })
  const part = `/v1/simulations/${id}`
  const send = (method: string, path: string, body?: object) =>
    call(method, `${part}${path}`, body === undefined ? {} : { body })
  const first = (await send('GET', '/records/tasks')).body.data[0]
  const events = async () => (await send('GET', '/events')).body.data
  return { send, first, events }
}

/** What the specification does not have (`decisions/records-set-by-a-test.md`). */
export const records: Section = {
  title: 'Records that the owner changes (ours)',
  declare: (rule) => {
    rule(
      'POST makes a record of the given fields, with the others generated, and an event of cause edit',
      async (caller) => {
        const { send, events } = await withTasks(caller)

        const { status, body } = await send('POST', '/records/tasks', { title: 'Buy milk', status: 'done' })

        expect([status, body.origin]).toEqual([201, 'created'])
        expect(body.record).toMatchObject({ id: body.id, title: 'Buy milk', status: 'done' })
        expect((await send('GET', `/records/tasks/${body.id}`)).body).toEqual(body)
        expect((await send('GET', '/records/tasks')).body.total).toBe(4)
        expect((await events())[0]).toMatchObject({ type: 'task.created', cause: 'edit', data: { id: body.id } })
      },
      'extensions',
    )

    rule(
      'PATCH changes the fields that it names, and origin tells changed records from generated, given and created ones',
      async (caller) => {
        const { send, events, first } = await withTasks(caller, { seedRecords: { tasks: [{ title: 'Mine' }] } })
        const ids = (await send('GET', '/records/tasks')).body.data.map(({ id }: { id: string }) => id)
        const originOf = async (id: string) => (await send('GET', `/records/tasks/${id}`)).body.origin

        const { status, body } = await send('PATCH', `/records/tasks/${ids[2]}`, { title: 'Other' })

        expect([status, body.record.title, body.origin]).toEqual([200, 'Other', 'changed'])
        expect(await Promise.all([originOf(first.id), originOf(ids[1]), originOf(ids[2])])).toEqual([
          'seed',
          'generated',
          'changed',
        ])
        expect((await events())[0]).toMatchObject({ type: 'task.updated', cause: 'edit' })
      },
      'extensions',
    )

    rule(
      'PUT replaces a record, but for its id and what only the server sets',
      async (caller) => {
        const { send, first } = await withTasks(caller)
        const path = `/records/tasks/${first.id}`

        const { body } = await send('PUT', path, { title: 'All new', status: 'open' })
        const lacking = await send('PUT', path, { title: 'All new' })
        const renamed = await send('PUT', path, { id: 'other', title: 'All new', status: 'open' })

        expect(body.record).toMatchObject({ id: first.id, title: 'All new', status: 'open' })
        expect([lacking.status, lacking.body.error]).toEqual([
          400,
          { code: 'invalid_request', message: 'Expected `status` to be present, got nothing.' },
        ])
        expect([renamed.status, renamed.body.error.message]).toEqual([
          400,
          expect.stringMatching(/^Expected `id` to be/),
        ])
      },
      'extensions',
    )

    rule(
      'POST revert puts a changed record back to how it was generated or given, and no other',
      async (caller) => {
        const { send, events } = await withTasks(caller, { seedRecords: { tasks: [{ title: 'Mine' }] } })
        const [given, generated] = (await send('GET', '/records/tasks')).body.data
        const revert = (id: string, query = '') => send('POST', `/records/tasks/${id}/revert${query}`)
        for (const { id } of [given, generated]) await send('PATCH', `/records/tasks/${id}`, { title: 'Other' })

        const { status, body } = await revert(generated.id)

        expect([status, body]).toEqual([200, { id: generated.id, origin: 'generated', record: generated }])
        expect((await events())[0]).toMatchObject({ type: 'task.updated', cause: 'edit', data: { object: generated } })
        expect((await revert(given.id, '?quiet=true')).body).toEqual({ id: given.id, origin: 'seed', record: given })
        expect((await send('GET', '/records/tasks')).body.data.slice(0, 2)).toEqual([given, generated])
        const created = (await send('POST', '/records/tasks', { title: 'New' })).body.id
        const refused = await Promise.all([generated.id, created, 'nothing'].map((id) => revert(id)))
        expect(refused.map((answer) => [answer.status, answer.body.error.message])).toEqual([
          [400, expect.stringContaining('it was not changed')],
          [400, expect.stringContaining('it was created later')],
          [404, expect.any(String)],
        ])
      },
      'extensions',
    )

    rule(
      'DELETE answers 204, and the simulated API does not know the record any more',
      async (caller) => {
        const { send, first, events } = await withTasks(caller)

        const removed = await send('DELETE', `/records/tasks/${first.id}`)

        expect([removed.status, (await send('GET', '/records/tasks')).body.total]).toEqual([204, 2])
        expect((await send('GET', `/records/tasks/${first.id}`)).status).toBe(404)
        expect((await events())[0]).toMatchObject({ type: 'task.deleted', cause: 'edit', data: { object: null } })
      },
      'extensions',
    )

    rule(
      'fields and values that the description does not allow give 400 invalid_request, and change nothing',
      async (caller) => {
        const { send, first, events } = await withTasks(caller)
        const path = `/records/tasks/${first.id}`

        const answers = [
          await send('POST', '/records/tasks', { titel: 'A' }),
          await send('PATCH', path, { status: 'opne' }),
          await send('PUT', path, { title: '', status: 'open' }),
          await send('PATCH', path, { title: null }),
        ]

        expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
          answers.map(() => [400, 'invalid_request']),
        )
        expect(answers.map(({ body }) => body.error.message)).toEqual([
          expect.stringMatching(/to have no field "titel", got one\. Did you mean "title"\?/),
          expect.stringMatching(/^Expected `status` to be one of .*, got "opne"\. Did you mean "open"\?$/),
          'Expected `title` to be at least 1 character long, got "".',
          'Expected `title` to be a string, got null.',
        ])
        expect([(await send('GET', path)).body.record, await events()]).toEqual([first, []])
      },
      'extensions',
    )

    rule(
      'an unknown collection or record gives 404 with the nearest name, an id that is taken 400 bad_request',
      async (caller) => {
        const { send, first } = await withTasks(caller)

        const [collection, record] = [
          await send('POST', '/records/taks', {}),
          await send('PATCH', '/records/tasks/x', {}),
        ]
        const taken = await send('POST', '/records/tasks', { ...first })

        expect([collection.status, collection.body.error.message]).toEqual([
          404,
          'No collection "taks" in this simulation. Did you mean "tasks"? There are: tasks.',
        ])
        expect(record.body.error).toMatchObject({ code: 'not_found', message: expect.stringMatching(/^No record "x"/) })
        expect([taken.status, taken.body.error.code]).toEqual([400, 'bad_request'])
      },
      'extensions',
    )

    rule(
      'quiet is true or false',
      async (caller) => {
        const { send, events } = await withTasks(caller)

        const [quiet, wrong] = [
          await send('POST', '/records/tasks?quiet=true', { title: 'Hush' }),
          await send('POST', '/records/tasks?quiet=yes', { title: 'Hush' }),
        ]

        expect([quiet.status, wrong.status, wrong.body.error.code]).toEqual([201, 400, 'invalid_request'])
        expect(await events()).toEqual([expect.objectContaining({ type: 'task.created', cause: 'edit', quiet: true })])
      },
      'extensions',
    )

    rule(
      'POST trigger makes an event happen, by its kind or by the status that a record reaches',
      async (caller) => {
        const { send, events } = await withTasks(caller)
        const trigger = (type: string, fields?: object) => send('POST', '/trigger', { type, ...(fields && { fields }) })

        const made = await trigger('task.created', { title: 'Told' })
        const moved = await trigger('task.done')
        const gone = await trigger('task.deleted', { title: 'Told' })
        const unknown = await trigger('task.dnoe')

        expect([made.status, made.body]).toMatchObject([
          201,
          { type: 'task.created', data: { object: { title: 'Told' } } },
        ])
        expect(moved.body).toMatchObject({ type: 'task.updated', cause: 'edit', data: { object: { status: 'done' } } })
        expect(gone.body).toMatchObject({ type: 'task.deleted', data: { id: made.body.data.id } })
        expect(await events()).toEqual([gone.body, moved.body, made.body])
        expect([unknown.status, unknown.body.error]).toMatchObject([
          400,
          { code: 'bad_request', message: expect.stringMatching(/"task\.dnoe".*Did you mean "task\.done"\?/) },
        ])
      },
      'extensions',
    )
  },
}
