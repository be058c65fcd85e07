/** The subject of an event type: `issues` of `issues.opened`. */
export const subjectOf = (type: string): string => /^[^./]*/.exec(type)?.[0] ?? ''

/** The action of an event type: `opened` of `issues.opened`; empty where the type has one part. */
export const actionOf = (type: string): string => type.slice(subjectOf(type).length + 1)
