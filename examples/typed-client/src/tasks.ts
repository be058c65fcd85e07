import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './api.ts'

/** A client of the task tracker that knows its paths, parameters and bodies. */
export function createTaskClient(baseUrl: string, key: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })
}

/** Finishes a task; resolves with its new status. */
export async function finishTask(client: Client<paths>, taskId: string): Promise<string> {
  const { data, error } = await client.POST('/tasks/{taskId}/complete', { params: { path: { taskId } } })
  if (error) throw new Error(`Failed to finish task "${taskId}": ${error.error.message}`)
  return data.status
}
