const FORM = /(?:^|[\s`'"(])((?:[a-z][\w-]*\/\{[\w.-]+\}\/)*[a-z][\w-]*\/\{[\w.-]+\})/i
const MOST_TEXT = 1_000

/**
 * The parts of the resource name that a text describes: `users`, `{user}`, `views`, `{view}` of
 * "Format: users/{user}/views/{view}". Undefined without one. Source: google.aip.dev/122.
 */
export const resourceNameIn = (text = ''): readonly string[] | undefined =>
  FORM.exec(text.slice(0, MOST_TEXT))?.[1]?.split('/')
