/** Parts of messages and views: what Slack refuses, and how it keeps them. */
import { type Fields, fieldsOf, type Json, listOf } from './slack.ts'

/** Letters of a view's title and buttons at most. */
const MOST_LETTERS = 24
/** Items that a block or an element has at most. */
const MOST = { actions: 25, context: 10, fields: 10, options: 100 } as const
const BLOCKS = new Set(
  'actions alert call card carousel context context_actions divider file header image input markdown plan rich_text section table task_card video'.split(
    ' ',
  ),
)
const INTERACTIVE = /button|select|input|picker|checkboxes|overflow/

/** Notes what is wrong, and where. */
type Fault = (path: string, what: string) => void

/** What is wrong with blocks, and where. */
export function checkBlocks(blocks: readonly Fields[], most: number, at: string, fault: Fault): void {
  if (blocks.length > most) fault(at, `no more than ${most} items allowed`)
  const ids = blocks.flatMap(({ block_id }) => block_id ?? [])
  if (new Set(ids).size < ids.length) fault(at, '`block_id` must be unique')
  for (const [place, block] of blocks.entries()) checkBlock(block, `${at}/${place}`, fault)
}

function checkBlock(block: Fields, at: string, fault: Fault): void {
  const { type, text, fields, elements, accessory, element } = block
  const needs = (name: string, isThere = block[name] != null) => isThere || fault(at, `missing required field: ${name}`)
  const counted = (name: string, value: Json | undefined, most: number) => {
    if (listOf(value).length > most) fault(`${at}/${name}`, `no more than ${most} items allowed`)
  }
  if (!BLOCKS.has(String(type))) fault(`${at}/type`, `unsupported type: ${type}`)
  if (type === 'section') needs('text', text != null || fields != null)
  if (type === 'image') needs('alt_text')
  if (type === 'image') needs('image_url', block.image_url != null || block.slack_file != null)
  if (type === 'input') for (const name of ['label', 'element']) needs(name)
  if (type === 'header' && fieldsOf(text).type !== 'plain_text') fault(`${at}/text/type`, 'must be one of: plain_text')
  if ((type === 'actions' || type === 'context') && listOf(elements).length === 0)
    fault(`${at}/elements`, 'must have at least 1 item')
  if (type === 'actions' || type === 'context') counted('elements', elements, MOST[type])
  counted('fields', fields, MOST.fields)
  checkLength(text, type === 'header' ? 150 : 3_000, `${at}/text/text`, fault)
  const used = listOf([elements, accessory, element].flat())
  const names = used.flatMap(({ action_id }) => action_id ?? [])
  if (new Set(names).size < names.length) fault(`${at}/elements`, '`action_id` must be unique within a block')
  for (const [place, one] of used.entries()) {
    const path = elements === undefined ? `${at}/${accessory ? 'accessory' : 'element'}` : `${at}/elements/${place}`
    if (one.type === 'button') checkLength(one.text, 75, `${path}/text/text`, fault)
    if (/^(multi_)?static_select$|^(checkboxes|radio_buttons|overflow)$/.test(String(one.type))) {
      if (listOf(one.options).length === 0 && listOf(one.option_groups).length === 0)
        fault(path, 'missing required field: options')
      counted('options', one.options, MOST.options)
    }
  }
}

function checkLength(text: Json | undefined, most: number, at: string, fault: Fault): void {
  if (fieldsOf(text).text === '') fault(at, 'must be more than 0 characters')
  if ([...String(fieldsOf(text).text ?? '')].length > most) fault(at, `must be less than ${most + 1} characters`)
}

export function faultsWith(check: (fault: Fault) => void): string[] {
  const faults: string[] = []
  check((path, what) => faults.push(`[ERROR] ${what} [json-pointer:${path}]`))
  return faults
}

/** What is wrong with a view, and where. */
export const faultsOfView = (view: Fields): string[] =>
  faultsWith((fault) => {
    const { type, title, submit, close, blocks } = view
    if (type === 'modal' && title === undefined) fault('/view/', 'missing required field: title')
    for (const [name, text] of Object.entries({ title, submit, close }))
      checkLength(text, MOST_LETTERS, `/view/${name}/text`, fault)
    const all = listOf(blocks)
    if (type === 'modal' && submit == null && all.some((block) => block.type === 'input'))
      fault('/view/submit', 'a submit button is needed where an `input` block is')
    checkBlocks(all, 100, '/view/blocks', fault)
  })

/** Letters for a part that its sender did not name: the same for the same part at the same place. */
function nameOf(part: Fields, place: string): string {
  let sum = 7
  for (const letter of place + JSON.stringify(part)) sum = (sum * 31 + letter.charCodeAt(0)) % 60_466_176
  return sum.toString(36).padStart(5, '0')
}

/** Parts of a message or view as Slack keeps them: with defaults of texts, and names for blocks and elements. */
export function completed(part: Json, place = ''): Json {
  if (Array.isArray(part)) return part.map((one, at) => completed(one, `${place}/${at}`))
  if (typeof part !== 'object' || part === null) return part
  const { type } = part
  const isAction = /(elements\/\d+|accessory|element)$/.test(place) && INTERACTIVE.test(String(type))
  const named = isAction ? 'action_id' : /(^|\/blocks)\/\d+$/.test(place) && type ? 'block_id' : undefined
  const entries = Object.entries(part).map(([name, value]) => [name, completed(value, `${place}/${name}`)])
  return {
    ...(named && { [named]: nameOf(part, place) }),
    ...(type === 'input' && { optional: false, dispatch_action: false }),
    ...Object.fromEntries(entries),
    ...(type === 'plain_text' && part.emoji === undefined && { emoji: true }),
    ...(type === 'mrkdwn' && part.verbatim === undefined && { verbatim: false }),
  }
}
