import { handlers, type OperationContext } from '../../../src/handlers.ts'

export default handlers({
  'POST /payments': ({ body: { amount, state }, records }: OperationContext) => ({
    id: records.payments?.create({ amount, ...(state !== undefined && { state }) })?.id,
  }),
})
