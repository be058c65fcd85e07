import { useState } from 'preact/hooks'
import type { KeptSnapshot } from '../../protocol/simulation.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Button, ErrorText, TextField } from './fields.tsx'
import { HeadedTable } from './headed-table.tsx'
import { Time } from './time.tsx'

/** The kept snapshots, with buttons to take and restore them. */
export function SnapshotDialog({ live, close }: { live: LiveSimulation; close: () => void }) {
  const path = simulationPath(live.slug, '/snapshots')
  const [taken, setTaken] = useState(0)
  const { answer, error } = useAnswer<{ data: KeptSnapshot[] }>(path, taken)
  const [name, setName] = useState('')
  const take = (event: Event) => {
    event.preventDefault()
    void attempt(async () => {
      await call('POST', name === '' ? path : `${path}?${new URLSearchParams({ name })}`)
      setName('')
      setTaken(taken + 1)
    })
  }
  const restore = (snapshot: KeptSnapshot) =>
    attempt(async () => {
      await call('POST', `${path}/${snapshot.id}/restore`)
      notify(`The snapshot ${snapshot.name ?? snapshot.id} is restored.`)
      close()
    })
  const snapshots = answer?.data ?? []
  return (
    <>
      <form class="inline-form" onSubmit={take}>
        <TextField label="Name, if it needs one" value={name} maxLength={200} set={setName} />
        <Button type="submit" kind="main">
          Take a snapshot
        </Button>
      </form>
      <ErrorText text={error} />
      {answer !== undefined && snapshots.length === 0 && (
        <p class="hint">None is kept. A snapshot keeps records, clock, plan and rules as they are now.</p>
      )}
      {snapshots.length > 0 && (
        <div class="scroll dialog-list" role="region" aria-label="Snapshots" tabIndex={0}>
          <HeadedTable heads={['Snapshot', 'World time', 'Changes', 'Restore']}>
            {snapshots.map((snapshot) => (
              <tr key={snapshot.id}>
                <th scope="row">{snapshot.name ?? snapshot.id}</th>
                <td>
                  <Time iso={snapshot.at} />
                </td>
                <td>{snapshot.changes.toLocaleString('en')}</td>
                <td>
                  <Button aria-label={`Restore ${snapshot.name ?? snapshot.id}`} onClick={() => void restore(snapshot)}>
                    Restore
                  </Button>
                </td>
              </tr>
            ))}
          </HeadedTable>
        </div>
      )}
    </>
  )
}
