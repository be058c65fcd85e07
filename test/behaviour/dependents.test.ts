import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json.ts'
import { startForTest } from '../management/start-for-test.ts'
import { answers, body, describeApi, integer, list, object, path, string } from '../simulated-api/describe-api.ts'

const id = integer({ readOnly: true })

const resource = (base: string, schema: string, above = ''): JsonObject => ({
  [`${above}/${base}`]: {
    ...(above !== '' && { parameters: [path('user_id')] }),
    get: { responses: answers(list(schema)) },
    post: { requestBody: body(schema), responses: answers(schema, 201) },
  },
  [`${above}/${base}/{id}`]: {
    parameters: [...(above === '' ? [] : [path('user_id')]), path('id')],
    get: { responses: answers(schema) },
  },
})

/** Deletes all users, and returns what became of the tasks and notes that refer to them. */
async function deleteUsers(task: JsonObject, onDependents: string, tasks: JsonObject[]) {
  const { create, call } = await startForTest()
  const spec = describeApi(
    { ...resource('users', '$User'), ...resource('tasks', '$Task'), ...resource('notes', '$Note', '/users/{user_id}') },
    {
      User: object({ id, name: string() }, ['id']),
      Task: task,
      Note: object({ id, text: string() }, ['id']),
    },
  )
  const made = await create({
    spec: JSON.stringify(spec),
    volume: { users: 0, tasks: 0, notes: 4 },
    seedRecords: { users: [{ id: 1 }, { id: 2 }], tasks },
    behaviour: [],
  })
  const manage = (method: string, at: string, sent?: unknown) => call(method, `/v1/simulations/${made.id}${at}`, sent)
  const steps = [{ kind: 'delete', collection: 'users', fraction: 1, onDependents }]
  await manage('PUT', '/behaviour', { rules: [{ everySeconds: 3_600, steps }] })
  await manage('POST', '/fast-forward', { hours: 1 })
  const read = async (name: string): Promise<JsonObject[]> => (await manage('GET', `/records/${name}`)).body.data
  return { tasks: await read('tasks'), notes: await read('notes') }
}

it('empties every reference to what is deleted, in lists as well', async () => {
  const reference = integer({ nullable: true })
  const task = object({ id, user_id: reference, reviewer_user_id: reference, user_ids: list(integer()) }, [
    'id',
    'user_id',
    'reviewer_user_id',
    'user_ids',
  ])

  const { tasks } = await deleteUsers(task, 'setNull', [
    { id: 1, user_id: 1, reviewer_user_id: 2, user_ids: [1, 2, 7] },
    { id: 2, user_id: 2, reviewer_user_id: 1, user_ids: [] },
  ])

  expect(tasks).toEqual([
    { id: 1, user_id: null, reviewer_user_id: null, user_ids: [7] },
    { id: 2, user_id: null, reviewer_user_id: null, user_ids: [] },
  ])
})

it('takes an optional reference that may not be null out of its record', async () => {
  const { tasks } = await deleteUsers(object({ id, user_id: integer() }, ['id']), 'setNull', [{ id: 1, user_id: 1 }])

  expect(tasks).toEqual([{ id: 1 }])
})

it('deletes a record that cannot be without its reference', async () => {
  const required = object({ id, user_id: integer() }, ['id', 'user_id'])

  const { tasks, notes } = await deleteUsers(required, 'setNull', [
    { id: 1, user_id: 1 },
    { id: 2, user_id: 77 },
  ])

  expect(tasks).toEqual([{ id: 2, user_id: 77 }])
  expect(notes).toEqual([])
})

it('deletes what refers to a deleted record, and what lies below it by its path alone', async () => {
  const task = object({ id, user_id: integer(), user_ids: list(integer()) }, ['id', 'user_ids'])

  const { tasks, notes } = await deleteUsers(task, 'cascade', [
    { id: 1, user_id: 1, user_ids: [] },
    { id: 2, user_id: 77, user_ids: [1, 77] },
  ])

  expect(tasks).toEqual([{ id: 2, user_id: 77, user_ids: [77] }])
  expect(notes).toEqual([])
})
