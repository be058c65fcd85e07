/** The same object with some of its methods replaced. */
export function overrideCalls<Target extends object>(target: Target, calls: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, key) => {
      if (Object.hasOwn(calls, key)) return Reflect.get(calls, key)
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
