import { useState } from 'preact/hooks'
import type { SimulationOverview } from '../../protocol/simulation.ts'
import { addressOf } from '../data/address.ts'
import { countText } from '../data/count-text.ts'
import { isNarrow } from '../data/narrow.ts'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { roughSpan, spanText } from '../data/time-text.ts'
import { COLUMNS } from '../data/use-simulations.ts'
import { AskingButton } from '../parts/asking-button.tsx'
import { Chip, type Tone } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Button, SelectField } from '../parts/fields.tsx'
import { HeadedTable, type TableOrder } from '../parts/headed-table.tsx'

/** Simulations of a table rendered at first, and added at each step. */
const DRAWN = 200

const TONES: Readonly<Record<string, Tone>> = { running: 'good', paused: 'warn', queued: 'accent', resetting: 'accent' }
/** The tag that a test run adds to the names of its simulations. */
const RUN_TAG = /\s*\[backlot run=([\w.:-]+) w=[\w.:-]+ exp=\d+\]$/

/** Simulations in a table, those of each test run in a separate one, the newest first and open. */
export function SimulationGroups({
  simulations,
  sort,
  setSort,
  reload,
}: {
  /** Sorted by `sort`. */
  simulations: readonly SimulationOverview[]
  sort: string
  setSort: (sort: string) => void
  reload: () => void
}) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const slugs = new Set(simulations.map(({ slug }) => slug))
  const known = new Set(chosen.filter((slug) => slugs.has(slug)))
  const runs = Map.groupBy(simulations, ({ name }) => RUN_TAG.exec(name)?.[1])
  const own = runs.get(undefined) ?? []
  runs.delete(undefined)
  const newest = (members: readonly SimulationOverview[]) =>
    Math.max(...members.map(({ createdAt }) => Date.parse(createdAt)))
  const newestFirst = [...runs].toSorted(([, left], [, right]) => newest(right) - newest(left))
  const choose = (some: readonly string[], isChosen: boolean) => {
    const these = new Set(some)
    const others = [...known].filter((slug) => !these.has(slug))
    setChosen(isChosen ? [...others, ...some] : others)
  }
  const isDescending = sort.startsWith('-')
  const by = sort.replace(/^-/, '')
  const order = { by, isDescending, set: (name: string) => setSort(name === by && !isDescending ? `-${name}` : name) }
  const table = { chosen: known, choose, order }
  return (
    <>
      {isNarrow.value && <OrderChoice order={order} />}
      {mayWrite() && known.size > 0 && <DeleteButton slugs={[...known]} what="simulations" reload={reload} />}
      {own.length > 0 && <SimulationTable label="Simulations" simulations={own} {...table} />}
      {newestFirst.map(([run = '', members], at) => (
        <details class="block" key={run} open={at === 0}>
          <summary>
            Run {run}, {countText(members.length, 'simulation')}, {roughSpan(Date.now() - newest(members))} ago
          </summary>
          {mayWrite() && (
            <DeleteButton slugs={members.map(({ slug }) => slug)} what={`of the run ${run}`} reload={reload} />
          )}
          <SimulationTable label={`Run ${run}`} simulations={members} {...table} />
        </details>
      ))}
    </>
  )
}

function DeleteButton({ slugs, what, reload }: { slugs: readonly string[]; what: string; reload: () => void }) {
  const remove = () =>
    attempt(async () => {
      for (const slug of slugs) await call('DELETE', simulationPath(slug))
      notify(`${slugs.length} deleted.`)
    }).finally(reload)
  const named = `${slugs.slice(0, 20).join(', ')}${slugs.length > 20 ? `, and ${slugs.length - 20} more` : ''}`
  return (
    <div class="buttons">
      <AskingButton
        question={`Delete ${slugs.length} ${what}?`}
        text={`${named}. Their records, requests, webhooks and keys are gone for good.`}
        action="Delete"
        run={remove}
      >
        Delete {slugs.length} {what}…
      </AskingButton>
    </div>
  )
}

/** The order of cards, which have no column heads. */
function OrderChoice({ order: { by, isDescending, set } }: { order: TableOrder }) {
  return (
    <div class="buttons order-choice">
      <SelectField label="Order by" value={by} set={set} options={COLUMNS} />
      <Button aria-pressed={isDescending} onClick={() => set(by)}>
        Descending
      </Button>
    </div>
  )
}

interface SimulationTableProps {
  readonly label: string
  readonly simulations: readonly SimulationOverview[]
  readonly chosen: ReadonlySet<string>
  readonly choose: (slugs: readonly string[], isChosen: boolean) => void
  readonly order: TableOrder
}

function SimulationTable({ label, simulations, chosen, choose, order }: SimulationTableProps) {
  const [most, setMost] = useState(DRAWN)
  const slugs = simulations.map(({ slug }) => slug)
  const all = (
    <input
      type="checkbox"
      aria-label={`Choose all of ${label}`}
      checked={slugs.every((slug) => chosen.has(slug))}
      onChange={({ currentTarget }) => choose(slugs, currentTarget.checked)}
    />
  )
  return (
    <>
      <div class="scroll" role="region" aria-label={label} tabIndex={0}>
        <HeadedTable heads={[...(mayWrite() ? [all] : []), ...COLUMNS]} order={order}>
          {simulations.slice(0, most).map((one) => (
            <SimulationRow key={one.id} simulation={one} isChosen={chosen.has(one.slug)} choose={choose} />
          ))}
        </HeadedTable>
      </div>
      {simulations.length > most && (
        <p class="buttons">
          <span class="hint">
            {most.toLocaleString('en')} of {simulations.length.toLocaleString('en')} are shown. The filter finds the
            others.
          </span>
          <Button onClick={() => setMost(most + DRAWN)}>Show {Math.min(DRAWN, simulations.length - most)} more</Button>
        </p>
      )}
    </>
  )
}

function SimulationRow({
  simulation: one,
  isChosen,
  choose,
}: {
  simulation: SimulationOverview
  isChosen: boolean
  choose: (slugs: readonly string[], isChosen: boolean) => void
}) {
  const { slug, status, title, records, requests, webhooks, webhooksOff, offsetMs, url, createdAt } = one
  const name = one.name.replace(RUN_TAG, '')
  return (
    <tr>
      {mayWrite() && (
        <td>
          <input
            type="checkbox"
            aria-label={`Choose ${slug}`}
            checked={isChosen}
            onChange={({ currentTarget }) => choose([slug], currentTarget.checked)}
          />
        </td>
      )}
      <th scope="row">
        <a href={addressOf(slug)}>{name}</a>
        {name !== slug && <code class="slug">{slug}</code>}
      </th>
      <td>
        <Chip tone={TONES[status] ?? 'calm'}>{status}</Chip>
      </td>
      <td>{title}</td>
      <td>{records.toLocaleString('en')}</td>
      <td>{requests.toLocaleString('en')}</td>
      <td>
        {webhooks} {webhooksOff > 0 && <Chip tone="bad">{webhooksOff} off</Chip>}
      </td>
      <td>{offsetMs === null ? 'stands still' : spanText(offsetMs) || 'real time'}</td>
      <td>
        <div class="address">
          <code class="long">{url}</code>
          <CopyButton text={url} label="Copy" />
        </div>
      </td>
      <td class="whole">
        <time dateTime={createdAt} title={createdAt}>
          {roughSpan(Date.now() - Date.parse(createdAt))}
        </time>
      </td>
    </tr>
  )
}
