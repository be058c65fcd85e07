import { mixPair } from '../../runtime/random.ts'
import { type Cell, drawAt, fraction, pickBy } from './cell.ts'
import { capitalised, singularOf } from './field-name.ts'
import { fitsText } from './fits.ts'
import { hexDigits, ipv4Text, subjectFor } from './format-text.ts'
import { kindOf } from './kind.ts'
import { isMoneyName, priceAt } from './make-number.ts'
import { toDateText } from './moment.ts'
import {
  companyDomain,
  companyName,
  companySlug,
  emailAddress,
  familyName,
  fullName,
  givenName,
  initials,
  legalName,
  userName,
} from './person.ts'
import { createTitles, makeDescription, makeTitle } from './phrase.ts'
import {
  addressLine,
  cityOf,
  houseNumber,
  latitudeOf,
  longitudeOf,
  phoneNumber,
  postalCode,
  streetAddress,
  streetName,
  unitOf,
} from './place.ts'
import type { Site } from './site.ts'
import { fileStem, fileType, makeUrl } from './url.ts'
import { namesRecord, variedPick } from './varied.ts'
import { BANKS, INDUSTRIES } from './words/companies.ts'
import { ADJECTIVES, COLOURS, ERRORS, LANGUAGES, NOUNS, REASONS, REGIONS, TAGS, USER_AGENTS } from './words/general.ts'
import { DEPARTMENTS, HOBBIES, JOB_TITLES, SKILLS } from './words/people.ts'

type TextMaker = (cell: Cell) => string
type Rule = readonly [pattern: RegExp, make: (site: Site) => TextMaker]

const of =
  (read: (subject: number) => string) =>
  (site: Site): TextMaker => {
    const subject = subjectFor(site)
    return (cell) => read(subject(cell))
  }
const oneOf =
  (values: readonly string[]) =>
  (site: Site): TextMaker =>
    variedPick(site, values)
const hex =
  (count: number) =>
  ({ key }: Site): TextMaker =>
  (cell) =>
    hexDigits(drawAt(cell, key), count)
const digits =
  (count: number) =>
  ({ key }: Site): TextMaker =>
  (cell) => {
    let text = ''
    for (let place = 0; place < count; place++)
      text += String((mixPair(drawAt(cell, key), place) % (place === 0 ? 9 : 10)) + (place === 0 ? 1 : 0))
    return text
  }

