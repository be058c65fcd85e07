import { useState } from 'preact/hooks'
import type { BehaviourPlan, BehaviourRule, PlanRuns } from '../../protocol/behaviour.ts'
import { countText } from '../data/count-text.ts'
import { fastForward, LEAST_HOURS } from '../data/fast-forward.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt, notify } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { everyText, stepText } from '../data/step-text.ts'
import { clockText, dateText, roughSpan, worldMs } from '../data/time-text.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Button, ErrorText, Picks } from '../parts/fields.tsx'
import { HeadedTable } from '../parts/headed-table.tsx'
import { Icon } from '../parts/icon.tsx'
import { JsonForm } from '../parts/json-form.tsx'
import { focusEdit, RuleButtons, RuleSwitch } from '../parts/rule-buttons.tsx'
import { Time } from '../parts/time.tsx'
import { PlanRuleForm } from './plan-rule-form.tsx'

const HOUR_MS = 3_600_000
const SPAN_HOURS = { day: 24, week: 168, month: 720 } as const
const SPANS = ['day', 'week', 'month'] as const
const MOST_LISTED = 12

/** The behaviour plan: the changes over time, and the next runs. */
export function PlanPage({ live }: { live: LiveSimulation }) {
  const [span, setSpan] = useState<keyof typeof SPAN_HOURS>('day')
  /** Id of the edited rule, or `new`. */
  const [edited, setEdited] = useState<string | undefined>(undefined)
  const clock = live.clock.value
  // Rounded to the hour, so that the request's address stays the same for a while.
  const now = worldMs(clock)
  const until = new Date(Math.ceil(now / HOUR_MS) * HOUR_MS + SPAN_HOURS[span] * HOUR_MS).toISOString()
  // The service accepts years of four digits; for later ones it shows a day.
  const query = until.startsWith('+') ? '' : `?until=${until}`
  const path = simulationPath(live.slug, `/behaviour/runs${query}`)
  const runs = useAnswer<PlanRuns>(path, live.revision.value)
  const plan = live.detail.value?.behaviour
  if (plan === undefined || clock === undefined) return <main class="page" aria-busy="true" />
  const upcoming = runs.answer?.upcoming ?? []
  const names = new Map(plan.rules.map(({ id, name }) => [id, name]))
  return (
    <main class="page">
      <div class="page-head">
        <h1>Behaviour plan</h1>
        <Picks label="Runs of the next" names={SPANS} chosen={span} choose={setSpan} />
      </div>
      <ErrorText text={runs.error} />
      {plan.rules.length === 0 ? (
        <section class="empty">
          <h2>The plan is empty</h2>
          <p>Nothing changes by itself here. Rules that change records as time passes are set below.</p>
        </section>
      ) : (
        <>
          <RunStrip rules={plan.rules} upcoming={upcoming} from={now} to={Date.parse(until)} />
          <PlanTable live={live} plan={plan} runs={runs.answer} edit={setEdited} />
          <section class="block">
            <h2>Next runs</h2>
            {upcoming.length === 0 && <p class="faint">No rule runs in this time.</p>}
            <ol class="plain upcoming" aria-label="Next runs">
              {upcoming.slice(0, MOST_LISTED).map(({ ruleId, at }) => (
                <li key={ruleId + at}>
                  <time class="time" dateTime={at}>
                    {dateText(Date.parse(at))} {clockText(at).slice(0, 8)}
                  </time>
                  <span>{names.get(ruleId) ?? ruleId}</span>
                  {mayWrite() && !clock.paused && <TurnButton live={live} name={names.get(ruleId) ?? ruleId} at={at} />}
                </li>
              ))}
            </ol>
            {upcoming.length > MOST_LISTED && (
              <p class="faint">{(upcoming.length - MOST_LISTED).toLocaleString('en')} more in this time.</p>
            )}
          </section>
        </>
      )}
      {mayWrite() && (
        // Input is kept while the plan above gets its first rule.
        <div class="block" key="edits">
          {edited === undefined ? (
            <div class="buttons">
              <Button data-edits="new" onClick={() => setEdited('new')}>
                New rule
              </Button>
            </div>
          ) : (
            <PlanRuleForm
              key={edited}
              live={live}
              plan={plan}
              rule={plan.rules.find(({ id }) => id === edited)}
              setPlan={(rules) => setPlan(live, rules)}
              close={() => {
                setEdited(undefined)
                focusEdit(edited)
              }}
            />
          )}
          <PlanForm key={JSON.stringify(plan)} live={live} plan={plan} />
        </div>
      )}
    </main>
  )
}

/** Turns the clock to just after a run. */
function TurnButton({ live, name, at }: { live: LiveSimulation; name: string; at: string }) {
  const turn = () => {
    const hours = (Date.parse(at) - worldMs(live.clock.value) + 1_000) / HOUR_MS
    void fastForward(live, Math.max(LEAST_HOURS, hours))
  }
  return (
    <Button onClick={turn}>
      <Icon name="clock" />
      Fast-forward {roughSpan(Date.parse(at) - worldMs(live.clock.value))} <span class="unseen">to {name}</span>
    </Button>
  )
}

