import type { ReportPage } from '../../protocol/report-page.ts'
import { pageOf } from '../data/address.ts'
import { usePath } from '../data/location.tsx'
import { SimulationPage } from './simulation.tsx'

/** A simulation at the time of a test's failure, with the error of the test. */
export function ReportedSimulation({ report }: { report: ReportPage }) {
  const path = usePath()
  const place = pageOf(path)
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
    </>
  )
}
