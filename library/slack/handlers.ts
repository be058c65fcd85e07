import { account } from './account.ts'
import { calls, functions, remoteFiles } from './apps.ts'
import { canvases } from './canvases.ts'
import { chat } from './chat.ts'
import { conversations } from './conversations.ts'
import { files, search } from './files.ts'
import { interactions } from './interactions.ts'
import { bookmarks, pins, reactions, reminders, stars } from './marks.ts'
import { views } from './modals.ts'
import { people } from './people.ts'
import { type Context, type Due, SlackRequest } from './slack.ts'
import { usergroups, users } from './users.ts'

const methods = {
  ...{
    ...account,
    ...bookmarks,
    ...canvases,
    ...chat,
    ...conversations,
    ...files,
    ...pins,
    ...reactions,
    ...reminders,
  },
  ...{ ...calls, ...functions, ...remoteFiles, ...search, ...stars, ...usergroups, ...users, ...views },
}

export default {
  $happenings: ({ record }: Due) => record.payload,
  ...people,
  ...Object.fromEntries(
    Object.entries(methods).map(([operation, answer]) => [
      operation,
      (context: Context) => {
        const slack = new SlackRequest(context)
        slack.checkCall()
        return { ok: true, ...answer(slack) }
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(interactions).map(([operation, answer]) => [
      operation,
      (context: Context) => answer(new SlackRequest(context)),
    ]),
  ),
}
