import { account } from './account.ts'
import { calls } from './calls.ts'
import { conferences } from './conferences.ts'
import { content } from './content.ts'
import { conversation } from './conversations.ts'
import { LiveCalls } from './live-calls.ts'
import { facts } from './lookups.ts'
import { messageStages, messages } from './messages.ts'
import { messagingServices } from './messaging-services.ts'
import { numbers } from './numbers.ts'
import { plain } from './plain.ts'
import { queues } from './queues.ts'
import { completeRecording, recordings } from './recordings.ts'
import { unreserve } from './routing.ts'
import { studio } from './studio.ts'
import { syncAndVideo } from './sync-and-video.ts'
import { type Collection, type Context, type Due, type Kept, TwilioRequest } from './twilio.ts'
import { expire, verify } from './verify.ts'

const operations = {
  ...{ ...account, ...calls, ...conferences, ...content, ...conversation, ...facts, ...messages },
  ...{ ...messagingServices, ...numbers, ...plain, ...queues, ...recordings, ...studio, ...syncAndVideo, ...verify },
}

type Stage = readonly [of: Collection, reach: (live: LiveCalls, record: Kept) => unknown]

/** What time brings. */
const STAGES: Readonly<Record<string, Stage>> = {
  sent: ['messages', messageStages.sent],
  delivered: ['messages', messageStages.delivered],
  lost: ['messages', messageStages.lost],
  ringing: ['calls', (live, call) => live.ring(call)],
  answered: ['calls', (live, call) => live.answer(call)],
  completed: ['calls', (live, call) => live.complete(call)],
  noInput: ['calls', (live, call) => live.noInput(call)],
  unanswered: ['calls', (live, call) => live.lose(call)],
  recorded: ['recordings', completeRecording],
  expired: ['verifications', expire],
  unreserved: ['resources', unreserve],
}

export default {
  /** A timer. */
  fire: (due: Due): void => {
    const { stage, subject } = due.record
    const [collection, reach] = STAGES[String(stage)] ?? []
    const record = collection && due.records[collection].get(String(subject))
    if (record) reach?.(new LiveCalls(due), record)
    due.remove()
  },
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new TwilioRequest(context, operation)),
    ]),
  ),
}
