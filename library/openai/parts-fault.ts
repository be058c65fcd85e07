import { type Fields, fieldsOf, listOf } from '../shared/values.ts'
import { type Fault, invalidValue, mismatched, missingField, wrongType } from './faults.ts'

/** What parts of a chat's messages need. */
const PARTS: Readonly<Record<string, string>> = {
  file: 'file',
  image_url: 'image_url',
  input_audio: 'input_audio',
  refusal: 'refusal',
  text: 'text',
}

/** Why the parts of a chat's messages are refused. */
export function faultOfParts(messages: readonly Fields[]): Fault | undefined {
  for (const [at, message] of messages.entries()) {
    const { role, content, name: author, tool_calls } = message
    if (author != null && /[\s<|\\/>]/.test(String(author)))
      return mismatched(`messages[${at}].name`, '^[^\\s<|\\\\/>]+$')
    const field = `messages.[${at}].content`
    const isOther = role === 'function' || (role === 'assistant' && OTHERS.some((name) => message[name] != null))
    if (content == null && !isOther)
      return { field, message: `Invalid value for 'content': expected a string, got null.` }
    for (const [place, part] of listOf(content).entries()) {
      const name = PARTS[String(part.type)]
      const here = `messages[${at}].content[${place}].${name}`
      if (name === undefined) continue
      const given = part[name]
      if (given == null) return missingField(here)
      const isText = name === 'text' || name === 'refusal'
      if (isText !== (typeof given === 'string')) return wrongType(here, given, isText ? 'a string' : 'an object')
      const { detail } = fieldsOf(given)
      if (detail != null && !DETAILS.includes(String(detail))) return invalidValue(`${here}.detail`, detail, DETAILS)
    }
    const spoken = listOf(tool_calls).findIndex((call) => typeof fieldsOf(call.function).arguments === 'object')
    if (spoken !== -1) return wrongType(`messages[${at}].tool_calls[${spoken}].function.arguments`, {}, 'a string')
  }
  return undefined
}

/** What a message of an assistant may have in place of a content. */
const OTHERS = ['tool_calls', 'function_call', 'refusal', 'audio']

const DETAILS = ['auto', 'low', 'high', 'original']

const OF_ANSWERS = ['output_text', 'refusal']
const OF_INPUT =
  'input_text input_image input_audio output_text refusal input_file computer_screenshot summary_text encrypted_content'.split(
    ' ',
  )
const ROLES = ['assistant', 'system', 'developer', 'user']

/** Why the items of an input are refused: an answer has other parts than a question. */
export function faultOfInput(items: readonly Fields[]): Fault | undefined {
  for (const [at, { type = 'message', role, content, call_id }] of items.entries()) {
    const field = `input[${at}]`
    if (/_output$/.test(String(type)) && call_id === undefined) return missingField(`${field}.call_id`)
    if (type !== 'message') continue
    if (!ROLES.includes(String(role))) return invalidValue(field, role, ROLES)
    if (typeof content !== 'string' && !Array.isArray(content))
      return content == null
        ? missingField(`${field}.content`)
        : wrongType(`${field}.content`, content, 'one of an array of objects or string')
    for (const [place, part] of listOf(content).entries()) {
      const here = `${field}.content[${place}]`
      const kind = String(part.type)
      if (!OF_INPUT.includes(kind)) return invalidValue(`${here}.type`, kind, OF_INPUT)
      if ((role === 'assistant') !== OF_ANSWERS.includes(kind))
        return invalidValue(
          here,
          kind,
          role === 'assistant' ? OF_ANSWERS : OF_INPUT.filter((one) => /^input/.test(one)),
        )
      if (typeof part.image_url === 'object' && part.image_url !== null)
        return wrongType(`${here}.image_url`, part.image_url, 'an image URL')
    }
  }
  return undefined
}
