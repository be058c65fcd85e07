import type { Usage } from '../../protocol/reads.ts'
import { session } from '../data/session.ts'
import { useAnswer } from '../data/use-answer.ts'

/** The signed-in account, and its requests this month. @param revision a change causes another read */
export function AccountUsage({ revision }: { revision?: unknown }) {
  const { answer } = useAnswer<Usage>('/usage', revision)
  if (typeof session.value !== 'object') return null
  const text = answer && limitText(answer.requestsThisMonth, answer.requestLimit, '/')
  return (
    <a class="account-usage" href="/ui/account" title="Account, and its requests of this month">
      <span class="ellipsis">{session.value.account}</span>
      {text !== undefined && (
        <b>
          {text} {text === '1' ? 'request' : 'requests'}
        </b>
      )}
    </a>
  )
}

/** The limit's value for a plan without a limit (specification, Usage). */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

export const isLimited = (limit: number): boolean => limit < NO_LIMIT

/** `4,210 of 10,000`; only the number without a limit. */
export function limitText(used: number, limit: number, between = 'of'): string {
  const text = used.toLocaleString('en')
  return isLimited(limit) ? `${text} ${between} ${limit.toLocaleString('en')}` : text
}
