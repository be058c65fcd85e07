import { useState } from 'preact/hooks'
import type { IssuedKey, ListedKey, SimulationDetail } from '../../protocol/simulation.ts'
import { addressOf } from '../data/address.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, faultOf, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite, session } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { AskingButton } from '../parts/asking-button.tsx'
import { KeyCard } from '../parts/copy-button.tsx'
import { Button, CheckField, ErrorText, TextArea, TextField } from '../parts/fields.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'
import { Time } from '../parts/time.tsx'

/** Access to the simulated API: keys and addresses. */
export function AccessPage({ live }: { live: LiveSimulation }) {
  const access = live.detail.value?.access
  if (access === undefined) return <main class="page" aria-busy="true" />
  return (
    <main class="page">
      <div class="page-head">
        <h1>Access</h1>
      </div>
      <Keys live={live} />
      <AllowList key={JSON.stringify(access)} live={live} access={access} />
    </main>
  )
}

function Keys({ live }: { live: LiveSimulation }) {
  const keys = useAnswer<{ data: ListedKey[] }>(simulationPath(live.slug, '/keys?detail=true'), live.revision.value)
  const [name, setName] = useState('')
  const [issued, setIssued] = useState<IssuedKey | undefined>(undefined)
  const issue = (event: Event) => {
    event.preventDefault()
    void attempt(async () => {
      setIssued(await call<IssuedKey>('POST', simulationPath(live.slug, '/keys'), { name }))
      setName('')
      await live.refresh()
    })
  }
  const revoke = ({ prefix }: ListedKey) =>
    live.act('DELETE', `/keys/${encodeURIComponent(prefix)}`, `The key ${prefix} is revoked.`)
  return (
    <section class="block">
      <h2>Keys</h2>
      <ErrorText text={keys.error} />
      <HeadedTable heads={['Name', 'Begins with', 'Issued', 'Last used', 'Revoke']}>
        {(keys.answer?.data ?? []).map((key) => (
          <tr key={key.prefix + key.name}>
            <th scope="row">{key.name}</th>
            <td>
              <code>{key.prefix}</code>
            </td>
            <td>{key.createdAt && <Time iso={key.createdAt} />}</td>
            <td>
              {key.lastUsedAt == null ? (
                <span class="faint">not in the last 1,000 requests</span>
              ) : (
                <a href={`${addressOf(live.slug, 'requests')}?${new URLSearchParams({ f: `key:${key.prefix}` })}`}>
                  <Time iso={key.lastUsedAt} />
                </a>
              )}
            </td>
            <td>
              {mayWrite() && (
                <AskingButton
                  label={`Revoke ${key.prefix}`}
                  question={`Revoke the key ${key.name}?`}
                  text={`Requests with ${key.prefix}… are refused from then on, for good.`}
                  action="Revoke"
                  run={() => revoke(key)}
                >
                  Revoke…
                </AskingButton>
              )}
            </td>
          </tr>
        ))}
      </HeadedTable>
      {mayWrite() && (
        <form class="inline-form" onSubmit={issue}>
          <TextField label="Name of a new key" required maxLength={200} value={name} set={setName} />
          <Button type="submit" kind="main">
            Issue a key
          </Button>
        </form>
      )}
      {issued !== undefined && <KeyCard apiKey={issued.apiKey} />}
    </section>
  )
}

/** The allowed addresses, one per line. */
function AllowList({ live, access }: { live: LiveSimulation; access: SimulationDetail['access'] }) {
  const [isOn, setIsOn] = useState(access.ipRestrictionEnabled)
  const [text, setText] = useState(access.ipAllowlist.join('\n'))
  const [error, setError] = useState('')
  const save = async (event: Event) => {
    event.preventDefault()
    const fault = await faultOf(async () => {
      const ipAllowlist = text.split(/[\s,]+/).filter(Boolean)
      await call('PUT', simulationPath(live.slug, '/access'), { ipRestrictionEnabled: isOn, ipAllowlist })
      await live.refresh()
      notify(isOn ? 'Only these addresses may call.' : 'Every address may call.')
    })
    setError(fault)
  }
  const own = typeof session.value === 'object' ? session.value.address : ''
  const isListed = text.split(/[\s,]+/).includes(own)
  return (
    <section class="block">
      <h2>Addresses</h2>
      <form class="block" onSubmit={(event) => void save(event)}>
        <CheckField label="Only the addresses below may call" isOn={isOn} disabled={!mayWrite()} set={setIsOn} />
        <TextArea
          label="Allowed addresses and ranges, one a line"
          rows={5}
          placeholder="203.0.113.0/24"
          value={text}
          readOnly={!mayWrite()}
          aria-invalid={error === '' ? undefined : 'true'}
          aria-describedby="access-error"
          set={setText}
        />
        {mayWrite() && (
          <p class="hint" id="own-address" role="status">
            You come from <code>{own}</code>
            {isListed && ', which is in the list'}.
          </p>
        )}
        <p class="error" id="access-error" role="alert">
          {error}
        </p>
        {mayWrite() && (
          <div class="buttons">
            <Button type="submit" kind="main">
              Save
            </Button>
            <Button
              aria-disabled={isListed}
              aria-describedby="own-address"
              onClick={() => !isListed && setText(`${text.trimEnd()}\n${own}`.trimStart())}
            >
              Add my address
            </Button>
          </div>
        )}
      </form>
    </section>
  )
}
