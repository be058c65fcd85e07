import { expect, it } from 'vitest'
import { Random } from '../../src/runtime/random.ts'
import { breakBody } from '../../src/service/simulated-api/rules/answers/change-answer.ts'

it.each(['"pong"', '"', '1', 'null', '{"a":1}', '[]', ''])('makes no JSON of the body %s', (body) => {
  const broken = breakBody({ status: 200, headers: {}, body }, { mode: 'json', keepFraction: 0.5 }, Random.for('test'))

  expect(() => JSON.parse(String(broken.body))).toThrow(SyntaxError)
})
