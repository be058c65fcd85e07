import { toGroup, toProfile, toUser } from './shown.ts'
import {
  type Fields,
  fieldsOf,
  isMissing,
  type Kept,
  type Methods,
  type Slack,
  type SlackRequest,
  splitList,
  TEAM,
  textOf,
} from './slack.ts'

const LONGEST_STATUS = 100
/** What Slack shows of hours without notifications: there are none. */
const DND = { dnd_enabled: true, next_dnd_start_ts: 1, next_dnd_end_ts: 1 }

/** Sends events of a person's change. @param types with spaces between */
function tellChange(slack: Slack, person: Kept, types: string): void {
  for (const type of types.split(' ')) slack.tell({ type, user: toUser(person), cache_ts: slack.unix })
}

/** Ends a status at its time. */
export function endStatus(slack: Slack, { id, profile }: Kept): void {
  const cleared = { ...fieldsOf(profile), status_text: '', status_emoji: '', status_expiration: 0 }
  const person = slack.records.users.update(id, { profile: cleared, status_ends_at: null })
  tellChange(slack, person, 'user_change user_profile_changed user_status_changed')
}

const withLocale = ({ args }: SlackRequest): Fields => (args.include_locale === true ? { locale: 'en-US' } : {})

export const users: Methods = {
  'GET /users.list': (slack) => {
    const all = [...slack.records.users].reverse()
    const { shown, response_metadata } = slack.page(all, (user) => ({ ...toUser(user), ...withLocale(slack) }), 1_000)
    return { members: shown, cache_ts: slack.unix, response_metadata }
  },
  'GET /users.info': (slack) => ({ user: { ...toUser(slack.person()), ...withLocale(slack) } }),
  'GET /users.lookupByEmail': (slack) => {
    const email = textOf(slack.args.email).toLowerCase()
    const person = slack.records.users.find({ email })
    return { user: toUser(person ?? slack.refuse('users_not_found')) }
  },
  'GET /users.identity': (slack) => {
    slack.checkUser()
    const { id, real_name } = slack.me
    return { user: { id, name: real_name }, team: { id: TEAM } }
  },
  'GET /users.profile.get': (slack) => ({ profile: toProfile(slack.person()) }),
  'POST /users.profile.set': (slack) => {
    slack.checkUser()
    const { args, records, unix } = slack
    const { name, value = '' } = args
    const profile = fieldsOf(args.profile)
    const person = slack.person()
    if ([...textOf(profile.status_text)].length > LONGEST_STATUS) slack.refuse('profile_status_set_failed_too_long')
    if (args.profile == null && isMissing(name)) slack.refuse('invalid_profile')
    const set = { ...profile, ...(!isMissing(name) && { [textOf(name)]: value }) }
    const { status_expiration, real_name } = set
    const changed = records.users.update(person, {
      profile: { ...fieldsOf(person.profile), ...set },
      status_ends_at: Number(status_expiration) > 0 ? status_expiration : status_expiration === 0 ? null : undefined,
      updated: unix,
      ...(!isMissing(real_name) && { real_name }),
    })
    const hasStatus = !isMissing(set.status_text) || !isMissing(set.status_emoji) || /^status_/.test(textOf(name))
    tellChange(slack, changed, `user_change user_profile_changed${hasStatus ? ' user_status_changed' : ''}`)
    return { username: person.name, profile: toProfile(changed) }
  },
  'GET /users.getPresence': (slack) => {
    const { id, presence } = slack.person()
    const own = {
      online: presence === 'active',
      auto_away: false,
      manual_away: presence === 'away',
      connection_count: 1,
    }
    return { presence, ...(id === slack.me.id && own) }
  },
  'POST /users.setPresence': ({ args, me, records }) => {
    records.users.update(me, { presence: args.presence === 'away' ? 'away' : 'active' })
    return {}
  },
  'GET /dnd.info': (slack) => {
    const end = Number(slack.person().snooze_endtime)
    const left = end - slack.unix
    return {
      ...DND,
      snooze_enabled: left > 0,
      ...(left > 0 && { snooze_endtime: end, snooze_remaining: left }),
    }
  },
  'POST /dnd.setSnooze': (slack) => {
    slack.checkUser()
    const { me, records } = slack
    const snooze_remaining = Number(slack.args.num_minutes) * 60
    const snooze_endtime = slack.unix + snooze_remaining
    records.users.update(me, { snooze_endtime })
    const dnd_status = { dnd_enabled: true, snooze_enabled: true, snooze_endtime }
    slack.tell({ type: 'dnd_updated_user', user: me.id, dnd_status })
    return { snooze_enabled: true, snooze_endtime, snooze_remaining }
  },
  'POST /dnd.endSnooze': (slack) => {
    slack.checkUser()
    const { me, records } = slack
    if (Number(me.snooze_endtime) <= slack.unix) slack.refuse('snooze_not_active')
    records.users.update(me, { snooze_endtime: 0 })
    return { ...DND, snooze_enabled: false }
  },
  'POST /dnd.endDnd': (slack) => {
    slack.checkUser()
    slack.records.users.update(slack.me, { snooze_endtime: 0 })
    return {}
  },
  'GET /dnd.teamInfo': ({ args }) => ({
    users: Object.fromEntries(splitList(args.users).map((id) => [id, DND])),
  }),
}

