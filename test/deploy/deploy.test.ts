import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanEnvironment } from '../support/run-command.ts'
import { CLI } from '../support/serve.ts'
import { findDirectives, type Part, ROOT, readDeploy, readDockerfile, readNginx, readYaml } from './read-deploy.ts'

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

let help = ''
/** Variables that `serve` knows. */
let variables: readonly string[] = []
beforeAll(() => {
  const options = { env: cleanEnvironment(), encoding: 'utf8' } as const
  help = execFileSync(process.execPath, [CLI, 'serve', '--help-all'], options)
  const named = [...help.matchAll(/env:\s+(BACKLOT_[A-Z_]+)/g)].map(([, name = '']) => name)
  // The one without a flag: arguments are seen by every process.
  variables = [...named, 'BACKLOT_SECRET_KEY']
})

const unknown = (names: readonly string[]) =>
  names.filter((name) => name.startsWith('BACKLOT_') && !variables.includes(name))

describe('the image', () => {
  const instructions = readDockerfile('Dockerfile')
  const last = instructions.slice(instructions.map(({ name }) => name).lastIndexOf('FROM'))
  const only = (name: string) => last.filter((instruction) => instruction.name === name).map(({ text }) => text)
  const environment = Object.fromEntries(
    only('ENV').flatMap((text) => [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])),
  )

  it('is made in two stages, of a Node that the package supports', () => {
    const stages = instructions.filter(({ name }) => name === 'FROM').map(({ text }) => text)
    const copies = only('COPY').flatMap((text) => /--from=(\S+)/.exec(text)?.[1] ?? [])

    expect(stages).toEqual(['node:24-bookworm-slim AS build', 'node:24-bookworm-slim'])
    expect(copies).toEqual(['build'])
    expect(instructions[0]?.name).toBe('FROM')
  })

  it('installs the optional packages in the range that the package names', () => {
    const { pg, 'prom-client': prom } = packageJson.peerDependencies

    expect(only('RUN').join(' ')).toContain(`pg@${pg} prom-client@${prom}`)
  })

  it('runs as another user than root, by an array, with flags that exist', () => {
    expect(only('USER')).toEqual(['node'])
    expect(last.findIndex(({ name }) => name === 'USER')).toBeGreaterThan(last.findIndex(({ name }) => name === 'RUN'))
    const [entry] = only('ENTRYPOINT').map((text) => JSON.parse(text) as string[])
    expect(entry).toEqual(['node', `/srv/node_modules/backlot/${packageJson.bin.backlot.replace('./', '')}`])
    expect(JSON.parse(only('CMD')[0] ?? '')).toEqual(['serve'])
    expect(unknown(Object.keys(environment))).toEqual([])
  })

  it('opens the ports that it exposes, and is asked for its health on one of them', () => {
    expect(only('EXPOSE').join(' ').split(' ')).toEqual([environment.BACKLOT_PORT, environment.BACKLOT_OPS_PORT])
    const [check = ''] = only('HEALTHCHECK')
    const command = JSON.parse(check.slice(check.indexOf('[')))
    expect(command.at(-1)).toBe('health')
    const asked = spawnSync(process.execPath, [CLI, 'health', '--help'], { encoding: 'utf8' })
    expect(asked.stdout).toContain('BACKLOT_OPS_PORT')
  })

  it('packs only files that the build does not exclude', () => {
    const ignored = readDeploy('Dockerfile.dockerignore').trim().split('\n')

    expect(ignored).toContain('**/node_modules')
    const needed = [...packageJson.files, 'src', 'scripts', 'package.json', 'examples']
    expect(needed.filter((name: string) => name !== 'dist' && ignored.includes(name))).toEqual([])
  })
})

describe('the compose file', () => {
  const [file] = readYaml('compose.yaml') as [Part]
  const services = Object.entries(file.services ?? {})
  const nginx = readNginx('nginx.conf')

  it('names variables of serve, services and volumes that exist', () => {
    const names = services.map(([name]) => name)
    const waited = services.flatMap(([, service]) => Object.keys(service.depends_on ?? {}))
    const given = services.flatMap(([, { environment }]) => Object.keys(environment ?? {}))

    expect(names).toEqual(['database', 'migration', 'node-1', 'node-2', 'proxy'])
    expect(waited.filter((name) => !names.includes(name))).toEqual([])
    expect(given).toContain('BACKLOT_STORE')
    expect(unknown(given)).toEqual([])
    expect(Object.keys(file.volumes ?? {})).toEqual(['database'])
  })

  it('has a proxy that sends one client to one node, and a change to no second one', () => {
    const [upstream] = findDirectives(nginx, 'upstream')
    const servers = findDirectives(upstream?.block ?? [], 'server').map(({ words }) => words[1])
    const [pass] = findDirectives(nginx, 'proxy_pass')
    const [next] = findDirectives(nginx, 'proxy_next_upstream')

    expect(servers).toEqual(['node-1:4010', 'node-2:4010'])
    expect(findDirectives(upstream?.block ?? [], 'hash')[0]?.words).toEqual(['hash', '$remote_addr', 'consistent'])
    expect(pass?.words[1]).toBe(`http://${upstream?.words[1]}`)
    expect(next?.words.slice(1)).toEqual(['error', 'timeout'])
  })

  it('lets a node end before it is killed', () => {
    const grace = services.find(([name]) => name === 'node-1')?.[1].stop_grace_period

    expect(Number.parseInt(String(grace), 10)).toBeGreaterThan(drainSeconds() + 2)
  })
})

