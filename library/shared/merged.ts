type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An answer with the merge patch (RFC 7396) of a script: for what no neutral field says. */
export function merged<T extends Fields>(answer: T, patch: unknown): T {
  if (!isFields(patch)) return answer
  const fields: Record<string, unknown> = { ...answer }
  for (const [name, value] of Object.entries(patch)) {
    const before = fields[name]
    if (value === null) delete fields[name]
    else fields[name] = isFields(value) ? merged(isFields(before) ? before : {}, value) : value
  }
  return fields as T
}
