import { pageOf } from './data/address.ts'
import { usePath } from './data/location.tsx'
import { report } from './data/report.ts'
import { session } from './data/session.ts'
import { SignInPage } from './pages/sign-in.tsx'
import { SimulationPage } from './pages/simulation.tsx'
import { SimulationsPage } from './pages/simulations.tsx'
import { KeySheet } from './parts/key-sheet.tsx'
import { lazyPage } from './parts/lazy-page.tsx'
import { useMenus } from './parts/menus.ts'
import { NoticeBar } from './parts/notice-bar.tsx'
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
