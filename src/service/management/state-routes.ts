import { behaviourRequest } from '../../protocol/behaviour.ts'
import { fastForwardRequest } from '../../protocol/simulation.ts'
import { param } from './call.ts'
import { json, ok } from './respond.ts'
import { type Route, simulationBodyRoute, simulationRoute } from './route.ts'

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
  simulationBodyRoute('POST', '/fast-forward', fastForwardRequest, async ({ simulation }, { hours }) =>
    json(await simulation.fastForward(hours)),
  ),
  simulationRoute('GET', '/behaviour', ({ simulation }) => json(simulation.plan())),
  simulationBodyRoute('PUT', '/behaviour', behaviourRequest, ({ simulation }, { rules }) => {
    const { plan, dropped } = simulation.setBehaviour(rules)
    return json({ ...plan, dropped })
  }),
  simulationRoute('GET', '/clock', ({ simulation }) => json(simulation.clock())),
  simulationRoute('POST', '/snapshots', ({ simulation }) => json({ id: simulation.snapshot() }, 201)),
  simulationRoute('POST', '/snapshots/:snapshotId/restore', (call) => {
    call.simulation.restore(param(call, 'snapshotId'))
    return ok()
  }),
]
