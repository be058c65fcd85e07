import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json.ts'
import { readDescription } from '../../../src/service/openapi/read-description.ts'
import { answers, by, describeApi, inPath, inQuery, list, object, only, operationAt, takes } from '../describe-api.ts'
import { simulations } from '../unseen/simulated.ts'

const simulation = simulations()

it("answers faults, counts and logins as FastAPI's descriptions declare them (Airflow, Svix, Lob)", async () => {
  const fault = object({ loc: list({ anyOf: [{ type: 'string' }, { type: 'integer' }] }), msg: 'string' })
  const invalid = { 422: { description: 'Validation Error', ...only('application/json', by('HTTPValidationError')) } }
  const ping = object({ id: { type: 'integer' }, lat: 'number', truck_id: { type: 'integer' } }, { required: ['lat'] })
  const answered = (schema: JsonObject) => ({
    responses: { ...invalid, 201: { description: 'ok', ...only('application/json', schema) } },
  })
  const form = object(
    { grant_type: 'string', username: 'string', password: 'string' },
    { required: ['username', 'password'] },
  )
  const call = await simulation.of(
    describeApi(
      {
        '/login': {
          post: {
            ...answers(object({ access_token: 'string' })),
            requestBody: only('application/x-www-form-urlencoded', form),
          },
        },
        '/trucks': { get: answers(list(by('Truck'))), post: { ...takes(by('Truck')), ...answered(by('Truck')) } },
        '/trucks/{truck_id}': {
          parameters: [{ in: 'path', name: 'truck_id', required: true, schema: { type: 'integer' } }],
          get: { responses: { ...(answers(by('Truck')).responses as JsonObject), ...invalid } },
        },
        '/trucks/{truck_id}/pings': {
          ...inPath('truck_id'),
          get: answers(list(ping)),
          post: { ...takes(list(ping)), ...answered(object({ accepted: 'integer' })) },
        },
      },
      {
        components: {
          schemas: {
            Truck: object({ id: { type: 'integer' }, plate: 'string' }, { required: ['plate'] }),
            HTTPValidationError: object({ detail: list(fault) }),
          },
          securitySchemes: { login: { type: 'oauth2', flows: { password: { tokenUrl: '/login', scopes: {} } } } },
        },
        security: [{ login: [] }],
      },
    ),
  )
  const login = (password: string) =>
    call('POST /login', `username=ada&password=${password}`, { 'content-type': 'application/x-www-form-urlencoded' })
  const truck = (await call('POST /trucks', { plate: 'A 1' })).body

  const faults = [await call('POST /trucks', {}), await call('GET /trucks/abc')]
  const counted = await call(`POST /trucks/${truck.id}/pings`, [{ lat: 1 }, { lat: 2 }])
  const logins = [await login(call.key), await login('secret')]

  expect(faults.map(({ status, body }) => [status, body.detail[0].loc])).toEqual([
    [422, ['body', 'plate']],
    [422, ['path', 'truck_id']],
  ])
  expect(counted.body).toEqual({ accepted: 2 })
  expect(logins.map(({ status }) => status)).toEqual([200, 400])
  expect(logins[0]?.body.access_token).toBe(call.key)
  expect(logins[1]?.body.error_description).toContain('Send a key of this simulation')
})

it('takes values of any type in a map of objects, as springdoc describes a Map<String, Object>', async () => {
  const claim = object({ id: 'string', text: 'string', amount: 'integer' })
  const change = takes({ type: 'object', additionalProperties: { type: 'object' } })
  const call = await simulation.of(
    describeApi({
      '/claims': { get: answers(list(claim)), post: { ...takes(claim), ...answers(claim) } },
      '/claims/{id}': { ...inPath('id'), get: answers(claim), patch: { ...change, ...answers(claim) } },
    }),
  )
  const made = (await call('POST /claims', { text: 'Hail', amount: 5 })).body

  const changed = await call(`PATCH /claims/${made.id}`, { text: 'Storm' })

  expect([changed.status, changed.body]).toEqual([200, { ...made, text: 'Storm' }])
})

