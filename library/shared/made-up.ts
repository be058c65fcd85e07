/**
 * Whether the name of a model says that there is none: `gpt-5-nonexistent`, `claude-99`. Names change monthly, so that
 * every other one of a family is accepted.
 */
export const isMadeUp = (name: string): boolean => MADE_UP.test(name)

const MADE_UP = /^(?!ft:).*(?:exist|-99|[-_](?:bogus|fake|foo|invalid|missing|none|unknown|wrong)(?![^-_]))/i
