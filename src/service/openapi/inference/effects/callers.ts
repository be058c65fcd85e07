import { findField } from '../../../../names/find-field.ts'
import { foldNoun, singularName } from '../../../../names/nouns.ts'
import { foldName } from '../../../../names/words.ts'
import type { Schema } from '../../../../schema/schema.ts'
import type { Effect } from '../../model.ts'
import {
  countShared,
  fieldsOf,
  isDownload,
  isOpenObject,
  isOpenSchema,
  schemaOfBody,
  schemaOfResponse,
} from '../bodies/bodies.ts'
import { findRecordShape, hasOwnId } from '../bodies/shapes.ts'
import type { CollectionDraft } from '../collections/collection-draft.ts'
import { recordEnvelope } from '../collections/envelopes.ts'
import { isRecordOf } from '../collections/record-match.ts'
import { isTopLevel, keyOfSteps, lastStatic } from '../paths/path-shape.ts'
import type { PathSite, Placed } from '../paths/sites.ts'
import type { Kit } from './path-surroundings.ts'

/** Path words for the caller. */
const OWN =
  /^(me|self|myself|my|current|own|whoami|viewer|profile|account|user|verifycredentials|(current|my|own|authenticated)(user|account|profile|member))$/

/** Those that mean nothing else. */
const ONLY_OWN = /^(me|self|myself|whoami|(current|authenticated)(user|account|profile|member))$/

/** `GET /me`, `PATCH /users/me`, `GET /account` next to `/accounts`: reads or changes the caller's record. */
export function callerEffect(kit: Kit, operation: Placed, site: PathSite): Effect | undefined {
  const collection = callersOf(kit, site)
  if (!collection) return undefined
  const one = (kind: 'read' | 'update' | 'replace' | 'delete') => ownOf(kit, operation, collection, kind)
  switch (operation.draft.method) {
    case 'GET':
    case 'HEAD':
      return one('read')
    case 'PATCH':
    case 'POST':
      return one('update')
    case 'PUT':
      return one('replace')
    case 'DELETE':
      return one('delete')
    default:
      return undefined
  }
}

/** The caller's record in a collection, which needs no key. */
export function ownOf(
  kit: Kit,
  operation: Placed,
  collection: CollectionDraft,
  kind: 'read' | 'update' | 'replace' | 'delete',
): Effect {
  const param = lastStatic(operation.shape.steps)
  return kit.build.one(operation, collection, kind, { key: { param, in: 'caller', field: undefined } })
}

/** `PUT /self/locale { locale }` without a read: a field of the record in `GET /self`. */
export function ownPartEffect(kit: Kit, operation: Placed, site: PathSite): Effect | undefined {
  const { method, requestBody } = operation.draft
  const outer = kit.catalogue.sites.get(keyOfSteps(site.steps.slice(0, -1)))
  const shown = outer?.own.get('GET')
  if (!outer || !shown || site.own.has('GET') || !/^(PUT|PATCH|POST)$/.test(method)) return undefined
  const word = lastStatic(site.steps)
  const record = findRecordShape(schemaOfResponse(shown.draft.success), { nouns: [lastStatic(outer.steps)], keys: [] })
  const isField = (fields: ReadonlyMap<string, unknown>) => findField(fields.keys(), word) !== undefined
  if (!isField(fieldsOf(record.schema)) || !isField(fieldsOf(schemaOfBody(requestBody)))) return undefined
  const collection = callersOf(kit, outer)
  return collection
    ? ownOf(kit, operation, collection, 'update')
    : kit.build.singleton(operation, outer, 'singletonUpdate')
}

/** The collection of the caller's record at a path. */
function callersOf(kit: Kit, site: PathSite): CollectionDraft | undefined {
  const word = lastStatic(site.steps)
  if (!isTopLevel(site.steps)) return undefined
  const shown = site.own.get('GET') ?? site.own.get('PATCH') ?? site.own.get('PUT')
  const answer = shown && schemaOfResponse(shown.draft.success)
  if (!shown || isDownload(shown.draft.success)) return undefined
  // `GET /users/me` of which the answer says nothing.
  const isUntold = answer === undefined || isOpenSchema(answer) || isOpenObject(answer)
  if (isUntold) return ONLY_OWN.test(foldName(word)) ? peopleAround(kit, site) : undefined
  const record = findRecordShape(answer, { nouns: [word, singularName(word)], keys: [] })
  if (record.shape !== 'record') return undefined
  const around = kit.surroundings.around(site.steps.slice(0, -1))
  const outer = around && !around.isRecord ? around.collection : undefined
  const isOwn = OWN.test(foldName(word))
  const people = isOwn ? kit.catalogue.collections.filter(isPeople) : []
  const found = [kit.surroundings.collectionOf(record.schema), outer, ...people].find((collection) => {
    if (!collection?.item?.operations.has('GET')) return false
    const envelope = recordEnvelope(shown.draft, collection)
    return isRecordOf(envelope, collection) || (isOwn && isLike(envelope.schema, collection))
  })
  const isOwnOne = found && singularName(word) === word && foldNoun(word) === foldNoun(found.noun)
  return isOwn || isOwnOne ? found : undefined
}

/** The readable collection above a path for the caller, or the only one of people. */
function peopleAround({ catalogue, surroundings }: Kit, { steps }: PathSite): CollectionDraft | undefined {
  const around = surroundings.around(steps.slice(0, -1))
  const [only, ...more] = around ? [around.collection] : catalogue.collections.filter(isPeople)
  return more.length === 0 && only?.idField && only.item?.operations.has('GET') ? only : undefined
}

/** `POST /register { email, password }` next to `/users`: creates a user who can call. */
export function registration(kit: Kit, operation: Placed): Effect | undefined {
  const { draft, shape } = operation
  if (draft.method !== 'POST' || !REGISTERS.test(foldName(lastStatic(shape.steps)))) return undefined
  const sent = fieldsOf(schemaOfBody(draft.requestBody))
  const isKnown = (collection: CollectionDraft) =>
    kit.catalogue.isReadable(collection) &&
    isPeople(collection) &&
    NAMES_OF_PEOPLE.some((name) => sent.has(name) && fieldsOf(collection.schema).has(name))
  const found = kit.catalogue.collections.find((collection) => collection.idField && isKnown(collection))
  return found && kit.build.create(operation, found)
}

const REGISTERS = /^(register|signup|registration|registrations|createaccount)$/
const NAMES_OF_PEOPLE = ['email', 'username', 'login', 'uid', 'phone', 'name']

/** Whether the records of a collection are possible callers. */
const isPeople = ({ noun, site }: CollectionDraft): boolean =>
  isTopLevel(site.steps) && /^(user|account|member|person|profile)$/.test(foldNoun(noun))

/** Whether the record of `/users/me` has most fields of a user, under any component name. */
function isLike(shown: Schema | undefined, { schema, hints }: CollectionDraft): boolean {
  if (!shown || !schema || !hasOwnId(shown, hints.keys)) return false
  const smaller = Math.min(fieldsOf(shown).size, fieldsOf(schema).size)
  return countShared(shown, schema) >= Math.max(3, smaller * 0.6)
}
