/** What the people of the workspace do as time passes. */
import { directOf, postScheduled } from './chat.ts'
import { enter } from './conversations.ts'
import { post, react } from './posting.ts'
import { toUser } from './shown.ts'
import { BOT_USER, type Due, GRACE, isMissing, SLACKBOT, Slack, textOf } from './slack.ts'
import { endStatus } from './users.ts'

const LINUS = 'U00000LINUS'
const DAY_S = 86_400

const COMER = {
  id: LINUS,
  name: 'linus',
  real_name: 'Linus Pauling',
  email: 'linus@backlot.example',
  color: 'e7392d',
  profile: {
    real_name: 'Linus Pauling',
    display_name: 'linus',
    first_name: 'Linus',
    last_name: 'Pauling',
    email: 'linus@backlot.example',
    status_text: '',
    status_emoji: '',
  },
}

/** Slackbot reminds a person. */
function remind(due: Due): void {
  const slack = new Slack(due)
  const { user, text } = due.record
  due.update({ fired: true })
  const channel = directOf(slack, [SLACKBOT, textOf(user)])
  post(slack, channel, { user: SLACKBOT, text: `Reminder: ${text}.` })
}

/** A person answers the bot. */
function answer(due: Due): void {
  const slack = new Slack(due)
  const { reply_by, reply_to, ...channel } = due.record
  due.update({ reply_due: null })
  const user = textOf(reply_by)
  const asked = slack.messageAt(channel.id, reply_to)
  if (channel.kind === 'im') post(slack, channel, { user, text: 'Thanks, I will have a look.' })
  else if (asked !== undefined) {
    react(slack, asked, { name: 'eyes', user, isOn: true })
    const thread_ts = isMissing(asked.thread_ts) ? asked.ts : asked.thread_ts
    post(slack, channel, { user, text: `On it, <@${BOT_USER}>.`, thread_ts: thread_ts ?? '' })
  }
}

/** Linus comes on one day, and Grace asks the bot on the next. */
function live(due: Due): void {
  const slack = new Slack(due)
  const { record: channel, update } = due
  if (slack.records.users.get(LINUS) !== undefined) {
    post(slack, channel, { user: GRACE, text: `<@${BOT_USER}> what is new today?` })
    update({ story_due: null })
    return
  }
  const user = toUser(slack.records.users.create({ ...COMER, updated: slack.unix }))
  slack.tell({ type: 'team_join', user, cache_ts: slack.unix })
  enter(slack, channel, LINUS)
  post(slack, channel, { user: LINUS, text: 'Hi, I am new here.' })
  update({ story_due: slack.unix + DAY_S })
}

export const people = {
  answer,
  live,
  remind,
  endStatus: (due: Due): void => endStatus(new Slack(due), due.record),
  postScheduled: (due: Due): void => postScheduled(new Slack(due), due.record),
}
