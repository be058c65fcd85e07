import type { Fields } from '../shared/values.ts'
import { fieldsOf } from '../shared/values.ts'
import type { Context } from './context.ts'

/** Named by its list of models. Every other name of this form is accepted too. */
export const ROUTED = ['openai/gpt-5', 'anthropic/claude-sonnet-5', 'google/gemini-2.5-flash']

/** Dollars for a token. */
const PRICE = 0.000_001

export const isRouted = (model: unknown): model is string =>
  typeof model === 'string' && /^[\w~.-]+\/[\w.:-]+$/.test(model)

export const toRoutedModel = (id: string) => ({
  id,
  name: id,
  created: 1_735_689_600,
  context_length: 128_000,
  architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
  pricing: { prompt: PRICE.toFixed(6), completion: PRICE.toFixed(6) },
})

/** A completion as OpenRouter answers it: with the provider that it chose, and the cost. */
export function asRouted({ body, path, id }: Context, completion: Fields): Fields {
  if (path.openrouter === undefined) return completion
  const { order, only } = fieldsOf(body.provider)
  const [wished = String(completion.model).split('/')[0] ?? ''] = [order ?? only ?? []].flat()
  const usage = fieldsOf(completion.usage)
  const cost = Number((Number(usage.total_tokens) * PRICE).toFixed(6))
  return { ...completion, id: id('gen-'), provider: wished, usage: { ...usage, cost, is_byok: false } }
}
