import { useState } from 'preact/hooks'
import type { BehaviourPlan, BehaviourRule } from '../../protocol/behaviour.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { CollectionSummary } from '../../protocol/simulation.ts'
import type { LiveSimulation } from '../data/live.ts'
import { droppedSteps, inUnits, STEP_KINDS, type StepKind, stepFields, UNITS } from '../data/step-fields.ts'
import { useDescription } from '../data/use-records.ts'
import { Button, SelectField, TextField } from '../parts/fields.tsx'
import { FormButtons, FormHead } from '../parts/form-head.tsx'
import { RuleFields } from './rule-fields.tsx'

/** Sets the plan; returns the dropped steps, or undefined for a refusal. */
type SetPlan = (rules: readonly unknown[]) => Promise<readonly string[] | undefined>

interface PlanRuleFormProps {
  readonly live: LiveSimulation
  readonly plan: BehaviourPlan
  /** The edited rule; without it one is added. */
  readonly rule: BehaviourRule | undefined
  readonly setPlan: SetPlan
  readonly close: () => void
}

/** One rule of the plan with its steps. Save sets it; a dropped step shows its reason. */
export function PlanRuleForm({ live, plan, rule, setPlan, close }: PlanRuleFormProps) {
  const collections = live.detail.value?.collections ?? []
  const [name, setName] = useState(rule?.name ?? '')
  const [every, setEvery] = useState(() => inUnits(rule?.everySeconds ?? 3_600))
  const [steps, setSteps] = useState<readonly JsonObject[]>(() =>
    rule === undefined ? [newStep('create', collections)] : (rule.steps as unknown as JsonObject[]),
  )
  const [dropped, setDropped] = useState<ReadonlyMap<string, string>>(new Map())
  // Index of a new rule: it is already in the plan if only a step was dropped.
  const [end] = useState(plan.rules.length)
  const known = plan.rules.findIndex(({ id }) => id === rule?.id)
  const index = known === -1 ? end : known
  const submit = async (event: Event) => {
    event.preventDefault()
    const { id = '', enabled = true } = plan.rules[index] ?? {}
    const own = { ...(id !== '' && { id }), enabled, everySeconds: Math.round(every.count * every.unit), steps }
    const rules: unknown[] = [...plan.rules]
    rules[index] = { ...own, ...(name !== '' && { name }) }
    const refused = await setPlan(rules)
    if (refused === undefined) return
    setDropped(droppedSteps(refused))
    if (refused.length === 0) close()
  }
  const replace = (at: number, step: JsonObject | undefined) => {
    setSteps(step === undefined ? steps.toSpliced(at, 1) : steps.with(at, step))
    setDropped(new Map())
  }
  return (
    <section class="card plan-rule">
      <FormHead isOpened>{rule === undefined ? 'New rule' : `Change ${rule.name}`}</FormHead>
      <form class="block" onSubmit={(event) => void submit(event)}>
        <div class="wide-form">
          <TextField label="Name" value={name} maxLength={200} set={setName} />
          <TextField
            label="Runs every"
            type="number"
            required
            min={1}
            step="any"
            value={String(every.count)}
            set={(count) => setEvery({ ...every, count: Number.parseFloat(count) })}
          />
          <SelectField
            label="Unit"
            value={String(every.unit)}
            set={(unit) => setEvery({ ...every, unit: Number(unit) })}
            options={UNITS.map(([unit, length]) => [String(length), unit] as const)}
          />
        </div>
        {steps.map((step, at) => (
          <StepForm
            key={at}
            live={live}
            number={at + 1}
            step={step}
            collections={collections}
            dropped={dropped.get(`${index} ${at}`)}
            change={(next) => replace(at, next)}
          />
        ))}
        <div class="buttons">
          <Button onClick={() => setSteps([...steps, newStep('update', collections)])}>Add a step</Button>
        </div>
        <p class="hint">With the plan each rule runs one period from now.</p>
        <FormButtons save="Save the rule" close={close} />
      </form>
    </section>
  )
}

function newStep(
  kind: StepKind,
  collections: readonly CollectionSummary[],
  collection = collections[0]?.name,
): JsonObject {
  return { kind, ...(collection !== undefined && { collection }), ...STEP_KINDS[kind].begins } as JsonObject
}

function StepForm({
  live,
  number,
  step,
  collections,
  dropped,
  change,
}: {
  live: LiveSimulation
  number: number
  step: JsonObject
  collections: readonly CollectionSummary[]
  /** Why the service dropped it. */
  dropped: string | undefined
  change: (step: JsonObject | undefined) => void
}) {
  const kind = step.kind as StepKind
  const id = `step-${number}`
  const collection = collections.find(({ name }) => name === step.collection)
  const description = useDescription(live, collection?.name)
  const subject = description && { fields: description.fields, statusField: collection?.statusField ?? null }
  return (
    <fieldset class="step-form" aria-describedby={dropped === undefined ? undefined : `${id}-dropped`}>
      <legend>Step {number}</legend>
      <div class="wide-form">
        <SelectField
          label="Kind"
          value={kind}
          set={(chosen) => change(newStep(chosen as StepKind, collections, step.collection as string))}
          options={Object.entries(STEP_KINDS).map(([one, { does }]) => [one, `${one}: ${does}`] as const)}
        />
        <RuleFields key={kind} fields={stepFields(kind, collections)} config={step} change={change} subject={subject} />
      </div>
      {dropped !== undefined && (
        <p class="why" id={`${id}-dropped`} role="alert">
          Dropped: {dropped}
        </p>
      )}
      <div class="buttons">
        <Button aria-label={`Remove step ${number}`} onClick={() => change(undefined)}>
          Remove
        </Button>
      </div>
    </fieldset>
  )
}
