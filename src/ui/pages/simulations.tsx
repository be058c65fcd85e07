import { useEffect, useMemo } from 'preact/hooks'
import { addressOf } from '../data/address.ts'
import { filterWordsOf, MOST_WORD_ROWS } from '../data/complete-filter.ts'
import { OBJECTS, parseFilterLine } from '../data/filter-line.ts'
import { type Goal, useGoals } from '../data/goals.ts'
import { useQueryValue } from '../data/location.tsx'
import { mayWrite } from '../data/session.ts'
import { NEWEST_FIRST, orderOf, useSimulations } from '../data/use-simulations.ts'
import { FilterBox } from '../parts/filter-box.tsx'
import { NoMatch } from '../parts/no-match.tsx'
import { TopBar } from '../parts/top-bar.tsx'
import { SimulationGroups } from './simulation-groups.tsx'

/** All simulations of the account. */
export function SimulationsPage() {
  const [simulations, error, reload] = useSimulations()
  const [filter, setFilter] = useQueryValue('f')
  useEffect(() => {
    document.title = 'Simulations · backlot'
  }, [])
  useGoals(
    useMemo(() => {
      const goals = (simulations ?? []).map(
        ({ slug, name }): Goal => ({ name, kind: 'simulation', href: addressOf(slug) }),
      )
      return { known: () => goals }
    }, [simulations]),
  )
  const [sort, setSort] = useQueryValue('sort')
  const shown = useMemo(() => {
    const found = (simulations ?? []).filter(parseFilterLine(filter, OBJECTS))
    return found.toSorted(orderOf(sort || NEWEST_FIRST))
  }, [simulations, filter, sort])
  return (
    <>
      <TopBar />
      <main class="page">
        <div class="page-head">
          <h1>Simulations</h1>
          {mayWrite() && (
            <a class="button button-main" href="/ui/new">
              New simulation
            </a>
          )}
          <FilterBox
            value={filter}
            onChange={setFilter}
            example="status:paused name"
            shown={simulations === undefined ? '' : `${countText(shown)} of ${countText(simulations)}`}
            words={() => filterWordsOf((simulations ?? []).slice(0, MOST_WORD_ROWS), OBJECTS)}
          />
        </div>
        {error !== undefined && (
          <p class="strip" role="alert">
            {error}
          </p>
        )}
        {simulations === undefined ? (
          <div class="bars" aria-busy="true" />
        ) : simulations.length === 0 ? (
          <FirstSimulation />
        ) : shown.length === 0 ? (
          <div class="empty">
            <NoMatch line={filter} rows={simulations} fieldsOf={(one) => ({ ...one })} setFilter={setFilter} />
          </div>
        ) : (
          <SimulationGroups simulations={shown} sort={sort || NEWEST_FIRST} setSort={setSort} reload={reload} />
        )}
      </main>
    </>
  )
}

const countText = ({ length }: readonly unknown[]): string => length.toLocaleString('en')

/** First steps. */
function FirstSimulation() {
  return (
    <section class="empty">
      <h2>No simulation runs here yet</h2>
      {mayWrite() && (
        <p>
          <a class="button button-main" href="/ui/new">
            Make one
          </a>{' '}
          from the library, or from a description that you drop.
        </p>
      )}
      <p>The command that does the same:</p>
      <pre class="json">
        <code>{'backlot serve task-tracker\nbacklot serve ./openapi.yaml'}</code>
      </pre>
      <p>
        Or ask this service for one: <code>POST {location.origin}/v1/simulations</code> with{' '}
        <code>{'{ "library": "task-tracker" }'}</code> and your account key.
      </p>
    </section>
  )
}
