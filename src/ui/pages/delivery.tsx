import { useState } from 'preact/hooks'
import type { AttemptDetail, DeliveryDetail, ReplayRequest, WebhookState } from '../../protocol/webhook.ts'
import { addressOf } from '../data/address.ts'
import { toCurl } from '../data/curl.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { DELIVERY_STATES } from '../data/rows.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { roughSpan } from '../data/time-text.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Chip, StatusChip } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { ActionMenu } from '../parts/fields.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'
import { MessageView } from '../parts/message-view.tsx'
import { Detail, Facts } from '../parts/split.tsx'
import { Time } from '../parts/time.tsx'

const REPLAYS: readonly (readonly [label: string, fault: ReplayRequest['fault']])[] = [
  ['As it is', undefined],
  ['With a bad signature', 'badSignature'],
  ['Signed ten minutes ago', 'staleTimestamp'],
  ['With an altered body', 'alteredPayload'],
]

/** One delivery: the request and response of each attempt, and the check of its signature. */
export function DeliveryPage({ live, webhook, id }: { live: LiveSimulation; webhook: WebhookState; id: string }) {
  const path = simulationPath(live.slug, `/webhooks/${webhook.id}/deliveries/${encodeURIComponent(id)}`)
  const { answer: delivery, error, set } = useAnswer<DeliveryDetail>(path, live.revision.value)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const close = addressOf(live.slug, 'webhooks', webhook.id)
  if (delivery === undefined) {
    return (
      <Detail title={error === undefined ? id : 'Not here any more'} close={close}>
        {error === undefined ? <div class="bars" aria-busy="true" /> : <p class="empty">{error}</p>}
      </Detail>
    )
  }
  const { event, events, state, attempts, nextAttemptAt, reason } = delivery
  const replay = (fault: ReplayRequest['fault']) =>
    attempt(async () => {
      const replayed = await call<DeliveryDetail>('POST', `${path}/replay`, fault === undefined ? {} : { fault })
      set(replayed)
      setChosen(undefined)
      notify(`Sent again: ${outcomeOf(replayed)}.`)
      await live.refresh()
    })
  const at = Math.min(chosen ?? attempts.length - 1, attempts.length - 1)
  const shown = attempts[at]
  return (
    <Detail
      title={
        <>
          {event.type} <Chip tone={DELIVERY_STATES[state]}>{state}</Chip>
        </>
      }
      close={close}
      actions={
        <>
          <CopyButton text={delivery.id} label="Copy id" />
          {mayWrite() && attempts.length > 0 && (
            <ActionMenu
              label="Replay"
              actions={REPLAYS.map(([label, fault]) => [label, () => void replay(fault)] as const)}
            />
          )}
        </>
      }
    >
      {reason !== undefined && <p class="why">{reason}</p>}
      {shown?.error != null && (
        <section class="why" aria-label="Why">
          <h3>Why</h3>
          <p>
            Attempt {at + 1} failed: {shown.error}.
          </p>
        </section>
      )}
      <Facts
        facts={[
          ['Delivery', <code key="id">{delivery.id}</code>],
          [
            events === undefined ? 'Event' : `${events.length} events`,
            <a key="event" href={`${addressOf(live.slug)}?at=${event.id}`}>
              <code>{event.id}</code>
            </a>,
          ],
          ['Record', <code key="record">{event.recordId}</code>],
          ['Next attempt', nextAttemptAt === null ? 'none' : <Time key="next" iso={nextAttemptAt} />],
        ]}
      />
      <Attempts attempts={attempts} shown={at} choose={setChosen} />
      {shown !== undefined && <AttemptView attempt={shown} />}
    </Detail>
  )
}

/** The result of the latest attempt. */
function outcomeOf({ attempts }: DeliveryDetail): string {
  const { status, error } = attempts.at(-1) ?? { status: null, error: null }
  return status === null ? (error ?? 'no answer') : `answered ${status}`
}

function Attempts({
  attempts,
  shown,
  choose,
}: {
  attempts: readonly AttemptDetail[]
  shown: number
  choose: (at: number) => void
}) {
  return (
    <section class="block">
      <h3>Attempts</h3>
      {attempts.length === 0 ? (
        <p class="faint">It was not sent yet.</p>
      ) : (
        <HeadedTable heads={['Attempt', 'At', 'Status', 'Trigger']}>
          {attempts.map((one, at) => (
            <tr key={at}>
              <td>
                <button
                  type="button"
                  class="pick"
                  aria-pressed={at === shown}
                  aria-label={`Attempt ${at + 1}`}
                  onClick={() => choose(at)}
                >
                  {at + 1}
                </button>
              </td>
              <td>
                <Time iso={one.at} />
              </td>
              <td>
                <StatusChip status={one.status} />
              </td>
              <td>
                {howText(one)}
                {one.error !== null && <span class="slug">{one.error}</span>}
              </td>
            </tr>
          ))}
        </HeadedTable>
      )}
    </section>
  )
}

/** Duration, address and cause of an attempt. */
function howText({ durationMs, address, trigger }: AttemptDetail): string {
  const parts = [`${Math.round(durationMs)} ms`, address, trigger === 'manual' ? 'replay' : 'schedule']
  return parts.filter((part) => part !== null).join(' · ')
}

function AttemptView({ attempt: one }: { attempt: AttemptDetail }) {
  const { request, response, signature } = one
  if (request === null) {
    return <p class="faint">What was sent is no longer kept: it is for the latest 100 deliveries to a webhook.</p>
  }
  const curl = () => toCurl({ method: 'POST', url: request.url, headers: request.headers, body: request.body })
  return (
    <>
      {signature !== null && <SignatureView attempt={one} signature={signature} />}
      <MessageView name="Request" message={request} actions={<CopyButton text={curl} label="Copy as cURL" />} />
      {response === null ? (
        <section class="block">
          <h3>Answer</h3>
          <p class="faint">Nothing came back: {one.error ?? 'no answer'}.</p>
        </section>
      ) : (
        <MessageView name="Answer" message={response} />
      )}
    </>
  )
}

/** The check of the signature, and for our own scheme a command for it. */
function SignatureView({
  attempt: { at, request },
  signature: { isValid, signedAt, fault },
}: {
  attempt: AttemptDetail
  signature: NonNullable<AttemptDetail['signature']>
}) {
  const header = request?.headers['svc-signature']
  const time = /(?:^|,)t=(\d+)/.exec(header ?? '')?.[1]
  const age = signedAt === null ? undefined : Date.parse(at) - Date.parse(signedAt)
  const command =
    time === undefined || request?.truncated !== false || request.encoding !== 'utf-8'
      ? undefined
      : `printf '%s' '${`${time}.${request.body ?? ''}`.replaceAll("'", `'\\''`)}' | openssl dgst -sha256 -hmac "$SECRET"`
  return (
    <section class="block">
      <h3>Signature</h3>
      <p>
        <Chip tone={isValid ? 'good' : 'bad'}>{isValid ? 'matches' : 'does not hold'}</Chip>{' '}
        {age !== undefined && <span class="faint">signed {roughSpan(age)} before it was sent</span>}
      </p>
      {fault !== null && <p class="why">{fault}</p>}
      {header !== undefined && <code class="long">{header}</code>}
      {command !== undefined && (
        <details>
          <summary>Verify it by hand</summary>
          <pre class="json" tabIndex={0} role="region" aria-label="Command that verifies the signature">
            <code>{command}</code>
          </pre>
        </details>
      )}
    </section>
  )
}
