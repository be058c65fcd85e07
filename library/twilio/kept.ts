import type { AnyOperation, OperationContext } from '../../src/handlers.ts'
import { type Json, type JsonObject, jsonOr, valueText } from '../../src/protocol/json.ts'

/** The answer of an error: its code is its page. */
const errorOf = ({ respond }: OperationContext, status: number, code: number, message: string) =>
  respond({ status, body: { code, message, more_info: `https://www.twilio.example/docs/errors/${code}`, status } })

type Kept = JsonObject & { readonly sid: string }
type Context = OperationContext<AnyOperation, { resources: Kept }>

/** A resource of Sync or Video: its list, its sid's prefix, and what it begins with, whose types its fields keep. */
interface Kind {
  readonly list: string
  readonly prefix: string
  readonly initial: JsonObject
  /** The resources below it, as its `links` name them. */
  readonly below: readonly string[]
  /** The field that names it in a path besides its sid, and the code of a second one. */
  readonly name?: readonly [field: string, code: number, fault: string]
  /** What a change does besides. */
  readonly changed?: (kept: Kept, now: Date) => JsonObject
}

const NEW = { revision: '0', date_expires: null, created_by: 'system' }
const REVISED = { ...NEW, data: {} }
const UNIQUE = ['unique_name', 54_301, 'Unique name already exists'] as const
const revised = ({ revision }: Kept): JsonObject => ({
  revision: (Number.parseInt(String(revision), 16) + 1).toString(16),
})
const SERVICE = '/sync/v1/Services'
const ROOM = {
  ...{ status: 'in-progress', type: 'group', status_callback: null, status_callback_method: 'POST' },
  ...{ max_participants: 50, max_participant_duration: 14_400, max_concurrent_published_tracks: 170 },
  ...{ record_participants_on_connect: false, video_codecs: ['H264', 'VP8'], audio_only: false, media_region: 'us1' },
  ...{ empty_room_timeout: 5, unused_room_timeout: 5, large_room: false, enable_turn: true },
  ...{ end_time: null, duration: null },
}
/** Twilio's pages of Sync and Video: twilio.com/docs/sync/api, twilio.com/docs/video/api/rooms-resource. */
const KINDS: Readonly<Record<string, Kind>> = {
  [SERVICE]: {
    ...{ list: 'services', prefix: 'IS', below: ['Documents', 'Lists', 'Maps'] },
    initial: {
      ...{ unique_name: null, friendly_name: null, webhook_url: null, webhooks_from_rest_enabled: false },
      ...{ reachability_webhooks_enabled: false, acl_enabled: false },
      ...{ reachability_debouncing_enabled: false, reachability_debouncing_window: 5_000 },
    },
  },
  [`${SERVICE}/{ServiceSid}/Documents`]: {
    ...{ list: 'documents', prefix: 'ET', below: [], name: UNIQUE, changed: revised },
    initial: { unique_name: null, ...REVISED },
  },
  [`${SERVICE}/{ServiceSid}/Lists`]: {
    ...{ list: 'lists', prefix: 'ES', below: ['Items'], name: UNIQUE },
    initial: { unique_name: null, ...NEW },
  },
  [`${SERVICE}/{ServiceSid}/Lists/{ListSid}/Items`]: {
    ...{ list: 'items', prefix: '', below: [], changed: revised, initial: REVISED },
    name: ['index', 0, ''],
  },
  [`${SERVICE}/{ServiceSid}/Maps`]: {
    ...{ list: 'maps', prefix: 'MP', below: ['Items'], name: UNIQUE },
    initial: { unique_name: null, ...NEW },
  },
  [`${SERVICE}/{ServiceSid}/Maps/{MapSid}/Items`]: {
    ...{ list: 'items', prefix: '', below: [], changed: revised, initial: REVISED },
    name: ['key', 54_208, 'An Item with given key already exists in the Map'],
  },
  '/video/v1/Rooms': {
    ...{ list: 'rooms', prefix: 'RM', below: ['Participants', 'Recordings'], initial: ROOM },
    name: ['unique_name', 53_113, 'Room exists'],
    changed: ({ status, date_created }, now) =>
      status === 'completed'
        ? { end_time: timeOf(now), duration: Math.round((now.getTime() - Date.parse(String(date_created))) / 1_000) }
        : {},
  },
}

const timeOf = (now: Date): string => now.toISOString().replace(/\.\d+/, '')
const snake = (name: string): string => name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
const isOpen = ({ status }: Kept): boolean => status !== 'completed'

