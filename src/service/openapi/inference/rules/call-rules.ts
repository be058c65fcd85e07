import type { Effect } from '../../model.ts'
import { findList } from '../bodies/shapes.ts'
import { create } from './collection-rules.ts'
import type { Case, Rule, Survey } from './rule.ts'

/** Rules for paths that contain the verb: `/users.list`, `/transactions/get`. */
export const callRules: readonly Rule[] = [
  {
    name: 'call',
    example: 'GET /users.list, POST /users.update { id }',
    confidence: 'certain',
    find: callEffect,
  },
  {
    name: 'call-that-acts',
    example: 'POST /channels.archive { channel }',
    confidence: 'likely',
    find: ({ call, ...operation }, { build }) =>
      call?.collection && call.call.kind !== 'read'
        ? build.action(operation, call.collection, call.collection.site.steps, call.call.word)
        : undefined,
  },
]

function callEffect(operation: Case, survey: Survey): Effect | undefined {
  const { call, collection } = operation.call ?? {}
  const { addressing, build } = survey
  if (!call || !collection) return undefined
  switch (call.kind) {
    case 'list':
    case 'search':
      return build.list(operation, collection, call.kind)
    case 'create':
      return create(operation, survey, collection)
    case 'action':
      return undefined
    default: {
      const key = addressing.keyInRequest(operation, collection) ?? addressing.onlyIdInRequest(operation)
      if (key) return build.one(operation, collection, call.kind, { key })
      const isList = call.kind === 'read' && findList(operation.answer, collection.noun) !== undefined
      return isList ? build.list(operation, collection, 'list') : undefined
    }
  }
}
