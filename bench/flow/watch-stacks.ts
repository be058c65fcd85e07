import { registerHooks, stripTypeScriptTypes } from 'node:module'
import {
  type AnyNode,
  type ArrowFunctionExpression,
  type FunctionDeclaration,
  type FunctionExpression,
  parse,
} from 'acorn'

type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression

/** Inspects the stack at each function entry. */
export interface Stacks {
  /** Frames of the folder only, outermost first, at the deepest point of `walk`. Callers that wait at an `await` are not on a stack. */
  deepestOf(walk: () => Promise<unknown>): Promise<readonly string[]>
}

/** Every function of modules below `home` imported from now on calls this first. Line numbers do not change. */
export function watchStacks(home: string): Stacks {
  let isOn = false
  let deepest: readonly string[] = []
  const lookAtStack = () => {
    if (!isOn) return
    const frames = framesBelow(home)
    if (frames.length > deepest.length) deepest = frames
  }
  Object.assign(globalThis, { lookAtStack })
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context)
      if (!url.startsWith(home) || !url.endsWith('.ts')) return loaded
      return { ...loaded, format: 'module', source: withCalls(stripTypeScriptTypes(String(loaded.source))) }
    },
  })
  return {
    deepestOf: async (walk) => {
      isOn = true
      await walk()
      isOn = false
      return deepest.toReversed()
    },
  }
}

function framesBelow(home: string): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  Error.prepareStackTrace = (_, sites) =>
    sites
      .filter((site) => !site.isAsync() && site.getFileName()?.startsWith(home))
      .map(
        (site) => `${site.getFileName()?.slice(home.length)}:${site.getLineNumber()} ${site.getFunctionName() ?? ''}`,
      )
  const frames = new Error().stack as unknown as string[]
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return frames
}

/** Puts `lookAtStack()` at the beginning of each function. */
function withCalls(text: string): string {
  return functionsIn(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }))
    .flatMap(({ body }): [at: number, added: string][] =>
      body.type === 'BlockStatement'
        ? [[body.start + 1, 'lookAtStack();']]
        : [
            [body.start, '(lookAtStack(),'],
            [body.end, ')'],
          ],
    )
    .toSorted(([left], [right]) => right - left)
    .reduce((result, [at, added]) => result.slice(0, at) + added + result.slice(at), text)
}

function functionsIn(node: AnyNode): FunctionNode[] {
  const children = Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string')
  return [...(isFunction(node) ? [node] : []), ...children.flatMap(functionsIn)]
}

function isFunction(node: AnyNode): node is FunctionNode {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type)
}
