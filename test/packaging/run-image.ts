import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDockerfile } from '../deploy/read-deploy.ts'

const isRoot = process.getuid?.() === 0
/** Root may change its user; others may only seem to be root, as themselves. */
const NAMESPACE = ['--mount', ...(isRoot ? [] : ['--map-root-user'])]

/** Whether this machine has what makes a root file system of an image: Linux, and the right to mount. */
export const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...NAMESPACE, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

/** Mounts the files of the image, all read-only but its volume, and starts a program there. Arguments: root, user, program. */
const START = `set -e
root=$1 user=$2; shift 2
mount --bind "$root" "$root"
for name in usr dev; do mkdir -p "$root/$name"; mount --rbind "/$name" "$root/$name"; done
for name in lib lib64; do if [ -L "/$name" ]; then cp -P "/$name" "$root/"; elif [ -d "/$name" ]; then mkdir -p "$root/$name"; mount --rbind "/$name" "$root/$name"; fi; done
mount --bind "$MODULES" "$root/srv/node_modules"
mount -t tmpfs -o mode=1777 none "$root/data"
mount -o remount,ro,bind "$root"
exec chroot $user "$root" "$@"`

/**
 * Runs the image's command without a Docker engine: on a read-only root with its files, its variables and its user. Ports are any free
 * ones.
 *
 * @param modules the folder `node_modules` into which the package is installed
 */
export async function runImage(
  modules: string,
  args: readonly string[],
): Promise<{ child: ChildProcess } & AsyncDisposable> {
  const root = await mkdtemp(join(tmpdir(), 'backlot-image-'))
  await chmod(root, 0o755)
  const instructions = readDockerfile('Dockerfile')
  const last = instructions.slice(instructions.map(({ name }) => name).lastIndexOf('FROM'))
  const textOf = (name: string) => last.find((instruction) => instruction.name === name)?.text ?? ''
  const variables = [...textOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  const entry = (JSON.parse(textOf('ENTRYPOINT')) as string[]).map((word) => (word === 'node' ? '/srv/node' : word))
  for (const folder of ['srv/node_modules', textOf('VOLUME')]) await mkdir(join(root, folder), { recursive: true })
  await copyFile(process.execPath, join(root, 'srv/node'))
  const user = isRoot ? '--userspec=1000:1000' : ''
  const child = spawn('unshare', [...NAMESPACE, 'bash', '-c', START, 'bash', root, user, ...entry, ...args], {
    env: {
      ...Object.fromEntries(variables),
      PATH: process.env.PATH,
      MODULES: modules,
      BACKLOT_HOST: '127.0.0.1',
      BACKLOT_PORT: '0',
      BACKLOT_OPS_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return {
    child,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await rm(root, { recursive: true })
    },
  }
}