it('takes a request without the `pageable` that springdoc requires, and answers with its page', async () => {
  const whole = { type: 'integer' }
  const flag = { type: 'boolean' }
  const any = (schema: JsonObject) => ({ responses: { 200: { description: 'OK', content: { '*/*': { schema } } } } })
  const page = object({
    content: list(by('Claim')),
    totalElements: whole,
    number: whole,
    size: whole,
    pageable: object({ offset: whole, pageNumber: whole, pageSize: whole, paged: flag, unpaged: flag }),
  })
  const call = await simulation.of(
    describeApi(
      {
        '/claims': {
          get: {
            parameters: [{ ...inQuery('pageable', by('Pageable')), required: true }],
            ...any(page),
          },
          post: { ...takes(by('Claim')), ...any(by('Claim')) },
        },
        '/claims/{id}': { ...inPath('id'), get: any(by('Claim')) },
        '/claims/{id}/documents': {
          ...inPath('id'),
          post: {
            requestBody: only('multipart/form-data', object({ file: { type: 'string', format: 'binary' } })),
            ...any(by('Document')),
          },
        },
        '/claims/{id}/documents/{documentId}': {
          ...inPath('id', 'documentId'),
          get: any({ type: 'string', format: 'binary' }),
        },
      },
      {
        components: {
          schemas: {
            Claim: object({ id: 'string', text: 'string' }),
            Document: object({ id: 'string', fileName: 'string' }),
            Pageable: object({ page: { type: 'integer', minimum: 0 }, size: whole, sort: list({ type: 'string' }) }),
          },
        },
      },
    ),
    { claims: 5 },
  )
  const claim = (await call('GET /claims')).body.content[0]
  const upload =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n"text"\r\n--b--\r\n'
  const form = { 'content-type': 'multipart/form-data; boundary=b' }

  const second = (await call('GET /claims?page=1&size=2')).body
  const document = (await call(`POST /claims/${claim.id}/documents`, upload, form)).body
  const kept = await call(`GET /claims/${claim.id}/documents/${document.id}`)

  expect(second).toMatchObject({ totalElements: 5, number: 1, size: 2 })
  expect(second.pageable).toEqual({ offset: 2, pageNumber: 1, pageSize: 2, paged: true, unpaged: false })
  expect(kept.headers.get('content-type')).toBe('text/plain')
  expect(kept.body).toBe('text')
})

it('repeats in an example, also inside of its envelope, what was sent', async () => {
  const quote = object(
    { sku: 'string', quantity: 'integer', total: 'integer' },
    { required: ['sku', 'quantity', 'total'] },
  )
  const call = await simulation.of(
    describeApi({
      '/quotes': {
        post: {
          ...takes(object({ sku: 'string', quantity: 'integer' })),
          ...answers(object({ success: { type: 'boolean' }, data: quote }, { required: ['success', 'data'] })),
        },
      },
    }),
  )

  const { body } = await call('POST /quotes', { sku: 'A-1', quantity: 7 })

  expect(body.data).toEqual({ sku: 'A-1', quantity: 7, total: expect.any(Number) })
})

