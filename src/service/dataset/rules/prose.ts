import { singularName } from '../../../names/nouns.ts'
import { mixPair, pickBy } from '../../../runtime/random.ts'
import { drawAt } from '../cell.ts'
import type { Site } from '../site.ts'
import { ERRORS, TERMS } from '../words/general.ts'
import { companyName, fullName, HOBBIES, INDUSTRIES, JOB_TITLES, kindOf } from '../words/person.ts'
import { createTitles, findVocabulary, makeDescription, makeTitle } from '../words/phrase.ts'
import { type City, cityOf } from '../words/place.ts'
import { isNamingField, of, oneOf, type Rules, type TextMaker } from './rule.ts'

/** Names and sentences about things. */
export const PROSE_RULES: Rules = [
  ['name label display', nameOfThing],
  [
    'subject title heading caption summary short_description subtitle question label_text tagline agenda theme',
    titleOf,
  ],
  [
    'description body content text message comment comments note notes details instructions long_description memo overview abstract remarks answer excerpt intro purpose explanation goal plain_text body_text info help_text detail annotation transcript review markdown body_md snippet preview raw raw_text descriptions messages',
    descriptionOf,
  ],
  ['terms terms_and_conditions conditions payment_terms', oneOf(...TERMS)],
  ['cooked html body_html rich_text content_html description_html', (site) => wrapped(descriptionOf(site))],
  ['error errors failure error_message failure_message error_description error_text last_error', oneOf(...ERRORS)],
  ['error_code failure_code decline_code', oneOf('card_declined', 'timeout', 'invalid_address', 'too_large')],
]

/** The name of a person, a company or a thing. */
export function nameOfThing(site: Site): TextMaker {
  const noun = nounOf(site)
  const kind = kindOf(noun)
  if (kind === 'company' && !site.siblings.has('first_name')) return of(companyName)(site)
  const isPerson =
    kind === 'person' || ['email', 'username', 'login'].some((name) => site.siblings.has(name) && noun === site.owner)
  if (isPerson) return of(fullName)(site)
  const place = PLACES.find(([pattern]) => pattern.test(noun))
  if (place) return of((subject) => place[1](cityOf(subject)))(site)
  return titleMaker(site, noun || 'record')
}

/** Names of places, by the last word of their noun. */
const PLACES: readonly (readonly [noun: RegExp, name: (city: City) => string])[] = [
  [/(?:^|_)country$/, ({ country }) => country.name],
  [/(?:^|_)(?:city|town|municipality)$/, ({ name }) => name],
  [/(?:^|_)(?:province|county)$/, ({ region }) => region],
]

/** `milestone` of `milestone_name`, else the noun of the parent object. */
function nounOf({ owner, snake }: Site): string {
  const prefix = /^(.+)_(?:name|title|description|text|label|subject|body|message|notes?)$/.exec(snake)?.[1]
  if (prefix === undefined) return owner
  const noun = singularName(prefix)
  return findVocabulary(noun) !== undefined || kindOf(noun) !== 'thing' ? noun : owner
}

function titleOf(site: Site): TextMaker {
  if (TROUBLE.test(site.owner)) return oneOf('Invalid request', 'Not found', 'Conflict')(site)
  const noun = nounOf(site)
  if (kindOf(noun) === 'person') return oneOf(...JOB_TITLES)(site)
  return titleMaker(site, noun || 'entry')
}

/** Titles, unique for each record while there are enough. */
function titleMaker(site: Site, noun: string): TextMaker {
  const titles = createTitles(noun, site.key)
  const isOfRecord = isNamingField(site)
  return (cell) => {
    const { turn } = cell
    if (turn) return titles(turn.at + (turn.isShared ? 0 : mixPair(turn.seed, site.key) % 10_000))
    return isOfRecord ? titles(cell.frame.rank) : makeTitle(noun, drawAt(cell, site.key))
  }
}

/** Names of objects whose texts describe an error. */
const TROUBLE = /(?:^|_)(?:error|problem|fault|exception|failure|violation)s?$/
const LONG =
  /^(?:body|content|text|markdown|plain_text|body_text|transcript|article|long_description|body_md|html|body_html|content_html)$/

function descriptionOf(site: Site): TextMaker {
  if (TROUBLE.test(site.owner)) return oneOf(...ERRORS)(site)
  const noun = nounOf(site)
  const kind = kindOf(noun)
  if (kind !== 'thing' && /description|info|details|overview/.test(site.snake)) return bioOf(site)
  const about = kind === 'person' ? 'comment' : kind === 'company' ? 'project' : noun || 'record'
  if (!LONG.test(site.snake) || about === 'comment') return (cell) => makeDescription(about, drawAt(cell, site.key))
  return (cell) => {
    const draw = drawAt(cell, site.key)
    const [first, second] = [makeDescription(about, draw), makeDescription(about, mixPair(draw, 1))]
    return first === second ? first : `${first} ${second}`
  }
}

function wrapped(make: TextMaker): TextMaker {
  return (cell) => `<p>${make(cell)}</p>`
}

/** Self-descriptions of people and companies. */
export function bioOf({ owner }: Site): TextMaker {
  if (kindOf(owner) === 'company') {
    return ({ subject }) => {
      const industry = pickBy(INDUSTRIES, mixPair(subject, 0x696e))
      return `${industry} company from ${cityOf(subject).name}, founded by two friends.`
    }
  }
  return ({ subject }) => {
    const job = pickBy(JOB_TITLES, mixPair(subject, 0x6a6f))
    return `${job} in ${cityOf(subject).name}. ${pickBy(HOBBIES, mixPair(subject, 0x686f))}`
  }
}
