import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** A named destination. */
export interface Goal {
  readonly name: string
  readonly kind: 'page' | 'simulation' | 'collection' | 'webhook' | 'request' | 'record' | 'operation'
  readonly href: string
}

/** Finds the destinations of a page: those that it knows, and those that the service is asked for. */
export interface GoalFinder {
  readonly known: () => readonly Goal[]
  readonly asked?: (() => Promise<readonly Goal[]>) | undefined
}

const NOWHERE: GoalFinder = { known: () => [] }

/** Finds the destinations of the open page. */
export const goalFinder = signal(NOWHERE)

export const GENERAL_GOALS: readonly Goal[] = [
  { name: 'All simulations', kind: 'page', href: '/ui/' },
  { name: 'New simulation', kind: 'page', href: '/ui/new' },
  { name: 'Account', kind: 'page', href: '/ui/account' },
]

/** Offers destinations while a page is open. They are listed on demand. */
export function useGoals(finder: GoalFinder): void {
  useEffect(() => {
    goalFinder.value = finder
    return () => {
      if (goalFinder.value === finder) goalFinder.value = NOWHERE
    }
  }, [finder])
}

/** The destinations with every word; those that begin with the text come first, and requests, which are many, last. */
export function searchGoals(goals: readonly Goal[], text: string): Goal[] {
  const lower = text.trim().toLowerCase()
  const words = lower.split(/\s+/).filter(Boolean)
  const fitting = goals.filter(({ name, kind }) =>
    words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)),
  )
  const rank = ({ name, kind }: Goal): number =>
    (name.toLowerCase().startsWith(lower) ? 0 : 2) + (kind === 'request' ? 1 : 0)
  return fitting.toSorted((left, right) => rank(left) - rank(right)).slice(0, MOST_SHOWN)
}

const MOST_SHOWN = 12
