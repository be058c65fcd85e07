import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { embed, generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createSimulation, type Simulation } from '../../src/index.ts'

interface Provider {
  readonly name: string
  readonly entry: string
  readonly open: (simulation: Simulation) => LanguageModel
}

const openai = ({ url, key }: Simulation) => createOpenAI({ apiKey: key, baseURL: `${url}/v1` })

const google = ({ url, key }: Simulation) => createGoogle({ apiKey: key, baseURL: `${url}/v1beta` })

const PROVIDERS: readonly Provider[] = [
  { name: 'OpenAI, responses', entry: 'openai', open: (simulation) => openai(simulation)('gpt-5') },
  { name: 'OpenAI, chat', entry: 'openai', open: (simulation) => openai(simulation).chat('gpt-5') },
  {
    name: 'Anthropic',
    entry: 'anthropic',
    open: ({ url, key }) => createAnthropic({ apiKey: key, baseURL: `${url}/v1` })('claude-sonnet-5'),
  },
  { name: 'Google', entry: 'gemini', open: (simulation) => google(simulation)('gemini-3-pro-preview') },
  {
    name: 'Google, interactions',
    entry: 'gemini',
    open: (simulation) => google(simulation).interactions('gemini-2.5-flash'),
  },
]

const weather = tool({
  description: 'The weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
})

it.each(PROVIDERS)('runs a loop of tools with the AI SDK: $name', async ({ entry, open }) => {
  await using simulation = await createSimulation(entry, { webhooks: false, replies: 'strict' })
  const model = open(simulation)
  const toolCalls = [{ name: 'weather', arguments: { city: 'Rome' } }]
  await simulation.reply({ when: { text: 'Rome', system: 'brief' }, toolCalls })
  await simulation.reply({ when: { toolResult: 'sunny in Rome' }, text: 'Take a hat.' })
  const request = {
    model,
    instructions: 'Be brief.',
    prompt: 'Weather in Rome?',
    tools: { weather },
    stopWhen: stepCountIs(3),
  }

  const plain = await generateText(request)
  const streamed = streamText(request)

  expect(plain.text).toBe('Take a hat.')
  expect(plain.steps).toHaveLength(2)
  expect(await streamed.text).toBe('Take a hat.')
  expect(await streamed.finishReason).toBe('stop')
  expect((await streamed.usage).outputTokens).toBe(plain.usage.outputTokens)
})

it.each(PROVIDERS)('extracts an object with the AI SDK: $name', async ({ entry, open }) => {
  await using simulation = await createSimulation(entry, { webhooks: false })
  const schema = z.object({ total: z.number(), lines: z.array(z.object({ name: z.string() })) })
  const request = { model: open(simulation), output: Output.object({ schema }), prompt: 'Extract the invoice.' }
  const scripted = { total: 3, lines: [{ name: 'Jam' }] }

  const generated = await generateText(request)
  await simulation.reply({ json: scripted })
  const extracted = await generateText(request)

  expect(generated.output.total).toEqual(expect.any(Number))
  expect(extracted.output).toEqual(scripted)
})

it.each(PROVIDERS)('shows the AI SDK a stream that breaks: $name', async ({ entry, open }) => {
  await using simulation = await createSimulation(entry, { webhooks: false })
  await simulation.reply({ text: 'one two three', stream: { errorAfter: 2 } })
  const errors: unknown[] = []

  const { textStream } = streamText({
    model: open(simulation),
    prompt: 'x',
    maxRetries: 0,
    onError: ({ error }) => {
      errors.push(error)
    },
  })
  let text = ''
  for await (const piece of textStream) text += piece

  expect(text).toBe('one two')
  expect(errors).toHaveLength(1)
})

it('embeds with the AI SDK', async () => {
  await using simulation = await createSimulation('openai', { webhooks: false })

  const { embedding } = await embed({ model: openai(simulation).embedding('text-embedding-3-small'), value: 'Jam' })

  expect(embedding).toHaveLength(1_536)
})
