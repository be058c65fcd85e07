import type { EffectRow, EffectStep, RefusalRow, Source, When } from '../../../protocol/entry-rows.ts'
import { isJsonObject, type Json, writeField } from '../../../protocol/json.ts'
import { type EffectScope, findNewest, holds, idIn, resolveValue } from '../expressions/evaluate.ts'
import type { EntryEffects } from '../facts/entry-effects.ts'
import type { Draft, RecordPlace } from '../records/draft.ts'
import { Refusal } from '../refusal.ts'

type Names = Readonly<Record<string, Json | undefined>>

type RunContext = Pick<EffectScope, 'at' | 'seed'>

/** One command's run of an entry's effects: their changes are in the draft. */
export class EffectRun {
  readonly #book: EntryEffects
  readonly #draft: Draft
  readonly #context: RunContext

  constructor(book: EntryEffects, draft: Draft, context: RunContext) {
    this.#book = book
    this.#draft = draft
    this.#context = context
  }

  /** Runs an effect on a record. Returns the names for its answer. Throws a `Refusal`. */
  run(row: EffectRow, place: RecordPlace | undefined, given: Names): Names {
    let names = given
    for (const [name, source] of Object.entries(row.let ?? {}))
      names = { ...names, [name]: this.#fetch(source, this.#scope(place, names)) }
    for (const refusal of [row.refuse ?? []].flat()) this.#refuse(refusal, place, names)
    if (row.set !== undefined && place !== undefined) this.#set(place, row.set, names)
    for (const [at, step] of (row.also ?? []).entries()) names = this.#step(step, place, { names, at })
    return names
  }

  /** The current value of an expression. */
  evaluate(expression: Json, place: RecordPlace | undefined, names: Names): Json | undefined {
    return resolveValue(expression, this.#scope(place, names))
  }

  /** Whether conditions hold. */
  meets(when: When | undefined, place: RecordPlace | undefined, names: Names): boolean {
    return holds(when, this.#scope(place, names))
  }

  /** @param at the step's number in its row. Returns the names for later steps. */
  #step(step: EffectStep, here: RecordPlace | undefined, { names, at }: { names: Names; at: number }): Names {
    const scope = this.#scope(here, names)
    if (!holds(step.when, scope)) return names
    const place = step.record === undefined ? here : this.#find(step.record, scope)
    if (step.set !== undefined && place !== undefined) this.#set(place, step.set, names, at)
    const gone = step.delete && this.#find(step.delete, scope)
    if (gone !== undefined) this.#draft.delete(gone)
    if (step.create === undefined) return names
    const values = resolveValue(step.values ?? {}, scope, `/${at}`)
    const { record } = this.#draft.create(step.create, isJsonObject(values) ? values : {})
    return step.as === undefined ? names : { ...names, [step.as]: record }
  }

  #fetch(source: Source, scope: EffectScope): Json | undefined {
    if ('where' in source) return findNewest(source.of, source.where, scope)
    const place = this.#find(source, scope)
    return place && this.#draft.get(place.collection, place.key)
  }

  #find({ of: collection, id }: { of: string; id: Json }, scope: EffectScope): RecordPlace | undefined {
    const key = idIn(resolveValue(id, scope))
    return key === undefined || this.#draft.get(collection, key) === undefined ? undefined : { collection, key }
  }

  /** @param at the step's number in its row; none for the row itself */
  #set(place: RecordPlace, values: Readonly<Record<string, Json>>, names: Names, at: number | '' = ''): void {
    const scope = this.#scope(place, names)
    let record = this.#draft.get(place.collection, place.key)
    if (record === undefined) return
    for (const [field, expression] of Object.entries(values)) {
      const value = resolveValue(expression, scope, `/${field}/${at}`)
      if (value !== undefined) record = writeField(record, field.split('.'), value)
    }
    this.#draft.update(place, record)
  }

  /** Ends with an error where the row's conditions hold. */
  #refuse(row: RefusalRow, place: RecordPlace | undefined, names: Names): void {
    if (!holds(row.when, this.#scope(place, names))) return
    if (row.set !== undefined && place !== undefined) this.#set(place, row.set, names)
    const { status = 400, error } = row
    const scope = this.#scope(place, names)
    const changes = row.set === undefined ? [] : this.#draft.changes()
    if (typeof error === 'string') {
      const given = resolveValue(row.facts ?? {}, scope)
      const facts = isJsonObject(given) ? given : {}
      throw new Refusal(status, error, String(facts.message ?? error), undefined, { facts, changes })
    }
    const body = { error: resolveValue(error, scope) ?? null }
    const message = isJsonObject(body.error) ? String(body.error.message ?? 'Refused.') : 'Refused.'
    throw new Refusal(status, 'refused', message, undefined, { body, changes })
  }

  #scope(place: RecordPlace | undefined, names: Names): EffectScope {
    const record = place === undefined ? undefined : this.#draft.get(place.collection, place.key)
    return {
      draft: this.#draft,
      names: { ...names, record: record ?? names.record, entry: this.#book.facts },
      ...this.#context,
    }
  }
}
