// A process of its own: the processor time of the creation of an embedded simulation of the description in a file.
const [spec = ''] = process.argv.slice(2)
const { createSimulation } = await import('backlot')
const before = process.cpuUsage()
const simulation = await createSimulation({ spec }, { lenient: true })
const { user, system } = process.cpuUsage(before)
await simulation.delete()
console.log(JSON.stringify({ processorMs: (user + system) / 1_000 }))
