import type { ApiModel, CollectionModel, SingletonModel } from './model.ts'

/** Kinds of events about the records of a collection: each may come, by a request or by the plan. */
export const recordKinds = ({ singular }: Pick<CollectionModel, 'singular'>) =>
  ({ created: `${singular}.created`, updated: `${singular}.updated`, deleted: `${singular}.deleted` }) as const

/** Kinds of events about a document of which there is one: those that some operation can cause. */
export function documentKinds(
  { operations }: ApiModel,
  { name, singular }: SingletonModel,
): { readonly updated?: string; readonly deleted?: string } {
  const kinds = new Set(
    operations.map(({ effect }) => ('singleton' in effect && effect.singleton === name ? effect.kind : '')),
  )
  return {
    ...((kinds.has('singletonUpdate') || kinds.has('singletonReplace')) && { updated: `${singular}.updated` }),
    ...(kinds.has('singletonDelete') && { deleted: `${singular}.deleted` }),
  }
}

/** Names of the kinds of events that a simulation of this model emits: `<singular>.<created|updated|deleted>`. */
export function eventKinds(model: ApiModel): string[] {
  const ofRecords = model.collections.flatMap((collection) => Object.values(recordKinds(collection)))
  const ofDocuments = model.singletons.flatMap((singleton) => Object.values(documentKinds(model, singleton)))
  return [...new Set([...ofRecords, ...ofDocuments])]
}
