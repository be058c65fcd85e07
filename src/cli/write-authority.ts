import { writeFile } from 'node:fs/promises'

/** Writes a PEM to where `--ca-file` says. */
export async function writeAuthority(file: string, ca: string): Promise<void> {
  await writeFile(file, ca).catch((cause: Error) => {
    throw new Error(`Failed to write the authority to --ca-file: ${cause.message}.`, { cause })
  })
}
