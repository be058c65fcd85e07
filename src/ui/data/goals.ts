import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** A named destination. */
export interface Goal {
  readonly name: string
  readonly kind: 'page' | 'simulation' | 'collection' | 'webhook' | 'request' | 'record'
  readonly href: string
}

/** Finds the destinations of the open page. */
export const findGoals = signal<() => readonly Goal[]>(() => [])

export const GENERAL_GOALS: readonly Goal[] = [
  { name: 'All simulations', kind: 'page', href: '/ui/' },
  { name: 'New simulation', kind: 'page', href: '/ui/new' },
  { name: 'Account', kind: 'page', href: '/ui/account' },
]

/** Offers destinations while a page is open. They are listed on demand. */
export function useGoals(find: () => readonly Goal[]): void {
  useEffect(() => {
    findGoals.value = find
    return () => {
      if (findGoals.value === find) findGoals.value = () => []
    }
  }, [find])
}

/** The destinations with every word; those that begin with the text come first. */
export function searchGoals(goals: readonly Goal[], text: string): Goal[] {
  const lower = text.trim().toLowerCase()
  const words = lower.split(/\s+/).filter(Boolean)
  const fitting = goals.filter(({ name, kind }) =>
    words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)),
  )
  const rank = ({ name }: Goal): number => (name.toLowerCase().startsWith(lower) ? 0 : 1)
  return fitting.toSorted((left, right) => rank(left) - rank(right)).slice(0, MOST_SHOWN)
}

const MOST_SHOWN = 12
