/** What the stores of earlier versions hold. */
export const TASKS = `openapi: 3.1.0
info: { title: Tasks, version: '1' }
paths:
  /tasks:
    get: { operationId: listTasks, responses: { 200: { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Task' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } }
      responses: { 201: { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Task' } } } } }
components: { schemas: { Task: { type: object, required: [id, title], properties: { id: { type: string }, title: { type: string } } } } }
`

export const KEYS = { account: 'svc_acc_0123456789abcdef', simulation: 'svc_sim_0123456789abcdef' }
