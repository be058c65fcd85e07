/** A string literal, a reference to a component, a bracket, or the end of an array's items. */
const TOKEN = /components\['schemas'\]\[("(?:[^"\\]|\\.)*")\]|"(?:[^"\\]|\\.)*"|\)\[\]|[{}()[\]]/g

/** The components that a type needs at once, and those that it needs for its items. Objects need nothing: TypeScript reads their members later. */
interface Needs {
  readonly direct: ReadonlySet<string>
  readonly items: ReadonlySet<string>
}

/**
 * Components whose types refer to themselves through unions and arrays, as `string | Filter[]` does. TypeScript refuses
 * such a member of an interface, and accepts it as a type of its own.
 *
 * @param types texts of types by the literals of their names
 */
export function circularTypes(types: ReadonlyMap<string, string>): ReadonlySet<string> {
  const needs = new Map([...types].map(([name, type]) => [name, needsOf(type)]))
  const all = ({ direct, items }: Needs) => [...direct, ...items]
  return new Set([...types.keys()].filter((name) => reaches(name, needs, all)))
}

/** The circular components that are nothing but themselves, or a union with themselves: no type says this. */
export function endlessTypes(types: ReadonlyMap<string, string>, circular: ReadonlySet<string>): ReadonlySet<string> {
  const needs = new Map([...circular].map((name) => [name, needsOf(types.get(name) ?? '')]))
  return new Set([...circular].filter((name) => reaches(name, needs, ({ direct }) => [...direct])))
}

/** The text of a type with other names in place of references to some components. */
export const renamed = (type: string, names: ReadonlyMap<string, string>): string =>
  type.replace(TOKEN, (token, name?: string) => (name === undefined ? token : (names.get(name) ?? token)))

function reaches(start: string, needs: ReadonlyMap<string, Needs>, next: (needs: Needs) => string[]): boolean {
  const seen = new Set<string>()
  const open = [start]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const found = needs.get(name)
    for (const other of found === undefined ? [] : next(found)) {
      if (other === start) return true
      if (!seen.has(other)) open.push(other)
      seen.add(other)
    }
  }
  return false
}

function needsOf(type: string): Needs {
  const items = new Set<string>()
  /** Components at the level of each open parenthesis. */
  const levels: string[][] = [[]]
  let objects = 0
  for (const [token, name] of type.matchAll(TOKEN)) {
    if (token === '{') objects++
    else if (token === '}') objects--
    else if (objects > 0) continue
    else if (name !== undefined) levels.at(-1)?.push(name)
    else if (token === '(' || token === '[') levels.push([])
    else if (token === ')') levels.at(-2)?.push(...(levels.pop() ?? []))
    else if (token === ')[]' || token === ']') for (const item of levels.pop() ?? []) items.add(item)
  }
  return { direct: new Set(levels.flat()), items }
}