it('keeps status, references and files of resources of JSON:API (Up, Klaviyo, Datadog)', async () => {
  const json = (schema: JsonObject) => only('application/vnd.api+json', schema)
  const whole = (schema: JsonObject) => json(object({ data: schema }))
  const refused = json(object({ errors: list(object({ status: 'string', source: object({ pointer: 'string' }) })) }))
  const failures = { 404: { description: 'not found', ...refused }, 422: { description: 'unprocessable', ...refused } }
  const one = (name: string, status = 200) => ({
    responses: { [status]: { description: 'ok', ...whole(by(name)) }, ...failures },
  })
  const all = (name: string) => ({ responses: { 200: { description: 'ok', ...whole(list(by(name))) } } })
  const writes = (attributes: JsonObject, rest: JsonObject = {}) => ({
    requestBody: {
      required: true,
      ...whole(object({ type: 'string', attributes, ...(rest as Record<string, JsonObject>) })),
    },
  })
  const to = (type: string) =>
    object({ data: object({ id: 'string', type: { type: 'string', enum: [type] } }, { required: ['id', 'type'] }) })
  const resource = (attributes: Record<string, JsonObject | string>, relationships: Record<string, JsonObject> = {}) =>
    object({ id: 'string', type: 'string', attributes: object(attributes), relationships: object(relationships) })
  const title = object({ title: 'string' }, { required: ['title'] })
  const call = await simulation.of(
    describeApi(
      {
        '/teachers': { get: all('Teacher'), post: { ...writes(object({ name: 'string' })), ...one('Teacher', 201) } },
        '/teachers/{id}': { ...inPath('id'), get: one('Teacher') },
        '/courses': {
          get: { parameters: [inQuery('filter[teacher_id]', { type: 'string' })], ...all('Course') },
          post: { ...writes(title, { relationships: object({ teacher: to('teachers') }) }), ...one('Course', 201) },
        },
        '/courses/{id}': { ...inPath('id'), get: one('Course') },
        '/courses/{id}/publish': { ...inPath('id'), patch: one('Course') },
        '/courses/{course_id}/lessons': {
          ...inPath('course_id'),
          get: all('Lesson'),
          post: { ...writes(title), ...one('Lesson', 201) },
        },
        '/lessons/{id}': { ...inPath('id'), get: one('Lesson') },
        '/uploads': {
          post: {
            requestBody: only('multipart/form-data', object({ file: { type: 'string', format: 'binary' } })),
            ...one('Upload', 201),
          },
        },
      },
      {
        components: {
          schemas: {
            Teacher: resource({ name: 'string' }),
            Course: resource(
              {
                title: 'string',
                state: { type: 'string', enum: ['draft', 'published'] },
                published_at: { type: ['string', 'null'], format: 'date-time' },
              },
              { teacher: to('teachers') },
            ),
            Lesson: resource({ title: 'string' }, { course: to('courses') }),
            Upload: resource({ filename: 'string', content_type: 'string', byte_size: 'integer' }),
          },
        },
      },
    ),
  )
  const write = async (route: string, attributes: object, rest = {}) =>
    call(
      route,
      { data: { type: route.split('/').at(-1), attributes, ...rest } },
      { 'content-type': 'application/vnd.api+json' },
    )
  const teacher = (await write('POST /teachers', { name: 'Ada' })).body.data
  const taught = { relationships: { teacher: { data: { id: teacher.id, type: 'teachers' } } } }
  const course = (await write('POST /courses', { title: 'Rust' }, taught)).body.data
  const file =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\ntext\r\n--b--\r\n'

  const lesson = (await write(`POST /courses/${course.id}/lessons`, { title: 'One' })).body.data
  const refusals = [await write('POST /courses/none/lessons', { title: 'One' }), await write('POST /courses', {})]
  const published = [
    await call(`PATCH /courses/${course.id}/publish`),
    await call(`PATCH /courses/${course.id}/publish`),
  ]
  const upload = await call('POST /uploads', file, { 'content-type': 'multipart/form-data; boundary=b' })

  expect(course.attributes).toMatchObject({ state: 'draft' })
  expect(lesson.relationships.course.data).toEqual({ id: course.id, type: 'courses' })
  expect((await call(`GET /courses/${course.id}/lessons`)).body.data).toEqual([lesson])
  expect(
    (await call(`GET /courses?filter[teacher_id]=${teacher.id}`)).body.data.map(({ id }: { id: string }) => id),
  ).toEqual([course.id])
  expect(refusals.map(({ status }) => status)).toEqual([404, 422])
  expect(refusals[1]?.body.errors[0].source.pointer).toBe('/data/attributes/title')
  expect(published.map(({ status }) => status)).toEqual([200, 422])
  expect(published[0]?.body.data.attributes).toMatchObject({ state: 'published', published_at: expect.any(String) })
  expect(upload.body.data.attributes).toMatchObject({ filename: 'a.txt', content_type: 'text/plain', byte_size: 4 })
})

