import { useEffect } from 'preact/hooks'
import type { ServiceMeta, Usage } from '../../protocol/reads.ts'
import { session, signOut } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { isLimited, limitText } from '../parts/account-usage.tsx'
import { Button, ErrorText } from '../parts/fields.tsx'
import { Facts } from '../parts/split.tsx'
import { TopBar } from '../parts/top-bar.tsx'

/** The account: its plan and usage, the session, and the service's extensions. */
export function AccountPage() {
  useEffect(() => {
    document.title = 'Account · backlot'
  }, [])
  const usage = useAnswer<Usage>('/usage')
  const meta = useAnswer<ServiceMeta>('/meta')
  const signedIn = typeof session.value === 'object' ? session.value : undefined
  const error = usage.error ?? meta.error
  return (
    <>
      <TopBar />
      <main class="page">
        <div class="page-head">
          <h1>Account {signedIn?.account}</h1>
        </div>
        <ErrorText text={error} />
        {usage.answer !== undefined && <UsageFacts usage={usage.answer} />}
        <section class="block">
          <h2>Session</h2>
          <p>{signedIn?.canWrite === true ? 'Reads and changes.' : 'Reads only: its key lacks simulations:write.'}</p>
          <div class="buttons">
            <Button onClick={() => void signOut()}>Sign out</Button>
          </div>
        </section>
        {meta.answer !== undefined && (
          <section class="block">
            <h2>Service</h2>
            <Facts
              facts={[
                ['Name', meta.answer.name],
                ['Version', meta.answer.version],
                ['Address', location.origin],
              ]}
            />
            <details>
              <summary>{meta.answer.extensions.length} extensions</summary>
              <p>
                <code>{meta.answer.extensions.join(', ')}</code>
              </p>
            </details>
          </section>
        )}
      </main>
    </>
  )
}

function UsageFacts({ usage }: { usage: Usage }) {
  const { plan, status, creditUsd, requestsThisMonth, requestLimit, simulations, simulationLimit } = usage
  return (
    <section class="block">
      <h2>Plan</h2>
      <Facts
        facts={[
          ['Plan', plan],
          ['Status', status],
          ['Credit', `${creditUsd.toFixed(2)} USD`],
          ['Requests this month', <Used key="requests" of="Requests" used={requestsThisMonth} limit={requestLimit} />],
          ['Simulations', <Used key="simulations" of="Simulations" used={simulations} limit={simulationLimit} />],
        ]}
      />
    </section>
  )
}

function Used({ of, used, limit }: { of: string; used: number; limit: number }) {
  if (!isLimited(limit)) return <>{limitText(used, limit)}, without a limit</>
  return (
    <>
      {limitText(used, limit)} <meter min={0} max={limit} value={used} aria-label={`${of} used`} />
    </>
  )
}
