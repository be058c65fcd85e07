import { handlers, type OperationContext } from '../../../src/handlers.ts'

export default handlers({
  'POST /jars/{id}/open': ({ update }: OperationContext) => update({ state: 'open', fruit: 'eaten' }),
})
