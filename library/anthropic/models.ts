import { type Context, toPage } from './context.ts'

/** Every name of the family is accepted: names change monthly. */
const FAMILY = /^claude-/

const LISTED = ['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5-5', 'claude-haiku-4-5']

const toModel = (id: string) => ({
  type: 'model',
  id,
  display_name: id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' '),
  created_at: '2025-10-01T00:00:00Z',
})

export const isModel = (name: unknown): name is string => typeof name === 'string' && FAMILY.test(name)

/** Answers 404 for a name of no family. */
export const checkModel = ({ refuse }: Pick<Context, 'refuse'>, model: unknown): string =>
  isModel(model) ? model : refuse(404, { code: 'not_found', message: `model: ${model}` })

export const models = {
  'GET /v1/models': (context: Context) => toPage(context, LISTED.map(toModel)),
  'GET /v1/models/{model_id}': (context: Context) => toModel(checkModel(context, context.path.model_id)),
}
