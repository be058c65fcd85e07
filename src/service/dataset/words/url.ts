import { snakeCase } from '../../../names/words.ts'
import { LINK_ORIGIN } from '../../../protocol/record-links.ts'
import { mixPair, pickBy } from '../../../runtime/random.ts'
import { type Cell, drawAt } from '../cell.ts'
import type { Site } from '../site.ts'
import { FILE_STEMS, MEDIA_TYPES } from './general.ts'
import { companyDomain, kindOf, userName } from './person.ts'

const STEM_KEY = 0x7374
const TYPE_KEY = 0x7479

/** Name of the object's file, without its ending. */
export function fileStem(cell: Cell): string {
  return pickBy(FILE_STEMS, drawAt(cell, STEM_KEY))
}

/** Media type and ending of the object's file. */
export function fileType(cell: Cell): readonly [type: string, extension: string] {
  return pickBy(MEDIA_TYPES, drawAt(cell, TYPE_KEY))
}

/** Names that say no more than that there is a link, or that it leads to the record itself. */
const NO_NOUN =
  /^_?(?:links?|hrefs?|ur[il]s?|self|canonical|related|relationships?|api|resource|meta(?:data)?|attributes)$/

/** URLs on example domains, by field name: addresses of records in the API, pictures, homepages. */
export function makeUrl(site: Site): (cell: Cell) => string {
  const address = addressFor(site)
  const make = urlByName(site)
  return address ? (cell) => address(cell) ?? make(cell) : make
}

/** The address of what the field links to, by the description's paths. */
function addressFor({ path, linksAt, name, isLink, snake, owner, surroundings }: Site) {
  const names = path ?? (linksAt && [...linksAt, name])
  const nouns = names?.map(linkedNoun).filter((noun) => !NO_NOUN.test(noun))
  if (nouns === undefined || nouns.length > 1 || (!isLink && isOfClient(snake, owner))) return undefined
  const address = surroundings.addressOf(nouns[0] ?? '')
  return (
    address &&
    ((cell: Cell) => {
      const found = address(cell)
      return found === undefined ? undefined : LINK_ORIGIN + found
    })
  )
}

/** `languages` of `languages_url`. */
const linkedNoun = (name: string): string => snakeCase(name).replace(/_(?:api_)?(?:ur[il]|href|link)s?$/, '')

function urlByName(site: Site): (cell: Cell) => string {
  const { snake, key, owner } = site
  const thing =
    (site.path?.length === 1 && site.surroundings.collection) || (owner === '' ? 'records' : owner.replaceAll('_', '-'))
  const { surroundings, path } = site
  const isOwn = path !== undefined && (path.length === 1 || (site.isLink === true && path.length === 2))
  const idOf = (cell: Cell) => (isOwn ? surroundings.idOf(cell) : undefined) ?? (cell.frame.rank + 1).toString()
  const isPerson = kindOf(owner) === 'person'
  if (/avatar/.test(snake) || (isPerson && /photo|picture|image|thumb|icon/.test(snake))) {
    return (cell) => `https://cdn.example.com/avatars/${userName(cell.subject)}.png`
  }
  if (/photo|picture|(^|_)image|thumb|icon|banner|cover|poster|screenshot|sprite/.test(snake)) {
    return (cell) =>
      `https://cdn.example.com/images/${thing}-${idOf(cell)}${cell.turn ? `-${cell.turn.at + 1}` : ''}.jpg`
  }
  if (/logo|favicon/.test(snake)) return (cell) => `https://${companyDomain(cell.subject)}/logo.svg`
  if (isOfClient(snake, owner)) return (cell) => `https://${companyDomain(cell.subject)}/hooks/${thing}`
  if (/redirect|return|success_url|cancel_url/.test(snake))
    return (cell) => `https://app.example.com/${/cancel/.test(snake) ? 'cancelled' : 'welcome'}?ref=${idOf(cell)}`
  if (
    /download|file|attachment|document|pdf|receipt|invoice_url|hosted|archive|export|media|video|audio|asset|content_url|blob/.test(
      snake,
    )
  ) {
    return (cell) =>
      `https://files.example.com/${thing}/${idOf(cell)}/${fileStem(cell)}.${/video/.test(snake) ? 'mp4' : /audio/.test(snake) ? 'mp3' : /invoice|receipt|pdf/.test(snake) ? 'pdf' : fileType(cell)[1]}`
  }
  if (/home_?page|website|(^|_)web$|blog|company|domain|site/.test(snake))
    return (cell) => `https://${companyDomain(cell.subject)}`
  if (/repo|git|clone|ssh|source_url/.test(snake))
    return (cell) => `https://git.example.com/${userName(cell.subject)}/${thing}`
  if (/linkedin|twitter|facebook|social|github|instagram/.test(snake))
    return (cell) => `https://social.example.com/${userName(cell.subject)}`
  if (/docs|help|support|more_info|documentation/.test(snake)) return () => `https://docs.example.com/${thing}`
  if (
    /html|web_url|permalink|share|public|view|app_url|dashboard|manage|portal|checkout|payment_link|short/.test(snake)
  ) {
    return (cell) => `https://app.example.com/${thing}/${idOf(cell)}`
  }
  if (/^(?:next|prev|previous|first|last)(?:_|$)/.test(snake))
    return (cell) => `${LINK_ORIGIN}/${thing}?cursor=${mixPair(cell.seed, key).toString(36)}`
  const tail = snake.replace(/_?(?:url|uri|href|link|self|api)s?$/g, '').replaceAll('_', '-')
  return (cell) => `${LINK_ORIGIN}/${thing}/${idOf(cell)}${tail === '' || tail === thing ? '' : `/${tail}`}`
}

/** Whether a field holds an address that the API calls. */
const isOfClient = (snake: string, owner: string): boolean =>
  /webhook|callback|endpoint|notify|hook/.test(snake) ||
  (snake === 'url' && /webhook|endpoint|hook|destination/.test(owner))