interface PlanTableProps {
  readonly live: LiveSimulation
  readonly plan: BehaviourPlan
  readonly runs: PlanRuns | undefined
  readonly edit: (ruleId: string) => void
}

function PlanTable({ live, plan, runs, edit }: PlanTableProps) {
  return (
    <div class="scroll" role="region" aria-label="Rules of the plan" tabIndex={0}>
      <HeadedTable heads={['Rule', 'Every', 'What it does', 'Runs', 'Enabled', 'Change']}>
        {plan.rules.map((rule) => (
          <tr key={rule.id}>
            <th scope="row">{rule.name}</th>
            <td class="whole">{everyText(rule.everySeconds)}</td>
            <td>
              <ul class="plain">
                {rule.steps.map((step, at) => (
                  <li key={at}>{stepText(step)}</li>
                ))}
              </ul>
            </td>
            <td class="whole">
              <RunsOf runs={runs?.data.find(({ ruleId }) => ruleId === rule.id)} />
            </td>
            <td>
              <RuleSwitch
                label={`${rule.name} is enabled`}
                isOn={rule.enabled}
                set={(isOn) => enable(live, plan, rule, isOn)}
              />
            </td>
            <td>
              <RuleButtons
                rule={rule}
                edit={edit}
                lost="It changes nothing any more."
                remove={() => remove(live, plan, rule)}
              >
                <Button aria-label={`Run now: ${rule.name}`} onClick={() => void runNow(live, rule)}>
                  Run now
                </Button>
              </RuleButtons>
            </td>
          </tr>
        ))}
      </HeadedTable>
    </div>
  )
}

/** Number of runs, changes of the last run, and time of the next one. */
function RunsOf({ runs }: { runs: PlanRuns['data'][number] | undefined }) {
  return (
    <>
      {countText(runs?.count ?? 0, 'run')}
      {runs?.lastAt != null && (
        <span class="slug">
          last <Time iso={runs.lastAt} />, {countText(runs.lastChanges ?? 0, 'change')}
        </span>
      )}
      {runs?.nextAt != null && (
        <span class="slug">
          next <Time iso={runs.nextAt} />
        </span>
      )}
    </>
  )
}

/** Enables or disables a rule. The plan is replaced, so that each rule runs one period from now. */
function enable(live: LiveSimulation, plan: BehaviourPlan, rule: BehaviourRule, enabled: boolean) {
  return setPlan(
    live,
    plan.rules.map((one) => (one.id === rule.id ? { ...one, enabled } : one)),
  )
}

const remove = (live: LiveSimulation, plan: BehaviourPlan, rule: BehaviourRule) =>
  setPlan(
    live,
    plan.rules.filter((one) => one.id !== rule.id),
  )

/** Resolves with the dropped steps; undefined for a refusal. */
async function setPlan(live: LiveSimulation, rules: unknown): Promise<readonly string[] | undefined> {
  let dropped: readonly string[] | undefined
  await attempt(async () => {
    const set = await call<{ dropped: string[] }>('PUT', simulationPath(live.slug, '/behaviour'), { rules })
    dropped = set.dropped
    await live.refresh()
    notify(
      set.dropped.length === 0
        ? 'The plan is set. Each rule runs one period from now.'
        : `Dropped of the plan: ${set.dropped.join(' ')}`,
    )
  })
  return dropped
}

function runNow(live: LiveSimulation, { id, name }: BehaviourRule) {
  const doneText = ({ changes }: { changes: number }) => `${name} ran: ${countText(changes, 'change')}.`
  return live.act('POST', `/behaviour/${encodeURIComponent(id)}/run`, doneText)
}

/** The whole plan as JSON. */
function PlanForm({ live, plan }: { live: LiveSimulation; plan: BehaviourPlan }) {
  return (
    <details class="block">
      <summary>Edit the plan as JSON</summary>
      <JsonForm
        record={{ rules: plan.rules }}
        label="Plan"
        action="Set the plan"
        save={async ({ rules }) => (await setPlan(live, rules)) !== undefined}
      />
    </details>
  )
}

const WIDTH = 1_000
const ROW = 18

/** Future runs as a drawing, a line per rule. The list of next runs has the same facts in words. */
function RunStrip({
  rules,
  upcoming,
  from,
  to,
}: {
  rules: readonly BehaviourRule[]
  upcoming: PlanRuns['upcoming']
  /** World time, milliseconds. */
  from: number
  to: number
}) {
  const shown = rules.filter(({ id }) => upcoming.some(({ ruleId }) => ruleId === id)).slice(0, 12)
  if (shown.length === 0) return null
  const x = (at: string) => ((Date.parse(at) - from) / (to - from)) * WIDTH
  return (
    <svg
      class="run-strip"
      viewBox={`0 0 ${WIDTH} ${shown.length * ROW}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      height={shown.length * ROW}
    >
      {shown.map(({ id }, row) => (
        <g key={id}>
          <path class="run-line" d={`M0 ${row * ROW + ROW / 2}H${WIDTH}`} />
          {upcoming
            .filter(({ ruleId }) => ruleId === id)
            .map(({ at }) => (
              <path class="run-mark" key={at} d={`M${x(at).toFixed(1)} ${row * ROW + 4}v${ROW - 8}`} />
            ))}
        </g>
      ))}
    </svg>
  )
}
