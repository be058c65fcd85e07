/** Words that say that what follows is put into a field, or into a list, or taken out of one. */
export const PUTS = new Set(['set', 'change', 'update', 'rename', 'move', 'edit', 'adjust', 'switch'])
export const ADDS = new Set([
  'add',
  'attach',
  'assign',
  'link',
  'join',
  'invite',
  'enroll',
  'grant',
  'insert',
  'append',
  'apply',
  'upload',
])
export const REMOVES = new Set([
  'remove',
  'detach',
  'unassign',
  'unlink',
  'leave',
  'kick',
  'revoke',
  'delete',
  'unenroll',
])
/** Words that say that what follows gets another value, which the server chooses. */
export const RENEWS = new Set([
  'reset',
  'regenerate',
  'rotate',
  'refresh',
  'reserve',
  'generate',
  'renew',
  'reissue',
  'roll',
  'rekey',
])
/** Words that count up or down what follows. */
export const RAISES = new Set(['raise', 'increment', 'increase', 'promote'])
export const LOWERS = new Set(['lower', 'decrement', 'decrease', 'demote'])
/** Words between a verb and its noun. */
export const FILLERS = new Set(['to', 'from', 'in', 'the', 'of', 'as'])