describe('the manifests of Kubernetes', () => {
  const folder = join(ROOT, 'deploy/kubernetes')
  const [kustomization] = readYaml('kubernetes/kustomization.yaml') as [Part]
  const resources = [...(kustomization.resources ?? [])].map(String)
  const objects = resources.flatMap((name) => readYaml(`kubernetes/${name}`))
  const of = (kind: string) => objects.filter((object) => String(object.kind) === kind)
  const [deployment] = of('Deployment')
  const pod = deployment?.spec?.template
  const container = pod?.spec?.containers?.[0] as Part

  it('are all among the applied ones', () => {
    const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')

    expect(resources.toSorted()).toEqual(files.toSorted())
  })

  it('select the pods that there are, by ports that they have', () => {
    const labels = pod?.metadata?.labels as Part
    const selectors = [
      deployment?.spec?.selector?.matchLabels,
      of('Service')[0]?.spec?.selector,
      of('PodDisruptionBudget')[0]?.spec?.selector?.matchLabels,
      ...of('NetworkPolicy').map((policy) => policy.spec?.podSelector?.matchLabels),
    ]
    const ports = Object.fromEntries(
      [...(container.ports ?? [])].map((port) => [port.name, Number(port.containerPort)]),
    )

    for (const selector of selectors) expect(labels).toMatchObject(selector as object)
    expect(ports).toEqual({ http: 4010, operators: 9464 })
    expect([...(of('Service')[0]?.spec?.ports ?? [])].map(({ targetPort }) => targetPort)).toEqual(['http'])
    const backends = [...(of('Ingress')[0]?.spec?.rules ?? [])].map((rule) => rule.http?.paths?.[0]?.backend?.service)
    expect(backends.map((service) => service?.name)).toEqual(['backlot', 'backlot'])
  })

  it('give variables that serve knows, from a secret that exists', () => {
    const [secret] = of('Secret')
    const own = [...(container.env ?? [])].map(({ name }) => String(name))

    expect(unknown([...own, ...Object.keys(secret?.stringData ?? {})])).toEqual([])
    expect(container.envFrom?.[0]?.secretRef?.name).toBe(secret?.metadata?.name)
    expect(of('Job')[0]?.spec?.template?.spec?.containers?.[0]?.envFrom?.[0]?.secretRef?.name).toBe('backlot')
  })

  it('begin with a secret that no service starts with', () => {
    const given = { ...of('Secret')[0]?.stringData, BACKLOT_STORE: '/tmp/backlot-none/store.db' }
    const options = { env: { ...cleanEnvironment(), ...given } as Record<string, string>, encoding: 'utf8' } as const

    const { stdout, status } = spawnSync(process.execPath, [CLI, 'serve', '--check', '--port', '0'], options)

    expect(stdout).toMatch(/wrong .*secret key of the store/)
    expect(status).toBe(1)
  })

  it('leave the heap of V8 room for simulations', () => {
    const cacheMb = [...(container.env ?? [])].find(({ name }) => String(name) === 'BACKLOT_CACHE_MB')?.value

    expect(container.resources?.limits?.memory).toBe('1Gi')
    expect(Number(cacheMb)).toBeLessThanOrEqual(1_024 / 4)
  })

  it('replace one pod after the other, and let each end before it is killed', () => {
    const grace = pod?.spec?.terminationGracePeriodSeconds

    expect(deployment?.spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect(Number(grace)).toBeGreaterThan(drainSeconds() + 2)
  })

  it('run without rights, and let webhooks into no private network', () => {
    const jobPod = of('Job')[0]?.spec?.template?.spec as Part
    for (const spec of [pod?.spec as Part, jobPod]) {
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(spec.containers?.[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
    const [world] = of('NetworkPolicy').map((policy) => policy.spec?.egress?.[0]?.to?.[0]?.ipBlock)
    expect(world?.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']),
    )
  })

  it.skipIf(spawnSync('kubectl', ['version', '--client']).status !== 0)('are read by kubectl', () => {
    const built = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })

    expect(built.match(/^kind: .*/gm)).toHaveLength(objects.length)
  })
})

/** The delay that the image asks for. */
function drainSeconds(): number {
  return Number(/BACKLOT_DRAIN_DELAY=(\d+)/.exec(readDeploy('Dockerfile'))?.[1])
}
