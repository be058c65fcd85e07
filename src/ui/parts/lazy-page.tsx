import type { ComponentType, JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { attempt } from '../data/notices.ts'

/** A page with code loaded at first use, so that the first page stays small. @param waiting shown meanwhile */
export function lazyPage<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  waiting: JSX.Element = <main class="page" aria-busy="true" />,
): ComponentType<Props> {
  return function LazyPage(props: Props) {
    const [Page, setPage] = useState<ComponentType<Props> | undefined>(undefined)
    useLayoutEffect(() => {
      void attempt(async () => {
        const page = await read()
        setPage(() => page)
      })
    }, [])
    return Page === undefined ? waiting : <Page {...props} />
  }
}
