import { readDelivery, recoverDeliveries, replayDelivery } from '../webhooks/replay.ts'
import type { AtOnce, Handlers } from './handlers.ts'

/** Endpoints of webhooks that wait: for the address of a webhook, or for deliveries. All but the registration are ours. */
export const DELIVERY_HANDLERS = {
  registerWebhook: ({ simulation, body }) => simulation.webhookCommands.add(body),

  advanceDeliveries: ({ simulation: { webhooks }, body: { seconds = 0, until } }) => {
    if (until === 'next') return webhooks.runNext()
    return until === 'drained' ? webhooks.drain() : webhooks.advance(seconds)
  },

  readDelivery: ({ simulation: { webhooks }, parameters: { webhookId, deliveryId } }) =>
    readDelivery(webhooks.queue(webhookId), deliveryId),

  replayDelivery: ({ simulation: { webhooks }, parameters: { webhookId, deliveryId }, body }) =>
    replayDelivery(webhooks, { webhookId, deliveryId, ...body }),

  recoverDeliveries: ({ simulation: { webhooks }, parameters, body: { since } }) =>
    recoverDeliveries(webhooks, parameters.webhookId, since === undefined ? 0 : Date.parse(since)),

  areDeliveriesSettled: async ({ simulation: { webhooks }, query }) => {
    const settled = await webhooks.settled(query.timeoutMs)
    return webhooks.dropped === 0 ? { settled } : { settled, dropped: webhooks.dropped }
  },
} satisfies Partial<Handlers>

/** Webhooks, their deliveries and faults. */
export const WEBHOOK_HANDLERS = {
  listWebhooks: ({ simulation }) => ({ data: simulation.webhooks.states() }),

  removeWebhook: ({ simulation, parameters }) => simulation.webhookCommands.remove(parameters.webhookId),

  enableWebhook: ({ simulation, parameters }) => {
    simulation.webhookCommands.enable(parameters.webhookId)
    return { ok: true }
  },

  listDeliveries: ({ simulation, parameters }) => ({
    data: simulation.webhooks.deliveries(parameters.webhookId),
  }),

  addWebhookFault: ({ simulation, body }) => simulation.webhookCommands.addFault(body),

  listWebhookFaults: ({ simulation }) => ({ data: simulation.webhooks.faults() }),

  removeWebhookFault: ({ simulation, parameters }) => simulation.webhookCommands.removeFault(parameters.faultId),
} satisfies Partial<AtOnce>
