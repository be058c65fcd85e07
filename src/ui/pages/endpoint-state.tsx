import { useState } from 'preact/hooks'
import type { ChangeEvent } from '../../protocol/event.ts'
import type { WebhookState } from '../../protocol/webhook.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { AskingButton } from '../parts/asking-button.tsx'
import { Chip } from '../parts/chip.tsx'
import { Button, SelectField } from '../parts/fields.tsx'

/** Consecutive failed deliveries that disable an endpoint. */
const MOST_FAILURES = 50

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

/** Actions on an endpoint. */
export function EndpointButtons({ live, webhook }: { live: LiveSimulation; webhook: WebhookState }) {
  const { id, url } = webhook
  const enable = () =>
    live.act('POST', `/webhooks/${id}/enable`, `${url} is on again. Deliveries that waited are sent now.`)
  const remove = () => live.act('DELETE', `/webhooks/${id}`, `${url} is removed.`)
  return (
    <div class="buttons">
      {webhook.state === 'off' && (
        <Button kind="main" onClick={() => void enable()}>
          Switch on again
        </Button>
      )}
      <SendEvent live={live} webhook={webhook} />
      <AskingButton
        question={`Delete the webhook ${webhook.url}?`}
        text="Nothing is sent there any more. Its deliveries and its secret are gone for good."
        action="Delete"
        run={remove}
      >
        Delete…
      </AskingButton>
    </div>
  )
}

/** Causes an event for this and every other subscribed endpoint. */
function SendEvent({ live, webhook }: { live: LiveSimulation; webhook: WebhookState }) {
  const kinds = (live.detail.value?.events ?? []).filter((kind) => isWanted(webhook.events, kind))
  const [chosen, setChosen] = useState('')
  const type = kinds.includes(chosen) ? chosen : (kinds[0] ?? '')
  if (kinds.length === 0) return null
  const send = (event: Event) => {
    event.preventDefault()
    void attempt(async () => {
      const made = await call<ChangeEvent>('POST', simulationPath(live.slug, '/trigger'), { type })
      notify(`${made.type} happened to ${made.data.id}.`)
    })
  }
  return (
    <details class="menu">
      <summary class="button">Send an event…</summary>
      <form class="menu-list menu-form menu-narrow" onSubmit={send}>
        <SelectField label="Event" value={type} set={setChosen} options={kinds} />
        <p class="hint">It happens to a record that fits, or to one that is made for it.</p>
        <Button type="submit" kind="main">
          Let it happen
        </Button>
      </form>
    </details>
  )
}

/** Whether one of the filters matches a kind of event. */
function isWanted(filters: readonly string[], kind: string): boolean {
  return filters.some(
    (filter) => filter === '*' || filter === kind || (filter.endsWith('.*') && kind.startsWith(filter.slice(0, -1))),
  )
}
