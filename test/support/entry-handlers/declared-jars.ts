import { handlers, type OperationContext } from '../../../src/handlers.ts'

export default handlers({
  'POST /jars': ({ records }: OperationContext) => records.jars?.create({ fruit: 'plum' }),
})
