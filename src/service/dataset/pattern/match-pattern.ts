import type { CharRange, PatternNode } from './parse-pattern.ts'

/** Steps of the automaton; numbers are places in the program. */
type Step =
  | { readonly op: 'char'; readonly ranges: readonly CharRange[] }
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'edge'; readonly at: 'start' | 'end' | 'word' | 'notWord' }
  | { readonly op: 'look'; readonly program: readonly Step[]; readonly negated: boolean }
  | { readonly op: 'found' }

type Look = Extract<Step, { op: 'look' }>

const MAX_STEPS = 20_000
/** A count above this is taken for no bound at all. */
const MAX_COUNT = 1_000
/** Most pairs of a step and a position that are looked at: a byte each. What needs more is not checked. */
const MAX_PLACES = 20_000_000

/** A compiled pattern. `test` takes time in proportion to pattern length times text length, whatever the pattern. */
export interface Matcher {
  test(text: string): boolean
}

/** A matcher for `pattern` with the meaning of `RegExp.test`; undefined where it would be too large or looks behind. */
export function createMatcher(pattern: PatternNode): Matcher | undefined {
  if (sizeOf(pattern) > MAX_STEPS) return undefined
  const program: Step[] = []
  emit(pattern, program)
  program.push({ op: 'found' })
  return { test: (text) => program.length * (text.length + 1) > MAX_PLACES || new Run(program, text).test() }
}

/** How much work it is to compile `node`, at least one for each node that is met; infinite for what cannot be compiled. */
function sizeOf(node: PatternNode): number {
  if (node.kind === 'sequence') return 1 + sumOf(node.items)
  if (node.kind === 'choice') return 2 * node.options.length + sumOf(node.options)
  if (node.kind === 'look') return node.behind ? Number.POSITIVE_INFINITY : 2 + sizeOf(node.item)
  if (node.kind !== 'repeat') return 1
  if (node.min > MAX_COUNT) return Number.POSITIVE_INFINITY
  const copies = node.max > MAX_COUNT ? node.min + 1 : node.max
  return 2 + copies * (1 + sizeOf(node.item))
}

function sumOf(nodes: readonly PatternNode[]): number {
  return nodes.reduce((sum, node) => sum + sizeOf(node), 0)
}

function emit(node: PatternNode, program: Step[]): void {
  if (node.kind === 'set') program.push({ op: 'char', ranges: node.ranges })
  else if (node.kind === 'sequence') for (const item of node.items) emit(item, program)
  else if (node.kind === 'choice') emitChoice(node.options, program)
  else if (node.kind === 'repeat') emitRepeat(node.item, node.min, node.max, program)
  else if (node.kind === 'edge') program.push({ op: 'edge', at: node.at })
  else {
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

/** One text held against one program. */
class Run {
  readonly #program: readonly Step[]
  readonly #points: readonly number[]
  readonly #looks = new Map<Look, Uint8Array>()

  constructor(program: readonly Step[], text: string) {
    this.#program = program
    this.#points = Array.from(text, (char) => char.codePointAt(0) as number)
  }

  test(): boolean {
    const visited = new Uint8Array(this.#program.length * (this.#points.length + 1))
    for (let start = 0; start <= this.#points.length; start++) if (this.#matchesFrom(start, visited)) return true
    return false
  }

  /** Depth first over (step, position), each looked at once. */
  #matchesFrom(start: number, visited: Uint8Array): boolean {
    const pending: number[] = [0, start]
    const width = this.#points.length + 1
    while (pending.length > 0) {
      const position = pending.pop() as number
      const place = pending.pop() as number
      if (visited[place * width + position] === 1) continue
      visited[place * width + position] = 1
      const step = this.#program[place] as Step
      if (step.op === 'found') return true
      if (step.op === 'jump') pending.push(step.to, position)
      else if (step.op === 'split') pending.push(step.second, position, step.first, position)
      else if (this.#holds(step, position)) pending.push(place + 1, step.op === 'char' ? position + 1 : position)
    }
    return false
  }

  #holds(step: Exclude<Step, { op: 'found' | 'jump' | 'split' }>, position: number): boolean {
    if (step.op === 'edge') return isAtEdge(step.at, this.#points, position)
    if (step.op === 'look') return (this.#matchesOf(step)[position] === 1) !== step.negated
    const point = this.#points[position]
    return point !== undefined && includes(step.ranges, point)
  }

  /** At which positions what is looked for begins. */
  #matchesOf(look: Look): Uint8Array {
    const known = this.#looks.get(look)
    if (known) return known
    const matches = new Uint8Array(this.#points.length + 1)
    let next = new Uint8Array(look.program.length)
    for (let position = this.#points.length; position >= 0; position--) {
      next = this.#row(look.program, position, next)
      matches[position] = next[0] as number
    }
    this.#looks.set(look, matches)
    return matches
  }

  /** From which steps a match can be reached at `position`; `next` is the row of the position after it. */
  #row(program: readonly Step[], position: number, next: Uint8Array): Uint8Array<ArrayBuffer> {
    const row = new Uint8Array(program.length)
    let isSettled = false
    while (!isSettled) {
      isSettled = true
      // Only loops lead back, so this is run once more for each loop around another.
      for (let place = program.length - 1; place >= 0; place--) {
        if (row[place] === 1 || !this.#leadsOn(program[place] as Step, place, position, row, next)) continue
        row[place] = 1
        isSettled = false
      }
    }
    return row
  }

  #leadsOn(step: Step, place: number, position: number, row: Uint8Array, next: Uint8Array): boolean {
    if (step.op === 'found') return true
    if (step.op === 'jump') return row[step.to] === 1
    if (step.op === 'split') return row[step.first] === 1 || row[step.second] === 1
    return (step.op === 'char' ? next : row)[place + 1] === 1 && this.#holds(step, position)
  }
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
