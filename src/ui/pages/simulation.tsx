import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { OperationSummary } from '../../protocol/inspection.ts'
import type { TestHold } from '../../protocol/test-hold.ts'
import { addressOf, type Place, SECTIONS, type Section } from '../data/address.ts'
import { countText } from '../data/count-text.ts'
import { type Goal, useGoals } from '../data/goals.ts'
import { LiveSimulation } from '../data/live.ts'
import { useRoute } from '../data/location.tsx'
import { attempt } from '../data/notices.ts'
import { report } from '../data/report.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { AccountUsage } from '../parts/account-usage.tsx'
import { ClockBar } from '../parts/clock-bar.tsx'
import { Button } from '../parts/fields.tsx'
import { Icon } from '../parts/icon.tsx'
import { useKeys } from '../parts/key-sheet.tsx'
import { lazyPage } from '../parts/lazy-page.tsx'
import { TopBar } from '../parts/top-bar.tsx'
import { RequestsPage } from './requests.tsx'
import { SimulationMenu } from './simulation-menu.tsx'
import { TimelinePage } from './timeline.tsx'

const AccessPage = lazyPage(async () => (await import('./seldom-pages.tsx')).AccessPage)
const DataPage = lazyPage(async () => (await import('./data.tsx')).DataPage)
const OperationsPage = lazyPage(async () => (await import('./seldom-pages.tsx')).OperationsPage)
const PlanPage = lazyPage(async () => (await import('./seldom-pages.tsx')).PlanPage)
const RulesPage = lazyPage(async () => (await import('./seldom-pages.tsx')).RulesPage)
const WebhooksPage = lazyPage(async () => (await import('./webhooks.tsx')).WebhooksPage)

const NAMES: Readonly<Record<Section, string>> = {
  timeline: 'Timeline',
  data: 'Data',
  requests: 'Requests',
  operations: 'Operations',
  webhooks: 'Webhooks',
  plan: 'Plan',
  rules: 'Rules',
  access: 'Access',
}

/** The frame of one simulation, with its clock and its pages. */
export function SimulationPage({ place }: { place: Extract<Place, { page: 'simulation' }> }) {
  const { slug, section } = place
  const live = useMemo(() => new LiveSimulation(slug), [slug])
  useLayoutEffect(() => live.open(), [live])
  usePageKeys(slug)
  useGoals(
    useMemo(
      () => ({ known: () => goalsOf(live), asked: report === undefined ? () => operationGoals(slug) : undefined }),
      [live, slug],
    ),
  )
  const name = live.detail.value?.name ?? slug
  useEffect(() => {
    document.title = `${name} · ${NAMES[section]} · backlot`
  }, [name, section])

  const { value: error } = live.error
  const isGone = error?.status === 404
  if (error !== undefined && (isGone || live.detail.value === undefined)) {
    return (
      <>
        <TopBar />
        <main class="page">
          <h1>{isGone ? 'No such simulation' : 'Failed to open the simulation'}</h1>
          <p class="error" role="alert">
            {error.message} {isGone && live.detail.value !== undefined && 'It was deleted meanwhile.'}
          </p>
          <p>
            <a href="/ui/">See all simulations</a>
          </p>
        </main>
      </>
    )
  }
  return (
    <>
      <TopBar>
        {report === undefined ? <SimulationMenu live={live} /> : <b class="simulation-name">{name}</b>}
        <ClockBar live={live} />
      </TopBar>
      <Tabs live={live} section={section} />
      <HoldBar live={live} />
      <Lost live={live} />
      {section === 'timeline' && <TimelinePage live={live} />}
      {section === 'data' && <DataPage live={live} name={place.ids[0]} id={place.ids[1]} />}
      {section === 'requests' && <RequestsPage live={live} id={place.ids[0]} />}
      {section === 'operations' && <OperationsPage live={live} id={place.ids[0]} />}
      {section === 'webhooks' && <WebhooksPage live={live} webhookId={place.ids[0]} deliveryId={place.ids[1]} />}
      {section === 'plan' && <PlanPage live={live} />}
      {section === 'rules' && <RulesPage live={live} />}
      {section === 'access' && <AccessPage live={live} />}
    </>
  )
}

/** Destinations within a simulation: its pages, collections, endpoints, and latest activity. */
function goalsOf(live: LiveSimulation): Goal[] {
  const { slug } = live
  const collections = live.detail.value?.collections ?? []
  const seen = new Map<string, Goal>()
  for (const row of live.rows.slice(-2_000).toReversed()) {
    if (row.kind === 'request') {
      const { id, method, path, status } = row.entry
      seen.set(id, {
        name: `${method} ${path} ${status ?? ''} ${id}`,
        kind: 'request',
        href: addressOf(slug, 'requests', id),
      })
    } else if (row.kind === 'change') {
      const { collection, id } = row.event.data
      const name = `${collection} ${id}`
      if (!seen.has(name)) seen.set(name, { name, kind: 'record', href: addressOf(slug, 'data', collection, id) })
    }
  }
  return [
    ...SECTIONS.filter((name) => report === undefined || !UNREPORTED.includes(name)).map(
      (name): Goal => ({ name: NAMES[name], kind: 'page', href: addressOf(slug, name) }),
    ),
    ...collections.map(({ name }): Goal => ({ name, kind: 'collection', href: addressOf(slug, 'data', name) })),
    ...live.webhooks.value.map(
      ({ id, url }): Goal => ({ name: url, kind: 'webhook', href: addressOf(slug, 'webhooks', id) }),
    ),
    ...seen.values(),
  ]
}

