import { type Fields, listOf } from './context.ts'

/** Why the messages of a chat are refused: the answer of a tool follows its call, and each call has one. */
export function faultOfMessages(messages: readonly Fields[]): string | undefined {
  let open: unknown[] = []
  for (const { role, tool_calls, tool_call_id } of [...messages, {} as Fields]) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id))
        return "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
      open = open.filter((id) => id !== tool_call_id)
      continue
    }
    if (open.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`
    open = listOf(tool_calls).map(({ id }) => id)
  }
  return undefined
}

/** Why the items before a response are refused: calls and outputs of tools come in pairs. */
export function faultOfItems(items: readonly Fields[]): string | undefined {
  for (const type of ['function_call', 'custom_tool_call']) {
    const idsOf = (wanted: string) => items.flatMap((item) => (item.type === wanted ? [item.call_id] : []))
    const [called, answered] = [idsOf(type), idsOf(`${type}_output`)]
    const name = type.replaceAll('_', ' ')
    const stray = answered.find((id) => !called.includes(id))
    if (stray !== undefined) return `No tool call found for ${name} output with call_id ${stray}.`
    const open = called.find((id) => !answered.includes(id))
    if (open !== undefined) return `No tool output found for ${name} ${open}.`
  }
  return undefined
}
