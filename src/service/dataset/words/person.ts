import { phrases } from '../../../names/words.ts'
import { fraction, hashText, mixPair, pickBy } from '../../../runtime/random.ts'
import type { Cell } from '../cell.ts'
import type { Site } from '../site.ts'

/** Given names from many places; ASCII, for addresses. */
export const GIVEN_NAMES: readonly string[] =
  `Aaliyah Aaron Abigail Adam Adaeze Agnes Ahmed Aiko Alejandro Alice Amara Amir Ana Anders Andrea Anika Anton Arjun Astrid
Beatriz Ben Bianca Bjorn Bruno Camila Carlos Caroline Charlotte Chen Chloe Clara Daniel Daniela David Diana Diego Dmitri Elena
Elias Elif Ella Emeka Emil Emma Erik Esther Eva Fatima Felix Fiona Francesca Gabriel Grace Greta Hana Hannah Hassan Helena Henry
Hugo Ibrahim Ida Imani Ingrid Irene Isaac Isabel Ivan Jack Jakob James Jasmine Javier Jiwoo Johan Jonas Joseph Julia Kai Karim
Katarina Kenji Kofi Laila Lars Laura Leo Lena Liam Lina Lucas Lucia Magnus Marco Maria Marta Matteo Maya Mei Mia Miguel Mina Mira
Nadia Naomi Nathan Nia Nikolai Nina Noah Nora Oliver Olivia Omar Oscar Paolo Pedro Petra Priya Rafael Rania Ravi Rosa Ruth Samuel
Sara Sofia Soren Stefan Tara Thomas Tomas Uma Valentina Victor Wei Yara Yuki Yusuf Zara Zoe`.split(/\s+/)

/** Family names, ASCII. */
export const FAMILY_NAMES: readonly string[] =
  `Abbott Adeyemi Ahmed Almeida Andersen Andersson Arslan Asante Bailey Baker Banerjee Barnes Bauer Becker Bennett Berg Bianchi
Blake Boateng Brandt Brooks Burke Campbell Cardoso Carlsen Carter Castillo Chan Chen Cheng Clarke Cohen Cole Conti Cooper Costa
Cruz Dahl Dalton Davies Delgado Demir Desai Diallo Diaz Dubois Duarte Eriksen Eze Farrell Fernandez Ferrari Fischer Fleming Fontaine
Foster Fournier Garcia Ghosh Gibson Girard Gomez Graham Grant Greco Gruber Gupta Haddad Hall Hansen Harper Hassan Hayes Hernandez
Hoffmann Holm Howard Hughes Ibarra Ito Iversen Jansen Jensen Johansson Joshi Kamau Kang Kapoor Kaya Keller Khan Kim Klein Kobayashi
Koch Kovac Kowalski Kumar Laine Lambert Larsen Laurent Leclerc Lee Lehmann Lim Lindqvist Lopez Lund Mancini Marino Martin Mbeki
McKenna Medina Mehta Mendes Meyer Moreau Morgan Moreno Mori Mueller Murphy Nakamura Navarro Nguyen Nielsen Novak Nwosu Okafor Okoye
Olsen Ortiz Osei Owusu Park Parker Patel Pereira Petersen Petrov Pham Popescu Quinn Ramos Rao Reid Reyes Ricci Rivera Romano Rossi
Roy Ruiz Sanchez Santos Sato Schmidt Schneider Sharma Silva Singh Soto Sousa Suzuki Svensson Takahashi Tanaka Torres Tran Vargas
Vega Virtanen Wagner Walsh Wang Weber Wilson Wong Wright Yamamoto Yilmaz Zhang`.split(/\s+/)

export const JOB_TITLES: readonly string[] = phrases(`
  Account Executive | Backend Engineer | Chief Financial Officer | Content Designer | Customer Success Manager |
  Data Analyst | Data Engineer | Design Lead | Engineering Manager | Finance Manager | Frontend Engineer |
  Head of Operations | HR Business Partner | IT Administrator | Marketing Manager | Mobile Engineer | Office Manager |
  Operations Analyst | Platform Engineer | Procurement Specialist | Product Designer | Product Manager |
  Project Manager | QA Engineer | Recruiter | Sales Director | Security Engineer | Site Reliability Engineer |
  Solutions Architect | Support Specialist | Technical Writer | VP of Engineering`)