/** The particular names first. Patterns are tested on snake case. */
const RULES: readonly Rule[] = [
  [/(?:^|_)(?:first_?name|given_?name|forename)s?$/, of(givenName)],
  [/(?:^|_)(?:last_?name|family_?name|surname)$/, of(familyName)],
  [
    /(?:^|_)(?:full_?name|real_?name|display_?name|legal_name|contact_name|holder_?name|name_on_card|card_?holder|person_name)$/,
    fullNameRule,
  ],
  [
    /(?:^|_)(?:middle_?name)$/,
    ({ key }) =>
      (cell) =>
        givenName(drawAt(cell, key)),
  ],
  [/(?:^|_)initials$/, of(initials)],
  [/(?:^|_)nick_?name$/, of(givenName)],
  [/(?:^|_)(?:salutation|honorific|name_prefix)$/, oneOf(['Ms', 'Mr', 'Dr'])],
  [/(?:^|_)(?:pronouns)$/, oneOf(['she/her', 'he/him', 'they/them'])],
  [/(?:^|_)(?:gender|sex)$/, oneOf(['female', 'male', 'nonbinary'])],
  [/e_?mail(?:_address|s)?$|(?:^|_)(?:from|to|cc|bcc|reply_to|recipient|sender)$/, addressRule],
  [/(?:^|_)(?:user_?name|login|handle|screen_?name|user_login)$/, of(userName)],
  [/(?:phone|mobile|fax|telephone|msisdn)(?:_number|_no|s)?$|(?:^|_)tel$|(?:^|_)sms$/, of(phoneNumber)],
  [/user_agent/, oneOf(USER_AGENTS)],
  [/(?:^|_)(?:ip|ip_?address|ipv4|remote_addr|source_ip|client_ip)$/, ipv4Text],
  [
    /(?:^|_)(?:mac|mac_address)$/,
    ({ key }) =>
      (cell) =>
        `02:${(hexDigits(drawAt(cell, key), 10).match(/../g) as string[]).join(':')}`,
  ],
  [
    /(?:^|_)(?:url|uri|href|website|homepage|home_page|link|avatar|photo|picture|logo|image|icon|thumbnail|self|callback|web_page)(?:_?url|_?uri)?$|(?:url|uri|href)$|_urls$|(?:^|_)(?:endpoint|webpage)$/,
    makeUrl,
  ],
  [
    /(?:^|_)(?:domain|hostname|host|domain_name|fqdn|dns_name|subdomain|server_name)s?$/,
    (site) => (site.snake === 'subdomain' ? of(companySlug)(site) : of(companyDomain)(site)),
  ],
  [
    /(?:^|_)(?:company|company_?name|organi[sz]ation|organi[sz]ation_?name|employer|business_name|business|brand|manufacturer|vendor|supplier|merchant|merchant_name|publisher|workspace_name|account_name|org|client)$/,
    of(companyName),
  ],
  [/(?:^|_)(?:legal_entity|registered_name|legal_business_name)$/, of(legalName)],
  [/(?:^|_)(?:industry|sector|vertical)$/, oneOf(INDUSTRIES)],
  [/(?:^|_)(?:bank|bank_name|institution)$/, oneOf(BANKS)],
  [/(?:^|_)(?:job_?title|occupation|job_role|position|headline|profession|designation)$/, oneOf(JOB_TITLES)],
  [/(?:^|_)(?:department|division|team_name|business_unit|cost_center)$/, oneOf(DEPARTMENTS)],
  [/(?:^|_)skills?$/, oneOf(SKILLS)],
  [/street_?number|house_?number/, of((subject) => String(houseNumber(subject)))],
  [/street_?name|(?:^|_)street$/, (site) => (/name/.test(site.snake) ? of(streetName)(site) : of(streetAddress)(site))],
  [/(?:address|street|addr)(?:_?line)?_?(?:1|one)$|(?:^|_)line_?1$|street_address|thoroughfare/, of(streetAddress)],
  [
    /(?:address|street|addr)(?:_?line)?_?(?:2|two|3)$|(?:^|_)line_?2$|(?:^|_)(?:suite|apartment|unit_number)$/,
    of(unitOf),
  ],
  [
    /(?:^|_)(?:address|formatted_address|full_address|location|postal_address|mailing_address|destination_address|origin_address|pickup|dropoff)$/,
    (site) => (site.siblings.has('city') ? of(streetAddress)(site) : of(addressLine)(site)),
  ],
  [
    /(?:^|_)(?:city|town|locality|city_name|municipality|admin_area_2|address_city)$/,
    of((subject) => cityOf(subject).name),
  ],
  [/(?:^|_)(?:zip|zip_?code|postal_?code|post_?code|address_zip)$/, of(postalCode)],
  [/country_?(?:name)$/, of((subject) => cityOf(subject).country.name)],
  [/country_?(?:iso_?3|alpha_?3|code_?3|iso3)|iso_?3$/, of((subject) => cityOf(subject).country.alpha3)],
  [/country_?(?:code|iso|iso_?2|alpha_?2|iso_?code)|(?:^|_)iso(?:_?2)?$|nationality|citizenship/, countryRule],
  [/(?:^|_)countr(?:y|ies)$|address_country/, countryRule],
  [/(?:state|province|region|subdivision)_?(?:code|abbr|iso)/, of((subject) => cityOf(subject).regionCode)],
  [
    /(?:^|_)(?:province|county|state_province|admin_area_1|state_name|region_name|state_or_province|territory)$/,
    of((subject) => cityOf(subject).region),
  ],
  [/(?:^|_)state$/, stateRule],
  [
    /(?:^|_)(?:region|data_?center|availability_zone|aws_region|cloud_region|zone)$/,
    (site) =>
      site.siblings.has('city') || site.siblings.has('country')
        ? of((subject) => cityOf(subject).region)(site)
        : oneOf(REGIONS)(site),
  ],
  [/time_?zone|(?:^|_)tz$|tz_?name/, of((subject) => cityOf(subject).timeZone)],
  [/(?:^|_)(?:lat|latitude)$/, of((subject) => String(latitudeOf(subject)))],
  [/(?:^|_)(?:lng|lon|long|longitude)$/, of((subject) => String(longitudeOf(subject)))],
  [/currenc/, of((subject) => cityOf(subject).country.currency)],
  [/(?:^|_)(?:locale|language_tag|lang_tag)s?$|preferred_locale/, of((subject) => cityOf(subject).country.locale)],
  [
    /(?:^|_)(?:lang|language|language_code|languages)$/,
    ({ key, schema }) =>
      (cell) =>
        pickBy(LANGUAGES, drawAt(cell, key))[String(schema.example ?? 'en').length > 3 ? 1 : 0] as string,
  ],
  [
    /(?:^|_)(?:colou?r|hex|background|foreground)(?:_code|_hex|_light|_dark|_primary|_secondary)?$|colou?r$/,
    colourRule,
  ],
  [/(?:^|_)(?:sha|sha1|commit|commit_sha|commit_id|revision_id|git_sha|head_sha|commit_hash)$/, hex(40)],
  [/(?:^|_)(?:sha256|checksum|hash|digest|fingerprint|signature)$/, hex(64)],
  [/(?:^|_)(?:md5|etag)$/, hex(32)],
  [/(?:^|_)(?:trace_?id|request_?id|correlation_?id|session_?id|span_?id)$/, hex(32)],
  [
    /(?:token|secret|api_?key|access_?key|private_?key|public_?key|credential|client_secret|nonce|cursor|csrf)$|next_page|continuation/,
    ({ key, snake }) =>
      (cell) =>
        `${/secret|key/.test(snake) ? 'sk' : 'tok'}_test_${hexDigits(drawAt(cell, key), 24)}`,
  ],
  [
    /password/,
    ({ key }) =>
      (cell) =>
        `${capitalised(pickBy(NOUNS, drawAt(cell, key)))}-${hexDigits(drawAt(cell, key), 8)}`,
  ],
  [
    /(?:^|_)(?:version|app_version|api_version|sdk_version|firmware_version|semver|release|tag_name)$|_version$/,
    versionRule,
  ],
  [/mime|content_?type|media_?type|file_?type/, () => (cell) => fileType(cell)[0]],
  [
    /file_?name|(?:^|_)(?:filename|original_name|attachment_name)$/,
    () => (cell) => `${fileStem(cell)}.${fileType(cell)[1]}`,
  ],
  [/(?:^|_)(?:extension|file_ext)$/, () => (cell) => fileType(cell)[1]],
  [
    /(?:^|_)(?:path|file_?path|key_?path|directory|folder_path)$/,
    ({ key, owner }) =>
      (cell) =>
        `/${owner.replaceAll('_', '-') || 'files'}/${fileStem(cell)}`,
  ],
  [
    /(?:^|_)(?:invoice_?number|order_?number|quote_?number|receipt_?number|document_?number|po_number|reference_?number|tracking_?number|confirmation_?(?:number|code)|booking_?(?:number|code)|account_?number|serial_?number|contract_?number|credit_note_number|number|order_no|case_number|ticket_number)$/,
    numberRule,
  ],
  [
    /(?:^|_)(?:reference|external_reference|order_ref|ref|merchant_reference|identifier|external_id|external_key|reference_id|custom_id|client_reference_id)$/,
    ({ key, owner }) =>
      (cell) =>
        `${prefixLetters(owner)}-${(10_000 + (drawAt(cell, key) % 90_000)).toString()}`,
  ],
  [
    /(?:^|_)(?:sku|product_code|article_number|part_number|item_code|model_number|mpn)$/,
    ({ key }) =>
      (cell) =>
        `${pickBy(NOUNS, drawAt(cell, key)).slice(0, 3).toUpperCase()}-${1000 + (mixPair(drawAt(cell, key), 1) % 9000)}`,
  ],
  [/(?:^|_)(?:barcode|ean|gtin|upc|isbn)$/, digits(13)],
  [/(?:^|_)(?:vin)$/, digits(17)],
  [
    /(?:^|_)(?:iban)$/,
    ({ key }) =>
      (cell) =>
        `DE89370400${digits(12)({ key } as Site)(cell)}`,
  ],
  [/(?:^|_)(?:bic|swift|swift_code)$/, oneOf(['NWBKDEFF', 'HRBKGB2L', 'CEDRFRPP'])],
  [/(?:^|_)(?:routing_number|sort_code|bank_code)$/, digits(9)],
  [
    /(?:^|_)(?:tax_?id|vat_?(?:id|number)|ein|tax_number|registration_number)$/,
    (site) => (cell) => `${cityOf(cell.subject).country.code}${digits(9)(site)(cell)}`,
  ],
  [/(?:^|_)(?:last_?4|last_?four|last_digits|card_last_four)$/, digits(4)],
  [/card_?number|(?:^|_)pan$/, () => () => '4242424242424242'],
  [
    /(?:^|_)(?:exp_?month|expiry_?month|month)$/,
    ({ key }) =>
      (cell) =>
        String(1 + (drawAt(cell, key) % 12)).padStart(2, '0'),
  ],
  [
    /(?:^|_)(?:exp_?year|expiry_?year|year)$/,
    ({ key }) =>
      (cell) =>
        String(Number(toDateText(cell.frame.now).slice(0, 4)) + (drawAt(cell, key) % 4)),
  ],
  [/card_?brand|card_?type|(?:^|_)network$/, oneOf(['visa', 'mastercard', 'amex'])],
  [/payment_method(?:_type)?$/, oneOf(['card', 'sepa_debit', 'bank_transfer', 'paypal'])],
  [/(?:^|_)(?:browser)$/, oneOf(['Firefox', 'Chrome', 'Safari', 'Edge'])],
  [/(?:^|_)(?:os|operating_system|platform|os_name)$/, oneOf(['macOS', 'Windows', 'Linux', 'iOS', 'Android'])],
  [
    /(?:^|_)(?:device|device_name|device_type|device_model)$/,
    oneOf(['MacBook Pro', 'iPhone 15', 'Pixel 8', 'ThinkPad X1']),
  ],
  [/(?:^|_)tags?$|(?:^|_)tag_?(?:list|name)s?$|(?:^|_)labels?$|(?:^|_)(?:keywords?|topics?)$/, oneOf(TAGS)],
  [/(?:^|_)breed$/, oneOf(['Border Collie', 'Beagle', 'Maine Coon', 'Labrador', 'Siamese', 'Terrier'])],
  [/(?:^|_)species$/, oneOf(['dog', 'cat', 'rabbit', 'parrot'])],
  [/(?:^|_)genre$/, oneOf(['Drama', 'Comedy', 'Documentary', 'Thriller', 'Jazz'])],
  [/(?:^|_)(?:unit|unit_of_measure|uom|units)$/, oneOf(['piece', 'kg', 'hour', 'month', 'box'])],
  [/(?:^|_)size$/, oneOf(['S', 'M', 'L', 'XL'])],
  [/(?:^|_)material$/, oneOf(['oak', 'linen', 'steel', 'ceramic', 'cotton'])],
  [/(?:^|_)(?:priority|severity|importance|urgency)$/, oneOf(['normal', 'high', 'low', 'urgent'])],
  [/(?:^|_)(?:role|user_role|access_level|permission_level)s?$/, oneOf(['member', 'admin', 'viewer', 'editor'])],
  [
    /(?:^|_)(?:permission|scope|grant)s?$/,
    ({ key }) =>
      (cell) =>
        `${pickBy(['invoices', 'projects', 'users', 'reports'], drawAt(cell, key))}:${pickBy(['read', 'write'], mixPair(drawAt(cell, key), 1))}`,
  ],
  [
    /(?:^|_)(?:source|channel|origin|medium|utm_source|referrer|lead_source|acquisition)$/,
    oneOf(['web', 'email', 'referral', 'api', 'import', 'partner']),
  ],
  [/(?:^|_)(?:env|environment)$/, oneOf(['production', 'staging', 'development'])],
  [/(?:^|_)(?:status|state|phase|stage)$|_status$/, statusRule],
  [
    /(?:^|_)(?:event|event_type|event_name|trigger)s?$/,
    ({ key, owner }) =>
      (cell) =>
        `${pickBy(['order', 'invoice', 'contact', 'message', singularOf(owner) || 'record'], drawAt(cell, key))}.${pickBy(['created', 'updated', 'deleted'], mixPair(drawAt(cell, key), 1))}`,
  ],
  [/(?:^|_)(?:action|operation|activity)$/, oneOf(['created', 'updated', 'viewed', 'archived', 'assigned'])],
  [/(?:^|_)(?:bio|biography|about_me|about|headline_bio)$/, bioRule],
  [/(?:^|_)(?:reason|cancellation_reason|failure_reason|close_reason|status_reason)$|_reason$/, oneOf(REASONS)],
  [/(?:error|failure|decline)(?:_?(?:message|text|description|detail))?$/, oneOf(ERRORS)],
  [/(?:error|failure|decline)_?code$/, oneOf(['card_declined', 'timeout', 'invalid_address', 'too_large'])],
  [
    /(?:^|_)(?:subject|title|headline|heading|caption|summary|short_description|subtitle|topic|question|label_text|tagline|agenda|theme)$/,
    titleRule,
  ],
  [
    /(?:^|_)(?:description|body|content|text|message|comment|comments|note|notes|bio|about|details|instructions|long_description|memo|overview|abstract|remarks|answer|excerpt|intro|purpose|explanation|statement_descriptor|goal|plain_text|body_text|info|help_text|detail|annotation|transcript|review)s?$|_description$|_text$|_message$|_notes?$/,
    descriptionRule,
  ],
  [/(?:^|_)(?:body_)?html$|_html$|(?:^|_)rich_text$/, (site) => (cell) => `<p>${descriptionRule(site)(cell)}</p>`],
  [/(?:^|_)(?:markdown|body_md)$/, descriptionRule],
  [/(?:^|_)(?:slug|permalink|handle|url_key|alias|key_name|identifier_name|path_name|url_slug)$/, slugRule],
  [
    /(?:^|_)code$/,
    ({ key }) =>
      (cell) =>
        `${pickBy(NOUNS, drawAt(cell, key)).slice(0, 4)}${10 + (mixPair(drawAt(cell, key), 1) % 90)}`.toUpperCase(),
  ],
  [/(?:^|_)(?:key)$/, slugRule],
  [/name$|(?:^|_)label$/, nameOfThing],
  [/(?:^|_)(?:type|kind|category|group|class|classification|subtype|object_type|resource_type|entity_type)$/, typeRule],
  [
    /(?:^|_)object$/,
    ({ owner }) =>
      () =>
        owner || 'object',
  ],
  [
    /(?:created|updated|modified|assigned|owned|requested|approved|invited|added|deleted|uploaded|posted|submitted|authored|closed|completed)_?by$|(?:^|_)(?:author|owner|assignee|creator|reporter|manager|user|contact|customer|person|member|recipient_name|sender_name|by|instructor|speaker|artist|agent|driver)$/,
    ({ key }) =>
      (cell) =>
        fullName(mixPair(cell.seed, key) % 4_000),
  ],
]

