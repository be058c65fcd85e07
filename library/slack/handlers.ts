import type { OperationContext } from '../../src/handlers.ts'
import type { JsonObject } from '../../src/protocol/json.ts'
import { searched } from '../github/searched.ts'
import { fieldsOf, listOf } from '../openai/context.ts'

/** Letters of a view's title and buttons at most, and blocks of a view. */
const MOST_LETTERS = 24
const MOST_BLOCKS = 100

/** What is wrong with a view, and where. */
function faultsOfView({ type, title, submit, close, blocks }: JsonObject): string[] {
  const faults: string[] = []
  const fault = (path: string, what: string) => faults.push(`[ERROR] ${what} [json-pointer:/view/${path}]`)
  if (type === 'modal' && title === undefined) fault('', 'missing required field: title')
  for (const [name, text] of Object.entries({ title, submit, close }))
    if (String(fieldsOf(text).text ?? '').length > MOST_LETTERS)
      fault(`${name}/text`, `must be less than ${MOST_LETTERS + 1} characters`)
  const all = listOf(blocks)
  if (all.length > MOST_BLOCKS) fault('blocks', `no more than ${MOST_BLOCKS} items allowed`)
  if (type === 'modal' && submit == null && all.some((block) => block.type === 'input'))
    fault('submit', 'a submit button is needed where an `input` block is')
  return faults
}

const view = ({ body, respond }: OperationContext) => {
  const sent = typeof body.view === 'string' ? JSON.parse(body.view) : body.view
  const messages = sent == null ? [] : faultsOfView(fieldsOf(sent))
  const answer = { ok: false, error: 'invalid_arguments', response_metadata: { messages } }
  return messages.length === 0 ? undefined : respond({ status: 200, body: answer })
}

/** The element of a block that a person uses, as the action shows it. */
function elementOf(blocks: readonly JsonObject[], action_id: unknown): JsonObject {
  for (const { block_id, elements, accessory, element } of blocks)
    for (const one of listOf([elements, accessory, element].flat()))
      if (one.action_id === action_id) {
        const { type, text, value, placeholder } = one
        const shown = { type, block_id, text, value, placeholder }
        return Object.fromEntries(Object.entries(shown).filter(([, field]) => field !== undefined)) as JsonObject
      }
  return {}
}

/** An action shows what stands in the message or view: its block, text and value. */
const interaction = (context: OperationContext) => {
  const answer = context.next()
  const act = context.records.acts?.get(String(answer.trigger_id))
  const payload = fieldsOf(act?.payload)
  const blocks = listOf(fieldsOf(payload.message ?? payload.view).blocks)
  const actions = listOf(payload.actions).map((one) => ({ ...elementOf(blocks, one.action_id), ...one }))
  if (act !== undefined && actions.length > 0) context.records.acts?.update(act, { payload: { ...payload, actions } })
  return answer
}

export default {
  'POST /views.open': view,
  'POST /views.push': view,
  'POST /views.update': view,
  'POST /views.publish': view,
  'POST /test_helpers/interactions': interaction,
  $searched: searched,
}
