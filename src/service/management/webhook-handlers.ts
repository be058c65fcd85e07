import type { Delivery, DeliveryStats, WebhookState } from '../../protocol/webhook.ts'
import type { AtOnce, Handlers } from './handlers.ts'

/** Endpoints of webhooks that may wait: for an address check, or for deliveries. All but the registration are ours. */
export const DELIVERY_HANDLERS = {
  registerWebhook: ({ simulation, body }) => simulation.webhookCommands.add(body),

  listWebhooks: async ({ simulation: { deliveries }, query }) => {
    const states = await deliveries.states()
    if (query.stats !== 'true') return { data: states }
    const withStats = async (state: WebhookState) => ({
      ...state,
      stats: statsOf(await deliveries.deliveries(state.id)),
    })
    return { data: await Promise.all(states.map(withStats)) }
  },

  enableWebhook: async ({ simulation, parameters: { webhookId } }) => {
    await simulation.run(() => simulation.webhookCommands.enable(webhookId))
    await simulation.deliveries.forgiveFailures(webhookId)
    return { ok: true }
  },

  listDeliveries: async ({ simulation, parameters }) => ({
    data: await simulation.deliveries.deliveries(parameters.webhookId),
  }),

  readDelivery: ({ simulation: { deliveries }, parameters: { webhookId, deliveryId } }) =>
    deliveries.read(webhookId, deliveryId),

  replayDelivery: ({ simulation: { deliveries }, parameters: { webhookId, deliveryId }, body }) =>
    deliveries.replay(webhookId, deliveryId, body),

  advanceDeliveries: ({ simulation, body }) => simulation.deliveries.advance(body),

  areDeliveriesSettled: async ({ simulation: { deliveries }, query }) => {
    const settled = await deliveries.settled(query.timeoutMs)
    const dropped = await deliveries.dropped
    return dropped === 0 ? { settled } : { settled, dropped }
  },

  listWebhookFaults: async ({ simulation }) => ({ data: await simulation.deliveries.faults() }),
} satisfies Partial<Handlers>

function statsOf(deliveries: readonly Delivery[]): DeliveryStats {
  const stats: DeliveryStats = { pending: 0, retrying: 0, held: 0, delivered: 0, failed: 0, dropped: 0 }
  for (const { state } of deliveries) stats[state]++
  return stats
}

/** Synchronous endpoints for webhooks and their faults. */
export const WEBHOOK_HANDLERS = {
  removeWebhook: ({ simulation, parameters }) =>
    simulation.execute({ kind: 'remove-webhook', id: parameters.webhookId }),

  addWebhookFault: ({ simulation, body }) => simulation.webhookCommands.addFault(body),

  removeWebhookFault: ({ simulation, parameters }) =>
    simulation.execute({ kind: 'remove-webhook-fault', id: parameters.faultId }),
} satisfies Partial<AtOnce>
