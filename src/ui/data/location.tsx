import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { addressOf } from './address.ts'
import { report } from './report.ts'

/** Where the page stands, and what leads elsewhere. */
interface PageLocation {
  /** Without slashes at its end. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly route: (url: string, isReplaced?: boolean) => void
}

const Location = createContext<PageLocation | undefined>(undefined)

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
  const value = useMemo((): PageLocation => {
    const { pathname, searchParams } = new URL(url, 'http://page')
    const write = () => {
      const last = takeUnwritten()
      if (last !== undefined) history.replaceState(null, '', PREFIX + last)
    }
    const route = (to: string, isReplaced = false) => {
      if (isReplaced) {
        takeUnwritten()
        unwritten.current = { url: to, timer: setTimeout(write, WRITTEN_AFTER_MS) }
      } else {
        write()
        history.pushState(null, '', PREFIX + to)
      }
      setUrl(to)
    }
    return { path: pathname.replace(/\/+$/, '') || '/', query: Object.fromEntries(searchParams), route }
  }, [url])
  const { route } = value
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
  return <Location.Provider value={value}>{children}</Location.Provider>
}

export function useLocation(): PageLocation {
  const value = useContext(Location)
  if (value === undefined) throw new Error('Expected a LocationProvider around the page.')
  return value
}

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
