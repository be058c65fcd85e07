import { isJsonObject } from '../../../protocol/json.ts'
import type { AnnouncedChange } from '../../webhooks/event-form.ts'
import type { SimulationCore } from '../core/core.ts'
import type { FreshChange } from '../core/logged-change.ts'

/** A core's change for webhooks, composed when it is sent. */
export function toAnnouncedChange(core: SimulationCore, fresh: FreshChange): AnnouncedChange {
  const { before, subject, kind, request } = fresh
  return {
    type: core.log.typeOf(fresh),
    collection: subject,
    verb: kind,
    compose: () => core.toEvent(fresh),
    before: () => {
      const shown = before === undefined ? undefined : core.toEvent({ ...fresh, record: before }).data.object
      return isJsonObject(shown) ? shown : undefined
    },
    kept: () => ({ now: fresh.record, before }),
    request,
  }
}
