import type { ApiModel } from '../openapi/model.ts'
import type { HostedSimulation } from './hosted-simulation.ts'

/** Recently used ones stay: a caller that just found one will use it. */
const FRESH_MS = 1_000

/** The limit of stored simulations in this node's memory. */
export class MemoryBound {
  readonly #mostBytes: number
  readonly #models: { bytesOf(model: ApiModel): number }
  readonly #now: () => number

  constructor(mostBytes: number, models: { bytesOf(model: ApiModel): number }, clock: { now: () => number }) {
    this.#mostBytes = mostBytes
    this.#models = models
    this.#now = () => clock.now()
  }

  /** Estimated size of simulations, including their shared models. */
  weigh(simulations: readonly HostedSimulation[]): number {
    const models = new Set(simulations.map(({ simulation }) => simulation.model))
    const ofModels = [...models].reduce((sum, model) => sum + this.#models.bytesOf(model), 0)
    return simulations.reduce((sum, { simulation }) => sum + (simulation.kept?.bytes ?? 0), ofModels)
  }

  /** The simulations to unload so that the rest fits: the least recently used ones without activity. */
  surplus(simulations: readonly HostedSimulation[]): HostedSimulation[] {
    let bytes = this.weigh(simulations)
    if (bytes <= this.#mostBytes) return []
    const sharing = new Map<ApiModel, number>()
    for (const { simulation } of simulations) sharing.set(simulation.model, (sharing.get(simulation.model) ?? 0) + 1)
    const before = this.#now() - FRESH_MS
    const byUse = simulations
      .map((hosted) => ({ hosted, touchedAt: hosted.touchedAt }))
      .sort((one, other) => one.touchedAt - other.touchedAt)
    const surplus: HostedSimulation[] = []
    for (const { hosted, touchedAt } of byUse) {
      if (bytes <= this.#mostBytes || touchedAt > before) break
      if (hosted.isBusy) continue
      const { model, kept } = hosted.simulation
      const left = (sharing.get(model) ?? 0) - 1
      sharing.set(model, left)
      bytes -= (kept?.bytes ?? 0) + (left === 0 ? this.#models.bytesOf(model) : 0)
      surplus.push(hosted)
    }
    return surplus
  }
}
