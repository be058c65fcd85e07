import { useState } from 'preact/hooks'
import type { OperationSummary } from '../../protocol/inspection.ts'
import type { ResponseRule, ResponseRuleKind } from '../../protocol/response-rule.ts'
import { addressOf } from '../data/address.ts'
import type { LiveSimulation } from '../data/live.ts'
import { faultOf, notify } from '../data/notices.ts'
import { parseObject } from '../data/object-text.ts'
import { meets, useOperations } from '../data/operations.ts'
import { FIRING_FIELDS, KIND_FIELDS } from '../data/rule-fields.ts'
import { call, simulationPath } from '../data/service.ts'
import { SelectField, TextArea, TextField } from '../parts/fields.tsx'
import { FormButtons, FormHead } from '../parts/form-head.tsx'
import { RuleFields } from './rule-fields.tsx'

/** The effect of each kind, and an initial config. */
const KINDS: Readonly<Record<ResponseRuleKind, { does: string; config: object }>> = {
  latency: { does: 'answers later', config: { latencyMs: 500 } },
  error: { does: 'answers with an error', config: { status: 503, times: 2 } },
  rateLimit: { does: 'answers 429 past a limit', config: { limit: 10, windowSeconds: 60 } },
  timeout: { does: 'holds the request', config: { holdMs: 0 } },
  connectionReset: { does: 'breaks the connection', config: { when: 'beforeResponse' } },
  emptyResponse: { does: 'closes without an answer', config: {} },
  malformed: { does: 'spoils the body', config: { mode: 'json' } },
  slowBody: { does: 'sends the body slowly', config: { bytesPerSecond: 1_000 } },
  override: { does: 'answers something else', config: { status: 200, setJson: {} } },
  sequence: { does: 'answers one after the other', config: { responses: [{ status: 500 }, { pass: true }] } },
  unauthorised: { does: 'refuses the key', config: { mode: 'expired' } },
  staleRead: { does: 'shows reads older data', config: { lagMs: 5_000 } },
  reply: { does: 'answers prompts', config: { when: { text: 'weather' }, text: 'It is sunny.' } },
  maintenance: { does: 'answers 503 to everything', config: { retryAfterSeconds: 60 } },
}

/** Most operations listed while typing a pattern. */
const MOST_LISTED = 6
const METHODS = [['*', 'any'], 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const textOf = (config: object): string => JSON.stringify(config, null, 2)

/** Adds or changes a rule. The service reports an invalid config. */
export function RuleForm({
  live,
  rule,
  close,
}: {
  live: LiveSimulation
  /** The edited rule; without it one is added. */
  rule: ResponseRule | undefined
  close: () => void
}) {
  const [kind, setKind] = useState<ResponseRuleKind>(rule?.kind ?? 'error')
  const [name, setName] = useState(rule?.name ?? '')
  const [method, setMethod] = useState(rule?.method ?? '*')
  const [pathPattern, setPathPattern] = useState(rule?.pathPattern ?? '/*')
  const [config, setConfig] = useState(textOf(rule?.config ?? KINDS.error.config))
  const [error, setError] = useState('')
  const parsed = parseObject(config)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (typeof parsed === 'string') return
    const { id, firings, lastFiredAt, warning, enabled, ...kept } = rule ?? {}
    const body = { ...kept, name: name || `${kind} ${pathPattern}`, kind, method, pathPattern, config: parsed }
    const fault = await faultOf(async () => {
      const path = simulationPath(live.slug, id === undefined ? '/rules' : `/rules/${encodeURIComponent(id)}`)
      const made =
        id === undefined
          ? await call<ResponseRule>('POST', path, body)
          : await call<ResponseRule>('PUT', path, { ...body, enabled: enabled !== false })
      await live.refresh()
      setName('')
      notify(
        made.warning ?? `The rule ${made.name} ${made.enabled === false ? 'is kept, and off' : 'acts from now on'}.`,
      )
      close()
    })
    setError(fault)
  }
  return (
    <section class="block">
      <FormHead isOpened={rule !== undefined}>{rule === undefined ? 'Add a rule' : `Change ${rule.name}`}</FormHead>
      <form class="wide-form" onSubmit={(event) => void submit(event)}>
        <SelectField
          label="Kind"
          value={kind}
          set={(one) => {
            const chosen = one as ResponseRuleKind
            setKind(chosen)
            setConfig(textOf(KINDS[chosen].config))
          }}
          options={Object.entries(KINDS).map(([one, { does }]) => [one, `${one}: ${does}`] as const)}
        />
        <TextField label="Name" value={name} maxLength={200} set={setName} />
        <SelectField label="Method" value={method} set={setMethod} options={METHODS} />
        <TextField
          label="Path"
          required
          spellcheck={false}
          value={pathPattern}
          aria-describedby="rule-meets"
          set={setPathPattern}
        />
        <MetOperations live={live} method={method} pathPattern={pathPattern} operation={rule?.operation} />
        {typeof parsed !== 'string' && (
          <>
            <RuleFields
              key={kind}
              fields={KIND_FIELDS[kind]}
              config={parsed}
              change={(next) => setConfig(textOf(next))}
            />
            <details class="field-whole" open={FIRING_FIELDS.some(({ name: one }) => one in parsed)}>
              <summary>When it acts</summary>
              <div class="wide-form">
                <RuleFields fields={FIRING_FIELDS} config={parsed} change={(next) => setConfig(textOf(next))} />
              </div>
            </details>
          </>
        )}
        <details class="field-whole">
          <summary>As JSON</summary>
          <TextArea
            label="Config"
            class="json-text-area"
            rows={6}
            value={config}
            aria-invalid={typeof parsed === 'string' ? 'true' : undefined}
            set={setConfig}
          />
        </details>
        {rule !== undefined && (
          <p class="hint field-whole">It keeps its place; a change of more than its name begins its count anew.</p>
        )}
        <p class="error field-whole" role="alert">
          {typeof parsed === 'string' ? parsed : error}
        </p>
        <FormButtons
          save={rule === undefined ? 'Add the rule' : 'Save the rule'}
          isWrong={typeof parsed === 'string'}
          close={rule && close}
        />
      </form>
    </section>
  )
}

/** The operations that a rule would match, while typing. */
function MetOperations({
  live,
  method,
  pathPattern,
  operation,
}: {
  live: LiveSimulation
  method: string
  pathPattern: string
  operation: string | undefined
}) {
  const all = useOperations(live).answer?.data
  if (all === undefined) return <p class="hint field-whole" id="rule-meets" />
  const basePath = live.detail.value?.api.basePath ?? ''
  const isMet = (one: OperationSummary) => meets({ method, pathPattern }, one, basePath)
  const met = all.filter((one) => (operation === undefined || one.id === operation) && isMet(one))
  return (
    <p class="hint field-whole" id="rule-meets">
      {met.length === 0 ? 'It meets no operation of this API.' : `It meets ${met.length} of ${all.length} operations: `}
      {met.slice(0, MOST_LISTED).map((one, at) => (
        <span key={one.id}>
          {at > 0 && ', '}
          <a href={addressOf(live.slug, 'operations', one.id)}>{one.id}</a>
        </span>
      ))}
      {met.length > MOST_LISTED && ` and ${met.length - MOST_LISTED} more`}
    </p>
  )
}
