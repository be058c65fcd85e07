/** Fields that also identify a record where paths have an id. */
export const NATURAL_KEYS = [
  'unique_name',
  'uniqueName',
  'uid',
  'guid',
  'uuid',
  'slug',
  'alias',
  'identifier',
  'username',
  'login',
  'handle',
  'key',
  'external_id',
  'externalId',
  'source_id',
  'sourceId',
  'email',
]

/** Fields that also identify a record where the parameter names the record, not its id. */
export const OPEN_KEYS = ['sid', 'code', 'number', 'serial', 'name']