/** Texts by the name of their field; undefined for names that tell nothing. */
export function nameRule(site: Site): TextMaker | undefined {
  const { snake, schema, key } = site
  if (
    isMoneyName(snake) &&
    !/_(?:type|name|method|currency|description|status|reason|at)$/.test(snake) &&
    /^-?\d*[.,]?\d*$/.test(String(schema.example ?? ''))
  ) {
    if (/amount|price|total|balance|cost|fee|(?:^|_)value$|tax|subtotal/.test(snake)) {
      const isMoneyValue = snake !== 'value' || site.siblings.has('currency_code') || site.siblings.has('currency')
      if (isMoneyValue) return (cell) => priceAt(drawAt(cell, key), 2).toFixed(2)
    }
  }
  const rule = RULES.find(([pattern]) => pattern.test(snake))
  return rule?.[1](site)
}

function fullNameRule(site: Site): TextMaker {
  if (kindOf(site.owner) === 'company' || /legal/.test(site.snake)) return of(legalName)(site)
  return kindOf(site.owner) === 'person' ||
    site.siblings.has('email') ||
    /holder|full|real|contact|card/.test(site.snake)
    ? of(fullName)(site)
    : nameOfThing(site)
}

function addressRule(site: Site): TextMaker {
  if (/phone|sms|call|whatsapp/.test(site.owner)) return of(phoneNumber)(site)
  return /mail|from|cc|reply/.test(site.snake) || /mail|message|recipient/.test(site.owner)
    ? of(emailAddress)(site)
    : of(fullName)(site)
}

