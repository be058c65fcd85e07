import { expect, it } from 'vitest'
import { simulate } from './simulate.ts'
import { todoDescription } from './todo-description.ts'

it('repeats an answer while the data stands still, and shows every change at once', () => {
  const { send } = simulate(todoDescription)
  const first = send('GET', '/tasks?limit=2')
  expect(send('GET', '/tasks?limit=2')).toEqual(first)

  const { body: task } = send('POST', '/tasks', { json: { title: 'Water the plants' } })
  const second = send('GET', '/tasks?limit=2')
  send('DELETE', `/tasks/${task.id}`)

  expect(second.body.data[0]).toEqual(task)
  expect(second.headers.etag).not.toBe(first.headers.etag)
  expect(send('GET', '/tasks?limit=2')).toEqual(first)
  expect(send('GET', `/tasks/${task.id}`).status).toBe(404)
})

it('forgets what it has shown when changes are taken back and when the data starts anew', () => {
  const { world, send } = simulate(todoDescription)
  const first = send('GET', '/tasks')
  world.begin()
  send('POST', '/tasks', { json: { title: 'Water the plants' } })
  const changed = send('GET', '/tasks')

  world.undo()
  const undone = send('GET', '/tasks')
  send('POST', '/tasks', { json: { title: 'Feed the cat' } })
  send('GET', '/tasks')
  world.load()

  expect(changed.text).not.toBe(first.text)
  expect(undone.text).toBe(first.text)
  expect(send('GET', '/tasks').text).toBe(first.text)
})

it('still answers 304 to a caller who has the page, and with CORS to a page of another origin', () => {
  const { send } = simulate(todoDescription)
  const { headers } = send('GET', '/tasks')

  expect(send('GET', '/tasks', { headers: { 'if-none-match': headers.etag } }).status).toBe(304)
  expect(send('GET', '/tasks', { headers: { origin: 'http://localhost:3000' } }).headers).toMatchObject({
    'access-control-allow-origin': 'http://localhost:3000',
  })
  expect(send('GET', '/tasks').headers['access-control-allow-origin']).toBeUndefined()
})
