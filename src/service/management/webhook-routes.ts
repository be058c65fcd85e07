import { advanceRequest, settledQuery, webhookRequest } from '../../protocol/webhook.ts'
import { webhookFaultRequest } from '../../protocol/webhook-fault.ts'
import { param, parseQuery } from './call.ts'
import { json, noContent, ok } from './respond.ts'
import { type Route, simulationBodyRoute, simulationRoute } from './route.ts'

/** Webhooks and their deliveries. All but the registration is ours. */
export const WEBHOOK_ROUTES: readonly Route[] = [
  simulationBodyRoute('POST', '/webhooks', webhookRequest, async ({ simulation }, webhook) => {
    const registered = await simulation.webhooks.register(webhook)
    simulation.audienceChanged()
    return json(registered, 201)
  }),
  simulationRoute('GET', '/webhooks', ({ simulation }) => json({ data: simulation.webhooks.states() })),
  simulationRoute('DELETE', '/webhooks/:webhookId', (call) => {
    call.simulation.webhooks.remove(param(call, 'webhookId'))
    call.simulation.audienceChanged()
    return noContent()
  }),
  simulationRoute('POST', '/webhooks/:webhookId/enable', (call) => {
    call.simulation.webhooks.enable(param(call, 'webhookId'))
    call.simulation.audienceChanged()
    return ok()
  }),
  simulationRoute('GET', '/webhooks/:webhookId/deliveries', (call) =>
    json({ data: call.simulation.webhooks.deliveries(param(call, 'webhookId')) }),
  ),
  simulationBodyRoute('POST', '/deliveries/advance', advanceRequest, async ({ simulation }, request) => {
    const { webhooks } = simulation
    const { seconds = 0, until } = request
    if (until === 'next') return json(await webhooks.runNext())
    return json(await (until === 'drained' ? webhooks.drain() : webhooks.advance(seconds)))
  }),
  simulationRoute('GET', '/deliveries/settled', async (call) => {
    const { timeoutMs } = parseQuery(call, settledQuery)
    return json({ settled: await call.simulation.webhooks.settled(timeoutMs) })
  }),
  simulationBodyRoute('POST', '/webhook-faults', webhookFaultRequest, ({ simulation }, fault) =>
    json(simulation.webhooks.addFault(fault), 201),
  ),
  simulationRoute('GET', '/webhook-faults', ({ simulation }) => json({ data: simulation.webhooks.faults() })),
  simulationRoute('DELETE', '/webhook-faults/:faultId', (call) => {
    call.simulation.webhooks.removeFault(param(call, 'faultId'))
    return noContent()
  }),
]
