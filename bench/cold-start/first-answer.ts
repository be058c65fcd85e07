// A process of its own: from the import of `backlot/vitest` to the first answered request of an embedded simulation. Arguments: a library
// entry or the path of a description, and the path of the request.
const [source = 'task-tracker', path = '/tasks'] = process.argv.slice(2)
const started = performance.now()
await import('backlot/vitest')
const { createSimulation } = await import('backlot')
const simulation = await createSimulation(/[./]/.test(source) ? { spec: source } : source)
// Anthropic and Notion require one of these; other APIs ignore them.
const answer = await simulation.fetch(path, {
  headers: { 'anthropic-version': '2023-06-01', 'notion-version': '2022-06-28' },
})
await answer.text()
const firstMs = performance.now() - started
const { user, system } = process.cpuUsage()
await simulation.delete()
if (answer.status !== 200)
  throw new Error(`Expected the first answer to be 200, got ${answer.status} of ${source} ${path}.`)
console.log(JSON.stringify({ firstMs, processorMs: (user + system) / 1_000 }))
