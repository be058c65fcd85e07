import type { Talk } from '../../src/handlers.ts'
import { isMadeUp } from '../shared/made-up.ts'
import { type Context, toPage } from './context.ts'

const LINES = ['haiku', 'sonnet', 'opus', 'fable', 'mythos']

/** Every name of the family is accepted: names change monthly. */
const FAMILY = new RegExp(`^claude-(?:.*\\d|instant|${LINES.join('|')})`)

/** The dates of models whose names are short for others. */
const DATES: Readonly<Record<string, string>> = {
  'claude-haiku-4-5': '20251001',
  'claude-opus-4-5': '20251101',
  'claude-sonnet-4-5': '20250929',
  'claude-opus-4-1': '20250805',
}

/** The model that answers: `claude-sonnet-4-5-20250929` for `claude-sonnet-4-5`. */
export const snapshotOf = (model: string): string => [model, DATES[model] ?? []].flat().join('-')

/** The models of the SDK's type `Model` that are for everybody, newest first. */
const LISTED =
  'fable-5-2 haiku-5-5 sonnet-5-5 fable-5-1 opus-5-5 sonnet-5 fable-5 opus-5 opus-4-8 opus-4-7 opus-4-6 sonnet-4-6 haiku-4-5 opus-4-5 sonnet-4-5'
    .split(' ')
    .map((name) => snapshotOf(`claude-${name}`))

/** Models that take 200,000 tokens; others take a million. */
const SMALL = /^claude-(?:2|3|instant|haiku|(?:opus|sonnet)-4(?:-[0-5])?(?:-\d{8})?$)/
const inputOf = (model: string): number => (SMALL.test(model) ? 200_000 : 1_000_000)
const outputOf = (model: string): number => (SMALL.test(model) ? 64_000 : 128_000)

/** What a model can, as its requests are checked. */
function capabilitiesOf(id: string) {
  const can = (isSo: boolean) => ({ supported: isSo })
  const [yes, isNew] = [can(true), can(!SMALL.test(id))]
  return {
    batch: yes,
    citations: yes,
    code_execution: yes,
    context_management: {
      ...yes,
      clear_thinking_20251015: yes,
      clear_tool_uses_20250919: yes,
      compact_20260112: isNew,
    },
    effort: { ...isNew, low: isNew, medium: isNew, high: isNew, xhigh: isNew, max: isNew },
    image_input: yes,
    pdf_input: yes,
    server_tools: { ...yes, code_execution: yes, web_search: yes },
    structured_outputs: yes,
    thinking: { ...yes, types: { adaptive: isNew, between_tools: isNew, disabled: yes, enabled: can(SMALL.test(id)) } },
  }
}

const toModel = (id: string) => ({
  type: 'model',
  id,
  display_name: id
    .replace(/-\d{8}$/, '')
    .replace(/(\d)-(?=\d)/, '$1.')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' '),
  created_at: '2025-10-01T00:00:00Z',
  line: id.split('-').find((word) => LINES.includes(word)) ?? null,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
  max_input_tokens: inputOf(id),
  max_tokens: outputOf(id),
  capabilities: capabilitiesOf(id),
})

export const isModel = (name: unknown): name is string =>
  typeof name === 'string' && FAMILY.test(name) && !isMadeUp(name)

/** Answers 404 for a name of no family. */
export const checkModel = ({ refuse }: Pick<Context, 'refuse'>, model: unknown): string =>
  isModel(model) ? model : refuse(404, { code: 'not_found', message: `model: ${model}` })

/** Why a prompt that is longer than the model takes is refused, or an answer that is longer than it gives. */
export function lengthFault(talk: Talk, max_tokens: unknown, betas: string, count: number): string | undefined {
  const longest = outputOf(talk.model)
  if (Number(max_tokens) > longest && !/output-\d+k/.test(betas))
    return `max_tokens: ${max_tokens} > ${longest}, which is the maximum allowed number of output tokens for ${snapshotOf(talk.model)}`
  const most = /context-1m/.test(betas) ? 1_000_000 : inputOf(talk.model)
  return count > most ? `prompt is too long: ${count} tokens > ${most} maximum` : undefined
}

export const models = {
  'GET /v1/models': (context: Context) => toPage(context, LISTED.map(toModel)),
  'GET /v1/models/{model_id}': (context: Context) => toModel(snapshotOf(checkModel(context, context.path.model_id))),
}
