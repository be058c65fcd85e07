import '../theme.ts'
import { render } from 'preact'
import { LocationProvider, useLocation } from 'preact-iso/router'
import { pageOf } from '../data/address.ts'
import { report } from '../data/report.ts'
import { session } from '../data/session.ts'
import { SimulationPage } from '../pages/simulation.tsx'
import { KeySheet } from '../parts/key-sheet.tsx'
import { NoticeBar } from '../parts/notice-bar.tsx'
import { Palette } from '../parts/palette.tsx'

/** A simulation as it was when a test failed, and why the test failed. */
function ReportedSimulation() {
  const { path } = useLocation()
  const place = pageOf(path)
  if (report === undefined) return null
  const home = { page: 'simulation', slug: report.slug, section: 'timeline', ids: [] } as const
  return (
    <>
      <details class="failure" open>
        <summary>
          <b>{report.title}</b>
        </summary>
        {report.message !== '' && <pre>{report.message}</pre>}
        <pre class="faint">{report.summary}</pre>
      </details>
      <SimulationPage place={place.page === 'simulation' ? place : home} />
      <NoticeBar />
      <KeySheet />
      <Palette />
    </>
  )
}

const root = document.getElementById('app')
if (root !== null) {
  session.value = { account: 'report', canWrite: false }
  render(
    <LocationProvider>
      <ReportedSimulation />
    </LocationProvider>,
    root,
  )
}
