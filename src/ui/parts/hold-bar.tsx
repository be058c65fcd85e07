import type { TestHold } from '../../protocol/test-hold.ts'
import type { LiveSimulation } from '../data/live.ts'
import { attempt } from '../data/notices.ts'
import { call, simulationPath } from '../data/service.ts'
import { mayWrite } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Icon } from './icon.tsx'

/** Shows that a test is held, and continues it. */
export function HoldBar({ live }: { live: LiveSimulation }) {
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
        <button type="button" class="button button-main" onClick={() => void release()}>
          <Icon name="play" />
          Continue the test
        </button>
      )}
    </div>
  )
}
