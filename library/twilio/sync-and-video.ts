import { jsonOr, valueText } from '../../src/protocol/json.ts'
import {
  type Fields,
  type Json,
  type Kept,
  type Operations,
  snake,
  type TwilioRequest,
  textOf,
  timeOf,
  USUAL_SERVICE,
} from './twilio.ts'

/** A resource of Sync or Video: its list, its sid's prefix, and what it begins with, whose types its fields keep. */
interface Kind {
  readonly list: string
  readonly prefix: string
  readonly initial: Fields
  /** The resources below it, as its `links` name them. */
  readonly below: readonly string[]
  /** The field that names it in a path besides its sid, and the code of a second one. */
  readonly name?: readonly [field: string, code: number, fault: string]
  /** What a change does besides. */
  readonly changed?: (kept: Kept, twilio: TwilioRequest) => Fields
}

const NEW = { revision: '0', date_expires: null, created_by: 'system' }
const REVISED = { ...NEW, data: {} }
const UNIQUE = ['unique_name', 54_301, 'Unique name already exists'] as const
const revised = ({ revision }: Kept): Fields => ({
  revision: (Number.parseInt(String(revision), 16) + 1).toString(16),
})
const SERVICE = '/sync/v1/Services'
/** Whether a path names the service that an account has at first. */
const isUsual = (given: string): boolean => ['default', USUAL_SERVICE].includes(given)
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
  [`${SERVICE}/{ServiceSid}/Streams`]: {
    ...{ list: 'streams', prefix: 'TO', below: ['Messages'], name: UNIQUE },
    initial: { unique_name: null, date_expires: null, created_by: 'system' },
  },
  '/video/v1/Rooms': {
    ...{ list: 'rooms', prefix: 'RM', below: ['Participants', 'Recordings'], initial: ROOM },
    name: ['unique_name', 53_113, 'Room exists'],
    changed: ({ status, date_created }, { now, time }) => {
      const duration = Math.round((now.getTime() - Date.parse(String(date_created))) / 1_000)
      return status === 'completed' ? { end_time: time, duration } : {}
    },
  },
}

const isOpen = ({ status }: Kept): boolean => status !== 'completed'

