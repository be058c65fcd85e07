/**
 * Whether the name of a model says that there is none: `gpt-5-nonexistent`, `claude-99`. Names change monthly, so that
 * every other one of a family is accepted.
 */
export const isMadeUp = (name: string): boolean => MADE_UP.test(name)

const MADE_UP =
  /^(?!ft:)(?:[a-z]+(?:-[a-z]+)?-[1-9]\d(?!\d)|.*(?:exist|[-_](?:bad|bogus|fake|foo|imaginary|invalid|made|missing|no|non|none|nope|not|typo|unknown|unreal|wrong)(?![^-_])))/i
