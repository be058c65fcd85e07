import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cloneDescriptions } from '../../bench/rules/descriptions.ts'
import { computeLedger } from '../../bench/rules/ledger.ts'
import { INFERENCE_RULES } from '../../src/service/openapi/inference/infer-model.ts'
import { RULES } from '../../src/service/openapi/inference/rules/rules.ts'

/** Vendors of each rule over the descriptions that a clone does not have, by `npm run rules -- --write`. */
const kept: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../../bench/rules/ledger.json', import.meta.url), 'utf8'),
)
/** Vendors of public descriptions that are neither here nor beside a clone, by rule. */
const elsewhere: Record<string, string[]> = {
  // litestar-org/litestar-fullstack, src/js/web/src/lib/generated/openapi.json
  'document-action': ['litestar-fullstack'],
  // emirace/Repeddle_backend, src/swaggerDocs/notification.ts: `PUT /notifications/{id}/mark-read`
  'set-named-flag': ['repeddle'],
  // `DELETE /comments/{commentId}` beside `POST` below contents or posts
  'view-by-name': ['pick4me', 'investment-forum', 'isntgram'],
}
/** What a security scheme declares is no guess. */
const declared = RULES.filter(({ confidence }) => confidence === 'declared').map(({ name }) => name)
/** The rules that need vendors of this clone. */
const rare = Object.keys(kept).filter((rule) => (kept[rule]?.length ?? 0) < 3 && !declared.includes(rule))

it('has a row in the ledger for each rule, and names each rule once', () => {
  const names = INFERENCE_RULES.map(({ name }) => name)

  expect(Object.keys(kept).sort()).toEqual(names.toSorted())
  expect(new Set(names).size).toBe(names.length)
})

it('has no rule that decides fewer than three vendors', async () => {
  const rows = computeLedger(await cloneDescriptions(), rare)

  const all = rows.map(({ rule, vendors }) => ({
    rule,
    vendors: [...new Set([...vendors, ...(kept[rule] ?? []), ...(elsewhere[rule] ?? [])])],
  }))
  expect(all.filter(({ vendors }) => vendors.length < 3)).toEqual([])
})
