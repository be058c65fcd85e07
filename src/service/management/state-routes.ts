import { behaviourRequest } from '../../protocol/behaviour.ts'
import { fastForwardRequest } from '../../protocol/simulation.ts'
import { param, parseBody } from './call.ts'
import { json, ok } from './respond.ts'
import { type Route, simulationRoute } from './route.ts'

/** Time and state of a simulation: pause, reset, fast-forward, the behaviour plan, snapshots. */
export const STATE_ROUTES: readonly Route[] = [
  simulationRoute('POST', '/pause', ({ simulation }) => {
    simulation.pause()
    return ok()
  }),
  simulationRoute('POST', '/resume', ({ simulation }) => {
    simulation.resume()
    return ok()
  }),
  simulationRoute('POST', '/reset', ({ simulation }) => {
    simulation.reset()
    return ok()
  }),
  simulationRoute('POST', '/fast-forward', async (call) => {
    const { hours } = await parseBody(call, fastForwardRequest)
    return json(await call.simulation.fastForward(hours))
  }),
  simulationRoute('GET', '/behaviour', ({ simulation }) => json(simulation.plan())),
  simulationRoute('PUT', '/behaviour', async (call) => {
    const { rules } = await parseBody(call, behaviourRequest)
    const { plan, dropped } = call.simulation.setBehaviour(rules)
    return json({ ...plan, dropped })
  }),
  simulationRoute('GET', '/clock', ({ simulation }) => json(simulation.clock())),
  simulationRoute('POST', '/snapshots', ({ simulation }) => json({ id: simulation.snapshot() }, 201)),
  simulationRoute('POST', '/snapshots/:snapshotId/restore', (call) => {
    call.simulation.restore(param(call, 'snapshotId'))
    return ok()
  }),
]
