import { expect, it } from 'vitest'
import { computeGolden } from './compute.ts'
import golden from './golden.json' with { type: 'json' }

const ADVICE =
  'The same description, seed and commands give other bytes than before: raise ENGINE in ' +
  'src/service/simulation/origin/simulation-init.ts, then run `npm run golden -- --write`.'

it('gives the bytes of its engine number', async () => {
  const { descriptions = golden.descriptions, ...made } = await computeGolden()

  expect({ ...made, descriptions }, ADVICE).toEqual(golden)
})
