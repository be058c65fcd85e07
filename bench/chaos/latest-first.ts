import { FirstAttempts } from '../../src/service/webhooks/first-attempts.ts'

// A control of the checker, loaded before a service: of two waiting events the later one is sent first.

const take = FirstAttempts.prototype.take
FirstAttempts.prototype.take = function takeLatest() {
  const [last, other] = this.latest(2).toReversed()
  if (last === undefined || other === undefined) return take.call(this)
  this.clear()
  this.add(last)
  this.add(other)
  return take.call(this)
}
