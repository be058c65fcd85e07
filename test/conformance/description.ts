/** A description with one collection, `tasks`, small enough to see through. */
export const DESCRIPTION = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Errands', version: '2.1.0' },
  servers: [{ url: 'https://errands.example/api' }],
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Task: {
        type: 'object',
        required: ['id', 'title', 'status'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          title: { type: 'string', minLength: 1, maxLength: 80 },
          status: { type: 'string', enum: ['open', 'doing', 'done'] },
          createdAt: { type: 'string', format: 'date-time', readOnly: true },
        },
      },
      TaskChange: {
        type: 'object',
        properties: { title: { type: 'string' }, status: { type: 'string', enum: ['open', 'doing', 'done'] } },
      },
    },
  },
  security: [{ token: [] }],
  paths: {
    '/tasks': {
      get: { operationId: 'listTasks', responses: { 200: listOf('Task') } },
      post: { operationId: 'createTask', requestBody: bodyOf('Task'), responses: { 201: oneOf('Task') } },
    },
    '/tasks/{taskId}': {
      parameters: [{ name: 'taskId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readTask', responses: { 200: oneOf('Task'), 404: { description: 'No such task' } } },
      patch: { operationId: 'updateTask', requestBody: bodyOf('TaskChange'), responses: { 200: oneOf('Task') } },
      delete: { operationId: 'deleteTask', responses: { 204: { description: 'Deleted' } } },
    },
  },
})

function content(schema: object) {
  return { 'application/json': { schema } }
}

function bodyOf(name: string) {
  return { content: content({ $ref: `#/components/schemas/${name}` }) }
}

function oneOf(name: string) {
  return { description: 'One', content: content({ $ref: `#/components/schemas/${name}` }) }
}

function listOf(name: string) {
  const items = { $ref: `#/components/schemas/${name}` }
  return { description: 'Many', content: content({ type: 'array', items }) }
}

/** A plan of one rule: half of the tasks are deleted every hour. */
export const HALVING = {
  rules: [
    {
      id: 'halve',
      name: 'Half of the tasks go',
      everySeconds: 3600,
      enabled: true,
      steps: [{ kind: 'delete', collection: 'tasks', fraction: 0.5 }],
    },
  ],
}

/** A response rule of the kind that the specification shows. */
export const LATENCY = {
  name: 'Slow lists',
  kind: 'latency',
  method: 'GET',
  pathPattern: '/tasks*',
  config: { latencyMs: 30, latencyJitterMs: 0 },
}
