import { useRef, useState } from 'preact/hooks'
import type { LogDetail, TriedRequest } from '../../protocol/reads.ts'
import { addressOf } from '../data/address.ts'
import { valueIn } from '../data/json-value.ts'
import type { LiveSimulation } from '../data/live.ts'
import { useRoute } from '../data/location.tsx'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { ActionMenu, Button, TextArea, TextField } from '../parts/fields.tsx'

/** Connection headers, which the owner's request does not have. */
const OF_CONNECTION = /^(host|connection|content-length|transfer-encoding|accept-encoding|keep-alive|authorization)$/

/** Actions on a request: send it again, or answer similar requests with a rule. */
export function RequestActions({ live, detail }: { live: LiveSimulation; detail: LogDetail }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const route = useRoute()
  if (!mayWrite()) return null
  const { method, path, request, response, operation } = detail
  const canResend = !request.truncated && request.encoding === 'utf-8'
  const send = (asked: { method: string; path: string; body: string }) =>
    attempt(async () => {
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !OF_CONNECTION.test(name)))
      const body = asked.body === '' ? {} : { body: asked.body }
      const sent = { method: asked.method, path: asked.path, headers, ...body }
      const { requestId, status } = await call<TriedRequest>('POST', simulationPath(live.slug, '/try'), sent)
      dialog.current?.close()
      notify(`Sent again: answered ${status}.`)
      route(addressOf(live.slug, 'requests', requestId))
    })
  const addRule = (name: string, kind: string, config: object) =>
    attempt(async () => {
      const target = operation === null ? { method, pathPattern: path.replace(/\?.*$/, '') } : { operation }
      await call('POST', simulationPath(live.slug, '/rules'), { name, kind, ...target, config })
      await live.refresh()
      notify(`The rule "${name}" acts from now on.`, { label: 'See rules', href: addressOf(live.slug, 'rules') })
    })
  const what = operation ?? `${method} ${path}`.slice(0, 100)
  const answerLikeThis = () => {
    const body = response === null || response.body === null ? {} : { body: valueIn(response.body) }
    return addRule(`${what} answers like this`, 'override', { status: detail.status ?? 200, ...body })
  }
  const isKept = response !== null && !response.truncated && response.encoding === 'utf-8'
  const resend = () => void send({ method, path, body: request.body ?? '' })
  const fail = () => void addRule(`${what} fails twice`, 'error', { status: 503, times: 2 })
  const actions: readonly (readonly [label: string, run: () => void])[] = [
    ...(canResend
      ? ([
          ['Send again', resend],
          ['Edit and send…', () => dialog.current?.showModal()],
        ] as const)
      : []),
    ...(isKept ? ([['Answer like this from now on', () => void answerLikeThis()]] as const) : []),
    ['Fail the next 2', fail],
  ]
  return (
    <>
      <ActionMenu label="Actions" actions={actions} />
      <dialog class="dialog" ref={dialog} aria-labelledby="send-title">
        <SendForm key={detail.id} detail={detail} send={send} />
        <form method="dialog" class="buttons">
          <Button type="submit">Cancel</Button>
        </form>
      </dialog>
    </>
  )
}

function SendForm({
  detail,
  send,
}: {
  detail: LogDetail
  send: (request: { method: string; path: string; body: string }) => Promise<unknown>
}) {
  const [method, setMethod] = useState(detail.method)
  const [path, setPath] = useState(detail.path)
  const [body, setBody] = useState(detail.request.body ?? '')
  return (
    <form
      class="block"
      onSubmit={(event) => {
        event.preventDefault()
        void send({ method, path, body })
      }}
    >
      <h2 id="send-title">Edit and send</h2>
      <p class="hint">It is sent with your own right, without a key.</p>
      <TextField label="Method" required value={method} set={setMethod} />
      <TextField label="Path" required spellcheck={false} value={path} set={setPath} />
      <TextArea label="Body" class="json-text-area" rows={8} value={body} set={setBody} />
      <div class="buttons">
        <Button type="submit" kind="main">
          Send
        </Button>
      </div>
    </form>
  )
}
