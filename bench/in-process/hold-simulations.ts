import { answerTo, newSimulation, readTaskTracker } from './new-simulation.ts'

// Run with --expose-gc and a number: makes as many simulations, asks each for a record, prints what they hold.
const wanted = Number(process.argv[2])
const source = await readTaskTracker()
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {})

answerTo(newSimulation(source), 'GET', '/tasks?limit=1')
collect()
const before = process.memoryUsage()
const held = Array.from({ length: wanted }, (_, at) => newSimulation(source, `seed-${at}`))
for (const simulation of held) answerTo(simulation, 'GET', '/tasks?limit=1')
collect()
const after = process.memoryUsage()
console.log(JSON.stringify({ idleKb: (after.heapUsed - before.heapUsed) / held.length / 1024 }))
