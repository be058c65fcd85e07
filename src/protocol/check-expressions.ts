import type * as z from 'zod'
import { VALUE_OPERATORS } from './expression.ts'

/** Checks the expressions in a value of `effects.yaml` or `sign-in.yaml`, which may refer to `names`: `{ $user: email }`. */
export const checkExpressions =
  (...names: string[]) =>
  (value: unknown, context: z.core.$RefinementCtx): void => {
    const known = [...VALUE_OPERATORS, ...names]
    const check = (inner: unknown, path: string[]): void => {
      if (typeof inner !== 'object' || inner === null) return
      const [first = ''] = Object.keys(inner)
      const message = `an expression of ${known.join(', ')}, not ${first}`
      // A condition of `$if` names a field: `$request.header.accept`.
      if (first.startsWith('$') && !known.includes(first.split('.', 1)[0] ?? ''))
        context.addIssue({ code: 'custom', path: [...path, first], message })
      for (const [name, below] of Object.entries(inner)) check(below, [...path, name])
    }
    check(value, [])
  }
