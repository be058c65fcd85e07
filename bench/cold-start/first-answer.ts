// A process of its own: from the import of `backlot/vitest` to the first answered request of an embedded simulation.
const started = performance.now()
await import('backlot/vitest')
const { createSimulation } = await import('backlot')
const simulation = await createSimulation('task-tracker')
const answer = await simulation.fetch('/tasks')
await answer.text()
const firstMs = performance.now() - started
await simulation.delete()
if (answer.status !== 200) throw new Error(`Expected the first answer to be 200, got ${answer.status}.`)
console.log(JSON.stringify({ firstMs }))
