import { createSimulationRequest } from '../../protocol/simulation.ts'
import { parseBody } from './call.ts'
import { createSimulation } from './create-simulation.ts'
import { describeSimulation, summariseSimulation } from './describe-simulation.ts'
import { json, noContent } from './respond.ts'
import { type Route, simulationRoute } from './route.ts'

/** Creating, reading and deleting simulations. */
export const SIMULATION_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/simulations',
    answer: ({ simulations }, { account, origin }) =>
      json({ data: simulations.list(account).map((hosted) => summariseSimulation(hosted, origin)) }),
  },
  {
    method: 'POST',
    path: '/v1/simulations',
    answer: async (parts, call) =>
      json(await createSimulation(parts, await parseBody(call, createSimulationRequest), call), 201),
  },
  simulationRoute('GET', '', ({ hosted, origin }) => json(describeSimulation(hosted, origin)), { waits: false }),
  simulationRoute(
    'DELETE',
    '',
    async ({ hosted }, { simulations }) => {
      await simulations.remove(hosted)
      return noContent()
    },
    { waits: false },
  ),
]
