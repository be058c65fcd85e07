import { ID_NAMES } from '../../../names/id-names.ts'
import { namesLike, SHARED_KEYS, UNIQUE_KEYS } from '../../../names/natural-keys.ts'
import type { Schema } from '../../../schema/schema.ts'
import { allNames } from './intake.ts'

const NONE: readonly string[] = []
const OTHER_IDS = ID_NAMES.filter((name) => name !== 'id')

/** Fields of records that also identify one where paths have an id: other ids, slugs, emails. */
export const uniqueFields = (schema: Schema | undefined): readonly string[] => schema?.once(findUnique) ?? NONE

/** Fields that identify a record where a parameter names it, although several records may have the same value. */
export const sharedFields = (schema: Schema | undefined): readonly string[] => schema?.once(findShared) ?? NONE

const findUnique = (schema: Schema) => namesLike(allNames(schema).keys(), [...OTHER_IDS, ...UNIQUE_KEYS])
const findShared = (schema: Schema) => namesLike(allNames(schema).keys(), SHARED_KEYS)