it('finds references by noun and key, the first and the last of a page, and reads that only others explain', async () => {
  const whole = { type: 'integer' }
  const sample = object({ barcode: 'string', tracking: 'string' })
  const result = object({ id: 'integer', sample_barcode: 'string' })
  const meta = object({ current_page: whole, from: whole, to: whole, total: whole })
  const description = describeApi({
    '/samples': {
      get: {
        parameters: [inQuery('page', whole), inQuery('per_page', whole)],
        ...answers(object({ data: list(sample), meta })),
      },
      post: { ...takes(object({})), ...answers(sample) },
    },
    '/samples/{barcode}': { ...inPath('barcode'), get: answers(sample) },
    '/samples/{barcode}/results': {
      ...inPath('barcode'),
      get: answers(list(result)),
      post: { ...takes(object({})), ...answers(result) },
    },
    // As `/dagSources/{file_token}` of Airflow, `/git/blobs/{sha}` of Gitea, `/download/content/data/{job_identifier}` of Intercom.
    '/parcels/{tracking}': { ...inPath('tracking'), get: answers(object({ tracking: 'string', place: 'string' })) },
  })
  const call = await simulation.of(description, { samples: 6 })

  const page = (await call('GET /samples?page=2&per_page=2')).body.meta
  const [{ barcode }] = (await call('GET /samples')).body.data
  const made = (await call(`POST /samples/${barcode}/results`, {})).body
  const reason = operationAt(readDescription(description), 'GET /parcels/{tracking}').reason

  expect(page).toEqual({ current_page: 2, from: 3, to: 4, total: 6 })
  // As `country_code` of Spree, `entity_identity` of Twilio and `role_slug` of WorkOS.
  expect(made.sample_barcode).toBe(barcode)
  expect(reason).toEqual({ rule: 'item-read', confidence: 'guess' })
})

it('places records in the undescribed `data` of an answer, and guesses reports', async () => {
  const order = object({ sku: 'string', quantity: 'integer' })
  // As the answers of Coolify to changes of its apps, and `ApiResponse` of NevoPay and hlsystem.
  const open = object({ success: 'boolean', message: 'string', data: {} })
  const closed = object({ success: 'boolean', data: { type: 'object' } })
  const description = describeApi({
    '/orders': { get: answers(open), post: { ...takes(order), ...answers(open) } },
    '/orders/{id}': { ...inPath('id'), get: answers(closed) },
    '/returns': { get: answers(closed), post: { ...takes(order), ...answers(closed) } },
    '/returns/{id}': { ...inPath('id'), get: answers(closed) },
    '/me': { get: answers(object({ id: 'integer', email: 'string' })) },
    '/statistics': { get: answers(object({ total: 'integer' })) },
    '/reports/mileage': { get: answers(list(object({ plate: 'string', km: 'number' }))) },
  })
  const call = await simulation.of(description, { orders: 0 })

  const made = (await call('POST /orders', { sku: 'A', quantity: 2 })).body
  const lists = (await call('GET /orders')).body
  const read = (await call(`GET /orders/${made.data.id}`)).body
  const guesses = readDescription(description).operations.filter(({ reason }) => reason.confidence === 'guess')

  expect(made).toMatchObject({ success: true, data: { id: expect.any(String), sku: 'A', quantity: 2 } })
  expect(lists).toMatchObject({ success: true, data: [made.data] })
  expect(read).toEqual({ success: true, data: made.data })
  expect(guesses.map(({ path }) => path)).toEqual(['/returns', '/statistics', '/reports/mileage'])
})