function countryRule(site: Site): TextMaker {
  const example = typeof site.schema.example === 'string' ? site.schema.example : ''
  const wantsName =
    example.length > 3 || (example === '' && /countr(?:y|ies)$/.test(site.snake) && site.siblings.has('country_code'))
  if (wantsName) return of((subject) => cityOf(subject).country.name)(site)
  if (example.length === 3 || site.schema.minLength === 3) return of((subject) => cityOf(subject).country.alpha3)(site)
  return of((subject) => cityOf(subject).country.code)(site)
}

function stateRule(site: Site): TextMaker {
  const isPlace =
    /address|location|place|venue|geo/.test(site.owner) ||
    ['city', 'zip', 'postal_code', 'country', 'line1', 'street'].some((name) => site.siblings.has(name))
  if (!isPlace) return statusRule(site)
  const isShort = site.schema.maxLength === 2 || String(site.schema.example ?? '').length === 2
  return of((subject) => (isShort ? cityOf(subject).regionCode : cityOf(subject).region))(site)
}

function statusRule({ key, schema }: Site): TextMaker {
  if (typeof schema.example === 'string' && schema.example !== '') {
    const usual = schema.example
    const other = usual === usual.toUpperCase() ? 'INACTIVE' : 'inactive'
    return (cell) => (cell.frame.isNew || !/^active$/i.test(usual) || fraction(drawAt(cell, key)) < 0.8 ? usual : other)
  }
  return (cell) => {
    if (cell.frame.isNew) return 'active'
    const share = fraction(drawAt(cell, key))
    return share < 0.72 - cell.frame.age * 0.2 ? 'active' : share < 0.85 ? 'pending' : 'inactive'
  }
}

