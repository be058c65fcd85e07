import type { WebhookState } from '../../protocol/webhook.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { Chip } from '../parts/chip.tsx'

/** Failed deliveries in a row that switch an endpoint off. */
const MOST_FAILURES = 50

/** How an endpoint is doing. */
export function EndpointState({ webhook: { state, failures } }: { webhook: WebhookState }) {
  if (state === 'off')
    return <Chip tone="bad">off, {failures > 0 ? `${failures} failed in a row` : 'switched off'}</Chip>
  if (failures === 0) return <Chip tone="good">active</Chip>
  return (
    <Chip tone="warn">
      active, {failures} of {MOST_FAILURES} failed in a row
    </Chip>
  )
}

/** What can be done to an endpoint. */
export function EndpointButtons({ live, webhook }: { live: LiveSimulation; webhook: WebhookState }) {
  const path = (below: string) => simulationPath(live.slug, `/webhooks/${webhook.id}${below}`)
  const enable = () =>
    attempt(async () => {
      await call('POST', path('/enable'))
      await live.refresh()
      notify(`${webhook.url} is on again. What was held is sent now.`)
    })
  const remove = () =>
    attempt(async () => {
      await call('DELETE', path(''))
      await live.refresh()
      notify(`${webhook.url} is removed.`)
    })
  return (
    <div class="buttons">
      {webhook.state === 'off' && (
        <button type="button" class="button button-main" onClick={() => void enable()}>
          Switch on again
        </button>
      )}
      <button type="button" class="button button-danger" onClick={() => void remove()}>
        Delete
      </button>
    </div>
  )
}
