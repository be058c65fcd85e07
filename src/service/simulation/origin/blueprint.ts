import type { BehaviourPlan, NewBehaviourRule } from '../../../protocol/behaviour.ts'
import { explainFaults } from '../../../protocol/entry-fault.ts'
import type { EntryRows } from '../../../protocol/entry-rows.ts'
import { badRequest } from '../../../protocol/errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { derivePlan } from '../../behaviour/derive-plan.ts'
import { type ParsedPlan, parsePlan } from '../../behaviour/parse-plan.ts'
import type { ApiModel } from '../../openapi/model.ts'
import { CompiledApi } from '../../simulated-api/compiled/compiled-api.ts'
import { type EntryEffects, findFaults, indexEffects } from '../../simulated-api/facts/entry-effects.ts'
import type { ApiWebhooks } from '../../webhooks/event-forms.ts'
import { readingDeclaredWebhooks } from './declared-webhooks.ts'
import { SeedRecords } from './seed-records.ts'

/** Parts of a library entry that the build has checked, with its effects. */
interface Checked {
  readonly behaviour: readonly NewBehaviourRule[]
  readonly compiled?: { readonly plan: BehaviourPlan }
  readonly seed?: Readonly<Record<string, readonly JsonObject[]>>
}

/** A description prepared for simulations. Made once, and shared by all simulations of the description. */
export class Blueprint {
  readonly model: ApiModel
  readonly api: CompiledApi
  /** The joined description, where a library entry extends the given one. */
  readonly joined: JsonObject | undefined
  /** Whether the build checked the entry. */
  readonly #isChecked: boolean
  readonly #parsed = new WeakMap<readonly NewBehaviourRule[], ParsedPlan>()
  readonly #books = new WeakMap<EntryRows, EntryEffects>()
  readonly seeds: SeedRecords
  /** The webhooks that the description declares; undefined without any, and before {@link preparing}. */
  apiWebhooks: ApiWebhooks | undefined
  #derived: readonly NewBehaviourRule[] | undefined

  constructor(model: ApiModel, { joined, checked }: { joined?: JsonObject; checked?: Checked } = {}) {
    this.model = model
    this.joined = joined
    this.#isChecked = checked !== undefined
    this.api = new CompiledApi(model)
    this.seeds = new SeedRecords(this.api, checked?.seed)
    if (checked?.compiled) this.#parsed.set(checked.behaviour, { plan: checked.compiled.plan, dropped: [] })
  }

  /** The initial plan: the given rules, or by default rules derived from the model. */
  startingPlan(rules: readonly NewBehaviourRule[] = this.#derivedRules(), names: readonly string[] = []): ParsedPlan {
    const plan = this.#parsed.get(rules) ?? parsePlan([...rules], this.model, names)
    this.#parsed.set(rules, plan)
    return plan
  }

  /** A library entry's effects, indexed. Throws `bad_request` for a name that the description does not have. */
  bookOf(entryRows: EntryRows): EntryEffects {
    const known = this.#books.get(entryRows)
    if (known !== undefined) return known
    const book = indexEffects(entryRows, this.joined !== undefined)
    if (!this.#isChecked) checkRows(entryRows, this.api.model)
    this.#books.set(entryRows, book)
    return book
  }

  /** Reads the webhooks that the description declares. Pauses between them. */
  *preparing(): Generator<undefined, void> {
    this.apiWebhooks = yield* readingDeclaredWebhooks(this.model)
  }

  #derivedRules(): readonly NewBehaviourRule[] {
    this.#derived ??= derivePlan(this.model)
    return this.#derived
  }
}

function checkRows(entryRows: EntryRows, model: ApiModel): void {
  const faults = findFaults(entryRows, model)
  if (faults.length === 0) return
  throw badRequest(explainFaults(`the effects of the library entry "${String(entryRows.facts.slug)}"`, faults))
}