function colourRule({ key, snake, schema }: Site): TextMaker {
  const example = typeof schema.example === 'string' ? schema.example : ''
  const bare = schema.maxLength === 6 || /^[\da-f]{6}$/i.test(example) || schema.pattern === '^[0-9a-f]{6}$'
  const named = /^[a-z]+$/i.test(example) || /name/.test(snake)
  return (cell) => {
    const [name, code] = pickBy(COLOURS, drawAt(cell, key))
    return named ? name : bare ? code.slice(1) : code
  }
}

function versionRule({ key, schema }: Site): TextMaker {
  const example = typeof schema.example === 'string' ? schema.example : ''
  const parts = /^v?\d+(?:\.\d+)*$/.test(example) ? example.split('.').length : 3
  const lead = example.startsWith('v') ? 'v' : ''
  return (cell) => {
    const draw = drawAt(cell, key)
    return lead + [1 + (draw % 4), mixPair(draw, 1) % 14, mixPair(draw, 2) % 9].slice(0, parts).join('.')
  }
}

/** `INV-2026-0042`: the letters of the thing, the year it was made in, its number; or as the example has it. */
function numberRule(site: Site): TextMaker {
  const { snake, owner, schema } = site
  if (/tracking/.test(snake)) return (cell) => `1Z${digits(14)(site)(cell)}`
  if (/account|serial|routing/.test(snake)) return digits(10)(site)
  const like = typeof schema.example === 'string' ? /^(.*?)(\d{2,12})$/.exec(schema.example) : null
  if (like) return (cell) => `${like[1]}${String(cell.frame.rank + 1).padStart(like[2]?.length ?? 1, '0')}`
  const letters = lettersIn(schema.pattern) ?? prefixLetters(/^(.+)_(?:number|no|code)$/.exec(snake)?.[1] ?? owner)
  const inOrder = (cell: Cell, width: number) => String(cell.frame.rank + 1).padStart(width, '0')
  const spellings: readonly TextMaker[] = [
    (cell) => `${letters}-${toDateText(cell.frame.createdAt).slice(0, 4)}-${inOrder(cell, 4)}`,
    ...[6, 5, 4, 8, 3].map((width) => (cell: Cell) => `${letters}-${inOrder(cell, width)}`),
    ...[6, 8, 10, 4].map((width) => (cell: Cell) => letters + inOrder(cell, width)),
    ...[1, 6, 8, 10].map((width) => (cell: Cell) => inOrder(cell, width)),
  ]
  return (cell) => {
    const made = spellings.find((spell) => fitsText(schema, spell(cell))) ?? (spellings[0] as TextMaker)
    return made(cell)
  }
}

