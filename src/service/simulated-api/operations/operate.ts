import { act } from './action.ts'
import { bulk } from './bulk.ts'
import type { Answered, ApiCall, Setting } from './call.ts'
import { create } from './create.ts'
import { showExample } from './example.ts'
import { list } from './list.ts'
import { read } from './read.ts'
import { remove } from './remove.ts'
import { singleton } from './singleton.ts'
import { issueToken } from './token.ts'
import { update } from './update.ts'

/** Does what the operation of a call does. Throws a `Refusal` for what cannot be done. */
export function operate(setting: Setting, call: ApiCall): Answered {
  const { effect } = call.operation
  switch (effect.kind) {
    case 'list':
    case 'search':
      return list(setting, call, effect)
    case 'read':
      return read(setting, call, effect)
    case 'create':
      return create(setting, call, effect)
    case 'update':
    case 'replace':
      return update(setting, call, effect)
    case 'delete':
      return remove(setting, call, effect)
    case 'action':
      return act(setting, call, effect)
    case 'bulkCreate':
    case 'bulkUpdate':
    case 'bulkDelete':
      return bulk(setting, call, effect)
    case 'singletonRead':
    case 'singletonUpdate':
    case 'singletonReplace':
    case 'singletonDelete':
      return singleton(setting, call, effect)
    case 'token':
      return issueToken(setting, call)
    case 'example':
      return showExample(setting, call)
  }
}
