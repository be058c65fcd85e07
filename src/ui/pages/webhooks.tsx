import { useState } from 'preact/hooks'
import type { DeliveryStats, RegisteredWebhook, WebhookState } from '../../protocol/webhook.ts'
import { addressOf } from '../data/address.ts'
import type { LiveSimulation } from '../data/live.ts'
import { faultOf } from '../data/notices.ts'
import { DELIVERY_STATES } from '../data/rows.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Chip } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Button, ErrorText, TextField } from '../parts/fields.tsx'
import { EndpointPage } from './endpoint.tsx'
import { EndpointButtons, EndpointState } from './endpoint-state.tsx'

/** The endpoints of deliveries, and the deliveries of one of them. */
export function WebhooksPage({
  live,
  webhookId,
  deliveryId,
}: {
  live: LiveSimulation
  webhookId: string | undefined
  deliveryId: string | undefined
}) {
  const webhooks = live.webhooks.value
  const webhook = webhooks.find(({ id }) => id === webhookId)
  if (webhookId !== undefined && webhook !== undefined) {
    return <EndpointPage live={live} webhook={webhook} deliveryId={deliveryId} />
  }
  return <WebhookList live={live} goneId={webhookId} />
}

function WebhookList({ live, goneId: webhookId }: { live: LiveSimulation; goneId: string | undefined }) {
  const webhooks = live.webhooks.value
  const path = simulationPath(live.slug, '/webhooks?stats=true')
  const { answer } = useAnswer<{ data: WebhookState[] }>(path, live.revision.value)
  return (
    <main class="page">
      <div class="page-head">
        <h1>Webhooks</h1>
      </div>
      {webhookId !== undefined && live.detail.value !== undefined && (
        <p class="strip" role="status">
          The webhook {webhookId} is gone.
        </p>
      )}
      {webhooks.length === 0 && live.detail.value !== undefined && (
        <section class="empty">
          <h2>No webhook is registered</h2>
          <p>Changes of records are sent to the addresses that are registered here, signed and with retries.</p>
        </section>
      )}
      <ul class="cards">
        {webhooks.map((one) => (
          <li key={one.id}>
            <WebhookCard live={live} webhook={one} stats={answer?.data.find(({ id }) => id === one.id)?.stats} />
          </li>
        ))}
      </ul>
      {mayWrite() && <NewWebhook live={live} />}
    </main>
  )
}

function WebhookCard({
  live,
  webhook,
  stats,
}: {
  live: LiveSimulation
  webhook: WebhookState
  stats: DeliveryStats | undefined
}) {
  const { id, url, events, scheme } = webhook
  return (
    <article class="card" aria-label={url}>
      <h2>
        <a class="long" href={addressOf(live.slug, 'webhooks', id)}>
          {url}
        </a>
      </h2>
      <p>
        <EndpointState webhook={webhook} /> <span class="faint">for</span> <code>{events.join(', ')}</code>
        {scheme !== undefined && (
          <>
            {' '}
            <span class="faint">in the scheme</span>{' '}
            <code>{typeof scheme === 'string' ? scheme : 'given as data'}</code>
          </>
        )}
      </p>
      <DeliveryCounts address={addressOf(live.slug, 'webhooks', id)} stats={stats} />
      {mayWrite() && <EndpointButtons live={live} webhook={webhook} />}
    </article>
  )
}

/** Number of deliveries in each state, with links to them. */
function DeliveryCounts({ address, stats }: { address: string; stats: DeliveryStats | undefined }) {
  if (stats === undefined) return null
  const counted = Object.entries(stats).filter(([, count]) => count > 0) as [keyof DeliveryStats, number][]
  if (counted.length === 0) return <p class="faint">Nothing was sent yet.</p>
  return (
    <p class="counts">
      {counted.map(([state, count]) => (
        <a key={state} href={`${address}?${new URLSearchParams({ f: `state:${state}` })}`}>
          <Chip tone={DELIVERY_STATES[state]}>
            {state} {count.toLocaleString('en')}
          </Chip>
        </a>
      ))}
    </p>
  )
}

/** Registers an address. Its secret is shown only once. */
function NewWebhook({ live }: { live: LiveSimulation }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState('*')
  const [scheme, setScheme] = useState('')
  const [error, setError] = useState('')
  const [registered, setRegistered] = useState<RegisteredWebhook | undefined>(undefined)
  const kinds = live.detail.value?.events ?? []
  const submit = async (event: Event) => {
    event.preventDefault()
    const fault = await faultOf(async () => {
      const filters = events.split(/[\s,]+/).filter(Boolean)
      const asked = scheme.trim()
      const body = { url: url.trim(), events: filters, ...(asked !== '' && { scheme: asked }) }
      setRegistered(await call<RegisteredWebhook>('POST', simulationPath(live.slug, '/webhooks'), body))
      setUrl('')
      await live.refresh()
    })
    setError(fault)
  }
  return (
    <section class="block">
      <h2>Register a webhook</h2>
      <form class="inline-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Address"
          type="url"
          required
          placeholder="https://example.test/hooks"
          value={url}
          set={setUrl}
        />
        <TextField label="Events" required list="event-kinds" value={events} set={setEvents} />
        <datalist id="event-kinds">
          {['*', ...kinds].map((kind) => (
            <option key={kind} value={kind} />
          ))}
        </datalist>
        <TextField label="Scheme" placeholder="of the API, else svc" value={scheme} set={setScheme} />
        <Button type="submit" kind="main">
          Register
        </Button>
      </form>
      {error !== '' && <ErrorText text={error} />}
      {registered !== undefined && (
        <div class="card" role="status">
          <p>
            Secret of <span class="long">{registered.url}</span>, shown this once:
          </p>
          <p>
            <code class="long">{registered.secret}</code>
          </p>
          <CopyButton text={registered.secret} label="Copy secret" />
          <p>{registered.note}</p>
          {registered.warnings?.map((warning) => (
            <p class="why" key={warning}>
              {warning}
            </p>
          ))}
        </div>
      )}
    </section>
  )
}
