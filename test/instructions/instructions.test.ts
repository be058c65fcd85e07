import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { loadModel } from '../../src/cli/serve-options.ts'
import type { BehaviourPlan } from '../../src/protocol/behaviour.ts'
import type { RecordsPage, Usage } from '../../src/protocol/reads.ts'
import type { ServiceOptions } from '../../src/service/start.ts'
import { openSimulation } from '../simulation/open-simulation.ts'

/** The mock model of the `ai` package, whose own types do not pass the strict settings here. */
interface MockModel {
  readonly modelId: string
  readonly provider: string
  readonly doGenerateCalls: readonly { prompt: unknown }[]
}
type Generate = () => Promise<{ content: object[]; finishReason: object; usage: object; warnings: object[] }>

const mockPackage = 'ai/test'
const { MockLanguageModelV4 } = (await import(mockPackage)) as {
  MockLanguageModelV4: new (options: { doGenerate: Generate }) => MockModel
}

const PROPOSAL = {
  volumes: [
    { collection: 'companies', records: 3 },
    { collection: 'companies-of-another-api', records: 3 },
  ],
  hints: [{ collection: 'companies', field: 'name', values: ['Polar Bakery', 'Northern Ovens'] }],
  behaviour: [
    {
      name: 'Orders arrive',
      everySeconds: 3_600,
      steps: [{ kind: 'create', collection: 'orders', count: 2, fraction: null, from: null, to: null }],
    },
  ],
}

function createModel(proposal: object = PROPOSAL): MockModel {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  }
  return new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: JSON.stringify(proposal) }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
      cuts: [],
    }),
  })
}

const asOption = (model: unknown) => ({ model: model as NonNullable<ServiceOptions['model']> })
const creation = { library: 'crm', instructions: 'A CRM of bakeries in the far north.' }

it('shapes volumes, values and behaviour by the instructions', async () => {
  const model = createModel()
  await using simulation = await openSimulation(creation, asOption(model))

  const companies = await simulation.manage<RecordsPage>('GET', '/records/companies')
  const turned = await simulation.manage<{ changes: number }>('POST', '/fast-forward', { hours: 3 })

  expect(companies.body.total).toBe(3)
  for (const { name } of companies.body.data) expect(['Polar Bakery', 'Northern Ovens']).toContain(name)
  expect(turned.body.changes).toBe(6)
  const prompt = JSON.stringify(model.doGenerateCalls[0]?.prompt)
  expect(prompt).toContain('bakeries in the far north')
  expect(prompt).toContain('companies')
})

it('keeps of a proposed step what its kind has', async () => {
  const step = { kind: 'create', collection: 'orders', count: 2, fraction: null, from: 'open', to: 'paid' }
  const proposal = { ...PROPOSAL, behaviour: [{ name: 'Orders arrive', everySeconds: 3_600, steps: [step] }] }
  await using simulation = await openSimulation(creation, asOption(createModel(proposal)))

  const { body } = await simulation.manage<BehaviourPlan>('GET', '/behaviour')

  expect(body.rules[0]?.steps).toEqual([{ kind: 'create', collection: 'orders', count: 2 }])
})

it('asks the same question once and takes its price once', async () => {
  const model = createModel()
  const account = {
    creditUsd: 1,
    plan: { name: 'paid', simulationLimit: 9, requestLimit: 99, webhooksPerSimulation: 9, pricePerProposalUsd: 0.25 },
  }
  await using simulation = await openSimulation(creation, { ...asOption(model), accounts: [account] })
  const { service } = simulation
  const headers = { authorization: `Bearer ${service.accountKey}`, 'content-type': 'application/json' }

  const again = await fetch(`${service.url}/v1/simulations`, {
    method: 'POST',
    headers,
    body: JSON.stringify(creation),
  })
  const usage = (await (await fetch(`${service.url}/v1/usage`, { headers })).json()) as Usage

  expect(again.status).toBe(201)
  expect(model.doGenerateCalls).toHaveLength(1)
  expect(usage.creditUsd).toBe(0.75)
})

it('asks no model where `useModel` is false', async () => {
  const model = createModel()
  await using simulation = await openSimulation({ ...creation, useModel: false }, asOption(model))

  const { body } = await simulation.manage<{ instructions: string }>('GET', '')

  expect(model.doGenerateCalls).toHaveLength(0)
  expect(body.instructions).toBe(creation.instructions)
})

it.each([
  [{ ...creation, useModel: true }, 'Failed to use a model: this service has no language model.'],
  [{ library: 'crm', useModel: true }, 'Failed to use a model: this service has no language model.'],
])('refuses to use a model where there is none', async (request, message) => {
  await expect(openSimulation(request)).rejects.toThrow(message)
})

it('asks for instructions where a model is to be used', async () => {
  const opened = openSimulation({ library: 'crm', useModel: true }, asOption(createModel()))

  await expect(opened).rejects.toThrow('Expected `instructions` to be given where `useModel` is true')
})

it('says what to do when the model fails, and creates nothing', async () => {
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      throw new Error('quota exceeded')
    },
  })

  const opened = openSimulation(creation, asOption(model))

  await expect(opened).rejects.toThrow(/quota exceeded.*`useModel: false`/)
})

it('uses an OpenAI-compatible server named on the command line', async () => {
  const server = createServer((request, response) => {
    request.resume()
    const message = { role: 'assistant', content: JSON.stringify(PROPOSAL) }
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ id: '1', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const model = await loadModel('openai-compatible:m', { BACKLOT_MODEL_URL: `http://127.0.0.1:${port}/v1` })

  await using simulation = await openSimulation(creation, { model })

  expect((await simulation.manage<RecordsPage>('GET', '/records/companies')).body.total).toBe(3)
  server.close()
  server.closeAllConnections()
})

it.each([
  ['gpt-5', 'Expected --model to be `provider:name`'],
  ['nothing-of-that-name:m', 'npm install ai @ai-sdk/nothing-of-that-name'],
  ['openai-compatible:m', 'Expected BACKLOT_MODEL_URL to be the base URL'],
])('explains --model %s', async (text, message) => {
  await expect(loadModel(text, {})).rejects.toThrow(message)
})
