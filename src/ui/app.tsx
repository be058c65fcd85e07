import { useEffect } from 'preact/hooks'
import { pageOf } from './data/address.ts'
import { usePath } from './data/location.tsx'
import { notice } from './data/notices.ts'
import { report } from './data/report.ts'
import { session } from './data/session.ts'
import { SignInPage } from './pages/sign-in.tsx'
import { SimulationPage } from './pages/simulation.tsx'
import { SimulationsPage } from './pages/simulations.tsx'
import { Button } from './parts/fields.tsx'
import { Icon } from './parts/icon.tsx'
import { KeySheet } from './parts/key-sheet.tsx'
import { lazyPage } from './parts/lazy-page.tsx'
import { Palette } from './parts/palette.tsx'

const AccountPage = lazyPage(async () => (await import('./pages/seldom-pages.tsx')).AccountPage)
const ReportedSimulation = lazyPage(async () => (await import('./pages/reported-simulation.tsx')).ReportedSimulation)
const NewSimulationPage = lazyPage(async () => (await import('./pages/seldom-pages.tsx')).NewSimulationPage)

/** The whole page: a report, or the addressed page of the signed-in user. */
export function App() {
  const path = usePath()
  useMenus()
  return (
    <>
      {report !== undefined ? (
        <ReportedSimulation report={report} />
      ) : session.value === 'unknown' ? (
        <>
          <header class="top-bar">
            <a class="brand" href="/ui/">
              backlot
            </a>
          </header>
          <main class="waiting" aria-busy="true" />
        </>
      ) : session.value === 'none' ? (
        <SignInPage />
      ) : (
        <Page path={path} />
      )}
      <NoticeBar />
      <KeySheet />
      <Palette />
    </>
  )
}

function Page({ path }: { path: string }) {
  const place = pageOf(path)
  if (place.page === 'simulations') return <SimulationsPage />
  if (place.page === 'new') return <NewSimulationPage />
  if (place.page === 'account') return <AccountPage />
  if (place.page === 'simulation') return <SimulationPage key={place.slug} place={place} />
  return (
    <main class="page">
      <h1>No such page</h1>
      <p>
        The dashboard has nothing at <code>{path}</code>. <a href="/ui/">See all simulations</a>.
      </p>
    </main>
  )
}

/** Closes menus as usual: with Escape, which returns the focus, and with a click elsewhere. */
function useMenus(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const menu = event.key === 'Escape' ? openMenus().at(-1) : undefined
      if (menu === undefined) return
      // Otherwise the page would also close the opened item.
      event.stopPropagation()
      event.preventDefault()
      menu.removeAttribute('open')
      menu.querySelector('summary')?.focus()
    }
    const onPointer = ({ target }: PointerEvent) => {
      for (const menu of openMenus()) if (!menu.contains(target as Node)) menu.removeAttribute('open')
    }
    addEventListener('keydown', onKey, true)
    addEventListener('pointerdown', onPointer)
    return () => {
      removeEventListener('keydown', onKey, true)
      removeEventListener('pointerdown', onPointer)
    }
  }, [])
}

/** Open menus, the innermost last. On a wide page the clock's menu is always open, without a summary. */
function openMenus(): HTMLElement[] {
  const menus = [...document.querySelectorAll<HTMLElement>('details.menu[open]')]
  return menus.filter((menu) => menu.querySelector('summary')?.checkVisibility())
}

/** The last action, or its error. Read out politely, one message at a time. */
function NoticeBar() {
  const shown = notice.value
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown !== undefined && (
        <div class="notice" data-tone={shown.isError ? 'bad' : 'good'}>
          <Icon name={shown.isError ? 'alert' : 'check'} />
          <span>{shown.text}</span>
          {shown.action !== undefined &&
            ('run' in shown.action ? (
              <Button onClick={shown.action.run}>{shown.action.label}</Button>
            ) : (
              <a class="button" href={shown.action.href}>
                {shown.action.label}
              </a>
            ))}
          <button
            type="button"
            class="button button-plain"
            aria-label="Dismiss"
            onClick={() => {
              notice.value = undefined
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
