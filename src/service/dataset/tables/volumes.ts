import type { ApiModel, CollectionModel } from '../../openapi/model.ts'

/** Default number of a collection's records. */
const USUAL = 25
/** By name: few records for containers, many for frequent events. */
const BY_NAME: readonly (readonly [RegExp, number])[] = [
  [
    /(?:^|_)(?:workspaces?|organi[sz]ations?|tenants?|accounts?|companies|company|sites|stores|shops|environments|plans|roles|currencies|locales|languages|statuses|spaces|realms|institutions|api_keys|webhooks|webhook_endpoints|warehouses|zones|regions)$/,
    8,
  ],
  [/(?:^|_)(?:countries)$/, 24],
  [
    /(?:^|_)(?:comments|events|messages|logs|activities|notes|transactions|line_items|items|entries|deliveries|attempts|reactions|visits|measurements|metrics|charges|payments|records|replies|posts)$/,
    60,
  ],
]

/** The initial number of records of each collection. */
export function defaultVolumes(model: ApiModel): ReadonlyMap<string, number> {
  const parents = new Set(model.collections.map(({ parent }) => parent?.collection))
  return new Map(
    model.collections.map((collection) => [
      collection.name,
      collection.isApart ? 0 : Math.min(volumeOf(collection, parents.has(collection.name)), mostOf(collection)),
    ]),
  )
}

/** Half of the enum where clients choose keys from one: the others stay free. */
function mostOf({ id }: CollectionModel): number {
  const words = id.clientChosen ? id.schema?.enum : undefined
  return words === undefined ? Number.POSITIVE_INFINITY : Math.ceil(words.length / 2)
}

function volumeOf({ name, parent }: CollectionModel, hasChildren: boolean): number {
  const named = BY_NAME.find(([pattern]) => pattern.test(name))?.[1]
  if (named !== undefined) return named
  if (hasChildren && !parent) return 12
  return parent && !hasChildren ? 40 : USUAL
}

/** The level of each collection: 0 without references to it. Records of higher levels are older. */
export function levelsOf(model: ApiModel): ReadonlyMap<string, number> {
  const references = model.collections.flatMap(({ name, parent, relations }) =>
    [...(parent ? [parent] : []), ...relations].map(({ collection }) => ({ name, target: collection })),
  )
  const referring = Map.groupBy(references, ({ target }) => target)
  const levels = new Map<string, number>()
  const levelOf = (name: string, above: ReadonlySet<string>, most: number): number => {
    const known = levels.get(name)
    if (known !== undefined) return known
    if (most === 0 || above.has(name)) return 0
    const below = new Set([...above, name])
    let level = 0
    const children = (referring.get(name) ?? []).filter((child) => child.name !== name)
    for (const child of children.slice(0, MOST_CHILDREN)) {
      level = Math.max(level, Math.min(most, 1 + levelOf(child.name, below, most - 1)))
      // A known maximum ends the search: otherwise all descendants would be searched.
      if (level === most) break
    }
    return level
  }
  for (const { name } of model.collections) levels.set(name, levelOf(name, new Set(), HIGHEST))
  return levels
}

const HIGHEST = 3
/** Most referring collections that are checked. */
const MOST_CHILDREN = 12
