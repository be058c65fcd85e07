/** Processor time of this thread so far, where Node can tell; else of the process. What else the machine does is not in it. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1_000
}
