/** The limit's value for a plan without a limit (specification, Usage). */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Whether a plan has the limit. */
export const isLimited = (limit: number): boolean => limit < NO_LIMIT

/** `4,210 of 10,000`; only the number without a limit. */
export function limitText(used: number, limit: number, between = 'of'): string {
  const text = used.toLocaleString('en')
  return isLimited(limit) ? `${text} ${between} ${limit.toLocaleString('en')}` : text
}
