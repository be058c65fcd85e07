import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf } from './address.ts'
import { report } from './report.ts'

/** Navigates. `isReplaced`: replaces the history entry, for a filter while typing. */
type Route = (url: string, isReplaced?: boolean) => void
type Query = Readonly<Record<string, string>>

// Separate contexts, so that a letter of a filter only renders users of the query, not the whole page.
const Path = createContext('/')
const QueryValues = createContext<Query>({})
const Router = createContext<Route>(() => {})

/** A file on disk has no other paths: addresses in a report follow the `#`. */
const PREFIX = report === undefined ? '' : '#'

/** Time from the last letter of a filter to updating the address: browsers do this slowly, and limit its frequency. */
const WRITTEN_AFTER_MS = 200

/** Follows links and the history within the page, without loading it again. */
export function LocationProvider({ children }: { children: ComponentChildren }) {
  const [url, setUrl] = useState(readAddress)
  const unwritten = useRef<{ url: string; timer: ReturnType<typeof setTimeout> } | undefined>(undefined)
  const takeUnwritten = () => {
    clearTimeout(unwritten.current?.timer)
    const last = unwritten.current?.url
    unwritten.current = undefined
    return last
  }
  const route = useMemo((): Route => {
    const write = () => {
      const last = takeUnwritten()
      if (last !== undefined) history.replaceState(null, '', PREFIX + last)
    }
    return (to, isReplaced = false) => {
      if (isReplaced) {
        takeUnwritten()
        unwritten.current = { url: to, timer: setTimeout(write, WRITTEN_AFTER_MS) }
      } else {
        write()
        history.pushState(null, '', PREFIX + to)
      }
      setUrl(to)
    }
  }, [])
  const { path, query } = useMemo(() => {
    const { pathname, searchParams } = new URL(url, 'http://page')
    return { path: pathname.replace(/\/+$/, '') || '/', query: Object.fromEntries(searchParams) }
  }, [url])
  useLayoutEffect(() => {
    const onHistory = () => {
      takeUnwritten()
      setUrl(readAddress())
    }
    const onClick = (event: MouseEvent) => {
      const href = findLink(event)?.getAttribute('href')
      if (!href?.startsWith('/ui/')) return
      event.preventDefault()
      route(href)
    }
    addEventListener('popstate', onHistory)
    addEventListener('click', onClick)
    return () => {
      removeEventListener('popstate', onHistory)
      removeEventListener('click', onClick)
    }
  }, [])
  return (
    <Router.Provider value={route}>
      <Path.Provider value={path}>
        <QueryValues.Provider value={query}>{children}</QueryValues.Provider>
      </Path.Provider>
    </Router.Provider>
  )
}

/** The path without final slashes. */
export const usePath = (): string => useContext(Path)

/** The query of the address. */
export const useQuery = (): Query => useContext(QueryValues)

export const useRoute = (): Route => useContext(Router)

function readAddress(): string {
  if (report === undefined) return location.pathname + location.search
  return location.hash.slice(1) || addressOf(report.slug)
}

/** The link of a click to follow in this tab. */
function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return undefined
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement)
  return link?.target || link?.hasAttribute('download') ? undefined : link
}

/** A query value with its setter: filter and selection are in the address. */
export function useQueryValue(name: string): [value: string, set: (value: string) => void] {
  const [query, path, route] = [useQuery(), usePath(), useRoute()]
  return [query[name] ?? '', (value) => route(path + searchOf({ ...query, [name]: value }), true)]
}

/** `?f=open`: a query without its empty values. */
export function searchOf(query: Query): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))
  return search.size === 0 ? '' : `?${search}`
}
