import type { Fields } from '../shared/values.ts'
import type { Context, Work } from './context.ts'
import { scripted } from './errors.ts'
import { checkModel } from './models.ts'

const SIZES: readonly (readonly [RegExp, number])[] = [
  [/3-large/, 3_072],
  [/./, 1_536],
]

const sizeOf = (model: string): number => SIZES.find(([name]) => name.test(model))?.[1] ?? 0

/** Most tokens of a text. */
const MOST = 8_192

export const embeddings = {
  'POST /embeddings': (context: Context) => {
    const model = checkModel(context, context.body.model, 'generate embeddings from')
    const { input, dimensions } = context.body
    if (input === '' || (Array.isArray(input) && (input.length === 0 || input.includes(''))))
      context.refuse(400, { message: "'$.input' is invalid: it has to have texts that are not empty.", field: 'input' })
    if (dimensions !== undefined && /ada-002/.test(model))
      context.refuse(400, { message: 'This model does not support specifying dimensions.', field: 'dimensions' })
    if (/embedding-3-/.test(model) && Number(dimensions ?? 0) > sizeOf(model))
      context.refuse(400, {
        message: `Invalid value for 'dimensions' = ${dimensions}. Must be less than or equal to ${sizeOf(model)}.`,
        field: 'dimensions',
      })
    const count = Math.max(...toCounts(context, input))
    if (count > MOST)
      context.refuse(400, {
        message: `This model's maximum context length is ${MOST} tokens, however you requested ${count} tokens (${count} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`,
        field: 'input',
      })
    return scripted(context, toTexts(input).join('\n'), () => embed(context, { ...context.body, model }))
  },
}

export function embed({ embeddings, tokens }: Work, body: Fields): Fields {
  const model = String(body.model)
  const size = Number(body.dimensions ?? sizeOf(model))
  const texts = toTexts(body.input)
  const data = embeddings(texts, size).map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: body.encoding_format === 'base64' ? toBase64(vector) : [...vector],
  }))
  const used = toCounts({ tokens }, body.input).reduce((sum, count) => sum + count, 0)
  return { object: 'list', data, model, usage: { prompt_tokens: used, total_tokens: used } }
}

/** One text, or several; tokens count as text too. */
export function toTexts(input: unknown): string[] {
  if (typeof input === 'string') return [input]
  const list = input as readonly unknown[]
  return typeof list[0] === 'number'
    ? [list.join(' ')]
    : list.map((item) => (Array.isArray(item) ? item.join(' ') : String(item)))
}

/** The tokens of each text; an input may be tokens already. */
const toCounts = ({ tokens }: Pick<Work, 'tokens'>, input: unknown): number[] =>
  (Array.isArray(input) && typeof input[0] !== 'number' ? input : [input]).map((item) =>
    Array.isArray(item) ? item.length : tokens(String(item)),
  )

const toBase64 = (vector: readonly number[]): string => Buffer.from(new Float32Array(vector).buffer).toString('base64')
