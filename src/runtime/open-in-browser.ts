import { spawn } from 'node:child_process'

/** Opens an address in the browser of the person at this machine. Where there is none, nothing happens. */
export function openInBrowser(url: string): void {
  const [command, ...options] = COMMANDS[process.platform] ?? ['xdg-open']
  const child = spawn(command as string, [...options, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

const COMMANDS: { readonly [Platform in NodeJS.Platform]?: readonly string[] } = {
  darwin: ['open'],
  // An address holds `&` and `%`, which the shell of Windows would read.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
