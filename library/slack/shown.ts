/** What answers and events show of records. */
import { sizeOfPicture } from '../shared/picture.ts'
import { blocksOf } from './rich-text.ts'
import {
  APP,
  BOT,
  BOT_USER,
  defined,
  type Fields,
  fieldsOf,
  HOME,
  isChannel,
  isMember,
  type Json,
  type Kept,
  listOf,
  only,
  type Slack,
  TEAM,
  textOf,
  textsOf,
  without,
} from './slack.ts'

const BOT_ICONS = Object.fromEntries(
  [36, 48, 72].map((side) => [`image_${side}`, `https://slack.example/bot_${side}.png`]),
)

export const toBot = (): Fields => ({
  id: BOT,
  deleted: false,
  name: 'Backlot',
  updated: 1_700_000_000,
  app_id: APP,
  user_id: BOT_USER,
  icons: BOT_ICONS,
})

export const toProfile = ({ profile, real_name }: Kept): Fields => {
  const own = fieldsOf(profile)
  const name = own.real_name ?? real_name ?? ''
  const avatars = [24, 32, 48, 72, 192, 512].map((side) => [
    `image_${side}`,
    `https://slack.example/avatar_${side}.png`,
  ])
  return {
    avatar_hash: 'g0123456789a',
    ...Object.fromEntries(avatars),
    ...{ team: TEAM, title: '', phone: '', skype: '' },
    ...own,
    ...{ real_name: name, real_name_normalized: name, display_name_normalized: own.display_name ?? '' },
    status_expiration: own.status_expiration ?? 0,
    status_text_canonical: '',
    status_emoji_display_info: [],
  }
}

export const toUser = (user: Kept): Fields =>
  defined({
    ...without(user, 'email presence snooze_endtime status_ends_at'),
    team_id: TEAM,
    profile: toProfile(user),
    is_email_confirmed: user.is_bot === true ? null : true,
    who_can_share_contact_card: 'EVERYONE',
  })

export const toChannel = (channel: Kept): Fields => {
  const { kind, members, creator, name } = channel
  const own: Fields =
    kind === 'im'
      ? {
          is_im: true,
          is_org_shared: false,
          user: textsOf(members).find((member) => member !== creator) ?? creator ?? null,
          is_user_deleted: false,
          priority: 0,
        }
      : {
          ...only(channel, 'name creator is_general topic purpose previous_names'),
          name_normalized: name ?? null,
          is_channel: kind === 'public_channel',
          is_group: kind === 'private_channel',
          is_im: false,
          is_mpim: kind === 'mpim',
          is_private: kind !== 'public_channel',
          ...{ is_shared: false, is_org_shared: false, is_ext_shared: false, is_pending_ext_shared: false },
          ...{ pending_shared: [], shared_team_ids: [TEAM], pending_connected_team_ids: [] },
          ...{ parent_conversation: null, unlinked: 0 },
        }
  return {
    id: channel.id,
    ...own,
    ...only(channel, 'is_archived created'),
    ...defined({ properties: channel.properties }),
    updated: Number(channel.updated) * 1_000,
    context_team_id: TEAM,
  }
}

/** A conversation, with whether the user is a member where there may be others. */
export const toChannelOf = (channel: Kept, { id }: Kept): Fields => ({
  ...toChannel(channel),
  ...(isChannel(channel) && { is_member: isMember(channel, id) }),
})

/** What events call a kind of conversation. */
const CHANNEL_TYPES: Readonly<Record<string, string>> = { public_channel: 'channel', private_channel: 'group' }
export const toChannelType = ({ kind }: Fields): string => CHANNEL_TYPES[textOf(kind)] ?? textOf(kind)

export const toMessage = (message: Fields, slack: Slack): Fields => {
  const { channel, ts, thread_ts, files, reactions, extra } = message
  const isReply = textOf(thread_ts) !== '' && thread_ts !== ts
  const root = isReply ? slack.messageAt(channel, thread_ts) : undefined
  const shared = textsOf(files).flatMap((id) => slack.records.files.get(id) ?? [])
  const marks = listOf(reactions).map(({ name, users }) => ({ name, users, count: textsOf(users).length }) as Fields)
  return {
    ...defined({
      type: 'message',
      ...only(message, 'subtype user bot_id app_id text ts thread_ts username icons metadata edited'),
      team: TEAM,
      blocks: blocksOf(message),
      attachments: listOf(message.attachments).length > 0 ? (message.attachments ?? null) : null,
      streaming: message.streaming === true ? true : null,
      bot_profile: message.bot_id == null ? null : { ...toBot(), team_id: TEAM },
      files: shared.length > 0 ? shared.map((file) => toFile(file, slack)) : null,
      upload: shared.length > 0 ? false : null,
      pinned_to: slack.records.pins.get(`${channel}-${ts}`) ? [channel ?? null] : null,
      reactions: marks.length > 0 ? marks : null,
    }),
    ...(message.subtype === 'thread_broadcast' && { root: root ? toMessage(root, slack) : null }),
    ...(Number(message.reply_count) > 0 && {
      ...only(message, 'reply_count latest_reply reply_users'),
      reply_users_count: textsOf(message.reply_users).length,
      is_locked: false,
      subscribed: false,
    }),
    ...(root?.user != null && { parent_user_id: root.user }),
    ...fieldsOf(extra),
  }
}

