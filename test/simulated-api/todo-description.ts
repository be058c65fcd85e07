import type { JsonObject } from '../../src/protocol/json.ts'

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } })
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const failure = (description: string): JsonObject => ({ description, ...json(ref('Problem')) })
const param = (name: string, schema: JsonObject = { type: 'string' }): JsonObject => ({ name, in: 'query', schema })
const inPath = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } })

/** A small API with lists, filters, parents, an action and errors of its own shape. */
export const todoDescription: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Todo', version: '1.0.0' },
  servers: [{ url: 'https://api.todo.test/v1' }],
  security: [{ key: [] }],
  paths: {
    '/tasks': {
      get: {
        operationId: 'listTasks',
        parameters: [
          param('limit', { type: 'integer', minimum: 1, maximum: 50, default: 10 }),
          param('page', { type: 'integer', minimum: 1 }),
          param('status', { type: 'string' }),
          param('sort'),
          param('fields'),
          param('created_after', { type: 'string', format: 'date-time' }),
        ],
        responses: {
          200: {
            description: 'A page',
            headers: { Link: { schema: { type: 'string' } }, 'X-Total-Count': { schema: { type: 'integer' } } },
            ...json({
              type: 'object',
              required: ['data', 'meta'],
              properties: {
                data: { type: 'array', items: ref('Task') },
                has_more: { type: 'boolean' },
                meta: {
                  type: 'object',
                  required: ['total', 'page'],
                  properties: {
                    total: { type: 'integer' },
                    page: { type: 'integer' },
                    total_pages: { type: 'integer' },
                    next_page: { type: ['integer', 'null'] },
                  },
                },
              },
            }),
          },
          400: failure('Bad parameters'),
        },
      },
      post: {
        operationId: 'createTask',
        requestBody: { required: true, ...json(ref('NewTask')) },
        responses: { 201: { description: 'Made', ...json(ref('Task')) }, 422: failure('Invalid') },
      },
    },
    '/tasks/{taskId}': {
      parameters: [inPath('taskId')],
      get: {
        operationId: 'getTask',
        responses: { 200: { description: 'One', ...json(ref('Task')) }, 404: failure('None') },
      },
      patch: {
        operationId: 'updateTask',
        requestBody: {
          content: {
            'application/json': { schema: ref('TaskChange') },
            'application/merge-patch+json': { schema: ref('TaskChange') },
            'application/json-patch+json': { schema: { type: 'array', items: { type: 'object' } } },
            'application/x-www-form-urlencoded': { schema: ref('TaskChange') },
          },
        },
        responses: { 200: { description: 'Changed', ...json(ref('Task')) }, 404: failure('None') },
      },
      delete: { operationId: 'deleteTask', responses: { 204: { description: 'Gone' }, 404: failure('None') } },
    },
    '/tasks/{taskId}/complete': {
      parameters: [inPath('taskId')],
      post: { operationId: 'completeTask', responses: { 200: { description: 'Done', ...json(ref('Task')) } } },
    },
    '/tasks/{taskId}/comments': {
      parameters: [inPath('taskId')],
      get: {
        operationId: 'listComments',
        responses: { 200: { description: 'All', ...json({ type: 'array', items: ref('Comment') }) } },
      },
      post: {
        operationId: 'createComment',
        requestBody: {
          required: true,
          ...json({ type: 'object', required: ['body'], properties: { body: { type: 'string' } } }),
        },
        responses: { 201: { description: 'Made', ...json(ref('Comment')) } },
      },
    },
    '/tasks/{taskId}/comments/{commentId}': {
      parameters: [inPath('taskId'), inPath('commentId')],
      get: { operationId: 'getComment', responses: { 200: { description: 'One', ...json(ref('Comment')) } } },
      delete: {
        operationId: 'deleteComment',
        responses: {
          200: {
            description: 'Gone',
            ...json({
              type: 'object',
              required: ['id', 'deleted'],
              properties: { id: { type: 'string' }, deleted: { type: 'boolean' } },
            }),
          },
        },
      },
    },
    '/labels/{name}': {
      parameters: [inPath('name')],
      get: { operationId: 'getLabel', responses: { 200: { description: 'One', ...json(ref('Label')) } } },
      put: {
        operationId: 'putLabel',
        requestBody: { required: true, ...json(ref('Label')) },
        responses: { 200: { description: 'Set', ...json(ref('Label')) } },
      },
    },
    '/labels': {
      get: {
        operationId: 'listLabels',
        responses: { 200: { description: 'All', ...json({ type: 'array', items: ref('Label') }) } },
      },
      post: {
        operationId: 'createLabel',
        requestBody: { required: true, ...json(ref('Label')) },
        responses: { 201: { description: 'Made', ...json(ref('Label')) }, 409: failure('Taken') },
      },
    },
    '/settings': {
      get: { operationId: 'getSettings', responses: { 200: { description: 'Settings', ...json(ref('Settings')) } } },
      patch: {
        operationId: 'updateSettings',
        requestBody: { ...json(ref('Settings')) },
        responses: { 200: { description: 'Settings', ...json(ref('Settings')) } },
      },
    },
    '/status': {
      get: {
        operationId: 'getStatus',
        security: [],
        responses: { 200: { description: 'Up', ...json({ type: 'object', properties: { ok: { type: 'boolean' } } }) } },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Task: {
        type: 'object',
        required: ['id', 'title', 'status', 'created_at', 'updated_at'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          title: { type: 'string', minLength: 1, maxLength: 80 },
          status: { type: 'string', enum: ['open', 'in_progress', 'completed'] },
          priority: { type: 'integer', minimum: 1, maximum: 5 },
          due_date: { type: ['string', 'null'], format: 'date' },
          tags: { type: 'array', items: { type: 'string' } },
          metadata: { type: 'object', additionalProperties: { type: 'string' } },
          created_at: { type: 'string', format: 'date-time', readOnly: true },
          updated_at: { type: 'string', format: 'date-time', readOnly: true },
        },
      },
      NewTask: {
        type: 'object',
        required: ['title'],
        additionalProperties: false,
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 80 },
          priority: { type: 'integer', minimum: 1, maximum: 5 },
          due_date: { type: ['string', 'null'], format: 'date' },
          tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
          metadata: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      TaskChange: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 80 },
          priority: { type: 'integer', minimum: 1, maximum: 5 },
          due_date: { type: ['string', 'null'], format: 'date' },
          metadata: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
        },
      },
      Comment: {
        type: 'object',
        required: ['id', 'task_id', 'body'],
        properties: { id: { type: 'string' }, task_id: { type: 'string' }, body: { type: 'string' } },
      },
      Label: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', pattern: '^[a-z][a-z-]*$' },
          color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
        },
      },
      Settings: {
        type: 'object',
        properties: { theme: { type: 'string', enum: ['light', 'dark'] }, page_size: { type: 'integer', minimum: 1 } },
      },
      Problem: {
        type: 'object',
        required: ['type', 'message'],
        properties: { type: { type: 'string' }, message: { type: 'string' }, param: { type: 'string' } },
      },
    },
  },
}
