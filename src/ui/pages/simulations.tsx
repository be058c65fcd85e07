import { useEffect, useState } from 'preact/hooks'
import type { SimulationSummary } from '../../protocol/simulation.ts'
import { parseFilterLine } from '../data/filter-line.ts'
import { addressOf, useQueryValue } from '../data/route.ts'
import { call } from '../data/service.ts'
import { Chip, type Tone } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { FilterBox } from '../parts/filter-box.tsx'
import { isTyping } from '../parts/key-sheet.tsx'
import { roughSpan } from '../parts/time.tsx'
import { TopBar } from '../parts/top-bar.tsx'

const EVERY_MS = 5_000
const TONES: Readonly<Record<string, Tone>> = { running: 'good', paused: 'warn', queued: 'accent', resetting: 'accent' }

/** All simulations of the account. */
export function SimulationsPage() {
  const [simulations, error] = useSimulations()
  const [filter, setFilter] = useQueryValue('f')
  useEffect(() => {
    document.title = 'Simulations · backlot'
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return
      event.preventDefault()
      document.querySelector<HTMLElement>('[data-filter]')?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const { passes } = parseFilterLine(filter)
  const shown = (simulations ?? [])
    .filter((one) => passes({ ...one }, () => Object.values(one).join(' ')))
    .toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : -1))
  return (
    <>
      <TopBar />
      <main class="page">
        <div class="page-head">
          <h1>Simulations</h1>
          <FilterBox
            value={filter}
            onChange={setFilter}
            example="status:paused name"
            shown={simulations === undefined ? '' : `${shown.length} of ${simulations.length}`}
          />
        </div>
        {error !== undefined && (
          <p class="strip" role="alert">
            {error}
          </p>
        )}
        {simulations === undefined ? (
          <div class="bars" aria-busy="true" />
        ) : simulations.length === 0 ? (
          <FirstSimulation />
        ) : (
          <SimulationTable simulations={shown} />
        )}
      </main>
    </>
  )
}

function SimulationTable({ simulations }: { simulations: readonly SimulationSummary[] }) {
  if (simulations.length === 0) return <p class="empty">Nothing matches the filter.</p>
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">State</th>
          <th scope="col">Address</th>
          <th scope="col">Age</th>
        </tr>
      </thead>
      <tbody>
        {simulations.map(({ id, name, slug, status, url, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              <a href={addressOf(slug)}>{name}</a>
              {name !== slug && <code class="slug">{slug}</code>}
            </th>
            <td>
              <Chip tone={TONES[status] ?? 'calm'}>{status}</Chip>
            </td>
            <td>
              <div class="address">
                <code class="long">{url}</code>
                <CopyButton text={url} label="Copy" />
              </div>
            </td>
            <td>
              <time dateTime={createdAt} title={createdAt}>
                {roughSpan(Date.now() - Date.parse(createdAt))}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** How to begin. */
function FirstSimulation() {
  return (
    <section class="empty">
      <h2>No simulation runs here yet</h2>
      <p>Start one from the library, or from a description of your own:</p>
      <pre class="json">
        <code>{'backlot serve task-tracker\nbacklot serve ./openapi.yaml'}</code>
      </pre>
      <p>
        Or ask this service for one: <code>POST {location.origin}/v1/simulations</code> with{' '}
        <code>{'{ "library": "task-tracker" }'}</code> and your account key.
      </p>
    </section>
  )
}

/** Reads the list again every five seconds while the page is seen. */
function useSimulations(): [SimulationSummary[] | undefined, string | undefined] {
  const [simulations, setSimulations] = useState<SimulationSummary[] | undefined>(undefined)
  const [error, setError] = useState<string | undefined>(undefined)
  useEffect(() => {
    const read = async () => {
      if (document.hidden) return
      try {
        const { data } = await call<{ data: SimulationSummary[] }>('GET', '/simulations')
        setSimulations(data)
        setError(undefined)
      } catch (failure) {
        setError(failure instanceof Error ? failure.message : String(failure))
      }
    }
    void read()
    const timer = setInterval(() => void read(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return [simulations, error]
}
