import { slugOf } from '../../names/words.ts'
import type { Json } from '../../protocol/json.ts'
import { fits } from '../../schema/checker.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Cell, Maker } from './cell.ts'
import type { Site } from './site.ts'
import { MEDIA_TYPES } from './words/general.ts'

type Read = (sibling: string, cell: Cell) => Json | undefined

const SAME = /^(?:display|display_name|meta_title|seo_title|page_title|og_title|formatted_name)$/
const SLUG = /^(?:slug|handle|url_key|permalink)$/
const FILE_NAMES = ['file_name', 'filename', 'name', 'original_name']

/**
 * Values that repeat a neighbour in another spelling: the slug of a name, the label of a value, the media type of a file
 * name. Undefined for other fields; where the neighbour's value does not fit, the maker gives undefined.
 */
export function findCopy(site: Site, owner: Schema, read: Read): Maker | undefined {
  const copy = labelOf(site, owner, read) ?? mediaTypeOf(site, read) ?? nameIn(site, read)
  if (!copy) return undefined
  return (cell) => {
    const value = copy(cell)
    return value !== undefined && fits(site.schema, value) ? value : undefined
  }
}

/** `{ label: 'Planned', value: 'planned' }`: the label that stands where the value stands. */
function labelOf({ snake, siblings, schema }: Site, owner: Schema, read: Read): Maker | undefined {
  const value = siblings.get('value')
  const labels = schema.enum
  const values = value === undefined ? undefined : owner.properties.get(value)?.enum
  if (snake !== 'label' || value === undefined || !labels || values?.length !== labels.length) return undefined
  return (cell) => labels[values.indexOf(read(value, cell) ?? null)]
}

function mediaTypeOf({ snake, siblings }: Site, read: Read): Maker | undefined {
  if (!/^(?:mime|mime_?type|content_type|media_type)$/.test(snake)) return undefined
  const name = FILE_NAMES.map((candidate) => siblings.get(candidate)).find((candidate) => candidate !== undefined)
  if (name === undefined) return undefined
  return (cell) => {
    const ending = String(read(name, cell)).split('.').at(-1)
    return MEDIA_TYPES.find(([, extension]) => extension === ending)?.[0]
  }
}

function nameIn({ snake, siblings, schema }: Site, read: Read): Maker | undefined {
  if (schema.types[0] !== 'string' || schema.enum || (!SAME.test(snake) && !SLUG.test(snake))) return undefined
  const name = siblings.get('name') ?? siblings.get('title')
  if (name === undefined) return undefined
  return (cell) => {
    const value = read(name, cell)
    if (typeof value !== 'string') return undefined
    return SLUG.test(snake) ? slugOf(value) : value
  }
}
