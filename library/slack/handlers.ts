import type { OperationContext } from '../../src/handlers.ts'
import type { Json, JsonObject } from '../../src/protocol/json.ts'
import { searched } from '../github/searched.ts'
import { typeOfFile } from '../shared/media-type.ts'
import { sizeOfPicture } from '../shared/picture.ts'
import { fieldsOf, listOf } from '../shared/values.ts'
import { blocksOf } from './rich-text.ts'

/** Letters of a view's title and buttons at most. */
const MOST_LETTERS = 24
/** Items that a block or an element has at most. */
const MOST = { actions: 25, context: 10, fields: 10, options: 100 } as const
const BLOCKS = new Set(
  'actions alert card carousel context context_actions divider file header image input markdown plan rich_text section table task_card video'.split(
    ' ',
  ),
)
/** When a `trigger_id` ends, if the clock is turned. */
const TRIGGER_LIVES_MS = 3_000

const INTERACTIVE = /button|select|input|picker|checkboxes|overflow/

const parsed = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && /^\s*[[{]/.test(value) ? JSON.parse(value) : value

type Fault = (path: string, what: string) => void

/** What is wrong with blocks, and where. */
function checkBlocks(blocks: readonly JsonObject[], most: number, at: string, fault: Fault): void {
  if (blocks.length > most) fault(at, `no more than ${most} items allowed`)
  const ids = blocks.flatMap(({ block_id }) => block_id ?? [])
  if (new Set(ids).size < ids.length) fault(at, '`block_id` must be unique')
  for (const [place, block] of blocks.entries()) checkBlock(block, `${at}/${place}`, fault)
}

function checkBlock(block: JsonObject, at: string, fault: Fault): void {
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

function faultsWith(check: (fault: Fault) => void): string[] {
  const faults: string[] = []
  check((path, what) => faults.push(`[ERROR] ${what} [json-pointer:${path}]`))
  return faults
}

/** What is wrong with a view, and where. */
const faultsOfView = (view: JsonObject): string[] =>
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

const failed = ({ respond }: Pick<OperationContext, 'respond'>, error: string, more: JsonObject = {}) =>
  respond({ status: 200, body: { ok: false, error, ...more } })

const view = (context: OperationContext) => {
  const { body, records, ahead } = context
  const sent = parsed(body.view)
  const act = records.acts?.get(String(body.trigger_id))
  if (act?.used) return failed(context, 'exchanged_trigger_id')
  if (act && ahead - Number(act.ahead) > TRIGGER_LIVES_MS) return failed(context, 'expired_trigger_id')
  const messages = sent == null ? [] : faultsOfView(fieldsOf(sent))
  if (messages.length > 0) return failed(context, 'invalid_arguments', { response_metadata: { messages } })
  const answer = context.next()
  if (act && answer.ok === true) records.acts?.update(act, { used: true })
  return answer
}

/** What is wrong with a message's parts. */
function faultOfMessage(body: JsonObject): [error: string, more?: JsonObject] | undefined {
  const { blocks, text, markdown_text } = body
  const all = listOf(parsed(blocks))
  if (markdown_text && (text || all.length > 0)) return ['markdown_text_conflict']
  const { event_type, event_payload } = fieldsOf(parsed(body.metadata))
  if (body.metadata && (typeof event_type !== 'string' || typeof event_payload !== 'object'))
    return ['invalid_metadata_format']
  const messages = faultsWith((fault) => checkBlocks(all, 50, '/blocks', fault))
  return messages.length > 0 ? ['invalid_blocks', { errors: messages, response_metadata: { messages } }] : undefined
}

const message = (context: OperationContext) => {
  const fault = faultOfMessage(context.body)
  return fault && failed(context, ...fault)
}

/** An incoming webhook answers with texts. */
const hook = ({ body, path, respond }: OperationContext) => {
  const says = (status: number, text: string) =>
    respond({ status, headers: { 'content-type': 'text/plain' }, body: text })
  if (path.team === 'T00BACKLOT' && path.bot !== 'B00BACKLOT') return says(404, 'no_service')
  const [error] = faultOfMessage(fieldsOf(parsed(body.payload) ?? body)) ?? []
  return error && says(400, error)
}

/** Shows an attachment for each link. */
const unfurl = (context: OperationContext) => {
  const { channel, ts, unfurls } = context.body
  const posted = context.records.messages?.get(`${channel}-${ts}`)
  const links = Object.entries(fieldsOf(parsed(unfurls)))
  if (posted === undefined) return failed(context, 'cannot_unfurl_message')
  if (links.length === 0) return failed(context, 'missing_unfurls')
  const answer = context.next()
  const before = listOf(posted.attachments)
  const attachments = links.map(([from_url, shown], at) => ({
    ...{ id: before.length + at + 1, from_url, app_unfurl_url: from_url, is_app_unfurl: true },
    ...{ app_id: 'A00BACKLOT', bot_id: 'B00BACKLOT', ...fieldsOf(shown) },
  }))
  context.records.messages?.update(posted, { attachments: [...before, ...attachments] })
  return answer
}

/** The text of a stream, which comes in chunks too. */
const streamed = (context: OperationContext) => {
  const answer = context.next()
  const chunks = listOf(parsed(context.body.chunks)).flatMap(({ type, text }) => (type === 'markdown_text' ? text : []))
  const one = context.records.messages?.get(`${context.body.channel}-${answer.ts}`)
  if (one === undefined || chunks.length === 0 || answer.ok !== true) return answer
  const text = `${one.text}${chunks.join('')}`
  context.records.messages?.update(one, { text })
  return { ...answer, ...(answer.message && { message: { ...fieldsOf(answer.message), text } }) }
}

/** What the answer to a submitted view does to it: without `response_action` the view is closed. */
const submission = ({ path, body, records, id, respond }: OperationContext) => {
  const { payload } = records.acts?.get(String(path.trigger_id)) ?? {}
  const one = records.views?.get(String(fieldsOf(fieldsOf(payload).view).id))
  const { response_action } = body
  if (one === undefined) return respond({ status: 404, body: 'used_url' })
  const { root, previous, ...last } = fieldsOf(one.view)
  const base = root || one.id || ''
  const hash = id('')
  const next = fieldsOf(completed(fieldsOf(body.view)))
  const blank = { ...Object.fromEntries(Object.keys(last).map((name) => [name, null])), private_metadata: '' }
  if (response_action === 'update')
    records.views?.update(one, { view: { ...blank, ...next, hash, root: root ?? '', previous: previous ?? '' } })
  else if (response_action === 'push')
    records.views?.create({ view: { ...blank, ...next, hash, root: base, previous: one.id ?? '' } })
  else if (response_action !== 'errors')
    for (const view of records.views?.where(({ id: other, view }) =>
      response_action === 'clear' ? other === base || fieldsOf(view).root === base : other === one.id,
    ) ?? [])
      records.views?.remove(String(view.id))
  return { ok: true }
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

/** What a person chose, by block and action, over what is given. */
function stateOf({ state }: JsonObject, actions: readonly JsonObject[]): JsonObject {
  const values = { ...fieldsOf(fieldsOf(state).values) }
  for (const { block_id, action_id, text: _, placeholder: __, action_ts: ___, ...chosen } of actions)
    if (chosen.type !== 'button' && chosen.type !== 'overflow')
      values[String(block_id)] = { [String(action_id)]: chosen, ...fieldsOf(values[String(block_id)]) }
  return values
}

/** An action shows what stands in the message or view: its block, text and value. */
const interaction = (context: OperationContext) => {
  const { body, records, ahead } = context
  const answer = context.next()
  const act = records.acts?.get(String(answer.trigger_id))
  if (act === undefined) return answer
  const payload = fieldsOf(act.payload)
  const blocks = listOf(fieldsOf(payload.message ?? payload.view).blocks)
  const actions = listOf(payload.actions).map((one) => ({ ...elementOf(blocks, one.action_id), ...one }))
  const { type } = payload
  if (type === 'view_closed') records.views?.remove(String(body.view_id))
  const own =
    type === 'block_suggestion'
      ? { action_id: body.action_id ?? '', block_id: body.block_id ?? '', value: body.value ?? '' }
      : type === 'view_closed' && { is_cleared: body.is_cleared ?? false }
  const { state, view, ...parts } = payload
  const chosen = { state: { values: stateOf(payload, actions) } }
  const shown = {
    enterprise: null,
    ...parts,
    ...(view && { view: state ? { ...fieldsOf(view), ...chosen } : view }),
    ...(state && !view && chosen),
    ...(actions.length > 0 && { actions }),
    ...own,
  }
  records.acts?.update(act, { ahead, payload: shown })
  return answer
}

const command = ({ next, records, ahead }: OperationContext) => {
  const answer = next()
  records.acts?.update(String(answer.trigger_id), { ahead })
  return answer
}

/** Letters for a part that its sender did not name: the same for the same part at the same place. */
function nameOf(part: JsonObject, place: string): string {
  let sum = 7
  for (const letter of place + JSON.stringify(part)) sum = (sum * 31 + letter.charCodeAt(0)) % 60_466_176
  return sum.toString(36).padStart(5, '0')
}

/** Parts of a message or view as Slack keeps them: with defaults of texts, and names for blocks and elements. */
function completed(part: Json, place = ''): Json {
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

/** Where a file is shared: in public channels, in private ones and in direct messages. */
function sharing({ channels, messages }: JsonObject): JsonObject {
  const idsOf = (...kinds: string[]) =>
    listOf(channels).flatMap(({ id, kind }) => (kinds.includes(String(kind)) ? [String(id)] : []))
  const [open, groups, ims] = [idsOf('public_channel'), idsOf('private_channel', 'mpim'), idsOf('im')]
  const sharesIn = (places: readonly string[]): JsonObject => {
    const found = listOf(messages).filter(({ channel }) => places.includes(String(channel)))
    const shares = found.map(({ channel, ts = '', thread_ts }) => {
      const channel_name = listOf(channels).find(({ id }) => id === channel)?.name ?? ''
      const replies = { reply_count: 0, reply_users: [] }
      return [channel, [{ ts, ...(thread_ts && { thread_ts }), channel_name, team_id: 'T00BACKLOT', ...replies }]]
    })
    return Object.fromEntries(shares)
  }
  const closed = [...groups, ...ims]
  const shares = {
    ...(open.length > 0 && { public: sharesIn(open) }),
    ...(closed.length > 0 && { private: sharesIn(closed) }),
  }
  return { is_public: open.length > 0, channels: open, groups, ims, shares }
}

/** Kinds of files by the endings of names: https://docs.slack.dev/reference/objects/file-object */
const TEXTS: Readonly<Record<string, readonly [filetype: string, pretty_type: string]>> = {
  ...{ txt: ['text', 'Plain Text'], log: ['text', 'Plain Text'], md: ['markdown', 'Markdown (raw)'] },
  ...{ js: ['javascript', 'JavaScript'], ts: ['typescript', 'TypeScript'], py: ['python', 'Python'] },
  ...{ rb: ['ruby', 'Ruby'], sh: ['shell', 'Shell'], yml: ['yaml', 'YAML'], yaml: ['yaml', 'YAML'] },
}
const PRETTY: Readonly<Record<string, string>> = {
  ...{ jpg: 'JPEG', zip: 'Zip', docx: 'Word Document', xlsx: 'Excel Spreadsheet', mp4: 'MPEG 4 Video', webp: 'WebP' },
}

function fileKind(name: Json): JsonObject {
  const ending = String(name).split('.').at(-1)?.toLowerCase() ?? ''
  const text = TEXTS[ending]
  const filetype = text?.[0] ?? (ending === 'jpeg' ? 'jpg' : ending)
  const mimetype = text ? 'text/plain' : typeOfFile(name)
  return { filetype, pretty_type: text?.[1] ?? PRETTY[filetype] ?? filetype.toUpperCase(), mimetype }
}

/** What events call a kind of conversation. */
const CHANNEL_TYPES: Readonly<Record<string, string>> = { public_channel: 'channel', private_channel: 'group' }

/** The small pictures of a picture: they lead to the file itself. */
function thumbsOf({ id, name, mimetype, origin, base64 }: JsonObject): JsonObject {
  if (!String(mimetype).startsWith('image/')) return {}
  const url = `${origin}/files-pri/T00BACKLOT-${id}/${name}`
  const [width, height] = sizeOfPicture(base64) ?? []
  return {
    ...Object.fromEntries([64, 80, 160, 360].map((side) => [`thumb_${side}`, url])),
    ...(width && height && { thumb_360_w: width, thumb_360_h: height, original_w: width, original_h: height }),
  }
}

export default {
  'POST /views.open': view,
  'POST /views.push': view,
  'POST /views.update': view,
  'POST /views.publish': view,
  'POST /chat.postMessage': message,
  'POST /chat.postEphemeral': message,
  'POST /chat.update': message,
  'POST /chat.scheduleMessage': message,
  'POST /services/{team}/{bot}/{token}': hook,
  'POST /chat.unfurl': unfurl,
  'POST /chat.startStream': streamed,
  'POST /chat.appendStream': streamed,
  'POST /chat.stopStream': streamed,
  'POST /submissions/{trigger_id}': submission,
  'POST /test_helpers/commands': command,
  'POST /test_helpers/interactions': interaction,
  /** The addresses in a text, as `link_shared` has them. */
  $links: (text: Json) =>
    [...String(text ?? '').matchAll(/https?:\/\/[^\s<>|]+/g)].flatMap(([url]) =>
      URL.canParse(url) ? [{ domain: new URL(url).hostname, url }] : [],
    ),
  $fileKind: fileKind,
  $blocksOf: blocksOf,
  $thumbs: thumbsOf,
  $channelType: (kind: Json) => CHANNEL_TYPES[String(kind)] ?? kind,
  $sharing: sharing,
  /** Whether a text is the time of a message, or of a day; one that is not sent is. */
  $isStamp: (text: Json) => text == null || text === '' || /^\d+(\.\d+)?$/.test(String(text)),
  /** Whether a name may be an emoji's: names that deny it stand for those that Slack does not have. */
  $isEmoji: (name: Json) =>
    /^[^\s\p{Lu}]+$/u.test(String(name)) && !/^(not_?an?_|no_?such_?|invalid|non_?exist|does_?not_)/.test(String(name)),
  $completed: (parts: Json) => completed(parts),
  $searched: searched,
  /** The messages with all words of a search, and without those that it excludes. */
  $worded: ({ of = [], asked = {} }: JsonObject) => {
    const { words, without } = asked as { words: string[]; without: string[] }
    return listOf(of).filter(({ text }) => {
      const has = (word: string) => String(text).toLowerCase().includes(word)
      return words.every(has) && !without.some(has)
    })
  },
}