/** The operations of a kind at its path, as Twilio's SDK calls them. */
function operationsOf(path: string, { list, prefix, initial, below, name, changed }: Kind) {
  const host = `https://${path.split('/')[1]}.twilio.com`
  const own = path.replace(/^\/\w+/, '')
  const sidOf = ({ random }: Context) =>
    (prefix || 'IT') + Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  /** The sids of what is above, which a path may name by their names. */
  const above = (context: Context): JsonObject => {
    const parents: JsonObject = { account_sid: `AC${'0'.repeat(32)}` }
    for (const [parameter, given] of Object.entries(context.path)) {
      if (parameter === 'Sid') continue
      const kept = [...context.records.resources].find(
        (one) =>
          one.sid === given ||
          (parameter !== 'ServiceSid' && one.unique_name === given && one.service_sid === parents.service_sid),
      )
      if (kept === undefined) context.refuse(404, { code: 'not_found' })
      parents[snake(parameter)] = kept?.sid ?? null
    }
    return parents
  }
  const all = (context: Context): Kept[] => {
    const parents = Object.entries({ ...above(context), list, is_of: own })
    return [...context.records.resources].filter((one) => parents.every(([field, value]) => one[field] === value))
  }
  const find = (context: Context): Kept => {
    const given = String(context.path.Sid)
    const found = all(context).filter((one) => one.sid === given || (name && valueText(one[name[0]] ?? '') === given))
    return found.find(isOpen) ?? found.find(({ sid }) => sid === given) ?? context.refuse(404, { code: 'not_found' })
  }
  const sent = ({ body }: Context): JsonObject =>
    Object.fromEntries(
      Object.entries(body as JsonObject)
        .filter(([field]) => !['Ttl', 'ItemTtl', 'CollectionTtl'].includes(field))
        .map(([field, value]): [string, Json] => [snake(field), typed(initial[snake(field)], value)]),
    )
  const show = ({ is_of: _, list: __, ...kept }: Kept): JsonObject => {
    const { sid, ...rest } = kept
    const path = own.replace(/\{(\w+)\}/g, (_, parameter: string) => String(kept[snake(parameter)]))
    const url = `${host}${path}/${prefix === '' ? kept[name?.[0] ?? 'sid'] : sid}`
    const links = Object.fromEntries(below.map((one) => [snake(one), `${url}/${one}`]))
    return { ...(prefix !== '' && { sid }), ...rest, url, ...(below.length > 0 && { links }) }
  }
  return {
    [`POST ${path}`]: (context: Context) => {
      const fields = sent(context)
      const others = all(context)
      const field = name?.[0] ?? ''
      if (fields.data === null) return errorOf(context, 400, 54_008, 'Invalid JSON in Data')
      if (fields[field] !== undefined && others.some((one) => isOpen(one) && one[field] === fields[field]))
        return errorOf(context, prefix === 'RM' ? 400 : 409, name?.[1] ?? 0, name?.[2] ?? '')
      const sid = sidOf(context)
      const time = timeOf(context.now)
      const made = {
        ...{ sid, ...initial, ...(prefix === 'RM' && { unique_name: sid }), ...above(context), ...fields },
        ...(field === 'index' && { index: 1 + Math.max(-1, ...others.map(({ index }) => Number(index))) }),
        ...{ date_created: time, date_updated: time, list, is_of: own },
      }
      return show(context.records.resources.create(made))
    },
    [`GET ${path}`]: (context: Context) => {
      const { Status = 'in-progress', UniqueName, Order } = context.query as Record<string, string>
      const kept = all(context).filter(
        (one) =>
          prefix !== 'RM' || (one.status === Status && (UniqueName === undefined || one.unique_name === UniqueName)),
      )
      const isAscending = prefix === '' && Order !== 'desc'
      const items = (isAscending ? kept.toReversed() : kept).map(show)
      return { [list]: items, meta: { page: 0, page_size: 50, key: list, next_page_url: null } }
    },
    [`GET ${path}/{Sid}`]: (context: Context) => show(find(context)),
    [`POST ${path}/{Sid}`]: (context: Context) => {
      const kept = find(context)
      const fields = sent(context)
      if (prefix === 'RM' && !isOpen(kept)) return errorOf(context, 400, 53_112, 'Invalid room status')
      const known = context.headers['if-match']
      if (known !== undefined && known !== kept.revision)
        return errorOf(context, 412, 54_103, 'The revision of the resource does not match the expected revision')
      const updated = { ...fields, date_updated: timeOf(context.now) }
      const more = changed?.({ ...kept, ...fields, sid: kept.sid }, context.now)
      return show(context.records.resources.update(kept, { ...updated, ...more }))
    },
    ...(prefix !== 'RM' && {
      [`DELETE ${path}/{Sid}`]: (context: Context) => {
        context.records.resources.remove(find(context))
        return context.respond({ status: 204 })
      },
    }),
  }
}

/** A sent text as the type of what the resource begins with. */
function typed(begins: Json | undefined, value: Json): Json {
  if (typeof begins === 'number') return Number(value)
  if (typeof begins === 'boolean') return value === true || value === 'true'
  if (begins !== null && typeof begins === 'object' && !Array.isArray(begins)) return jsonOr(valueText(value), null)
  return value
}

export const kept: Record<string, (context: Context) => object> = Object.assign(
  {
    // No media is simulated, so nobody enters a room.
    'GET /video/v1/Rooms/{RoomSid}/Participants': ({ path, records, refuse }: Context) => {
      const isRoom = ({ sid, unique_name }: Kept) => [sid, unique_name].includes(String(path.RoomSid))
      if (![...records.resources].some(isRoom)) refuse(404, { code: 'not_found' })
      return { participants: [], meta: { page: 0, page_size: 50, key: 'participants', next_page_url: null } }
    },
  },
  ...Object.entries(KINDS).map(([path, kind]) => operationsOf(path, kind)),
)
