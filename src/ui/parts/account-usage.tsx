import type { Usage } from '../../protocol/reads.ts'
import { session } from '../data/session.ts'
import { limitText } from '../data/usage-text.ts'
import { useAnswer } from '../data/use-answer.ts'

/** The signed-in account, and its requests this month. @param revision a change causes another read */
export function AccountUsage({ revision }: { revision?: unknown }) {
  const { answer } = useAnswer<Usage>('/usage', revision)
  if (typeof session.value !== 'object') return null
  return (
    <a class="account-usage" href="/ui/account" title="Account, and its requests of this month">
      <span class="ellipsis">{session.value.account}</span>
      {answer !== undefined && <b>{limitText(answer.requestsThisMonth, answer.requestLimit, '/')} requests</b>}
    </a>
  )
}
