import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { collect } from '../support/collect.ts'

const model = 'gpt-5'

async function open(options: Parameters<typeof createSimulation>[1] = {}) {
  const simulation = await createSimulation('openai', { webhooks: false, ...options })
  const openai = new OpenAI({ apiKey: simulation.key, baseURL: `${simulation.url}/v1` })
  return { simulation, openai }
}

const WEATHER = {
  type: 'function' as const,
  name: 'get_weather',
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}

it('answers with text, and remembers the response that a later one follows', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  await simulation.reply([{ text: 'Hello.' }, { text: 'You said hi.' }])

  const first = await openai.responses.create({ model, input: 'Hi', instructions: 'Be brief.' })
  const second = await openai.responses.create({ model, input: 'What did I say?', previous_response_id: first.id })

  expect(first).toMatchObject({ status: 'completed', output_text: 'Hello.' })
  expect(second.output_text).toBe('You said hi.')
  expect(await simulation.prompts()).toMatchObject([
    { text: 'What did I say?', turn: 2, system: '' },
    { text: 'Hi', turn: 1, system: 'Be brief.' },
  ])
  expect(await openai.responses.retrieve(first.id)).toMatchObject({ id: first.id, output_text: 'Hello.' })
  expect((await openai.responses.inputItems.list(first.id)).data).toMatchObject([{ role: 'user', type: 'message' }])
  await openai.responses.delete(first.id)
  await expect(openai.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
  await expect(openai.responses.create({ model, input: 'x', previous_response_id: first.id })).rejects.toMatchObject({
    status: 400,
    code: 'previous_response_not_found',
  })
})

it('calls functions, and takes their results', async () => {
  const { simulation, openai } = await open({ replies: 'strict' })
  await simulation.reply({ when: { text: 'Rome' }, toolCalls: [{ name: 'get_weather', arguments: { city: 'Rome' } }] })
  await simulation.reply({ when: { toolResult: 'sunny' }, text: 'Take a hat.' })

  const first = await openai.responses.create({ model, input: 'Weather in Rome?', tools: [WEATHER] })
  const [call] = first.output
  const call_id = call?.type === 'function_call' ? call.call_id : ''
  const second = await openai.responses.create({
    model,
    tools: [WEATHER],
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id, output: 'sunny' }],
  })

  expect(first.output).toMatchObject([{ type: 'function_call', name: 'get_weather', arguments: '{"city":"Rome"}' }])
  expect(second.output_text).toBe('Take a hat.')
})

it('streams reasoning, calls and texts as the SDK reads them', async () => {
  const { simulation, openai } = await open()
  const toolCalls = [{ name: 'get_weather', arguments: { city: 'Rome' } }]
  await simulation.reply([
    { reasoning: 'The user wants the weather.', toolCalls, text: 'Looking.' },
    { refusal: 'I will not.' },
    { text: 'one two three', stream: { errorAfter: 2, error: { code: 'overloaded', message: 'Too much.' } } },
  ])
  const types: string[] = []

  const stream = openai.responses.stream({ model, input: 'Rome', tools: [WEATHER] })
  stream.on('event', ({ type }) => types.push(type))
  const response = await stream.finalResponse()
  const refused = await openai.responses.stream({ model, input: 'x' }).finalResponse()
  const failing = openai.responses.stream({ model, input: 'x' }).finalResponse()

  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
  expect(response).toMatchObject({ status: 'completed', output_text: 'Looking.' })
  expect(types).toContain('response.reasoning_summary_text.delta')
  expect(types.at(-1)).toBe('response.completed')
  expect(refused.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'I will not.' }] }])
  await expect(failing).rejects.toThrow('Too much.')
  const resumed = await openai.responses.retrieve(response.id, { stream: true, starting_after: 1 })
  expect((await collect(resumed)).map(({ type }) => type)).toEqual(types.slice(2))
})

