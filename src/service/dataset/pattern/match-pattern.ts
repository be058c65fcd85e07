import type { CharRange, PatternNode } from './parse-pattern.ts'

/** Steps of the automaton; numbers are places in the program. */
type Step =
  | { readonly op: 'char'; readonly ranges: readonly CharRange[] }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'edge'; readonly at: 'start' | 'end' | 'word' | 'notWord' }
  | { readonly op: 'look'; readonly program: readonly Step[]; readonly negated: boolean }
  | { readonly op: 'found' }

const MAX_STEPS = 20_000
/** A count above this is taken for no bound at all. */
const MAX_COUNT = 1_000

/** A compiled pattern. `test` takes time in proportion to pattern length times text length, whatever the pattern. */
export interface Matcher {
  test(text: string): boolean
}

/** A matcher for `pattern` with the meaning of `RegExp.test`; undefined where it would be too large or looks behind. */
export function createMatcher(pattern: PatternNode): Matcher | undefined {
  const program: Step[] = []
  try {
    emit(pattern, program)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
  program.push({ op: 'found' })
  return { test: (text) => testAnywhere(program, text) }
}

function emit(node: PatternNode, program: Step[]): void {
  if (program.length > MAX_STEPS) throw new RangeError('Expected a pattern of fewer steps.')
  if (node.kind === 'set') program.push({ op: 'char', ranges: node.ranges })
  else if (node.kind === 'sequence') for (const item of node.items) emit(item, program)
  else if (node.kind === 'choice') emitChoice(node.options, program)
  else if (node.kind === 'repeat') emitRepeat(node.item, node.min, node.max, program)
  else if (node.kind === 'edge') program.push({ op: 'edge', at: node.at })
  else {
    if (node.behind) throw new RangeError('Expected no look-behind.')
    const inner: Step[] = []
    emit(node.item, inner)
    inner.push({ op: 'found' })
    program.push({ op: 'look', program: inner, negated: node.negated })
  }
}

function emitChoice(options: readonly PatternNode[], program: Step[]): void {
  const exits: { op: 'jump'; to: number }[] = []
  for (const [at, option] of options.entries()) {
    if (at === options.length - 1) {
      emit(option, program)
      break
    }
    const split: Step = { op: 'split', first: program.length + 1, second: -1 }
    program.push(split)
    emit(option, program)
    const exit = { op: 'jump' as const, to: -1 }
    exits.push(exit)
    program.push(exit)
    split.second = program.length
  }
  for (const exit of exits) exit.to = program.length
}

function emitRepeat(item: PatternNode, min: number, max: number, program: Step[]): void {
  if (min > MAX_COUNT) throw new RangeError('Expected a pattern with smaller counts.')
  for (let count = 0; count < min; count++) emit(item, program)
  if (max > MAX_COUNT) {
    const split: Step = { op: 'split', first: program.length + 1, second: -1 }
    const start = program.length
    program.push(split)
    emit(item, program)
    program.push({ op: 'jump', to: start })
    split.second = program.length
    return
  }
  const splits: { op: 'split'; first: number; second: number }[] = []
  for (let count = min; count < max; count++) {
    const split = { op: 'split' as const, first: program.length + 1, second: -1 }
    splits.push(split)
    program.push(split)
    emit(item, program)
  }
  for (const split of splits) split.second = program.length
}

function testAnywhere(program: readonly Step[], text: string): boolean {
  const points = Array.from(text, (char) => char.codePointAt(0) as number)
  const visited = new Uint8Array(program.length * (points.length + 1))
  for (let start = 0; start <= points.length; start++) if (runFrom(program, points, start, visited)) return true
  return false
}

/** Depth first over (step, position), each looked at once. */
function runFrom(program: readonly Step[], points: readonly number[], start: number, visited: Uint8Array): boolean {
  const pending: number[] = [0, start]
  const width = points.length + 1
  while (pending.length > 0) {
    const position = pending.pop() as number
    const place = pending.pop() as number
    if (visited[place * width + position] === 1) continue
    visited[place * width + position] = 1
    const step = program[place] as Step
    if (step.op === 'found') return true
    if (step.op === 'char') {
      const point = points[position]
      if (point !== undefined && includes(step.ranges, point)) pending.push(place + 1, position + 1)
    } else if (step.op === 'jump') pending.push(step.to, position)
    else if (step.op === 'split') pending.push(step.second, position, step.first, position)
    else if (step.op === 'edge') {
      if (isAtEdge(step.at, points, position)) pending.push(place + 1, position)
    } else if (runFrom(step.program, points, position, new Uint8Array(step.program.length * width)) !== step.negated) {
      pending.push(place + 1, position)
    }
  }
  return false
}

function isAtEdge(at: 'start' | 'end' | 'word' | 'notWord', points: readonly number[], position: number): boolean {
  if (at === 'start') return position === 0
  if (at === 'end') return position === points.length
  const isEdge = isWord(points[position - 1]) !== isWord(points[position])
  return at === 'word' ? isEdge : !isEdge
}

function isWord(point: number | undefined): boolean {
  if (point === undefined) return false
  return (point >= 48 && point <= 57) || (point >= 65 && point <= 90) || point === 95 || (point >= 97 && point <= 122)
}

function includes(ranges: readonly CharRange[], point: number): boolean {
  for (const [first, last] of ranges) if (point >= first && point <= last) return true
  return false
}
