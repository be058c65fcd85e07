import type { AIMessageChunk } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { createAgent } from 'langchain'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createSimulation } from '../../src/index.ts'
import { collect } from '../support/collect.ts'

const APIS = [
  { api: 'chat', useResponsesApi: false },
  { api: 'responses', useResponsesApi: true },
]

async function open(fields: { useResponsesApi?: boolean; maxRetries?: number } = {}) {
  const simulation = await createSimulation('openai', { webhooks: false, replies: 'strict' })
  const connection = { apiKey: simulation.key, configuration: { baseURL: `${simulation.url}/v1` } }
  const model = new ChatOpenAI({ model: 'gpt-5', maxRetries: 0, ...connection, ...fields })
  return { simulation, connection, model }
}

/** The chunks of a stream as one message. */
async function join(stream: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  return (await collect(stream)).reduce((all, chunk) => all.concat(chunk))
}

const weather = tool(({ city }: { city: string }) => `sunny in ${city}`, {
  name: 'weather',
  description: 'The weather of a city',
  schema: z.object({ city: z.string() }),
})
const toolCalls = ['Rome', 'Oslo'].map((city) => ({ name: 'weather', arguments: { city } }))
const question = { messages: [{ role: 'user' as const, content: 'Weather in Rome and Oslo?' }] }

it.each(APIS)('invokes, streams and batches with LangChain: $api', async ({ useResponsesApi }) => {
  const { simulation, model } = await open({ useResponsesApi })
  await simulation.reply({ when: { text: 'one' }, text: 'The first answer.' })
  await simulation.reply({ when: { text: 'two' }, text: 'The second.' })
  const tokens: string[] = []
  const outputs: unknown[] = []
  const handleLLMNewToken = (token: string) => void tokens.push(token)
  const handleLLMEnd = (output: unknown) => void outputs.push(output)

  const plain = await model.invoke('one')
  const streamed = await join(await model.stream('one', { callbacks: [{ handleLLMNewToken, handleLLMEnd }] }))
  const batch = await model.batch(['one', 'two'])

  expect([plain.text, streamed.text, tokens.join('')]).toEqual(Array(3).fill('The first answer.'))
  expect(outputs).toHaveLength(1)
  expect(streamed.usage_metadata).toMatchObject({ output_tokens: 4 })
  expect(streamed.usage_metadata).toEqual(plain.usage_metadata)
  expect(batch.map(({ text }) => text)).toEqual(['The first answer.', 'The second.'])
})

it.each(APIS)('runs tools with LangChain, in a model and in an agent: $api', async ({ useResponsesApi }) => {
  const { simulation, model } = await open({ useResponsesApi })
  await simulation.reply({ when: { text: 'Oslo', tool: 'weather' }, toolCalls })
  await simulation.reply({ when: { toolResult: 'sunny in Oslo', system: 'brief' }, text: 'Take a hat.' })
  const bound = model.bindTools([weather], { tool_choice: 'any' })
  const agent = createAgent({ model, tools: [weather], systemPrompt: 'Be brief.' })

  const streamed = await join(await bound.stream('Rome and Oslo'))
  const { messages } = await agent.invoke(question)
  const pieces = []
  for await (const [message] of await agent.stream(question, { streamMode: 'messages' }))
    if (message.type === 'ai') pieces.push(message.text)

  expect(streamed.tool_calls?.map(({ args }) => args.city)).toEqual(['Rome', 'Oslo'])
  expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'tool', 'ai'])
  expect(messages.at(-1)?.text).toBe('Take a hat.')
  expect(pieces.join('')).toBe('Take a hat.')
})

it.each(APIS)('extracts objects with LangChain, by each method: $api', async ({ useResponsesApi }) => {
  const { simulation, model } = await open({ useResponsesApi })
  const schema = z.object({ total: z.number(), lines: z.array(z.object({ name: z.string() })) })
  const json = { total: 3, lines: [{ name: 'Jam' }] }
  const scripts = {
    jsonSchema: { json },
    jsonMode: { json },
    functionCalling: { toolCalls: [{ name: 'invoice', arguments: json }] },
  }

  const extracted = []
  for (const [method, script] of Object.entries(scripts)) {
    await simulation.reply(script)
    const structured = model.withStructuredOutput(schema, { method: method as keyof typeof scripts, name: 'invoice' })
    extracted.push(await structured.invoke('Extract it as JSON.'))
  }
  await simulation.reply([{ toolCalls: toolCalls.slice(1) }, { json: { hat: true } }])
  const agent = createAgent({ model, tools: [weather], responseFormat: z.object({ hat: z.boolean() }) })
  const { structuredResponse } = await agent.invoke(question)

  expect(extracted).toEqual([json, json, json])
  expect(structuredResponse).toEqual({ hat: true })
})

it('shows LangChain errors, and streams that break', async () => {
  const { simulation, model } = await open({ maxRetries: 1 })
  const text = 'one two three'
  await simulation.reply([
    { error: { status: 401, code: 'invalid_api_key' } },
    { text, stream: { errorAfter: 2 } },
    { text, stream: { endAfter: 2 } },
    { text },
  ])

  await expect(model.invoke('x')).rejects.toMatchObject({ status: 401 })
  await expect(join(await model.stream('x'))).rejects.toThrow('The server had an error')
  const short = await join(await model.stream('x'))
  await simulation.failNext(1, { status: 503 })
  const retried = await model.invoke('x')

  expect([short.text, short.response_metadata.finish_reason]).toEqual(['one two', undefined])
  expect(retried.text).toBe(text)
})

it('embeds with LangChain', async () => {
  const { connection } = await open()
  const embeddings = new OpenAIEmbeddings({ model: 'text-embedding-3-small', dimensions: 256, ...connection })

  const one = await embeddings.embedQuery('Jam')
  const [same, other] = await embeddings.embedDocuments(['Jam', 'Bread'])

  expect(one).toHaveLength(256)
  expect(same).toEqual(one)
  expect(other).not.toEqual(one)
})
