import type { Talk, TalkMessage } from '../../src/handlers.ts'
import { textOfResult } from '../shared/hosted-calls.ts'
import { type Fields, fieldsOf, type Kept, listOf } from '../shared/values.ts'
import { countAttachments } from './attachments.ts'
import { allowedBy, numberOf, toChoice } from './chat-talk.ts'
import type { Work } from './context.ts'
import { thoughtsOf } from './models.ts'
import { callOf, isAnswer, textOfItem } from './response-items.ts'

/** A response's request as a talk. @param items the input, after the items of earlier responses */
export function toTalk(
  work: Pick<Work, 'records' | 'tokens'>,
  model: string,
  request: Fields,
  items: readonly Fields[],
): Talk {
  const { instructions, tools, tool_choice, max_output_tokens } = request
  const format = fieldsOf(fieldsOf(request.text).format)
  const system = typeof instructions === 'string' ? [{ role: 'system' as const, text: instructions }] : []
  return {
    model,
    messages: [...system, ...toMessages(work, items, (content) => countAttachments(work, model, content))],
    tools: allowedBy(
      tool_choice,
      listOf(tools).flatMap(({ type, name, parameters }) =>
        type === 'function' || type === 'custom' ? [{ name: String(name), schema: parameters ?? {} }] : [],
      ),
    ),
    choice: toChoice(tool_choice),
    thinks: fieldsOf(request.reasoning).summary != null,
    thoughts: thoughtsOf(model, request),
    ...(format.type === 'json_schema' && { schema: { name: String(format.name), schema: format.schema } }),
    json: format.type === 'json_object',
    limit: numberOf(max_output_tokens),
    usual: textOfResult(approvalOf(work, items.at(-1) ?? {})?.text) || undefined,
    body: request,
  }
}

const toMessages = (
  { records }: Pick<Work, 'records'>,
  items: readonly Fields[],
  count: (content: unknown) => number,
): TalkMessage[] =>
  joinAnswers(
    items.map((item) => {
      if (!isAnswer(item)) {
        // An approved call of a server is made: its result is a tool's.
        const approval = approvalOf({ records }, item)
        const made = approval ? `: ${textOfResult(approval.result ?? undefined)}` : ''
        const tokens = count(item.content ?? [item.output ?? []].flat())
        return { role: roleOf(item), text: `${textOfItem(item)}${made}`, tokens }
      }
      const text = item.type === 'message' ? textOfItem(item) : ''
      return { role: 'assistant', text, calls: [callOf(item) ?? []].flat() }
    }),
  )

/** The call of a server that an item approves. */
const approvalOf = ({ records }: Pick<Work, 'records'>, { approve, approval_request_id }: Fields): Kept | undefined =>
  approve === true ? records.approvals.get(String(approval_request_id)) : undefined

/** What a model wrote in one answer is one message. */
export function joinAnswers(messages: readonly TalkMessage[]): TalkMessage[] {
  const joined: TalkMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role !== 'assistant' || message.role !== 'assistant') joined.push(message)
    else {
      const calls = [...(last.calls ?? []), ...(message.calls ?? [])]
      joined.splice(-1, 1, { role: 'assistant', text: last.text + message.text, calls })
    }
  }
  return joined
}

function roleOf({ type, role }: Fields): TalkMessage['role'] {
  if (/_output$|^mcp_approval_response$/.test(String(type))) return 'tool'
  return role === 'system' || role === 'developer' ? 'system' : 'user'
}
