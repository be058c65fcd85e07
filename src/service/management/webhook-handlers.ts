import type { Handlers } from './handlers.ts'

/** Webhooks, their deliveries and faults. All but the registration is ours. */
export const WEBHOOK_HANDLERS = {
  registerWebhook: ({ simulation, body }) => simulation.addWebhook(body),

  listWebhooks: ({ simulation }) => ({ data: simulation.webhooks.states() }),

  removeWebhook: ({ simulation, parameters }) => simulation.removeWebhook(parameters.webhookId),

  enableWebhook: ({ simulation, parameters }) => {
    simulation.enableWebhook(parameters.webhookId)
    return { ok: true }
  },

  listDeliveries: ({ simulation, parameters }) => ({
    data: simulation.webhooks.deliveries(parameters.webhookId),
  }),

  advanceDeliveries: ({ simulation: { webhooks }, body: { seconds = 0, until } }) => {
    if (until === 'next') return webhooks.runNext()
    return until === 'drained' ? webhooks.drain() : webhooks.advance(seconds)
  },

  areDeliveriesSettled: async ({ simulation: { webhooks }, query }) => {
    const settled = await webhooks.settled(query.timeoutMs)
    return webhooks.dropped === 0 ? { settled } : { settled, dropped: webhooks.dropped }
  },

  addWebhookFault: ({ simulation, body }) => simulation.addWebhookFault(body),

  listWebhookFaults: ({ simulation }) => ({ data: simulation.webhooks.faults() }),

  removeWebhookFault: ({ simulation, parameters }) => simulation.removeWebhookFault(parameters.faultId),
} satisfies Partial<Handlers>