/** The address of a message: that of a reply names its thread. */
export const permalinkOf = ({ channel, ts, thread_ts }: Fields): string =>
  `${HOME}/archives/${channel}/p${textOf(ts).replace('.', '')}${
    thread_ts == null || thread_ts === ts ? '' : `?thread_ts=${thread_ts}&cid=${channel}`
  }`

export const toGroup = (group: Kept): Fields => ({
  ...without(group, 'channels users'),
  team_id: TEAM,
  is_usergroup: true,
  is_subteam: true,
  is_external: false,
  auto_type: null,
  auto_provision: false,
  enterprise_subteam_id: '',
  deleted_by: null,
  channel_count: textsOf(group.channels).length,
  prefs: { channels: group.channels ?? [], groups: [] },
})

export const toReminder = (reminder: Kept): Fields => without(reminder, 'fired')

export const toView = ({ id, view }: Kept): Fields => {
  const { root, previous, ...own } = fieldsOf(view)
  return {
    id,
    team_id: TEAM,
    app_id: APP,
    bot_id: BOT,
    app_installed_team_id: TEAM,
    state: { values: {} },
    ...own,
    root_view_id: root || id,
    previous_view_id: previous || null,
  }
}

export const toFile = (file: Kept, slack: Slack): Fields => {
  const { id, name, user, origin, external_url } = file
  const path = `${origin}/files-pri/${TEAM}-${id}`
  return {
    ...defined(without(file, 'base64 origin state channels sections')),
    timestamp: file.created ?? 0,
    user_team: TEAM,
    ...{
      is_external: !!external_url,
      external_type: external_url ? 'app' : '',
      display_as_bot: false,
      username: '',
      comments_count: 0,
    },
    ...(external_url
      ? { url_private: external_url }
      : { url_private: `${path}/${name}`, url_private_download: `${path}/download/${name}` }),
    permalink: `${HOME}/files/${user}/${id}/${name}`,
    permalink_public: `https://slack-files.example/${TEAM}-${id}`,
    has_rich_preview: false,
    file_access: 'visible',
    ...previewOf(file),
    ...thumbsOf(file, `${path}/${name}`),
    ...sharingOf(file, slack),
  }
}

const PREVIEWED_LINES = 5

/** The first lines of a snippet. */
function previewOf({ mode, base64 }: Kept): Fields {
  if (mode !== 'snippet') return {}
  const text = Buffer.from(textOf(base64), 'base64').toString()
  const lines = text.split('\n')
  const preview = lines.slice(0, PREVIEWED_LINES).join('\n')
  const lines_more = Math.max(0, lines.length - PREVIEWED_LINES)
  return { preview, lines: lines.length, lines_more, preview_is_truncated: lines_more > 0 }
}

/** The small pictures of a picture: they lead to the file itself. */
function thumbsOf({ mimetype, base64 }: Kept, url: string): Fields {
  if (!textOf(mimetype).startsWith('image/')) return {}
  const [width, height] = sizeOfPicture(base64) ?? []
  return {
    ...Object.fromEntries([64, 80, 160, 360].map((side) => [`thumb_${side}`, url])),
    ...(width && height && { thumb_360_w: width, thumb_360_h: height, original_w: width, original_h: height }),
  }
}

/** Where a file is shared: in public channels, in private ones and in direct messages. */
function sharingOf(file: Kept, { records }: Slack): Fields {
  const channels = textsOf(file.channels).flatMap((id) => records.channels.get(id) ?? [])
  const messages = records.messages.where(({ files }) => textsOf(files).includes(file.id)).reverse()
  const idsOf = (...kinds: string[]): string[] =>
    channels.flatMap(({ id, kind }) => (kinds.includes(textOf(kind)) ? [id] : []))
  const [open, groups, ims] = [idsOf('public_channel'), idsOf('private_channel', 'mpim'), idsOf('im')]
  const sharesIn = (places: readonly string[]): Fields => {
    const found = messages.filter(({ channel }) => places.includes(textOf(channel)))
    const shares = found.map(({ channel, ts = '', thread_ts }): [string, Json] => {
      const channel_name = channels.find(({ id }) => id === channel)?.name ?? ''
      const replies = { reply_count: 0, reply_users: [] }
      return [textOf(channel), [{ ts, ...(thread_ts && { thread_ts }), channel_name, team_id: TEAM, ...replies }]]
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
