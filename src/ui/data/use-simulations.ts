import { useEffect, useState } from 'preact/hooks'
import type { SimulationOverview } from '../../protocol/simulation.ts'
import { useAnswer } from './use-answer.ts'

const EVERY_MS = 5_000

/** All simulations of the account, read every five seconds while the page is visible, and at once after `reload`. */
export function useSimulations(): [
  simulations: readonly SimulationOverview[] | undefined,
  error: string | undefined,
  reload: () => void,
] {
  const [asked, setAsked] = useState(0)
  const reload = () => setAsked((count) => count + 1)
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  const { answer, error } = useAnswer<{ data: SimulationOverview[] }>('/simulations?detail=true', asked)
  return [answer?.data, error, reload]
}

/** Sort values of simulations, by column name. */
const VALUES: Readonly<Record<string, (one: SimulationOverview) => string | number>> = {
  Name: ({ name }) => name,
  State: ({ status }) => status,
  API: ({ title }) => title,
  Records: ({ records }) => records,
  Requests: ({ requests }) => requests,
  Webhooks: ({ webhooksOff, webhooks }) => webhooksOff * 1_000_000 + webhooks,
  'World time': ({ offsetMs }) => offsetMs ?? Number.NEGATIVE_INFINITY,
  Address: ({ url }) => url,
  Age: ({ createdAt }) => -Date.parse(createdAt),
}

export const COLUMNS = Object.keys(VALUES)

/** The default order. */
export const NEWEST_FIRST = 'Age'

const TEXTS = new Intl.Collator('en', { numeric: true })

/** Compares simulations. @param sort name of a column; `-` reverses it. Equal ones keep their order */
export function orderOf(sort: string): (left: SimulationOverview, right: SimulationOverview) => number {
  const isDescending = sort.startsWith('-')
  const read = VALUES[sort.replace(/^-/, '')] ?? VALUES[NEWEST_FIRST]
  return (left, right) => {
    const [one, other] = [read?.(left), read?.(right)]
    const order =
      typeof one === 'string' && typeof other === 'string' ? TEXTS.compare(one, other) : Number(one) - Number(other)
    return isDescending ? -order : order
  }
}
