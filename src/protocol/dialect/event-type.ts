/** What an event is about: `issues` of `issues.opened`. */
export const subjectOf = (type: string): string => /^[^./]*/.exec(type)?.[0] ?? ''

/** What happened to it: `opened` of `issues.opened`; nothing where the type has one part. */
export const actionOf = (type: string): string => type.slice(subjectOf(type).length + 1)
