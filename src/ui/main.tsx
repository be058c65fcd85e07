import { render } from 'preact'
import { LocationProvider } from 'preact-iso/router'
import { App } from './app.tsx'

const root = document.getElementById('app')
if (root !== null) {
  render(
    <LocationProvider scope="/ui">
      <App />
    </LocationProvider>,
    root,
  )
}
