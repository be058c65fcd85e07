import { useState } from 'preact/hooks'
import type { LiveSimulation } from '../data/live.ts'
import { attempt } from '../data/notices.ts'
import { report } from '../data/report.ts'
import { Button } from './fields.tsx'

/** Changes or requests in a page's first read: with fewer, none are older. */
const FIRST_ROWS = 100

/** Below a list: reads activity before its oldest row. */
export function OlderRows({ live }: { live: LiveSimulation }) {
  const [isReading, setIsReading] = useState(false)
  if (report !== undefined || live.total.value < FIRST_ROWS) return null
  const load = async () => {
    setIsReading(true)
    await attempt(() => live.loadOlder())
    setIsReading(false)
  }
  const isEnd = live.older.value === 'end'
  return (
    <div class="older-rows">
      <span role="status">{isEnd ? 'This is all that the service keeps.' : 'The latest are shown.'}</span>
      {!isEnd && (
        <Button disabled={isReading} onClick={() => void load()}>
          {isReading ? 'Reading…' : 'Load older'}
        </Button>
      )}
    </div>
  )
}
