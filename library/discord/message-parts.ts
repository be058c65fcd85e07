import { type DiscordRequest, type Fields, fieldsOf, type Json, listOf } from './discord.ts'
import { FAULTS, type Fault, type Faults, hasValue, lengthFault, REQUIRED, refuseForm } from './faults.ts'
import { EMBED, noteFaults } from './forms.ts'
import { noteTypes } from './types.ts'

const V2 = 1 << 15
const BUTTON_LINK = 5
const BUTTON_PREMIUM = 6
/** Types of components that only messages with the flag of the second version have at the top. */
const TOPS_V2 = new Set([1, 9, 10, 12, 13, 14, 17])

/** Faults in the components of a message, and in what stands beside them. */
export function faultsOfMessage(discord: DiscordRequest, message: Fields, at = '', flags = message.flags): Faults {
  const faults: Faults = new Map()
  const { components, content, embeds } = message
  noteTypes(faults, message, at)
  for (const [place, embed] of (Array.isArray(embeds) ? embeds : []).entries())
    if (typeof embed !== 'object') faults.set(`${at}embeds.${place}`, FAULTS.noModel)
  const isV2 = (Number(flags ?? 0) & V2) !== 0
  const legacy = ['content', 'embeds'].filter((name) => hasValue(message[name]))
  if (isV2)
    for (const name of legacy)
      faults.set(`${at}${name}`, [
        'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
        `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
      ])
  const { parse, users, roles } = fieldsOf(message.allowed_mentions)
  for (const [kind, ids] of Object.entries({ users, roles }))
    if (Array.isArray(parse) && parse.includes(kind) && hasValue(ids))
      faults.set(`${at}allowed_mentions`, [
        'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
        `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
      ])
  if (listOf(message.embeds).reduce((sum, embed) => sum + lettersOf(embed), 0) > MOST_OF_EMBEDS)
    faults.set(`${at}embeds`, ['MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${MOST_OF_EMBEDS}`])
  for (const [place, embed] of listOf(message.embeds).entries()) {
    if (!EMBED_PARTS.some((name) => hasValue(embed[name]))) faults.set(`${at}embeds.${place}.description`, REQUIRED)
    noteFaults(faults, EMBED, embed, discord, `${at}embeds.${place}.`)
  }
  if (typeof content !== 'object') lengthFault(faults, `${at}content`, content, 0, 2_000)
  lengthFault(faults, `${at}embeds`, listOf(embeds), 0, 10)
  const tops = Array.isArray(components) ? listOf(components) : []
  if (!isV2) lengthFault(faults, `${at}components`, tops, 0, 5)
  for (const [place, { type }] of tops.entries())
    if (isV2 ? !TOPS_V2.has(Number(type)) : type !== 1)
      faults.set(`${at}components.${place}.type`, [
        'UNION_TYPE_CHOICES',
        `Value of field "type" must be one of ${isV2 ? `(${[...TOPS_V2].join(', ')})` : '(1,)'}.`,
      ])
  const seen = new Set<string>()
  for (const [path, component] of below(tops, `${at}components`)) checkComponent(component, path, faults, seen)
  return faults
}

const EMBED_PARTS = 'title description fields image thumbnail author footer timestamp url video'.split(' ')

/** Each component at any depth, with its path. */
function* below(components: readonly Fields[], at: string): Generator<[string, Fields]> {
  for (const [place, component] of components.entries()) {
    const path = `${at}.${place}`
    yield [path, component]
    yield* below(listOf(component.components), `${path}.components`)
    if (component.accessory !== undefined) yield [`${path}.accessory`, fieldsOf(component.accessory)]
  }
}

function checkComponent(component: Fields, path: string, faults: Faults, seen: Set<string>): void {
  const { type, style, custom_id, url, sku_id, components, options, label } = component
  const fault = (field: string, what: Fault) => faults.set(`${path}.${field}`, what)
  const id = String(custom_id ?? '')
  const [below, choices] = [listOf(components), listOf(options)]
  if (type === 1) lengthFault(faults, `${path}.components`, below, 1, 5)
  if (type === 1 && below.length > 1 && below.some((one) => one.type !== 2)) fault('components.1', FAULTS.tooWide)
  if (type === 2 && style === BUTTON_PREMIUM) {
    if (!hasValue(sku_id)) fault('sku_id', REQUIRED)
  } else if (type === 2) {
    const isLink = style === BUTTON_LINK
    if (id !== '' && (isLink || hasValue(url))) fault(isLink ? 'custom_id' : 'url', FAULTS.customIdWithUrl)
    else if (isLink && !hasValue(url)) fault('url', FAULTS.urlMissing)
    if (!isLink && id === '') fault('custom_id', FAULTS.customIdMissing)
    if (!isLink && !(Number(style) >= 1 && Number(style) <= 4)) fault('style', FAULTS.style)
    if (!hasValue(label) && !component.emoji) fault('label', REQUIRED)
  }
  for (const [place, { value }] of choices.entries())
    if (choices.findIndex((one) => one.value === value) < place) fault(`options.${place}`, FAULTS.selectTwice)
  if (type === 2) lengthFault(faults, `${path}.label`, label, 0, 80)
  if (SELECTS.has(Number(type)) && id === '') fault('custom_id', REQUIRED)
  if (type === 3) lengthFault(faults, `${path}.options`, choices, 1, 25)
  lengthFault(faults, `${path}.custom_id`, id, 0, 100)
  if (id !== '' && seen.has(id)) fault('custom_id', FAULTS.customIdTwice)
  seen.add(id)
}

const MOST_OF_EMBEDS = 6_000
/** Letters of everything that an embed shows. */
function lettersOf(embed: Fields): number {
  const { title, description, footer, author, fields } = embed
  const texts = [title, description, fieldsOf(footer).text, fieldsOf(author).name]
  for (const { name, value } of listOf(fields)) texts.push(name, value)
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
}

const PARTS = ['content', 'embeds', 'components', 'attachments']

/** Refuses a new message with faulty parts, and one without a part: spaces are none. @param at its path in the body */
export function checkNew(discord: DiscordRequest, sent: Fields, at = ''): void {
  refuseForm(discord, faultsOfMessage(discord, sent, at))
  const isForward = fieldsOf(sent.message_reference).type === 1
  const hasPart = [...PARTS, 'poll', 'sticker_ids'].some((name) => hasValue(sent[name]))
  if (!isForward && !hasPart) checkFiles(discord)
}

/** Refuses a change with faulty parts, and one that leaves no part. A message of the second version stays one. */
export function checkChange(discord: DiscordRequest, message: Fields): void {
  const { body } = discord
  const flags = Number(body.flags ?? 0) | (Number(message.flags ?? 0) & V2)
  refuseForm(discord, faultsOfMessage(discord, body, '', flags))
  const hasPart = PARTS.some((name) => hasValue(body[name] === undefined ? message[name] : body[name]))
  if (!hasPart && !hasValue(message.sticker_items)) checkFiles(discord)
}

function checkFiles(discord: DiscordRequest): void {
  if (discord.files.length === 0) discord.refuse(400, 50006, 'Cannot send an empty message')
}

const PICTURES = ['image', 'thumbnail']
const ATTACHED = 'attachment://'

/** Embeds as they are shown: `rich`, with times in the form of answers, and with the addresses of files of the request. */
export const embedsOf = (embeds: Json | undefined, files: readonly Fields[]): Fields[] =>
  listOf(embeds).map((embed) => ({
    type: 'rich',
    ...embed,
    ...(hasValue(embed.timestamp) && {
      timestamp: new Date(String(embed.timestamp))
        .toISOString()
        .replace(/\.000Z$/, '+00:00')
        .replace('Z', '000+00:00'),
    }),
    ...(embed.fields != null && { fields: listOf(embed.fields).map((field) => ({ inline: false, ...field })) }),
    ...Object.fromEntries(
      PICTURES.filter((name) => hasValue(fieldsOf(embed[name]).url)).map((name) => {
        const given = String(fieldsOf(embed[name]).url)
        const file = files.find(({ filename }) => given === `${ATTACHED}${filename}`)
        const { url = given, width = 0, height = 0 } = file ?? {}
        return [name, { url, proxy_url: url, width, height }]
      }),
    ),
  }))

/** Files of a message but for those that its embeds show. */
export function unembedded(embeds: Json | undefined, files: readonly Fields[]): Fields[] {
  const shown = JSON.stringify(embeds ?? [])
  return files.filter(({ filename }) => !shown.includes(`"${ATTACHED}${filename}"`))
}

/** Kinds of select menus. */
export const SELECTS = new Set([3, 5, 6, 7, 8])

const defaultsOf = (type: number): Fields => {
  if (SELECTS.has(type)) return { min_values: 1, max_values: 1 }
  if (type === 14) return { divider: true, spacing: 1 }
  return type === 17 ? { accent_color: null, spoiler: false } : {}
}

/** Components with their defaults and with ids, counted over all levels. */
export function numbered(value: Json | undefined): Fields[] {
  const taken = new Set<Json>()
  const note = ({ id, components, accessory, component }: Fields): void => {
    if (Number(id) > 0) taken.add(Number(id))
    for (const one of listOf([...listOf(components), accessory ?? [], component ?? []].flat())) note(one)
  }
  for (const one of listOf(value)) note(one)
  let last = 0
  const next = () => {
    do last += 1
    while (taken.has(last))
    return last
  }
  const shown = (one: Fields): Fields => {
    const id = Number(one.id) > 0 ? Number(one.id) : next()
    return {
      ...defaultsOf(Number(one.type)),
      ...one,
      id,
      ...(one.components != null && { components: listOf(one.components).map(shown) }),
      ...(one.accessory != null && { accessory: shown(fieldsOf(one.accessory)) }),
      ...(one.component != null && { component: shown(fieldsOf(one.component)) }),
    }
  }
  return listOf(value).map(shown)
}
