import { render } from 'preact'
import { App } from './app.tsx'
import { LocationProvider } from './data/location.tsx'
import { openSession } from './data/session.ts'
import { askForPage } from './early.ts'

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
