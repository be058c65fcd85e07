import type { Handlers } from './handlers.ts'

/** Webhooks, their deliveries and faults. All but the registration is ours. */
export const WEBHOOK_HANDLERS = {
  registerWebhook: async ({ simulation, body }) => {
    const registered = await simulation.webhooks.register(body)
    simulation.audienceChanged()
    return registered
  },

  listWebhooks: ({ simulation }) => ({ data: simulation.webhooks.states() }),

  removeWebhook: ({ simulation, parameters }) => {
    simulation.webhooks.remove(parameters.webhookId)
    simulation.audienceChanged()
  },

  enableWebhook: ({ simulation, parameters }) => {
    simulation.webhooks.enable(parameters.webhookId)
    simulation.audienceChanged()
    return { ok: true }
  },

  listDeliveries: ({ simulation, parameters }) => ({
    data: simulation.webhooks.deliveries(parameters.webhookId),
  }),

  advanceDeliveries: ({ simulation: { webhooks }, body: { seconds = 0, until } }) => {
    if (until === 'next') return webhooks.runNext()
    return until === 'drained' ? webhooks.drain() : webhooks.advance(seconds)
  },

  areDeliveriesSettled: async ({ simulation, query }) => ({
    settled: await simulation.webhooks.settled(query.timeoutMs),
  }),

  addWebhookFault: ({ simulation, body }) => simulation.webhooks.addFault(body),

  listWebhookFaults: ({ simulation }) => ({ data: simulation.webhooks.faults() }),

  removeWebhookFault: ({ simulation, parameters }) => simulation.webhooks.removeFault(parameters.faultId),
} satisfies Partial<Handlers>
