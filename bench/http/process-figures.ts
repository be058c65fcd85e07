import { readFileSync } from 'node:fs'

/** Seconds of processor time that a process has used; undefined where the system does not tell as Linux does. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = readProc(pid, 'stat')
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory of a process in MB; undefined where the system does not tell as Linux does. */
export function residentMb(pid: number): number | undefined {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readProc(pid, 'status') ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
