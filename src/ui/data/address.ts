/** Pages of one simulation, by the segment of their address. */
export const SECTIONS = ['timeline', 'data', 'requests', 'operations', 'webhooks', 'plan', 'rules', 'access'] as const
export type Section = (typeof SECTIONS)[number]

/** The destination of the address. */
export type Place =
  | { readonly page: 'simulations' | 'new' | 'account' }
  | { readonly page: 'simulation'; readonly slug: string; readonly section: Section; readonly ids: readonly string[] }
  | { readonly page: 'unknown' }

export function pageOf(path: string): Place {
  const [, , first = '', slug = '', section = '', ...ids] = path.replace(/\/+$/, '').split('/').map(decode)
  if (first === '') return { page: 'simulations' }
  if ((first === 'new' || first === 'account') && slug === '') return { page: first }
  if (first !== 's' || slug === '') return { page: 'unknown' }
  const known = SECTIONS.find((name) => name === (section || 'timeline'))
  return known === undefined ? { page: 'unknown' } : { page: 'simulation', slug, section: known, ids }
}

/** The address of a page of a simulation. */
export function addressOf(slug: string, section: Section = 'timeline', ...ids: readonly string[]): string {
  const parts = [slug, ...(section === 'timeline' ? [] : [section]), ...ids]
  return `/ui/s/${parts.map(encodeURIComponent).join('/')}`
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
