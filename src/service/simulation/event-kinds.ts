import type { ApiModel } from '../openapi/model.ts'

/** Names of the event kinds that a simulation of this model emits: `<singular>.<created|updated|deleted>`. */
export function eventKinds({ collections, singletons }: ApiModel): string[] {
  const ofRecords = collections.flatMap(({ singular }) => [
    `${singular}.created`,
    `${singular}.updated`,
    `${singular}.deleted`,
  ])
  const ofSingletons = singletons.flatMap(({ singular }) => [`${singular}.updated`, `${singular}.deleted`])
  return [...new Set([...ofRecords, ...ofSingletons])]
}
