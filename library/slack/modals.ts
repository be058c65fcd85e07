/** Views: modals, homes, and what the answer to a submitted modal does. */
import { getOwn } from '../../src/protocol/json.ts'
import { completed, faultsOfView } from './blocks.ts'
import { toView } from './shown.ts'
import {
  defined,
  type Fields,
  fieldsOf,
  isMissing,
  type Json,
  type Kept,
  listOf,
  type Methods,
  type SlackRequest,
  textOf,
} from './slack.ts'

/** When a `trigger_id` ends, if the clock is turned. */
const TRIGGER_LIVES_MS = 3_000

const EMPTY: Fields = {
  ...{ title: null, close: null, submit: null, private_metadata: '', callback_id: '', external_id: '' },
  ...{ clear_on_close: false, notify_on_close: false },
}

/** The view of the request as it is kept, and the act that it answers. Refuses a wrong view, and a trigger that has ended. */
function sentView(slack: SlackRequest): { view: Fields; act: Kept | undefined } {
  const { args, records, of } = slack
  const trigger = textOf(args.trigger_id)
  const act = records.acts.get(trigger)
  if (trigger === 'exchanged' || act?.used === true) slack.refuse('exchanged_trigger_id')
  const isOld = act !== undefined && of.ahead - Number(act.ahead) > TRIGGER_LIVES_MS
  if (trigger === 'expired' || isOld) slack.refuse('expired_trigger_id')
  const view = fieldsOf(args.view)
  const messages = faultsOfView(view)
  if (messages.length > 0) slack.refuse('invalid_arguments', { code: 'faulty', messages })
  if (trigger !== '' && trigger.split('.').length !== 3) slack.refuse('invalid_trigger_id')
  if (view.blocks == null) slack.refuse('invalid_arguments')
  return { view: fieldsOf(completed(view)), act }
}

/** Opens a modal, over the newest one where `isPushed`. */
const opens =
  (isPushed: boolean) =>
  (slack: SlackRequest): object => {
    const { args, records } = slack
    const { view, act } = sentView(slack)
    if (isMissing(args.interactivity_pointer) && isMissing(args.trigger_id)) slack.refuse('invalid_arguments')
    const { external_id } = view
    if (!isMissing(external_id) && withExternalId(slack, external_id)) slack.refuse('duplicate_external_id')
    const under = isPushed ? records.views.find({ 'view.type': 'modal' }) : undefined
    const root = fieldsOf(under?.view).root || under?.id || ''
    const place = { hash: slack.hex(16), root, previous: under?.id ?? '' }
    const made = records.views.create({ view: { ...EMPTY, ...view, ...place } })
    if (act !== undefined) records.acts.update(act, { used: true })
    return { view: toView(made) }
  }

const withExternalId = ({ records }: SlackRequest, id: Json | undefined): Kept | undefined =>
  records.views.find({ 'view.external_id': id ?? null })

const checkHash = (slack: SlackRequest, known: Kept | undefined): void => {
  const { hash } = slack.args
  if (known !== undefined && !isMissing(hash) && hash !== fieldsOf(known.view).hash) slack.refuse('hash_conflict')
}

export const views: Methods = {
  'POST /views.open': opens(false),
  'POST /views.push': opens(true),
  'POST /views.update': (slack) => {
    const { args, records } = slack
    const { view } = sentView(slack)
    const { view_id, external_id = 'none' } = args
    const found = isMissing(view_id) ? withExternalId(slack, external_id) : records.views.get(textOf(view_id))
    const known = found ?? slack.refuse('not_found')
    checkHash(slack, known)
    const changed = { ...fieldsOf(known.view), ...view, hash: slack.hex(16) }
    return { view: toView(records.views.update(known, { view: changed })) }
  },
  'POST /views.publish': (slack) => {
    const { args, records } = slack
    const { view } = sentView(slack)
    const user = isMissing(args.user_id) ? slack.refuse('user_not_found') : slack.person(args.user_id).id
    const known = records.views.find({ user })
    checkHash(slack, known)
    if (view.type !== 'home') slack.refuse('invalid_arguments')
    const fields = { view: { ...EMPTY, ...view, hash: slack.hex(16), root: '', previous: '' } }
    return { view: toView(known ? records.views.update(known, fields) : records.views.create({ user, ...fields })) }
  },
}

/** What the answer to a submitted view does to it: without `response_action` the view is closed. */
export function submission(slack: SlackRequest): object {
  const { of, records } = slack
  const payload = fieldsOf(records.acts.get(of.path.trigger_id)?.payload)
  const known = records.views.get(textOf(fieldsOf(payload.view).id))
  const { response_action, view } = of.body
  if (known === undefined) return of.respond({ status: 404, body: 'used_url' })
  const { root, previous, ...last } = fieldsOf(known.view)
  const base = root || known.id
  const blank = { ...Object.fromEntries(Object.keys(last).map((name) => [name, null])), private_metadata: '' }
  const next = { ...blank, ...fieldsOf(completed(fieldsOf(view))), hash: slack.hex(16) }
  if (response_action === 'update')
    records.views.update(known, { view: { ...next, root: root ?? '', previous: previous ?? '' } })
  else if (response_action === 'push') records.views.create({ view: { ...next, root: base, previous: known.id } })
  else if (response_action !== 'errors')
    for (const { id } of records.views.where(({ id, view }) =>
      response_action === 'clear' ? id === base || fieldsOf(view).root === base : id === known.id,
    ))
      records.views.remove(id)
  return { ok: true }
}

/** What people choose in elements: `selected_date`, `initial_date`. */
const CHOICES: Readonly<Record<string, string>> = {
  ...{ static_select: 'option', external_select: 'option', radio_buttons: 'option' },
  ...{ multi_static_select: 'options', multi_external_select: 'options', checkboxes: 'options' },
  ...{ datepicker: 'date', timepicker: 'time', datetimepicker: 'date_time' },
  ...{ users_select: 'user', conversations_select: 'conversation', channels_select: 'channel' },
  ...{ multi_users_select: 'users', multi_conversations_select: 'conversations', multi_channels_select: 'channels' },
}

/** What the inputs of blocks have: what a person has entered, over what stands there at first. */
export function valuesIn(blocks: readonly Fields[], entered: Fields): Fields {
  const values = { ...entered }
  for (const { block_id, elements, accessory, element } of blocks)
    for (const { type = '', action_id, ...one } of listOf([elements, accessory, element].flat())) {
      const what = getOwn(CHOICES, textOf(type))
      const isText = /^(plain_text|email_text|url_text|number)_input$/.test(textOf(type))
      if (what === undefined && !isText) continue
      const [name, initial] = isText ? ['value', one.initial_value] : [`selected_${what}`, one[`initial_${what}`]]
      const [block, action] = [textOf(block_id), textOf(action_id)]
      const own = fieldsOf(values[block])
      const value = { type, [name]: initial ?? (what?.endsWith('s') ? [] : null), ...fieldsOf(own[action]) }
      values[block] = { ...own, [action]: value }
    }
  return values
}

/** The element of a block that a person uses, as the action shows it. */
export function elementOf(blocks: readonly Fields[], action_id: unknown): Fields {
  for (const { block_id, elements, accessory, element } of blocks)
    for (const one of listOf([elements, accessory, element].flat()))
      if (one.action_id === action_id) {
        const { type, text, value, placeholder, style, url, confirm } = one
        return defined({ type, block_id, text, value, placeholder, style, url, confirm })
      }
  return {}
}
