import { render } from 'preact'
import { LocationProvider } from 'preact-iso/router'
import { App } from './app.tsx'
import { askForPage } from './data/early.ts'
import { openSession } from './data/session.ts'

const root = document.getElementById('app')
if (root !== null) {
  void openSession()
  askForPage(location)
  render(
    <LocationProvider scope="/ui">
      <App />
    </LocationProvider>,
    root,
  )
}
