import { readFileSync, writeFileSync } from 'node:fs'
import { computeGolden, type Golden } from './compute.ts'

/** `npm run golden`: says what moved since the fixture was written. `-- --write` writes it anew. */
const file = new URL('golden.json', import.meta.url)
const kept = readKept()
const { descriptions = kept?.descriptions, ...made } = await computeGolden()
const golden: Golden = { ...made, descriptions }
const moved = movedBetween(kept, golden)

if (process.argv.includes('--write')) {
  if (moved.length > 0 && kept?.engine === golden.engine) {
    console.warn(`ENGINE is still ${golden.engine}. Raise it unless no release has this number.`)
  }
  writeFileSync(file, `${JSON.stringify(golden, null, 2)}\n`)
  console.log(`Wrote test/golden/golden.json: ${moved.join(', ') || 'nothing moved'}.`)
} else {
  console.log(
    moved.length === 0 ? 'Nothing has moved.' : `Moved: ${moved.join(', ')}. Raise ENGINE, then add \`--write\`.`,
  )
  process.exitCode = moved.length === 0 ? 0 : 1
}

function readKept(): Golden | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Golden
  } catch {
    return undefined
  }
}

function movedBetween(before: Golden | undefined, after: Golden): string[] {
  const flat = (golden: Golden | undefined): Record<string, string> => ({
    ...golden?.library,
    ...golden?.descriptions,
    ...(golden !== undefined && { commands: golden.commands }),
  })
  const [then, now] = [flat(before), flat(after)]
  return Object.keys({ ...then, ...now }).filter((name) => then[name] !== now[name])
}
