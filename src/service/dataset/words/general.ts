import { phrases } from '../../../names/words.ts'

/** Plain adjectives for names of things: `amber-harbor`. */
export const ADJECTIVES: readonly string[] =
  `amber ancient autumn azure bold bright brisk calm cedar clever coastal cobalt copper coral crimson crystal daily deep early eastern
emerald evening fair fast first frosty gentle gilded global golden grand green hidden hollow indigo inner ivory jade keen late little
lively local lone long lucky lunar main mellow merry misty modern morning mossy navy new noble northern open outer pale patient plain
polar primary proud quick quiet rapid regional restless royal ruby rustic sandy scarlet second shared silent silver slow snowy solar
southern spring steady still stone stormy summer sunny swift tidal tiny upper urban velvet vivid warm western wide wild winter young`.split(
    /\s+/,
  )

/** Plain nouns for names of things. */
export const NOUNS: readonly string[] =
  `acorn anchor arbor arch atlas aurora badger bay beacon birch bison bluff breeze bridge brook canyon canoe cape cedar cliff cloud
clover comet compass coral cove crane creek crest delta dune eagle ember falcon fern field finch fjord forest fox garden geyser glacier
glade grove gull harbor haven hawk heath heron hill horizon inlet island ivy juniper kestrel lagoon lake lantern lark ledge lily linden
lynx maple marsh meadow mesa mill mint moon moor moss oak ocean orchard osprey otter owl path peak pebble pier pine plain pond prairie
quarry quill rain raven reef ridge river robin rowan sage sail sequoia shore sky slate sparrow spring spruce star stone stream summit sun
swan thicket thistle tide timber trail tulip valley vine wave willow wind wolf wood wren`.split(/\s+/)

/** Final phrases of sentences: a time or an audience. */
export const QUALIFIERS: readonly string[] = phrases(`
  for the spring release | for the finance team | for new customers | for the Berlin office | for the mobile app |
  for internal use | for the support team | for the annual review | for partners in Europe | for the onboarding flow`)

/** Labels that teams use. */
export const TAGS: readonly string[] =
  `urgent backend frontend billing design mobile security onboarding performance docs research customer internal
  experiment compliance growth retail europe vip seasonal`.split(/\s+/)

export const COLOURS: readonly (readonly [name: string, hex: string])[] = [
  ['teal', '#0f766e'],
  ['indigo', '#4f46e5'],
  ['amber', '#d97706'],
  ['rose', '#e11d48'],
  ['sky', '#0284c7'],
  ['emerald', '#059669'],
  ['violet', '#7c3aed'],
  ['slate', '#475569'],
  ['orange', '#ea580c'],
  ['lime', '#65a30d'],
]

export const LANGUAGES: readonly (readonly [code: string, name: string])[] = [
  ['en', 'English'],
  ['de', 'German'],
  ['fr', 'French'],
  ['es', 'Spanish'],
  ['it', 'Italian'],
  ['pt', 'Portuguese'],
  ['nl', 'Dutch'],
  ['sv', 'Swedish'],
  ['ja', 'Japanese'],
]

export const USER_AGENTS: readonly string[] = phrases(`
  Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15 |
  Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 |
  Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0 |
  Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`)

export const MEDIA_TYPES: readonly (readonly [type: string, extension: string])[] = [
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['text/csv', 'csv'],
  ['application/json', 'json'],
  ['text/plain', 'txt'],
]

export const FILE_STEMS: readonly string[] =
  `quarterly-report brand-guidelines meeting-notes floor-plan invoice-summary price-list team-photo contract-draft
  customer-export roadmap release-notes expense-sheet`.split(/\s+/)

export const PROGRAMMING_LANGUAGES: readonly string[] = ['TypeScript', 'Go', 'Python', 'Rust', 'Java', 'Ruby']

export const REGIONS: readonly string[] = ['eu-central-1', 'eu-west-1', 'us-east-1', 'us-west-2', 'ap-southeast-2']

export const ERRORS: readonly string[] = phrases(`
  The card was declined by the issuer. | The connection timed out after 30 seconds. |
  The address could not be verified. | The file is larger than the allowed size.`)

export const TERMS: readonly string[] = phrases(`
  Payment within 14 days of receipt. | Net 30 days, no discount. | Goods remain our property until they are paid. |
  Prices are without tax.`)

export const REASONS: readonly string[] = phrases(`
  requested by the customer | duplicate of an earlier entry | no longer needed |
  budget was moved to the next quarter | replaced by a newer version | agreed with the account team`)
