/**
 * A number as messages write it: `1,000,000`. `toLocaleString` would load tables of languages, which take 7 MB of a
 * process (`decisions/cold-start.md`).
 */
export function grouped(value: number): string {
  const [whole = '', ...fraction] = String(value).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}
