import type { JsonObject } from '../../src/protocol/json.ts'

/** The jobs of a workflow's text: their names, and the steps that a runner shows. */
export function jobsOf(text: string): JsonObject[] {
  const jobs: { name: string; steps: string[] }[] = []
  const body = text.split(/^jobs:[^\n]*\n/m)[1]?.split(/^\S/m)[0] ?? ''
  const margin = /^ +/.exec(body)?.[0] ?? '  '
  for (const block of body.split(new RegExp(`^${margin}(?=[\\w-]+:)`, 'm')).slice(1)) {
    const plain = (value = '') => value.trim().replace(/^(['"])(.*)\1$/, '$2')
    const name = new RegExp(`^${margin}${margin}name: *(.+)$`, 'm').exec(block)?.[1] ?? /^[\w-]+/.exec(block)?.[0]
    const steps = block.split(/^ +- (?=(?:name|uses|run|id|if|with|env):)/m).slice(1)
    const titles = steps.map((step) => {
      const [, run] = /^ *run: *\|?\s*(.+)$/m.exec(step) ?? []
      const [, uses] = /^ *uses: *(.+)$/m.exec(step) ?? []
      return plain(/^ *name: *(.+)$/m.exec(step)?.[1] ?? `Run ${plain(uses ?? run)}`)
    })
    jobs.push({ name: plain(name), steps: ['Set up job', ...titles, 'Complete job'] })
  }
  return jobs.length > 0 ? jobs : [{ name: 'build', steps: ['Run'] }]
}

/** What is wrong with the inputs of a dispatch, as its workflow declares them; an empty text for nothing. */
export function faultOfInputs(text: string, inputs: JsonObject): string {
  const [, margin = '', after = ''] = /workflow_dispatch:\s*\n( +)inputs:\s*\n([\s\S]*)/.exec(text) ?? []
  const block = after.split(new RegExp(`^(?!${margin} |$)`, 'm'))[0] ?? ''
  const indent = /^ +/.exec(block)?.[0] ?? ' '
  const declared = block.split(new RegExp(`^${indent}(?=[\\w-]+:)`, 'm')).slice(1)
  const named = new Map(declared.map((one) => [one.split(':')[0] ?? '', one]))
  const unknown = Object.keys(inputs).filter((name) => !named.has(name))
  if (unknown.length > 0) return `Unexpected inputs provided: ${JSON.stringify(unknown)}`
  const isLacking = ([name, one]: [string, string]) =>
    inputs[name] == null && /^ +required: *true/m.test(one) && !/^ +default:/m.test(one)
  const [lacking] = [...named].find(isLacking) ?? []
  return lacking === undefined ? '' : `Required input '${lacking}' not provided`
}

export const flowName = (text: string): string | null => /^name: *(['"]?)(.+?)\1 *$/m.exec(text)?.[2] ?? null

const plainList = (text: string): string[] => [...text.matchAll(/[^\s,[\]'"-][^\s,[\]'"]*/g)].map(([one]) => one)

/** The branches that an event of a workflow names; undefined without the event. */
function branchesOf(text: string, event: string): string[] | undefined {
  const [, inline = '', block = ''] = /^(?:on|'on'|"on"):(.*)\n((?:[ \t#].*\n|\n)*)/m.exec(`${text}\n`) ?? []
  if (plainList(inline).includes(event)) return []
  const [, below] = new RegExp(`^( +)${event}:.*\\n((?:\\1 .*\\n|\\n)*)`, 'm').exec(block)?.slice(1) ?? []
  if (below === undefined) return new RegExp(`^ +- +${event} *$`, 'm').test(block) ? [] : undefined
  const [, named = '', lines = ''] = /^ +branches:(.*)\n((?: +- .*\n)*)/m.exec(below) ?? []
  return plainList(`${named} ${lines}`)
}

/** Whether a push to a branch, or a pull request from it, starts a workflow. */
export function startsOn(text: string, event: string, branch: string): boolean {
  const branches = branchesOf(text, event)
  if (branches === undefined || branches.length === 0 || event !== 'push') return branches !== undefined
  const patterns = branches.map((one) =>
    one.replaceAll(/[.+?^$()|]/g, '\\$&').replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*')),
  )
  return patterns.some((pattern) => new RegExp(`^${pattern}$`).test(branch))
}
