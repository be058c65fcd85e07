import { useState } from 'preact/hooks'
import type { ResponseRule } from '../../protocol/response-rule.ts'
import { addressOf } from '../data/address.ts'
import type { LiveSimulation } from '../data/live.ts'
import { mayWrite } from '../data/session.ts'
import { Chip } from '../parts/chip.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'
import { focusEdit, RuleButtons, RuleSwitch } from '../parts/rule-buttons.tsx'
import { Time } from '../parts/time.tsx'
import { RuleForm } from './rule-form.tsx'

/** The response rules, which change answers. */
export function RulesPage({ live }: { live: LiveSimulation }) {
  const rules = live.detail.value?.rules
  const [editedId, setEdited] = useState<string | undefined>(undefined)
  const edited = rules?.find(({ id }) => id === editedId)
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
        <RuleTable live={live} rules={rules} edit={setEdited} />
      )}
      {mayWrite() && (
        <RuleForm
          key={edited?.id ?? 'new'}
          live={live}
          rule={edited}
          close={() => {
            setEdited(undefined)
            if (editedId !== undefined) focusEdit(editedId)
          }}
        />
      )}
    </main>
  )
}

function RuleTable({
  live,
  rules,
  edit,
}: {
  live: LiveSimulation
  rules: readonly ResponseRule[]
  edit: (id: string) => void
}) {
  const toggle = ({ id, firings, lastFiredAt, warning, enabled, ...kept }: ResponseRule) => {
    const isOff = enabled === false
    const done = `The rule ${kept.name} ${isOff ? 'acts again' : 'is off'}.`
    return live.act('PUT', `/rules/${encodeURIComponent(id)}`, done, { ...kept, enabled: isOff })
  }
  const remove = ({ id, name }: ResponseRule) =>
    live.act('DELETE', `/rules/${encodeURIComponent(id)}`, `The rule ${name} is removed.`)
  return (
    <div class="scroll" role="region" aria-label="Response rules" tabIndex={0}>
      <HeadedTable heads={['Rule', 'Kind', 'Meets', 'Config', 'Acted', 'On', 'Change']}>
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
              {rule.lastFiredAt !== undefined && (
                <span class="slug">
                  last <Time iso={rule.lastFiredAt} />
                </span>
              )}
            </td>
            <td>
              <RuleSwitch label={`${rule.name} acts`} isOn={rule.enabled !== false} set={() => toggle(rule)} />
            </td>
            <td>
              <RuleButtons
                rule={rule}
                edit={edit}
                lost="Requests that it meets are answered as the data says."
                remove={() => remove(rule)}
              />
            </td>
          </tr>
        ))}
      </HeadedTable>
    </div>
  )
}
