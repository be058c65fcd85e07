import { hostname } from 'node:os'
import { maskSecrets } from '../../protocol/mask-secrets.ts'
import type { Clock } from '../../runtime/clock.ts'

/** What is logged: nothing; state changes and failures; also each request. */
const LOG_LEVELS = ['off', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Levels as pino numbers them. */
const NUMBERS = { debug: 20, info: 30, warn: 40, error: 50 } as const

const PASSWORD = /(:\/\/[^:/?#@\s"]*):[^@/\s"]+@/g

/** `text` without keys, and without passwords in addresses. */
function withoutSecrets(text: string): string {
  return maskSecrets(text).replace(PASSWORD, '$1:***@')
}

/** Log lines as JSON objects with pino's field names, for log collectors. */
export class JsonLog {
  readonly #level: LogLevel
  readonly #clock: Clock
  readonly #write: (line: string) => void

  constructor(level: LogLevel, clock: Clock, write: (line: string) => void) {
    this.#level = level
    this.#clock = clock
    this.#write = write
  }

  /** Whether requests are logged. */
  get isDetailed(): boolean {
    return this.#level === 'debug'
  }

  debug(message: string, facts: object = {}): void {
    if (this.isDetailed) this.#log('debug', message, facts)
  }

  info(message: string, facts: object = {}): void {
    this.#log('info', message, facts)
  }

  warn(message: string, facts: object = {}): void {
    this.#log('warn', message, facts)
  }

  error(message: string, error: unknown, facts: object = {}): void {
    const { name: type, message: text, stack } = error instanceof Error ? error : new Error(String(error))
    this.#log('error', message, { ...facts, err: { type, message: text, stack } })
  }

  #log(level: keyof typeof NUMBERS, msg: string, facts: object): void {
    if (this.#level === 'off') return
    const line = {
      level: NUMBERS[level],
      time: this.#clock.now(),
      pid: process.pid,
      hostname: hostname(),
      msg,
      ...facts,
    }
    this.#write(`${withoutSecrets(JSON.stringify(line))}\n`)
  }
}
