import { useState } from 'preact/hooks'
import type { SimulationOverview } from '../../protocol/simulation-overview.ts'
import { addressOf } from '../data/address.ts'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { AskingButton } from '../parts/asking-button.tsx'
import { Chip, type Tone } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'
import { roughSpan, spanText } from '../parts/time.tsx'

const HEADS = ['Name', 'State', 'API', 'Records', 'Requests', 'Webhooks', 'World time', 'Address', 'Age']

const TONES: Readonly<Record<string, Tone>> = { running: 'good', paused: 'warn', queued: 'accent', resetting: 'accent' }
/** What a run of tests writes behind the names of its simulations. */
const RUN_TAG = /\s*\[backlot run=([\w.:-]+) w=[\w.:-]+ exp=\d+\]$/

/** Simulations in a table, those of a run of tests in one of their own, the newest first and open. */
export function SimulationGroups({
  simulations,
  reload,
}: {
  simulations: readonly SimulationOverview[]
  reload: () => void
}) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const known = chosen.filter((slug) => simulations.some((one) => one.slug === slug))
  if (simulations.length === 0) return <p class="empty">Nothing matches the filter.</p>
  const runs = Map.groupBy(simulations, ({ name }) => RUN_TAG.exec(name)?.[1])
  const own = runs.get(undefined) ?? []
  runs.delete(undefined)
  const choose = (slugs: readonly string[], isChosen: boolean) => {
    const others = known.filter((slug) => !slugs.includes(slug))
    setChosen(isChosen ? [...others, ...slugs] : others)
  }
  return (
    <>
      {mayWrite() && known.length > 0 && <DeleteButton slugs={known} what="simulations" reload={reload} />}
      {own.length > 0 && <SimulationTable label="Simulations" simulations={own} chosen={known} choose={choose} />}
      {[...runs].map(([run = '', members], at) => (
        <details class="block" key={run} open={at === 0}>
          <summary>
            Run {run}, {members.length} {members.length === 1 ? 'simulation' : 'simulations'},{' '}
            {roughSpan(Date.now() - Date.parse(members[0]?.createdAt ?? ''))} ago
          </summary>
          {mayWrite() && (
            <DeleteButton slugs={members.map(({ slug }) => slug)} what={`of the run ${run}`} reload={reload} />
          )}
          <SimulationTable label={`Run ${run}`} simulations={members} chosen={known} choose={choose} />
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

function SimulationTable({
  label,
  simulations,
  chosen,
  choose,
}: {
  label: string
  simulations: readonly SimulationOverview[]
  chosen: readonly string[]
  choose: (slugs: readonly string[], isChosen: boolean) => void
}) {
  const slugs = simulations.map(({ slug }) => slug)
  const all = (
    <input
      type="checkbox"
      aria-label={`Choose all of ${label}`}
      checked={slugs.every((slug) => chosen.includes(slug))}
      onChange={({ currentTarget }) => choose(slugs, currentTarget.checked)}
    />
  )
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <HeadedTable heads={[...(mayWrite() ? [all] : []), ...HEADS]}>
        {simulations.map((one) => (
          <SimulationRow key={one.id} simulation={one} isChosen={chosen.includes(one.slug)} choose={choose} />
        ))}
      </HeadedTable>
    </div>
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
