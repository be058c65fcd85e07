import { foldName, wordsOf } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { ActionSetting } from '../../action-setting.ts'
import { settableFields } from '../bodies/settable-fields.ts'
import { FILLERS } from './action-words.ts'

/** Verbs that add the amount of a request to a record, and those that take it away. */
const FILLS = /^(deposit|credit|topup|fund|load|recharge|earn|restock|replenish|add|increase|increment)$/
const DRAINS = /^(withdraw|debit|spend|deduct|consume|burn|remove|decrease|decrement|subtract|redeem)$/
/** What a record has of it, in the singular. */
const HELD = /(balance|fund|credit|point|stock|quantity|inventory)$/
/** Names of the amount in a request. */
const AMOUNTS = /^(amount|value|quantity|qty|sum|points|credits|units)$/

/** `POST /accounts/{id}/deposit { amount }`: the balance grows by the amount; `withdraw`, `remove-stock { quantity }`: less. */
export function amountSettings(verb: string, schema: Schema | undefined, given: readonly string[]): ActionSetting[] {
  const words = wordsOf(verb.replace(/top[_-]?up/i, 'topup'))
  const [first = '', ...rest] = words
  const sign = FILLS.test(first) ? 1 : DRAINS.test(first) ? -1 : 0
  const amount = given.find((name) => AMOUNTS.test(foldName(name)))
  if (sign === 0 || amount === undefined) return []
  const held = settableFields(schema).all.filter(({ isValue, noun }) => isValue && HELD.test(noun))
  const noun = foldName(rest.filter((word) => !FILLERS.has(word)).join('_')).replace(/s$/, '')
  const named = held.filter((field) => noun !== '' && field.noun.endsWith(noun))
  const balances = held.filter((field) => field.noun.endsWith('balance'))
  const found = [named, noun === '' && balances.length > 0 ? balances : held].find(({ length }) => length > 0) ?? []
  // `credit` without a noun, of several that a record has: the one that is called like it, or the plain one.
  const [only] = found.length === 1 ? found : found.filter((field) => HELD.exec(field.noun)?.[0] === field.noun)
  return only ? [{ field: [only.name], to: { amount, sign } }] : []
}
