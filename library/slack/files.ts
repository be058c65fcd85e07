import { getOwn } from '../../src/protocol/json.ts'
import { typeOfFile } from '../shared/media-type.ts'
import { searched } from '../shared/searched.ts'
import { authorOf, checkThread, post } from './posting.ts'
import { permalinkOf, toFile } from './shown.ts'
import {
  defined,
  type Fields,
  isMissing,
  type Json,
  type Kept,
  listOf,
  type Methods,
  type SlackRequest,
  splitList,
  TEAM,
  textOf,
  textsOf,
} from './slack.ts'

/** Kinds of files by the endings of names: https://docs.slack.dev/reference/objects/file-object */
const TEXTS: Readonly<Record<string, [filetype: string, pretty_type: string]>> = {
  ...{ txt: ['text', 'Plain Text'], log: ['text', 'Plain Text'], md: ['markdown', 'Markdown (raw)'] },
  ...{ js: ['javascript', 'JavaScript'], ts: ['typescript', 'TypeScript'], py: ['python', 'Python'] },
  ...{ rb: ['ruby', 'Ruby'], sh: ['shell', 'Shell'], yml: ['yaml', 'YAML'], yaml: ['yaml', 'YAML'] },
}
const PRETTY: Readonly<Record<string, string>> = {
  ...{ jpg: 'JPEG', zip: 'Zip', docx: 'Word Document', xlsx: 'Excel Spreadsheet', mp4: 'MPEG 4 Video', webp: 'WebP' },
}
/** The kinds of files of `types`, by its words. */
const TYPES: Readonly<Record<string, string>> = {
  images: 'png gif jpg',
  pdfs: 'pdf',
  zips: 'zip',
  snippets: 'text markdown javascript typescript python yaml shell ruby csv html css xml sql',
}

function kindOf(name: string): Fields {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
  const text = getOwn(TEXTS, ending)
  const filetype = text?.[0] ?? (ending === 'jpeg' ? 'jpg' : ending)
  const mimetype = text ? 'text/plain' : typeOfFile(name)
  // Slack shows texts as snippets.
  return {
    ...(text && { mode: 'snippet', editable: true }),
    filetype,
    pretty_type: text?.[1] ?? getOwn(PRETTY, filetype) ?? filetype.toUpperCase(),
    mimetype,
  }
}

/** The shared file of the request. */
function fileOf(slack: SlackRequest): Kept {
  const id = textOf(slack.args.file)
  const file = slack.records.files.get(id)
  if (file?.state === 'shared') return file
  const isDeleted = slack.records.happenings.some({ type: 'file_deleted', 'payload.file_id': id })
  return slack.refuse(isDeleted ? 'file_deleted' : 'file_not_found')
}

/** What events have of a file. */
export const eventOf = (id: string, user_id: string): Fields => ({ file_id: id, user_id, file: { id } })

const setsPublic =
  (isPublic: boolean) =>
  (slack: SlackRequest): object => {
    slack.checkUser()
    const file = slack.records.files.update(fileOf(slack), { public_url_shared: isPublic })
    if (isPublic) slack.tell({ type: 'file_public', ...eventOf(file.id, slack.me.id) })
    return { file: toFile(file, slack), ...(isPublic && { comments: [] }) }
  }

export const files: Methods = {
  'POST /files.getUploadURLExternal': (slack) => {
    const { args, me, of, records, unix } = slack
    const name = textOf(args.filename)
    const size = Number(args.length)
    if (size < 1) slack.refuse('invalid_arguments')
    const own = { name, title: name, size, user: me.id, created: unix, origin: of.origin }
    const { id } = records.files.create({ ...own, ...kindOf(name) })
    return { upload_url: `${of.origin}/upload/v1/${id}`, file_id: id }
  },
  'POST /files.completeUploadExternal': (slack) => {
    const { args, me, records } = slack
    const titles = new Map(listOf(args.files).map(({ id, title }) => [textOf(id), title]))
    const ids = [...titles.keys()]
    const uploads = ids.map((id) => records.files.get(id) ?? slack.refuse('file_not_found'))
    const places = [...new Set([...splitList(args.channel_id), ...splitList(args.channels)])]
    const channels = places.map((id) => slack.seenChannel(id))
    for (const channel of channels) checkThread(slack, channel)
    for (const { id, title = '' } of uploads) {
      records.files.update(id, { state: 'shared', title: titles.get(id) || title, channels: places })
      slack.tell({ type: 'file_created', ...eventOf(id, me.id) })
    }
    for (const channel of channels) {
      const { blocks, thread_ts, initial_comment } = args
      const sent = defined({ blocks, thread_ts: thread_ts || null, text: initial_comment || '' })
      post(slack, channel, { ...authorOf(me), subtype: 'file_share', ...sent, files: ids })
      for (const id of ids) slack.tell({ type: 'file_shared', ...eventOf(id, me.id), channel_id: channel.id })
    }
    return { files: ids.flatMap((id) => records.files.get(id) ?? []).map((file) => toFile(file, slack)) }
  },
  'GET /files.info': (slack) => ({
    file: toFile(fileOf(slack), slack),
    comments: [],
    response_metadata: { next_cursor: '' },
  }),
  'GET /files.list': (slack) => {
    const { channel, user, ts_from, ts_to, types } = slack.args
    const words = isMissing(types) ? ['all'] : splitList(types)
    const kinds = words.flatMap((word) => (getOwn(TYPES, word) ?? '').split(' '))
    const found = slack.records.files.where(
      (file) =>
        file.state === 'shared' &&
        (isMissing(user) || file.user === user) &&
        (isMissing(channel) || textsOf(file.channels).includes(textOf(channel))) &&
        Number(file.created) >= Number(ts_from || 0) &&
        Number(file.created) <= Number(ts_to || Number.POSITIVE_INFINITY) &&
        (words.includes('all') || kinds.includes(textOf(file.filetype))),
    )
    const { hits, paging } = slack.numberedPage(found, 100)
    return { files: hits.map((file) => toFile(file as Kept, slack)), paging }
  },
  'POST /files.delete': (slack) => {
    const file = fileOf(slack)
    if (file.user !== slack.me.id && slack.me.is_admin !== true) slack.refuse('cant_delete_file')
    slack.records.files.remove(file)
    slack.tell({ type: 'file_deleted', file_id: file.id })
    return {}
  },
  'POST /files.sharedPublicURL': setsPublic(true),
  'POST /files.revokePublicURL': setsPublic(false),
}