export const DEPARTMENTS: readonly string[] = phrases(`
  Engineering | Finance | Customer Success | Design | Human Resources | Legal | Marketing | Operations | Product |
  Sales | Security | Support`)

export const SKILLS: readonly string[] = phrases(`
  accounting | budgeting | copywriting | data analysis | forecasting | illustration | negotiation | onboarding |
  public speaking | research | SQL | typescript`)

/** Sentences about people's free time. */
export const HOBBIES: readonly string[] = phrases(`
  Runs on coffee and long walks. | Grows tomatoes on a balcony. | Plays the cello, badly. |
  Writes about tools for small teams. | Collects old maps. | Cycles to work in any weather. |
  Bakes bread on Sundays. | Never far from the sea.`)

/** First words of company names. */
const COMPANY_STEMS: readonly string[] =
  `Acorn Alder Alpine Amber Anchor Apex Arbor Aspen Atlas Aurora Beacon Birch Bluefin Bramble Brightside Brook Canopy Cascade Cedar
Cinder Clearwater Clover Cobalt Compass Copper Coral Crescent Delta Drift Driftwood Ember Everline Fern Fieldstone Fjord Foundry
Foxglove Granite Greenfield Gull Harbor Hazel Heron Highland Hollow Horizon Indigo Ironwood Juniper Keel Kestrel Lantern Larch
Lighthouse Linden Lumen Magnolia Maple Marlin Meadow Meridian Mesa Milestone Nimbus North Northwind Oakridge Obsidian Opal Orchard
Osprey Otter Palisade Parallel Pebble Pinecone Pioneer Polaris Prairie Quarry Quill Rivet Rowan Saffron Sage Seabright Sequoia Silver
Slate Spruce Starling Summit Sundial Tamarack Tern Thistle Tidewater Timber Trellis Tundra Vantage Verdant Violet Wayfinder Westbound
Wildflower Willow Windmill Wren Yarrow Zephyr`.split(/\s+/)

/** Second words of company names. */
const COMPANY_KINDS: readonly string[] =
  `Labs Studio Works Logistics Foods Analytics Systems Partners Supply Health Energy Robotics Media Bank Books Outdoors Coffee
Design Dental Freight Interiors Insurance Software Textiles Travel Ventures`.split(/\s+/)

const COMPANY_FORMS: readonly string[] = ['Inc.', 'Ltd', 'GmbH', 'LLC', 'AB', 'B.V.', 'S.A.']

export const INDUSTRIES: readonly string[] = phrases(`
  Retail | Software | Healthcare | Logistics | Financial services | Education | Manufacturing | Hospitality | Energy |
  Media | Food and beverage | Construction`)

export const BANKS: readonly string[] = phrases(`
  Harbor Bank | First Meridian Bank | Northwind Savings | Cedar Credit Union | Polaris Bank`)

/** Number of subjects with different names; a higher number repeats a name, with a digit in its addresses. */
export const SUBJECTS = GIVEN_NAMES.length * FAMILY_NAMES.length

const MAIL_DOMAINS = ['example.com', 'example.com', 'example.org', 'example.net']

/** A subject for `hash`. */
export function subjectFrom(hash: number): number {
  return hash % SUBJECTS
}

export function givenName(subject: number): string {
  return GIVEN_NAMES[subject % GIVEN_NAMES.length] as string
}

export function familyName(subject: number): string {
  return FAMILY_NAMES[Math.floor(subject / GIVEN_NAMES.length) % FAMILY_NAMES.length] as string
}

export function fullName(subject: number): string {
  return `${givenName(subject)} ${familyName(subject)}`
}

export function initials(subject: number): string {
  return givenName(subject).charAt(0) + familyName(subject).charAt(0)
}

/** `mayafischer`; unique for each subject. */
export function userName(subject: number): string {
  const given = givenName(subject).toLowerCase()
  const family = familyName(subject).toLowerCase()
  return given + family.slice(0, 24) + roundOf(subject)
}

/** `maya.fischer@example.com`; unique for each subject. */
export function emailAddress(subject: number): string {
  const local = `${givenName(subject)}.${familyName(subject)}`.toLowerCase() + roundOf(subject)
  return `${local}@${MAIL_DOMAINS[mixPair(subject, 0x6d61) % MAIL_DOMAINS.length]}`
}

