import { render } from 'preact'
import { App } from './app.tsx'
import { pageOf } from './data/address.ts'
import { LocationProvider } from './data/location.tsx'
import { report } from './data/report.ts'
import { askEarly, simulationPath } from './data/service.ts'
import { openSession } from './data/session.ts'
import { FIRST_RECORDS, recordsPath } from './data/use-records.ts'

const root = document.getElementById('app')
if (root !== null) {
  void openSession()
  askForPage(location)
  render(
    <LocationProvider>
      <App />
    </LocationProvider>,
    root,
  )
}

/** Requests the data of the addressed page, in parallel with the session. */
function askForPage({ pathname, search }: Location): void {
  // A visitor with a code is not signed in yet.
  if (report !== undefined || new URLSearchParams(search).has('code')) return
  const place = pageOf(pathname)
  if (place.page !== 'simulation') return
  const { slug, section, ids } = place
  for (const below of ['', '/webhooks', '/clock']) askEarly(simulationPath(slug, below))
  if (section === 'webhooks') void import('./pages/webhooks.tsx')
  if (section !== 'data') return
  void import('./pages/data.tsx')
  const [name] = ids
  if (name === undefined) return
  askEarly(recordsPath(slug, name, `limit=${FIRST_RECORDS}&offset=0`))
  askEarly(simulationPath(slug, `/collections/${encodeURIComponent(name)}`))
}