const UNFOUND = new Set(['channel_join', 'channel_leave', 'channel_topic', 'channel_purpose', 'channel_name'])

/** What a search asks for. */
function askedOf(slack: SlackRequest): { words: string[]; without: string[]; from: string[]; in: string[] } {
  slack.checkUser()
  const { query } = slack.args
  if (isMissing(query)) slack.refuse('no_query')
  const asked = searched(query as Json) as Fields
  const [words = [], without = [], from = [], room = []] = [asked.words, asked.without, asked.from, asked.in].map(
    textsOf,
  )
  return { words, without, from, in: room }
}

/** The pages of a search: in its old form and in its new one. */
const pagesOf = (paging: Fields, start: number, shown: number): Fields => ({
  total: paging.total ?? 0,
  paging,
  pagination: {
    total_count: paging.total ?? 0,
    page: paging.page ?? 1,
    per_page: paging.count ?? 0,
    page_count: paging.pages ?? 0,
    first: start + 1,
    last: start + shown,
  },
})

/** @param found the newest first */
const inOrder = ({ args }: SlackRequest, found: readonly Kept[]): readonly Kept[] =>
  args.sort_dir === 'asc' ? found.toReversed() : found

function messagesFound(slack: SlackRequest): Fields {
  const { records, me } = slack
  const asked = askedOf(slack)
  // `@ada`, `<@U000000ADA>`, `#general`, `<#C00GENERAL|general>`
  const [from, room] = [asked.from[0], asked.in[0]].map((text) => text?.replace(/^<?[@#]?|[|>].*$/g, ''))
  const writer = from === 'me' ? me.id : (records.users.find({ name: from ?? null })?.id ?? from)
  const place = records.channels.find({ name: room ?? null })?.id ?? room
  const found = records.messages
    .where(({ text, subtype, user, channel }) => {
      const has = (word: string): boolean => textOf(text).toLowerCase().includes(word)
      return (
        !UNFOUND.has(textOf(subtype)) &&
        (from === undefined || user === writer) &&
        (room === undefined || channel === place) &&
        asked.words.every(has) &&
        !asked.without.some(has)
      )
    })
    .filter((message) => {
      const channel = records.channels.get(textOf(message.channel))
      return channel !== undefined && slack.isSeen(channel)
    })
    .sort((one, other) => Number(other.at) - Number(one.at))
  const { hits, start, paging } = slack.numberedPage(inOrder(slack, found), 20)
  return { ...pagesOf(paging, start, hits.length), matches: hits.map((message) => toMatch(slack, message as Kept)) }
}

function toMatch({ records }: SlackRequest, message: Kept): Fields {
  const { id, user, ts, text } = message
  const channel = records.channels.get(textOf(message.channel))
  return {
    iid: id,
    team: TEAM,
    score: 0,
    type: 'message',
    user: user ?? null,
    username: records.users.get(textOf(user))?.name ?? '',
    ts: ts ?? '',
    text: text ?? '',
    permalink: permalinkOf({ ...message, thread_ts: null }),
    channel: {
      id: channel?.id ?? '',
      name: channel?.name ?? channel?.id ?? '',
      is_private: channel?.kind !== 'public_channel',
      is_mpim: channel?.kind === 'mpim',
    },
  }
}

function filesFound(slack: SlackRequest): Fields {
  const { words } = askedOf(slack)
  const found = slack.records.files.where(
    ({ state, title }) => state === 'shared' && words.every((word) => textOf(title).toLowerCase().includes(word)),
  )
  const { hits, start, paging } = slack.numberedPage(inOrder(slack, found), 20)
  return { ...pagesOf(paging, start, hits.length), matches: hits.map((file) => toFile(file as Kept, slack)) }
}

export const search: Methods = {
  'GET /search.messages': (slack) => ({ query: slack.args.query, messages: messagesFound(slack) }),
  'GET /search.files': (slack) => ({ query: slack.args.query, files: filesFound(slack) }),
  'GET /search.all': (slack) => ({
    query: slack.args.query,
    messages: messagesFound(slack),
    files: filesFound(slack),
    posts: { total: 0, matches: [] },
  }),
}
