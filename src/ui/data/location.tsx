import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf } from './address.ts'
import { report } from './report.ts'

/** Leads elsewhere. `isReplaced`: in place of where the page stands, for a filter that is typed. */
type Route = (url: string, isReplaced?: boolean) => void
type Query = Readonly<Record<string, string>>

// Apart, so that a letter of a filter draws what shows the query again, and not the whole page.
const Path = createContext('/')
const QueryValues = createContext<Query>({})
const Router = createContext<Route>(() => {})

/** A file on disk has no other paths: the addresses of a report stand after the `#`. */
const PREFIX = report === undefined ? '' : '#'

/** How long after the last letter of a filter it is written to the address: browsers take their time for that, and allow it a few times a second. */
const WRITTEN_AFTER_MS = 200

/** Follows links and the history within the page, which is not loaded again. */
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

/** Where the page stands, without slashes at its end. */
export const usePath = (): string => useContext(Path)

/** What the query of the address holds. */
export const useQuery = (): Query => useContext(QueryValues)

export const useRoute = (): Route => useContext(Router)

function readAddress(): string {
  if (report === undefined) return location.pathname + location.search
  return location.hash.slice(1) || addressOf(report.slug)
}

/** The link that a click follows in this tab. */
function findLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
    return undefined
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement)
  return link?.target || link?.hasAttribute('download') ? undefined : link
}
