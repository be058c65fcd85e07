import type { KeyPlace } from '../../protocol/simulation.ts'
import type { ApiModel, SecurityScheme } from '../openapi/model.ts'
import { findFirstPath } from './core/world-reads.ts'

/** The places of the key for all operations: of each, the place of a bearer token if it has one, else its first. */
export function keyPlacesOf({ operations, securitySchemes }: ApiModel): KeyPlace[] {
  const places = new Map<string, KeyPlace>()
  for (const security of new Set(operations.map((operation) => operation.security))) {
    const alternatives = security.map((names) => names.map((name) => placeOf(securitySchemes.get(name))))
    const chosen = alternatives.find((all) => all.every(isBearer)) ?? alternatives[0] ?? []
    for (const place of chosen) {
      const name = `${place.in} ${place.name.toLowerCase()}`
      if (!places.has(name) || isBearer(place)) places.set(name, place)
    }
  }
  return places.size === 0 ? [BEARER] : [...places.values()]
}

const BEARER: KeyPlace = { in: 'header', name: 'Authorization', scheme: 'Bearer' }
const isBearer = ({ scheme }: KeyPlace): boolean => scheme === 'Bearer'

function placeOf(scheme: SecurityScheme | undefined): KeyPlace {
  if (scheme?.kind === 'basic') return { ...BEARER, scheme: 'Basic' }
  return scheme?.kind === 'apiKey' ? { in: scheme.in, name: scheme.name, scheme: null } : BEARER
}

/** A command line that calls an API with its key. */
export function curlOf(model: ApiModel, url: string, key: string): string {
  const places = keyPlacesOf(model)
  const query = places.flatMap((place) => (place.in === 'query' ? `${place.name}=${key}` : []))
  const options = places.flatMap(({ in: from, name, scheme }) => {
    if (from === 'query') return []
    if (scheme === 'Basic') return `-u '${key}:' `
    return `-H '${from === 'cookie' ? `Cookie: ${name}=` : `${name}: ${scheme === null ? '' : 'Bearer '}`}${key}' `
  })
  const path = findFirstPath(model) ?? '/'
  return `curl ${options.join('')}'${url}${path}${query.length === 0 ? '' : `?${query.join('&')}`}'`
}