/** `SO` of `^SO-[0-9]{6}$`. */
function lettersIn(pattern: string | undefined): string | undefined {
  return /^\^?([A-Z]{1,5})(?=-?[[\\(])/.exec(pattern ?? '')?.[1]
}

const LETTERS: Readonly<Record<string, string>> = {
  invoice: 'INV',
  order: 'ORD',
  quote: 'QUO',
  credit_note: 'CN',
  purchase_order: 'PO',
  receipt: 'RCP',
  ticket: 'TCK',
  booking: 'BKG',
  payment: 'PAY',
}

function prefixLetters(noun: string): string {
  const known = LETTERS[noun]
  if (known) return known
  const words = noun.split('_').filter((word) => word !== '')
  const letters = words.length > 1 ? words.map((word) => word.charAt(0)).join('') : noun.slice(0, 3)
  return (letters || 'REF').toUpperCase().slice(0, 4)
}

function nounOf({ owner, snake }: Site): string {
  const prefix = /^(.+)_(?:name|title|description|text|label|subject|body|message|notes?)$/.exec(snake)?.[1]
  return prefix &&
    prefix.length > 2 &&
    !/^(?:short|long|display|full|body|plain|internal|public|private|seo|meta|file|default|original|product_long|sort)$/.test(
      prefix,
    )
    ? singularOf(prefix)
    : owner
}

function titleRule(site: Site): TextMaker {
  const noun = nounOf(site)
  if (/^title$/.test(site.snake) && kindOf(noun) === 'person') return oneOf(JOB_TITLES)(site)
  return titleMaker(site, noun || 'entry')
}

/** What people say of themselves, companies of what they do. */
function bioRule(site: Site): TextMaker {
  const read = (values: readonly string[], salt: number) => (cell: Cell) => pickBy(values, mixPair(cell.subject, salt))
  if (kindOf(site.owner) === 'company') {
    const industry = read(INDUSTRIES, 0x696e)
    return (cell) => `${industry(cell)} company from ${cityOf(cell.subject).name}, founded by two friends.`
  }
  const job = read(JOB_TITLES, 0x6a6f)
  const hobby = read(HOBBIES, 0x686f)
  return (cell) => `${job(cell)} in ${cityOf(cell.subject).name}. ${hobby(cell)}`
}

/** Titles; of records each another one as far as the words go. */
function titleMaker(site: Site, noun: string): TextMaker {
  if (!namesRecord(site)) return (cell) => makeTitle(noun, drawAt(cell, site.key))
  const titles = createTitles(noun, site.key)
  return (cell) => titles(cell.frame.rank)
}

function descriptionRule(site: Site): TextMaker {
  const noun = nounOf(site)
  const kind = kindOf(noun)
  const about = kind === 'person' ? 'comment' : kind === 'company' ? 'project' : noun || 'record'
  if (
    !/^(?:body|content|text|html|markdown|plain_text|body_text|transcript|article|long_description)$/.test(
      site.snake,
    ) ||
    about === 'comment'
  ) {
    return (cell) => makeDescription(about, drawAt(cell, site.key))
  }
  return (cell) => {
    const draw = drawAt(cell, site.key)
    const first = makeDescription(about, draw)
    const second = makeDescription(about, mixPair(draw, 1))
    return first === second ? first : `${first} ${second}`
  }
}

function slugRule({ key, owner }: Site): TextMaker {
  if (kindOf(owner) === 'company') return (cell) => companySlug(cell.subject)
  if (kindOf(owner) === 'person') return (cell) => userName(cell.subject)
  return (cell) => `${pickBy(ADJECTIVES, drawAt(cell, key))}-${pickBy(NOUNS, mixPair(drawAt(cell, key), 1))}`
}

function nameOfThing(site: Site): TextMaker {
  const noun = nounOf(site)
  const kind = kindOf(noun)
  if (kind === 'company' && !site.siblings.has('first_name')) return of(companyName)(site)
  if (kind === 'person' || (site.siblings.has('email') && noun === site.owner)) return of(fullName)(site)
  return titleMaker(site, noun || 'record')
}

function typeRule({ schema, owner }: Site): TextMaker {
  if (typeof schema.example === 'string' && schema.example !== '') return () => schema.example as string
  return () => owner || 'standard'
}
