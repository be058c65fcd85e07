import { handlers, type OperationContext } from '../../../src/handlers.ts'

export default handlers({
  'POST /keys': ({ body, records, id }: OperationContext) => ({
    token: records.keys?.create({ name: body.name, token: id('k_') })?.token,
  }),
  'GET /whoami': ({ records, key, origin }: OperationContext) => ({
    name: records.keys?.find({ token: key ?? '' })?.name ?? 'owner',
    at: origin,
  }),
})
