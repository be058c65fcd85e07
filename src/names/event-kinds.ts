/** A collection or a single document, with its name in events. */
interface Named {
  readonly name: string
  readonly singular: string
  /** Whether no webhook tells of it. */
  readonly isApart?: string
}

/** The parts of an API model that decide which events a simulation emits. */
interface EventSources {
  readonly collections: readonly Named[]
  readonly singletons: readonly Named[]
  readonly operations: readonly { readonly effect: { readonly kind: string; readonly singleton?: string } }[]
}

/** Kinds of events about the records of a collection, whether a request or the plan causes them. */
export const recordKinds = ({ singular }: Pick<Named, 'singular'>) =>
  ({ created: `${singular}.created`, updated: `${singular}.updated`, deleted: `${singular}.deleted` }) as const

/** The kinds of changes that a record can have. */
export const CHANGES = ['created', 'updated', 'deleted'] as const

/** Kinds of events about a single document. */
interface DocumentKinds {
  readonly updated?: string
  readonly deleted?: string
}

/** Returns a function for the kinds of events about a single document: those that its operations cause. */
export function documentKinds({ operations }: Pick<EventSources, 'operations'>): (document: Named) => DocumentKinds {
  const effects = new Map<string, Set<string>>()
  for (const { effect } of operations) {
    if (effect.singleton === undefined) continue
    effects.set(effect.singleton, (effects.get(effect.singleton) ?? new Set()).add(effect.kind))
  }
  return ({ name, singular }) => {
    const kinds = effects.get(name)
    return {
      ...((kinds?.has('singletonUpdate') || kinds?.has('singletonReplace')) && { updated: `${singular}.updated` }),
      ...(kinds?.has('singletonDelete') && { deleted: `${singular}.deleted` }),
    }
  }
}

/** Names of the kinds of events that a simulation emits: `<singular>.<created|updated|deleted>`. */
export function eventKinds(model: EventSources): string[] {
  const kindsOf = documentKinds(model)
  const shown = model.collections.filter(({ isApart }) => !isApart)
  const ofRecords = shown.flatMap((collection) => Object.values(recordKinds(collection)))
  const ofDocuments = model.singletons.flatMap((document) => Object.values(kindsOf(document)))
  return [...new Set([...ofRecords, ...ofDocuments])]
}