async function operationGoals(slug: string): Promise<Goal[]> {
  const { data } = await call<{ data: OperationSummary[] }>('GET', simulationPath(slug, '/operations'))
  return data.map(({ id, method, path }) => {
    const name = `${method} ${path}`
    return { name: id === name ? name : `${name} ${id}`, kind: 'operation', href: addressOf(slug, 'operations', id) }
  })
}

/** Pages that a report lacks: keys must not be shared, and nothing can be tried. */
const UNREPORTED: readonly Section[] = ['operations', 'access']

function Tabs({ live, section }: { live: LiveSimulation; section: Section }) {
  const off = live.webhooks.value.filter(({ state }) => state === 'off').length
  const failing = live.webhooks.value.filter(({ state, failures }) => state !== 'off' && failures > 0).length
  const rules = live.detail.value?.rules.length ?? 0
  const warnings = live.detail.value?.api.warnings ?? []
  const tabs = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const current = tabs.current?.querySelector('[aria-current]')
    // A narrow page shows only some of the tabs.
    if (current instanceof HTMLElement) tabs.current?.scrollTo({ left: current.offsetLeft - current.offsetWidth })
  }, [section])
  return (
    <nav class="tabs" aria-label="Pages">
      <div class="tab-links" ref={tabs}>
        {SECTIONS.filter((name) => report === undefined || !UNREPORTED.includes(name)).map((name) => (
          <a key={name} href={addressOf(live.slug, name)} aria-current={name === section ? 'page' : undefined}>
            {NAMES[name]}
            {name === 'rules' && rules > 0 && <span class="count">{rules}</span>}
            {name === 'webhooks' && off > 0 && <span class="badge">{off} off</span>}
            {name === 'webhooks' && failing > 0 && <span class="badge">{failing} failing</span>}
          </a>
        ))}
      </div>
      <span class="spacer" />
      {warnings.length > 0 && (
        <details class="menu menu-end">
          <summary class="button button-plain tone-warn">
            <Icon name="alert" />
            {countText(warnings.length, 'warning')}
          </summary>
          <ul class="menu-list menu-texts">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
      {report === undefined && (
        <>
          <span class="live-state" data-state={live.connection.value} role="status">
            {live.connection.value}
          </span>
          {live.detail.value !== undefined && <AccountUsage revision={section} />}
        </>
      )}
    </nav>
  )
}

/** The content stays while the service is unreachable. */
function Lost({ live }: { live: LiveSimulation }) {
  if (live.connection.value !== 'lost') return null
  return (
    <p class="strip" role="status">
      <Icon name="alert" />
      Lost {location.host}, trying again. What you see may be old.
    </p>
  )
}

const PLACES: Readonly<Record<string, Section | 'list'>> = {
  t: 'timeline',
  d: 'data',
  r: 'requests',
  o: 'operations',
  w: 'webhooks',
  p: 'plan',
  u: 'rules',
  a: 'access',
  l: 'list',
}

/** Keyboard shortcuts between pages. None acts inside a field. */
function usePageKeys(slug: string): void {
  const route = useRoute()
  const isGoing = useRef(false)
  useKeys(({ key }) => {
    const target = isGoing.current ? PLACES[key] : undefined
    isGoing.current = key === 'g'
    if (target !== undefined) route(target === 'list' ? '/ui/' : addressOf(slug, target))
    else if (key === 'f') document.querySelector<HTMLElement>('[data-fast-forward]')?.focus()
    else if (key === 'c') document.querySelector<HTMLElement>('.detail [data-copy]')?.click()
    else if (key === 'Escape') document.querySelector<HTMLElement>('[data-close]')?.click()
  })
}

/** Shows that a test is held, and continues it. */
function HoldBar({ live }: { live: LiveSimulation }) {
  const path = simulationPath(live.slug, '/hold')
  // The first read of settings is skipped, since it has no newer information.
  const { answer: hold, set } = useAnswer<TestHold>(path, Math.max(1, live.revision.value))
  if (hold?.held !== true) return null
  const release = () =>
    attempt(async () => {
      await call('DELETE', path)
      set({ held: false, test: null })
    })
  return (
    <div class="strip hold-bar" role="status">
      <span>
        <b>{hold.test}</b> is held while you look.
      </span>
      {mayWrite() && (
        <Button kind="main" onClick={() => void release()}>
          <Icon name="play" />
          Continue the test
        </Button>
      )}
    </div>
  )
}