it('shows the likelihood of each piece where it is asked for', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ text: 'one two' })
  const include = ['message.output_text.logprobs' as const]

  const stream = openai.responses.stream({ model, input: 'x', include, top_logprobs: 2 })
  const { output } = await stream.finalResponse()

  const tokens = ['one', ' two'].map((token) => ({ token, top_logprobs: [{ token }, { token: `${token}1` }] }))
  expect(output).toMatchObject([{ content: [{ logprobs: tokens }] }])
})

it('parses structured output', async () => {
  const { openai } = await open()
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: ['integer', 'null'] } },
    required: ['name', 'age'],
    additionalProperties: false,
  }

  const response = await openai.responses.parse({
    model,
    input: 'Extract it.',
    text: { format: { type: 'json_schema', name: 'person', strict: true, schema } },
  })

  expect(response.output_parsed).toEqual({ name: expect.any(String), age: expect.anything() })
})

it('cuts at the limit of tokens', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ text: 'one two three' })

  const response = await openai.responses.create({ model, input: 'x', max_output_tokens: 2 })

  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output_text: 'one two',
  })
})

it('keeps the items of a conversation', async () => {
  const { simulation, openai } = await open()
  const items = [{ type: 'message' as const, role: 'user' as const, content: 'My name is Ada.' }]
  const { id } = await openai.conversations.create({ items, metadata: { topic: 'names' } })
  await simulation.reply({ text: 'Ada.' })

  await openai.responses.create({ model, input: 'Who am I?', conversation: id })
  const listed = await collect(await openai.conversations.items.list(id, { order: 'asc' }))
  const item = String(listed[0]?.id)

  expect(listed.map((one) => (one.type === 'message' ? one.role : one.type))).toEqual(['user', 'user', 'assistant'])
  expect(await openai.conversations.items.retrieve(item, { conversation_id: id })).toEqual(listed[0])
  await openai.conversations.items.delete(item, { conversation_id: id })
  expect((await openai.conversations.items.list(id)).data).toHaveLength(2)
  expect(await openai.conversations.update(id, { metadata: { topic: 'x' } })).toMatchObject({
    metadata: { topic: 'x' },
  })
  await openai.conversations.delete(id)
  await expect(openai.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
})

it('answers in the background as time passes', async () => {
  const { simulation, openai } = await open()
  await simulation.reply({ when: { text: 'slow' }, text: 'Done.' })
  const queued = await openai.responses.create({ model, input: 'slow', background: true })
  const cancelled = await openai.responses.create({ model, input: 'slow', background: true })

  await openai.responses.cancel(cancelled.id)
  await simulation.fastForward({ minutes: 15 })

  expect(queued).toMatchObject({ status: 'queued', output: [] })
  expect(await openai.responses.retrieve(queued.id)).toMatchObject({ status: 'completed', output_text: 'Done.' })
  expect(await openai.responses.retrieve(cancelled.id)).toMatchObject({ status: 'cancelled' })
})

it('counts the tokens of a prompt as its answer does', async () => {
  const { openai } = await open()
  const request = { model, input: 'How many?', instructions: 'Count.', tools: [WEATHER] }

  const counted = await openai.responses.inputTokens.count(request)
  const { usage } = await openai.responses.create(request)

  expect(counted.input_tokens).toBe(usage?.input_tokens)
})

it('continues no response that is not answered, and not one and a conversation together', async () => {
  const { openai } = await open()
  const queued = await openai.responses.create({ model, input: 'slow', background: true })
  const done = await openai.responses.create({ model, input: 'x' })
  const { id } = await openai.conversations.create({})
  const next = (previous_response_id: string, more = {}) =>
    openai.responses.create({ model, input: 'And?', previous_response_id, ...more })

  await expect(next(queued.id)).rejects.toMatchObject({ status: 400, param: 'previous_response_id' })
  await expect(next(done.id, { conversation: id })).rejects.toMatchObject({
    status: 400,
    code: 'mutually_exclusive_parameters',
  })
})