/** The operations of a kind at its path, as Twilio's SDK calls them. */
function operationsOf(path: string, { list, prefix, initial, below, name, changed }: Kind): Operations {
  const host = `https://${path.split('/')[1]}.twilio.example`
  const own = path.replace(/^\/\w+/, '')
  const field = name?.[0] ?? ''
  /** The sids of what is above, which a path may name by their names. */
  const above = (twilio: TwilioRequest): Fields => {
    const parents: Fields = { account_sid: twilio.account }
    for (const [parameter, given] of Object.entries(twilio.path)) {
      if (parameter === 'Sid') continue
      const service_sid = parents.service_sid
      if (parameter === 'ServiceSid' && isUsual(given)) {
        parents.service_sid = USUAL_SERVICE
        continue
      }
      const named = ({ unique_name, ...one }: Kept) =>
        parameter !== 'ServiceSid' && unique_name === given && one.service_sid === service_sid
      const { resources } = twilio.records
      parents[snake(parameter)] = (resources.get(given) ?? resources.find(named) ?? twilio.gone()).sid
    }
    return parents
  }
  const all = (twilio: TwilioRequest): Kept[] =>
    twilio.records.resources
      .where({ ...above(twilio), list, is_of: own })
      .filter(({ date_expires }) => !date_expires || textOf(date_expires) > twilio.time)
  const find = (twilio: TwilioRequest): Kept => {
    const given = twilio.path.Sid ?? ''
    if (path === SERVICE && isUsual(given)) {
      const usual = { sid: USUAL_SERVICE, ...initial, ...above(twilio), list, is_of: own }
      return twilio.records.resources.get(USUAL_SERVICE) ?? twilio.create('resources', usual)
    }
    const found = all(twilio).filter((one) => one.sid === given || (name && valueText(one[field] ?? '') === given))
    return found.find(isOpen) ?? found.find(({ sid }) => sid === given) ?? twilio.gone()
  }
  const sent = ({ body, now }: TwilioRequest): Fields => {
    const given = Object.entries(body).filter(([parameter]) => !/Ttl$/.test(parameter))
    const ttl = body.Ttl ?? body[prefix === '' ? 'ItemTtl' : 'CollectionTtl']
    return {
      ...Object.fromEntries(
        given.map(([parameter, value]) => [snake(parameter), typed(initial[snake(parameter)], value)]),
      ),
      ...(ttl !== undefined && { date_expires: Number(ttl) > 0 ? timeOf(now.getTime() + Number(ttl) * 1_000) : null }),
    }
  }
  const show = ({ is_of: _, list: __, next_index: ___, ...kept }: Kept): Fields => {
    const { sid, ...rest } = kept
    const place = own.replace(/\{(\w+)\}/g, (_, parameter: string) => valueText(kept[snake(parameter)]))
    const url = `${host}${place}/${prefix === '' ? kept[field] : sid}`
    const links = Object.fromEntries(below.map((one) => [snake(one), `${url}/${one}`]))
    return { ...(prefix !== '' && { sid }), ...rest, url, ...(below.length > 0 && { links }) }
  }
  return {
    [`POST ${path}`]: (twilio) => {
      const fields = sent(twilio)
      const others = all(twilio)
      const [, code = 0, fault = ''] = name ?? []
      if (fields.data === null) twilio.refuse(54_008, 'Invalid JSON in Data')
      if (fields[field] !== undefined && others.some((one) => isOpen(one) && one[field] === fields[field]))
        twilio.refuse(code, fault, prefix === 'RM' ? 400 : 409)
      const sid = twilio.sid(prefix || 'IT')
      const parents = above(twilio)
      const owner = twilio.records.resources.get(textOf(parents.list_sid))
      const index = Number(owner?.next_index ?? 0)
      if (owner !== undefined) twilio.records.resources.update(owner, { next_index: index + 1 })
      const made = {
        ...{ sid, ...initial, ...(prefix === 'RM' && { unique_name: sid }), ...parents, ...fields },
        ...{ ...(field === 'index' && { index }), list, is_of: own },
      }
      return show(twilio.create('resources', made))
    },
    [`GET ${path}`]: (twilio) => {
      const { Status = 'in-progress', UniqueName = '', Order, From, Bounds } = twilio.query
      const isAsked = ({ status, unique_name }: Kept) =>
        prefix !== 'RM' || (status === Status && (UniqueName === '' || unique_name === UniqueName))
      const kept = all(twilio).filter(isAsked)
      if (prefix !== '') return twilio.page(list, kept, show)
      const placeOf = (value: Json | undefined) => (field === 'index' ? Number(value) : valueText(value ?? ''))
      const direction = Order === 'desc' ? -1 : 1
      const compare = (a: Json | undefined, b: Json | undefined): number =>
        direction * (placeOf(a) < placeOf(b) ? -1 : Number(placeOf(a) > placeOf(b)))
      const least = Bounds === 'exclusive' ? 1 : 0
      const items = kept.filter((one) => From === undefined || compare(one[field], From) >= least)
      return twilio.page(
        list,
        items.toSorted((a, b) => compare(a[field], b[field])),
        show,
      )
    },
    [`GET ${path}/{Sid}`]: (twilio) => show(find(twilio)),
    [`POST ${path}/{Sid}`]: (twilio) => {
      const kept = find(twilio)
      const fields = sent(twilio)
      if (prefix === 'RM' && !isOpen(kept)) twilio.refuse(53_112, 'Invalid room status')
      const known = twilio.of.headers['if-match']
      if (known !== undefined && known !== kept.revision)
        twilio.refuse(54_103, 'The revision of the resource does not match the expected revision', 412)
      const more = changed?.({ ...kept, ...fields, sid: kept.sid }, twilio)
      return show(twilio.update('resources', kept, { ...fields, ...more }))
    },
    ...(prefix !== 'RM' && {
      [`DELETE ${path}/{Sid}`]: (twilio: TwilioRequest) => {
        twilio.records.resources.remove(find(twilio))
        return twilio.empty
      },
    }),
  }
}

/** A sent text as the type of what the resource begins with. */
export function typed(begins: Json | undefined, value: Json): Json {
  if (typeof begins === 'number') return Number(value)
  if (typeof begins === 'boolean') return value === true || value === 'true'
  if (Array.isArray(begins)) return [value].flat()
  if (begins !== null && typeof begins === 'object') return jsonOr(valueText(value), null)
  return value
}

/** An empty list of a room. */
const ofRoom = (list: string) => (twilio: TwilioRequest) => {
  const { RoomSid } = twilio.path
  const isRoom = ({ sid, unique_name }: Kept) => sid === RoomSid || unique_name === RoomSid
  if (!twilio.records.resources.some(isRoom)) twilio.gone()
  return twilio.page(list, [], String)
}

export const syncAndVideo: Operations = Object.assign(
  {
    /** Nobody listens to a stream. */
    [`POST ${SERVICE}/{ServiceSid}/Streams/{StreamSid}/Messages`]: (twilio: TwilioRequest) => {
      const data = jsonOr(twilio.text('Data'), null) ?? twilio.refuse(54_008, 'Invalid JSON in Data')
      return { sid: twilio.sid('TZ'), data }
    },
    // No media is simulated, so nobody enters a room, and nothing is recorded.
    'GET /video/v1/Rooms/{RoomSid}/Participants': ofRoom('participants'),
    'GET /video/v1/Rooms/{RoomSid}/Recordings': ofRoom('recordings'),
    'GET /video/v1/Recordings': (twilio: TwilioRequest) => twilio.page('recordings', [], String),
  },
  ...Object.entries(KINDS).map(([path, kind]) => operationsOf(path, kind)),
)
