import { account } from './account.ts'
import { associations } from './associations.ts'
import { changeObject } from './changes.ts'
import { files } from './files.ts'
import { gatherings } from './gatherings.ts'
import { type Context, type Due, Hubspot, HubspotRequest, type Operations } from './hubspot.ts'
import { lists } from './lists.ts'
import { marketing } from './marketing.ts'
import { objects } from './objects.ts'
import { pipelines } from './pipelines.ts'
import { properties } from './properties.ts'
import { schemas } from './schemas.ts'
import { search } from './search.ts'
import { transfers } from './transfers.ts'
import { webhooks } from './webhooks.ts'

const operations: Operations = {
  ...{ ...account, ...associations, ...lists, ...objects, ...pipelines, ...properties, ...schemas, ...search },
  ...{ ...files, ...gatherings, ...marketing, ...transfers, ...webhooks },
}

export default {
  $happenings: ({ record }: Due) => record.payload,
  /** A meeting is over, or a task is due. */
  fallDue: (context: Due): void => {
    const hubspot = new Hubspot(context)
    const { record, update } = context
    const { hs_meeting_outcome: outcome, hs_task_status: status } = record.properties
    const change = (properties: Record<string, string>) =>
      changeObject(hubspot, hubspot.kindOf(record), record, { properties })
    if (record.type === 'meetings' && outcome === 'SCHEDULED') change({ hs_meeting_outcome: 'COMPLETED' })
    if (record.type === 'tasks' && status !== 'COMPLETED') change({ hs_task_is_past_due: 'true' })
    update({ due_at: null })
  },
  ...Object.fromEntries(
    Object.entries(operations).map(([operation, handle]) => [
      operation,
      (context: Context) => handle(new HubspotRequest(context, operation)) ?? context.respond({ status: 204 }),
    ]),
  ),
}
