import { useSimulation } from 'backlot/vitest'
import { expect, it } from 'vitest'
import type { Api } from '../src/api.ts'
import { createTaskClient, finishTask } from '../src/tasks.ts'

const tracker = useSimulation<Api>('task-tracker')

it('finishes a task', async () => {
  const [task] = await tracker.records('tasks', { limit: 1 })
  const client = createTaskClient(tracker.url, tracker.key)

  const status = await finishTask(client, task?.id ?? '')

  const webhook = await tracker.expectWebhook('task.updated')
  expect(status).toBe('done')
  expect(webhook.data.object.completedAt).toBeTypeOf('string')
})

it('says why a task cannot be finished', async () => {
  const client = createTaskClient(tracker.url, tracker.key)

  await expect(finishTask(client, '00000000-0000-4000-8000-000000000000')).rejects.toThrow('Failed to finish task')
})
