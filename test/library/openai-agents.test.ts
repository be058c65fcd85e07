import {
  Agent,
  fileSearchTool,
  InputGuardrailTripwireTriggered,
  OpenAIConversationsSession,
  OpenAIProvider,
  Runner,
  RunState,
  run,
  setDefaultOpenAIClient,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import OpenAI, { toFile } from 'openai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createSimulation } from '../../src/index.ts'
import { collect } from '../support/collect.ts'

// Traces are sent to OpenAI itself.
setTracingDisabled(true)

const APIS = [
  { api: 'chat', useResponses: false },
  { api: 'responses', useResponses: true },
]

async function open(useResponses: boolean) {
  const simulation = await createSimulation('openai', { webhooks: false, replies: 'strict' })
  const openai = new OpenAI({ apiKey: simulation.key, baseURL: `${simulation.url}/v1` })
  const modelProvider = new OpenAIProvider({ openAIClient: openai, useResponses })
  return { simulation, openai, runner: new Runner({ modelProvider, model: 'gpt-5' }) }
}

const described = { name: 'weather', description: 'The weather of a city', parameters: z.object({ city: z.string() }) }
const weather = tool({ ...described, execute: ({ city }) => `sunny in ${city}` })
const toolCalls = [{ name: 'weather', arguments: { city: 'Rome' } }]

it.each(APIS)('runs tools with the Agents SDK, plain and streamed: $api', async ({ useResponses }) => {
  const { simulation, runner } = await open(useResponses)
  await simulation.reply({ when: { text: 'Rome', system: 'brief' }, toolCalls })
  await simulation.reply({ when: { toolResult: 'sunny in Rome' }, text: 'Take a hat.' })
  const agent = new Agent({ name: 'Guide', instructions: 'Be brief.', tools: [weather] })

  const plain = await runner.run(agent, 'Weather in Rome?')
  const streamed = await runner.run(agent, 'Weather in Rome?', { stream: true })
  const pieces = await collect(streamed.toTextStream())
  await streamed.completed

  expect([plain.finalOutput, streamed.finalOutput]).toEqual(['Take a hat.', 'Take a hat.'])
  expect(pieces).toEqual(['Take', ' a', ' hat.'])
  expect(plain.state.usage.totalTokens).toBeGreaterThan(20)
  expect(streamed.state.usage.totalTokens).toBe(plain.state.usage.totalTokens)
})

it.each(APIS)('hands over, and answers by a schema, with the Agents SDK: $api', async ({ useResponses }) => {
  const { simulation, runner } = await open(useResponses)
  const outputType = z.object({ paid: z.boolean() })
  const billing = new Agent({ name: 'Billing', instructions: 'You bill.', outputType })
  const triage = Agent.create({ name: 'Triage', instructions: 'You route.', handoffs: [billing] })
  await simulation.reply({ when: { system: 'route' }, toolCalls: [{ name: 'transfer_to_Billing', arguments: {} }] })
  await simulation.reply({ when: { system: 'bill', toolResult: 'Billing' }, json: { paid: true } })

  const { finalOutput, lastAgent } = await runner.run(triage, 'My invoice?')

  expect([lastAgent?.name, finalOutput]).toEqual(['Billing', { paid: true }])
})

it.each(APIS)('guards, and asks for approval, with the Agents SDK: $api', async ({ useResponses }) => {
  const { simulation, runner } = await open(useResponses)
  await simulation.reply({ when: { system: 'judge', text: 'homework' }, json: { refused: true } })
  await simulation.reply({ when: { system: 'judge' }, json: { refused: false } })
  await simulation.reply({ when: { text: 'Rome' }, toolCalls })
  await simulation.reply({ when: { toolResult: 'approved' }, text: 'Done.' })
  const outputType = z.object({ refused: z.boolean() })
  const judge = new Agent({ name: 'Judge', instructions: 'You judge.', outputType })
  const guard = {
    name: 'homework',
    runInParallel: false,
    execute: async ({ input }: { input: unknown }) => {
      const { finalOutput } = await runner.run(judge, String(input))
      return { outputInfo: finalOutput, tripwireTriggered: finalOutput?.refused === true }
    },
  }
  const tools = [tool({ ...described, needsApproval: true, execute: () => 'approved' })]
  const agent = new Agent({ name: 'Guide', instructions: 'Be brief.', inputGuardrails: [guard], tools })

  await expect(runner.run(agent, 'My homework')).rejects.toThrow(InputGuardrailTripwireTriggered)
  const waiting = await runner.run(agent, 'Go to Rome')
  const state = await RunState.fromString(agent, waiting.state.toString())
  for (const interruption of state.getInterruptions()) state.approve(interruption)
  const { finalOutput } = await runner.run(agent, state)

  expect(finalOutput).toBe('Done.')
})

it.each(APIS)('shows the Agents SDK a stream that breaks: $api', async ({ useResponses }) => {
  const { simulation, runner } = await open(useResponses)
  await simulation.reply({ text: 'one two three', stream: { errorAfter: 2, error: { message: 'Too much.' } } })
  let text = ''

  const streamed = await runner.run(new Agent({ name: 'Guide' }), 'x', { stream: true })
  const reading = (async () => {
    for await (const piece of streamed.toTextStream()) text += piece
    await streamed.completed
  })()

  await expect(reading).rejects.toThrow('Too much.')
  expect(text).toBe('one two')
})

it('keeps a session in a conversation, and searches files, with the Agents SDK and its default client', async () => {
  const { simulation, openai } = await open(true)
  setDefaultOpenAIClient(openai)
  const file = await openai.files.create({
    file: await toFile(Buffer.from('Returning parcels is free.'), 'returns.txt'),
    purpose: 'assistants',
  })
  const store = await openai.vectorStores.create({ file_ids: [file.id] })
  await simulation.reply([{ text: 'It is free.' }, { text: 'As I said.' }])
  const agent = new Agent({ name: 'Help', model: 'gpt-5', tools: [fileSearchTool(store.id)] })
  const session = new OpenAIConversationsSession({ client: openai })

  const first = await run(agent, 'How do I return a parcel?', { session })
  const second = await run(agent, 'Really?', { session })

  expect(first.newItems.map(({ type }) => type)).toEqual(['reasoning_item', 'tool_call_item', 'message_output_item'])
  expect(second.finalOutput).toBe('As I said.')
  expect(await session.getItems()).toHaveLength(8)
  expect((await simulation.prompts())[0]).toMatchObject({ turn: 2, text: 'Really?' })
})