function roundOf(subject: number): string {
  const round = Math.floor(subject / SUBJECTS)
  return round === 0 ? '' : String(round + 1)
}

/** `Kestrel Logistics`. */
export function companyName(subject: number): string {
  const draw = mixPair(subject, 0x636f)
  const stem = COMPANY_STEMS[(subject + (draw & 0xff)) % COMPANY_STEMS.length] as string
  return `${stem} ${pickBy(COMPANY_KINDS, mixPair(draw, 1))}`
}

/** `Kestrel Logistics Ltd`. */
export function legalName(subject: number): string {
  return `${companyName(subject)} ${pickBy(COMPANY_FORMS, mixPair(subject, 0x6c65))}`
}

/** `kestrel-logistics`. */
export function companySlug(subject: number): string {
  return companyName(subject).toLowerCase().replaceAll(' ', '-')
}

/** `kestrel-logistics.example.com`. */
export function companyDomain(subject: number): string {
  return `${companySlug(subject)}.example.com`
}

/** Age in years, mostly of working age. */
export function ageOf(subject: number): number {
  return 19 + Math.floor((fraction(mixPair(subject, 0x6167)) + fraction(mixPair(subject, 0x6168))) * 24)
}

const SAME_SUBJECT =
  /^(?:billing|shipping|contact|primary|work|personal|full|display|main|home|mobile|from|login|account|default|business|public|profile|legal|preferred|first|last|customer_facing|notification|reply_to|support|invoice)$/

/**
 * The subject of a field: for `customer_email` the customer to which the record refers, for `owner_name` another person
 * than the record's own subject, for `billing_email` and `email` the record's own.
 */
export function subjectFor(site: Site): (cell: Cell) => number {
  const prefix = prefixOf(site.snake)
  if (prefix === '' || SAME_SUBJECT.test(prefix) || prefix === site.owner || site.owner.endsWith(`_${prefix}`))
    return (cell) => cell.subject
  const known = site.surroundings.subjectOf(prefix)
  if (known) return known
  const key = hashText(prefix)
  return (cell) => subjectFrom(mixPair(cell.seed, key))
}

/** `customer` of `customer_email`: the words before the kind of value. */
function prefixOf(snakeName: string): string {
  return (
    /^(.+?)_(?:(?:first|last|full|given|family|display|user|company|legal)_?)?(?:name|email|e_?mail|phone|phone_number|email_address|username|login|avatar|avatar_url|initials|surname|mail|address|mobile|handle|number)$/.exec(
      snakeName,
    )?.[1] ?? ''
  )
}

const PEOPLE = new Set(
  `user person people contact member employee author patient student teacher driver candidate lead recipient subscriber owner assignee assigned_to reporter creator created_by updated_by profile guest buyer seller artist actor attendee participant staff agent admin admin_user payer cardholder human individual character doctor speaker reviewer requester sender identity customer player follower collaborator traveler invitee host_user performer worker resident tenant_user supplier_contact
  coach trainer instructor tutor mentor mentee therapist counselor nurse physician clinician practitioner dentist veterinarian caregiver lawyer attorney accountant consultant freelancer technician mechanic passenger rider applicant interviewer interviewee recruiter learner pupil trainee apprentice guardian spouse landlord renter homeowner borrower investor donor volunteer voter claimant policyholder beneficiary salesperson sales_rep representative manager supervisor approver moderator editor translator photographer musician stylist barber groomer chef waiter athlete referee organizer organiser presenter panelist friend colleague`.split(
    /\s+/,
  ),
)
const COMPANIES = new Set(
  `company organisation org merchant vendor supplier business client employer publisher brand tenant manufacturer partner agency provider carrier store_owner customer_account enterprise firm insurer issuer sponsor owner_company parent_company franchise airline studio distributor organization`.split(
    /\s+/,
  ),
)

/** The kind of a snake-case noun, by its last words: `billing_contact` is a person. */
export function kindOf(noun: string): 'person' | 'company' | 'thing' {
  for (let words = noun; ; words = words.slice(words.indexOf('_') + 1)) {
    if (PEOPLE.has(words)) return 'person'
    if (COMPANIES.has(words) || noun === 'account') return 'company'
    if (!words.includes('_')) return 'thing'
  }
}
