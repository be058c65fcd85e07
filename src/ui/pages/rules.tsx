import { useState } from 'preact/hooks'
import type { ResponseRule, ResponseRuleKind } from '../../protocol/response-rule.ts'
import { addressOf } from '../data/address.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { parseObject } from '../data/object-text.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { Chip } from '../parts/chip.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'

/** What each kind does, and a config to begin with. */
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
  maintenance: { does: 'answers 503 to everything', config: { retryAfterSeconds: 60 } },
}

/** The response rules: what is answered otherwise than the data says. */
export function RulesPage({ live }: { live: LiveSimulation }) {
  const rules = live.detail.value?.rules
  if (rules === undefined) return <main class="page" aria-busy="true" />
  return (
    <main class="page">
      <div class="page-head">
        <h1>Response rules</h1>
      </div>
      {rules.length === 0 ? (
        <section class="empty">
          <h2>Every request is answered as the data says</h2>
          <p>A rule makes answers late, wrong or missing: errors, limits, broken connections.</p>
        </section>
      ) : (
        <RuleTable live={live} rules={rules} />
      )}
      {mayWrite() && <NewRule live={live} />}
    </main>
  )
}

function RuleTable({ live, rules }: { live: LiveSimulation; rules: readonly ResponseRule[] }) {
  const remove = ({ id, name }: ResponseRule) =>
    attempt(async () => {
      await call('DELETE', simulationPath(live.slug, `/rules/${encodeURIComponent(id)}`))
      await live.refresh()
      notify(`The rule ${name} is removed.`)
    })
  return (
    <div class="scroll" role="region" aria-label="Response rules" tabIndex={0}>
      <HeadedTable heads={['Rule', 'Kind', 'Meets', 'Config', 'Acted', 'Remove']}>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <th scope="row">{rule.name}</th>
            <td>
              <Chip tone="accent">{rule.kind}</Chip>
            </td>
            <td>
              <code>{rule.operation ?? `${rule.method} ${rule.pathPattern}`}</code>
              {rule.when !== undefined && <code class="slug">{JSON.stringify(rule.when)}</code>}
            </td>
            <td>
              <code class="long">{JSON.stringify(rule.config)}</code>
            </td>
            <td>
              <a href={`${addressOf(live.slug, 'requests')}?${new URLSearchParams({ f: `rule:${rule.id}` })}`}>
                {rule.firings ?? 0} {rule.firings === 1 ? 'time' : 'times'}
              </a>
            </td>
            <td>
              {mayWrite() && (
                <button
                  type="button"
                  class="button button-danger"
                  aria-label={`Remove ${rule.name}`}
                  onClick={() => void remove(rule)}
                >
                  Remove
                </button>
              )}
            </td>
          </tr>
        ))}
      </HeadedTable>
    </div>
  )
}

const textOf = (config: object): string => JSON.stringify(config, null, 2)

/** Adds a rule. What its config may hold is said by the service, where it does not fit. */
function NewRule({ live }: { live: LiveSimulation }) {
  const [kind, setKind] = useState<ResponseRuleKind>('error')
  const [name, setName] = useState('')
  const [method, setMethod] = useState('*')
  const [pathPattern, setPathPattern] = useState('/*')
  const [config, setConfig] = useState(textOf(KINDS.error.config))
  const [error, setError] = useState('')
  const parsed = parseObject(config)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (typeof parsed === 'string') return
    try {
      const body = { name: name || `${kind} ${pathPattern}`, kind, method, pathPattern, config: parsed }
      const rule = await call<ResponseRule>('POST', simulationPath(live.slug, '/rules'), body)
      await live.refresh()
      setError('')
      setName('')
      notify(rule.warning ?? `The rule ${rule.name} acts from now on.`)
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    }
  }
  return (
    <section class="block">
      <h2>Add a rule</h2>
      <form class="wide-form" onSubmit={(event) => void submit(event)}>
        <label class="field">
          Kind
          <select
            value={kind}
            onChange={({ currentTarget }) => {
              const chosen = currentTarget.value as ResponseRuleKind
              setKind(chosen)
              setConfig(textOf(KINDS[chosen].config))
            }}
          >
            {Object.entries(KINDS).map(([one, { does }]) => (
              <option key={one} value={one}>{`${one}: ${does}`}</option>
            ))}
          </select>
        </label>
        <label class="field">
          Name
          <input value={name} maxLength={200} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <label class="field">
          Method
          <select value={method} onChange={({ currentTarget }) => setMethod(currentTarget.value)}>
            {['*', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((one) => (
              <option key={one} value={one}>
                {one === '*' ? 'any' : one}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Path
          <input
            required
            spellcheck={false}
            value={pathPattern}
            onInput={({ currentTarget }) => setPathPattern(currentTarget.value)}
          />
        </label>
        <label class="field field-whole">
          Config
          <textarea
            class="json-text-area"
            rows={6}
            spellcheck={false}
            value={config}
            aria-invalid={typeof parsed === 'string' ? 'true' : undefined}
            onInput={({ currentTarget }) => setConfig(currentTarget.value)}
          />
        </label>
        <p class="hint field-whole">
          Each kind also takes <code>times</code>, <code>skipFirst</code>, <code>every</code>, <code>probability</code>,{' '}
          <code>startAfterMs</code> and <code>durationMs</code>.
        </p>
        <p class="error field-whole" role="alert">
          {typeof parsed === 'string' ? parsed : error}
        </p>
        <button type="submit" class="button button-main" disabled={typeof parsed === 'string'}>
          Add the rule
        </button>
      </form>
    </section>
  )
}