const groupOf = (slack: SlackRequest): Kept =>
  slack.records.usergroups.get(textOf(slack.args.usergroup)) ?? slack.refuse('no_such_subteam')

/** Changes a group, with its event. */
function changeGroup(slack: SlackRequest, group: Kept, fields: Fields): Fields {
  const change = { ...fields, updated_by: slack.me.id, date_update: slack.unix }
  const usergroup = toGroup(slack.records.usergroups.update(group, change))
  slack.tell({ type: 'subteam_updated', subteam: usergroup })
  return { usergroup }
}

/** The fields of a body for a group. */
function groupFields({ args }: SlackRequest): Fields {
  const names = ['name', 'handle', 'description'].filter((name) => !isMissing(args[name]))
  return {
    ...Object.fromEntries(names.map((name) => [name, args[name] ?? null])),
    ...(!isMissing(args.channels) && { channels: splitList(args.channels) }),
  }
}

export const usergroups: Methods = {
  'POST /usergroups.create': (slack) => {
    const { me, records, unix } = slack
    const { name = '', ...fields } = groupFields(slack)
    const { handle = textOf(name).toLowerCase().replaceAll(' ', '-') } = fields
    if (records.usergroups.some({ name })) slack.refuse('name_already_exists')
    if (records.usergroups.some({ handle })) slack.refuse('handle_already_exists')
    const made = { created_by: me.id, updated_by: me.id, date_create: unix, date_update: unix }
    const usergroup = toGroup(records.usergroups.create({ description: '', ...fields, name, handle, ...made }))
    slack.tell({ type: 'subteam_created', subteam: usergroup })
    return { usergroup }
  },
  'POST /usergroups.update': (slack) => changeGroup(slack, groupOf(slack), groupFields(slack)),
  'POST /usergroups.disable': (slack) => {
    const group = groupOf(slack)
    if (Number(group.date_delete) > 0) slack.refuse('already_disabled')
    return changeGroup(slack, group, { date_delete: slack.unix })
  },
  'POST /usergroups.enable': (slack) => {
    const group = groupOf(slack)
    if (group.date_delete === 0) slack.refuse('already_enabled')
    return changeGroup(slack, group, { date_delete: 0 })
  },
  'GET /usergroups.list': ({ args, records }) => {
    const all = records.usergroups.where(({ date_delete }) => args.include_disabled === true || date_delete === 0)
    const withUsers = ({ users }: Kept): Fields => (args.include_users === true ? { users: users ?? [] } : {})
    return { usergroups: all.reverse().map((group) => ({ ...toGroup(group as Kept), ...withUsers(group as Kept) })) }
  },
  'GET /usergroups.users.list': (slack) => ({ users: groupOf(slack).users }),
  'POST /usergroups.users.update': (slack) => {
    const group = groupOf(slack)
    const people = splitList(slack.args.users)
    if (people.some((id) => slack.records.users.get(id) === undefined)) slack.refuse('invalid_users')
    const { usergroup } = changeGroup(slack, group, { users: people, user_count: people.length })
    return { usergroup: { ...fieldsOf(usergroup), users: people } }
  },
}
