import { usePath, useQuery, useRoute } from './location.tsx'

/** A query value with its setter: filter and selection are in the address. */
export function useQueryValue(name: string): [value: string, set: (value: string) => void] {
  const [query, path, route] = [useQuery(), usePath(), useRoute()]
  const set = (value: string) => {
    const search = new URLSearchParams(query)
    if (value === '') search.delete(name)
    else search.set(name, value)
    const text = search.toString()
    route(text === '' ? path : `${path}?${text}`, true)
  }
  return [query[name] ?? '', set]
}
