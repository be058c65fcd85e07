import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { addressOf } from '../data/address.ts'
import { report } from '../data/report.ts'

/** Where the page stands, as `preact-iso` tells it. */
interface HashLocation {
  readonly url: string
  readonly path: string
  readonly query: Record<string, string>
  readonly route: (url: string, replace?: boolean) => void
}

const Location = createContext<HashLocation | undefined>(undefined)

/** Takes the place of the router in a report: a file on disk has no other paths, so that addresses stand after the `#`. */
export function LocationProvider({ children }: { children: ComponentChildren }) {
  const [url, setUrl] = useState(addressOfHash)
  useEffect(() => {
    const onHash = () => setUrl(addressOfHash())
    const onClick = (event: MouseEvent) => {
      const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement)
      const href = link?.getAttribute('href')
      if (!href?.startsWith('/ui/') || event.button !== 0) return
      event.preventDefault()
      location.hash = href
    }
    addEventListener('hashchange', onHash)
    addEventListener('click', onClick)
    return () => {
      removeEventListener('hashchange', onHash)
      removeEventListener('click', onClick)
    }
  }, [])
  const value = useMemo(() => {
    const { pathname, searchParams } = new URL(url, 'http://report')
    const route = (to: string, replace = false) => {
      if (replace) location.replace(`#${to}`)
      else location.hash = to
    }
    return { url, path: pathname, query: Object.fromEntries(searchParams), route }
  }, [url])
  return <Location.Provider value={value}>{children}</Location.Provider>
}

export function useLocation(): HashLocation {
  const value = useContext(Location)
  if (value === undefined) throw new Error('Expected a LocationProvider around the page.')
  return value
}

function addressOfHash(): string {
  const hash = location.hash.slice(1)
  return hash === '' ? addressOf(report?.slug ?? '') : hash
}
