import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { report } from '../data/report.ts'
import { session, signOut } from '../data/session.ts'
import { AccountUsage } from './account-usage.tsx'
import { Icon } from './icon.tsx'

const THEMES = ['auto', 'light', 'dark']

/** The bar at the top of every page: the current place, and the common controls. */
export function TopBar({ children }: { children?: ComponentChildren }) {
  return (
    <header class="top-bar">
      <a class="brand" href="/ui/">
        backlot
      </a>
      {children}
      <span class="spacer" />
      <button
        type="button"
        class="button button-plain key-button"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => dispatchEvent(new Event('backlot-keys'))}
      >
        <kbd>?</kbd>
      </button>
      <ThemeButton />
      {report === undefined && children === undefined && <AccountUsage />}
      {report === undefined && <AccountMenu />}
    </header>
  )
}

function AccountMenu() {
  return (
    <details class="menu menu-end">
      <summary class="button button-plain" aria-label="Account">
        <Icon name="more" />
      </summary>
      <div class="menu-list">
        {typeof session.value === 'object' && (
          <p class="menu-note">
            Account <b>{session.value.account}</b>
            {!session.value.canWrite && ', reading only'}
          </p>
        )}
        <a class="menu-item" href="/ui/">
          All simulations
        </a>
        <a class="menu-item" href="/ui/new">
          New simulation
        </a>
        <a class="menu-item" href="/ui/account">
          Account
        </a>
        <button type="button" class="menu-item" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </details>
  )
}

/** Cycles through auto, light and dark. */
function ThemeButton() {
  const [theme, setTheme] = useState(() => localStorage.getItem('backlot-theme') ?? 'auto')
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
  const change = () => {
    if (next === 'auto') {
      localStorage.removeItem('backlot-theme')
      delete document.documentElement.dataset.theme
    } else {
      localStorage.setItem('backlot-theme', next)
      document.documentElement.dataset.theme = next
    }
    setTheme(next)
  }
  return (
    <button
      type="button"
      class="button button-plain"
      onClick={change}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
    >
      <Icon name="theme" />
    </button>
  )
}
