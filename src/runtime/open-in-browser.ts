/** Opens an address in this machine's browser. Without a browser, nothing happens. */
export function openInBrowser(url: string): void {
  const [command, ...options] = COMMANDS[process.platform] ?? ['xdg-open']
  const child = process
    .getBuiltinModule('node:child_process')
    .spawn(command as string, [...options, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

const COMMANDS: { readonly [Platform in NodeJS.Platform]?: readonly string[] } = {
  darwin: ['open'],
  // An address has `&` and `%`, which the Windows shell would interpret.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
