import type { DueContext } from '../../src/handlers.ts'
import { audited } from './audit.ts'
import { channels } from './channels.ts'
import { commands } from './commands.ts'
import {
  type Act,
  type Collection,
  type Context,
  Discord,
  DiscordRequest,
  fieldsOf,
  type Kept,
  type Operations,
} from './discord.ts'
import { refuseForm } from './faults.ts'
import { faultsOfForm } from './forms.ts'
import { guildSettings } from './guild-settings.ts'
import { guilds } from './guilds.ts'
import { interactions } from './interactions.ts'
import { invites } from './invites.ts'
import { kinds } from './kinds.ts'
import { memberships } from './members.ts'
import { messages } from './messages.ts'
import { checkPermissions, isKnownPlace } from './permissions.ts'
import { pinned } from './pins.ts'
import { endPoll, polls } from './polls.ts'
import { reactions } from './reactions.ts'
import { stages } from './stages.ts'
import { threads } from './threads.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'

const operations: Operations = {
  ...{ ...channels, ...commands, ...guilds, ...guildSettings, ...interactions, ...invites, ...kinds, ...memberships },
  ...{ ...messages, ...pinned, ...polls, ...reactions, ...stages, ...threads, ...users, ...webhooks },
}

/** An operation, after what is refused of all: what the bot may not do, and a faulty form. */
const guarded = (name: string, act: Act) => (context: Context) => {
  const discord = new DiscordRequest(context)
  if (isKnownPlace(discord)) {
    checkPermissions(name, discord)
    refuseForm(discord, faultsOfForm(name, discord))
  }
  return audited(name, discord, act)
}

type Due = DueContext<Record<Collection, Kept>, Kept>

export default {
  $happenings: ({ record }: Due) => record.payload,
  archiveThread: ({ record, update }: Due): void => {
    update({ thread_metadata: { ...fieldsOf(record.thread_metadata), archived: true }, archives_at: null })
  },
  endPoll: (due: Due): void => {
    endPoll(new Discord(due), due.record)
  },
  expireInvite: ({ remove }: Due): void => remove(),
  ...Object.fromEntries(Object.entries(operations).map(([name, act]) => [name, guarded(name, act)])),
}
