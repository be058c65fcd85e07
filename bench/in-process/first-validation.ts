import { validateRequest } from '../../src/service/simulated-api/calls/validate-request.ts'
import { readTaskTracker, toRequest } from './new-simulation.ts'

// Run in a process of its own: prints how long the first validation of a request takes, and the one after.
const { api, model } = (await readTaskTracker()).blueprint
const operation = model.operations.find(({ method, path }) => method === 'POST' && path === '/tasks')
if (operation === undefined) throw new Error('Failed to find the operation that creates tasks.')
const value = { title: 'Write the report', projectId: '00000000-0000-4000-8000-000000000000', tags: ['one', 'two'] }
const schema = operation.requestBody?.content.get('application/json')
const body = { value, mediaType: 'application/json', schema }
const request = toRequest('POST', '/tasks', value)
const compiled = api.operation(operation)
const query = compiled.queryReader.read(request.query)

const ms = [1, 2].map(() => {
  const started = performance.now()
  const { sent } = validateRequest(compiled, { params: {}, query, body, request })
  if (sent.length > 0) throw new Error(`Failed to validate the request: ${sent[0]?.message}`)
  return performance.now() - started
})
console.log(JSON.stringify({ firstMs: ms[0], nextMs: ms[1] }))
