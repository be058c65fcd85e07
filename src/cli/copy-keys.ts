import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Whether keys can be read: a process in the background would be stopped by its terminal. */
export function readsKeys(): boolean {
  if (!isatty(0) || !isatty(1)) return false
  if (process.platform === 'win32') return true
  try {
    const text =
      process.platform === 'linux'
        ? readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) \S+ \S+ (\S+) \S+ \S+ (\S+) .*/s, '$1 $2')
        : execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' })
    const [own, foreground] = text.trim().split(/\s+/)
    return own === foreground
  } catch {
    return false
  }
}

/** What the keys of Ctrl and C, Z and \ do in a terminal that does not pass them on as characters. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  '\u0003': 'SIGINT',
  '\u001a': 'SIGTSTP',
  '\u001c': 'SIGQUIT',
}

/** Copies a line when its number is pressed: OSC 52 asks the terminal, which also works over ssh. Call it in the main thread. */
export function copyByKeys(lines: readonly string[]): void {
  const { stdin, stdout } = process
  const listen = (isOn: boolean) => {
    stdin.setRawMode(isOn)
    stdin[isOn ? 'resume' : 'pause']()
    stdin.unref()
  }
  stdin.on('data', (bytes) => {
    for (const key of bytes.toString()) {
      const [signal, line] = [SIGNALS[key], lines[Number(key) - 1]]
      if (signal === 'SIGTSTP') listen(false)
      if (signal !== undefined) process.kill(process.pid, signal)
      if (line === undefined) continue
      stdout.write(
        `\u001b]52;c;${Buffer.from(line).toString('base64')}\u0007Copied, if your terminal lets programs copy: ${line}\n`,
      )
    }
  })
  process.on('SIGCONT', () => readsKeys() && listen(true))
  listen(true)
}
