import type { EffectRow, EffectStep, MagicRow, RefusalRow, Source, When } from '../../../protocol/entry-rows.ts'
import { grouped } from '../../../protocol/grouped.ts'
import { hasFields, isJsonObject, type Json, type JsonObject, writeField } from '../../../protocol/json.ts'
import { publish } from '../../../runtime/diagnostics.ts'
import type { Operation } from '../../openapi/model.ts'
import { type EffectScope, holds, idIn, recordsOf, resolveValue } from '../expressions/evaluate.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import type { Draft, RecordPlace } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'

type Names = Readonly<Record<string, Json | undefined>>

/** Most steps of one request. */
const MOST_STEPS = 5_000

interface RunContext extends Pick<EffectScope, 'at' | 'seed' | 'signer' | 'operators'> {
  readonly operation?: Operation | undefined
}

/** One command's run of an entry's effects: their changes are in the draft. */
export class EffectRun {
  readonly #book: EntryEffects
  readonly #draft: Draft
  readonly #context: RunContext
  #steps = 0

  constructor(book: EntryEffects, draft: Draft, context: RunContext) {
    this.#book = book
    this.#draft = draft
    this.#context = context
  }

  /** Runs an effect on a record. Returns the names for its answer. Throws a `Refusal`. */
  run(row: EffectRow, place: RecordPlace | undefined, given: Names): Names {
    const used = (row.use ?? []).reduce((names, name) => this.run(this.#book.named(name), place, names), given)
    const names = this.#name(row.let, place, used)
    for (const refusal of [row.refuse ?? []].flat()) this.#refuse(refusal, place, names)
    const magic = this.#book.magicOf(row, this.#context.operation).find((one) => this.#meets(one, place, names))
    if (magic !== undefined) this.#work(magic, place, names)
    else if (row.set !== undefined && place !== undefined) this.#set(place, row.set, names)
    return magic === undefined ? this.#runSteps(row.also ?? [], place, names) : names
  }

  /** The current value of an expression. */
  evaluate(expression: Json, place: RecordPlace | undefined, names: Names): Json | undefined {
    return resolveValue(expression, this.#scope(place, names))
  }

  /** Whether conditions hold. */
  meets(when: When | undefined, place: RecordPlace | undefined, names: Names): boolean {
    return holds(when, this.#scope(place, names))
  }

  #runSteps(steps: readonly EffectStep[], place: RecordPlace | undefined, given: Names): Names {
    let names = given
    for (const step of steps) names = this.#step(step, place, names)
    return names
  }

  #step(step: EffectStep, here: RecordPlace | undefined, given: Names): Names {
    if (++this.#steps > MOST_STEPS) {
      const most = grouped(MOST_STEPS)
      const message = `Expected a request to come to at most ${most} steps, got more: send fewer items.`
      throw new Refusal(400, 'invalid_request', message)
    }
    if (!holds(step.when, this.#scope(here, given))) return given
    let names = this.#name(step.let, here, given)
    const { also = [], as = 'item' } = step
    if (step.each !== undefined) return this.#eachItem(step, here, names)
    const place = step.record === undefined ? here : this.#find(step.record.of, step.record.id, here, names)
    if (step.record !== undefined && place === undefined) return names
    if (step.refuse !== undefined) this.#refuse(step.refuse, place, names)
    if (step.create !== undefined) {
      const values = resolveValue(step.values ?? {}, this.#scope(here, names), `/${this.#steps}`)
      const { record } = this.#draft.create(step.create, isJsonObject(values) ? values : {})
      names = { ...names, [as]: record }
    }
    if (step.set !== undefined && place !== undefined) this.#set(place, step.set, names)
    if (step.delete !== undefined) {
      const gone = this.#find(step.delete.of, step.delete.id, here, names)
      if (gone !== undefined) this.#draft.delete(gone)
    }
    if (step.do !== undefined) names = this.#call(step.do, step.as, place, names)
    return this.#runSteps(also, place, names)
  }

  /** Runs a named effect. Returns the names, including its answer if the step names it. */
  #call(name: string, as: string | undefined, place: RecordPlace | undefined, given: Names): Names {
    const row = this.#book.named(name)
    const names = this.run(row, place, given)
    if (as === undefined || row.answer === undefined) return given
    return { ...given, [as]: resolveValue(row.answer, this.#scope(place, names), `/${this.#steps}`) }
  }

  /** Runs the steps for each item of a list. Returns the names, including the gathered values, which the steps see too. */
  #eachItem({ each, as = 'item', also = [], gather }: EffectStep, here: RecordPlace | undefined, given: Names): Names {
    const items = resolveValue(each, this.#scope(here, given))
    const gathered: Json[] = []
    for (const item of Array.isArray(items) ? items : []) {
      const before = gather && { [gather.into]: [...gathered] }
      const names = this.#runSteps(also, here, { ...given, ...before, [as]: item })
      const value = gather && resolveValue(gather.value, this.#scope(here, names), `/${this.#steps}/${gathered.length}`)
      if (value !== undefined) gathered.push(value)
    }
    return gather === undefined ? given : { ...given, [gather.into]: gathered }
  }

  #name(sources: Readonly<Record<string, Source>> | undefined, place: RecordPlace | undefined, given: Names): Names {
    if (sources === undefined) return given
    let names = given
    for (const [name, source] of Object.entries(sources)) {
      names = { ...names, [name]: this.#fetch(source, this.#scope(place, names), name) }
    }
    return names
  }

  #fetch(source: Source, scope: EffectScope, name: string): Json | undefined {
    if ('value' in source) return resolveValue(source.value, scope, `/${name}/${this.#steps}`)
    if ('all' in source) return recordsOf({ of: source.all, where: source.where ?? {} }, scope).toReversed()
    if ('where' in source) return recordsOf(source, scope)[0]
    const key = idIn(resolveValue(source.id, scope))
    return key === undefined ? undefined : this.#draft.get(source.of, key)
  }

  #find(collection: string, id: Json, here: RecordPlace | undefined, names: Names): RecordPlace | undefined {
    const key = idIn(resolveValue(id, this.#scope(here, names)))
    if (key === undefined || this.#draft.get(collection, key) === undefined) return undefined
    return { collection, key }
  }

  #set(place: RecordPlace, values: Readonly<Record<string, Json>>, names: Names): void {
    const scope = this.#scope(place, names)
    let record = this.#draft.get(place.collection, place.key)
    if (record === undefined) return
    for (const [field, expression] of Object.entries(values)) {
      const value = resolveValue(expression, scope, `/${field}/${this.#steps}`)
      if (value !== undefined) record = writeField(record, field.split('.'), value)
    }
    this.#draft.update(place, record)
  }

  #refuse(row: RefusalRow, place: RecordPlace | undefined, names: Names): void {
    const scope = this.#scope(place, names)
    if (!holds(row.when, scope)) return
    if (row.set !== undefined && place !== undefined) this.#set(place, row.set, names)
    const facts = resolveValue(row.facts ?? {}, scope)
    throw this.#refusal(
      row.status ?? 400,
      row.error,
      isJsonObject(facts) ? facts : {},
      row.set !== undefined || row.keep === true,
      scope,
    )
  }

  #meets({ body = {}, when }: MagicRow, place: RecordPlace | undefined, names: Names): boolean {
    const request = isJsonObject(names.request) ? names.request.body : undefined
    return hasFields(request, body) && holds(when, this.#scope(place, names))
  }

  #work(magic: MagicRow, place: RecordPlace | undefined, given: Names): void {
    publish('magic', () => ({ row: magic }))
    const { set, status = 402, error } = magic
    const named = this.#name(magic.let, place, given)
    if (set !== undefined && place !== undefined) this.#set(place, set, named)
    const names = magic.do === undefined ? named : this.run(this.#book.named(magic.do), place, named)
    if (error === undefined) return
    const scope = this.#scope(place, names)
    const facts = resolveValue(magic.facts ?? {}, scope)
    const isKept = set !== undefined || magic.keep === true
    throw this.#refusal(status, error, isJsonObject(facts) ? facts : {}, isKept, scope)
  }

  #refusal(
    status: number,
    error: string | Readonly<Record<string, Json>>,
    facts: JsonObject,
    isKept: boolean,
    scope: EffectScope,
  ): Refusal {
    const changes = isKept ? this.#draft.changes() : []
    if (typeof error === 'string')
      return new Refusal(status, error, String(facts.message ?? error), undefined, { facts, changes })
    const body = { error: resolveValue(error, scope) ?? null }
    const message = isJsonObject(body.error) ? String(body.error.message ?? 'Refused.') : 'Refused.'
    return new Refusal(status, 'refused', message, undefined, { body, changes })
  }

  #scope(place: RecordPlace | undefined, names: Names): EffectScope {
    const record = place === undefined ? undefined : this.#draft.get(place.collection, place.key)
    return {
      draft: this.#draft,
      names: { ...names, record: record ?? names.record, entry: this.#book.facts },
      views: this.#book.views,
      ...this.#context,
    }
  }
}
