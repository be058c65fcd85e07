import type { Site } from '../site.ts'
import {
  companyName,
  DEPARTMENTS,
  emailAddress,
  familyName,
  fullName,
  givenName,
  INDUSTRIES,
  initials,
  JOB_TITLES,
  kindOf,
  legalName,
  SKILLS,
  subjectFrom,
  userName,
} from '../words/person.ts'
import { phoneNumber } from '../words/place.ts'
import { bioOf, nameOfThing } from './prose.ts'
import { digits, fromDraw, of, oneOf, type Rules, type TextMaker } from './rule.ts'

/** People: their names, addresses and work. */
export const PEOPLE_RULES: Rules = [
  ['first_name firstname given_name forename fname given_names first_names nick_name nickname', of(givenName)],
  ['last_name lastname family_name surname lname second_name', of(familyName)],
  [
    'full_name fullname real_name display_name contact_name holder_name account_holder_name name_on_card card_holder cardholder_name person_name',
    fullNameOf,
  ],
  ['middle_name', fromDraw((draw) => givenName(draw))],
  ['initials', of(initials)],
  ['salutation honorific name_prefix', oneOf('Ms', 'Mr', 'Dr')],
  ['prefix', (site) => (isInName(site) ? oneOf('Ms', 'Mr', 'Dr') : oneOf('acme', 'north', 'shop'))(site)],
  ['suffix name_suffix', (site) => (isInName(site) ? oneOf('Jr.', 'PhD') : digits(4))(site)],
  ['signatory signed_by signer_name', of(fullName)],
  ['pronouns', oneOf('she/her', 'he/him', 'they/them')],
  ['gender sex', oneOf('female', 'male', 'nonbinary')],
  ['email e_mail email_address emails mail mailbox reply_to cc bcc email_addresses', of(emailAddress)],
  ['email_domain', of((subject) => emailAddress(subject).split('@')[1] as string)],
  ['from to recipient recipients sender', addressOf],
  ['username user_name login login_name screen_name user_login logon', of(userName)],
  [
    'phone mobile fax telephone msisdn phone_number mobile_number cell tel sms phone_no phones fax_number phone_numbers',
    of(phoneNumber),
  ],
  ['job_title occupation job_role job headline profession designation position_title', oneOf(...JOB_TITLES)],
  ['department division team_name business_unit cost_center', oneOf(...DEPARTMENTS)],
  ['skill skills', oneOf(...SKILLS)],
  ['bio biography about_me about', bioOf],
  [
    'created_by updated_by modified_by assigned_by owned_by requested_by approved_by invited_by added_by deleted_by uploaded_by posted_by submitted_by closed_by completed_by by author owner assignee creator reporter manager user contact customer person member recipient_name sender_name instructor speaker artist agent driver reviewer approver performed_by last_modified_by beneficiary_name payee payee_name payer payer_name debtor debtor_name creditor creditor_name',
    fromDraw((draw) => fullName(subjectFrom(draw))),
  ],
  [
    'company company_name organization organisation organization_name organisation_name employer business_name business brand manufacturer vendor supplier merchant merchant_name publisher workspace_name account_name org client org_name tenant_name',
    of(companyName),
  ],
  ['legal_name legal_entity registered_name legal_business_name', of(legalName)],
  ['industry sector vertical', oneOf(...INDUSTRIES)],
]

/** Whether the object of a field also has the parts of a person's name. */
function isInName({ siblings }: Site): boolean {
  return siblings.has('given_name') || siblings.has('first_name')
}

function fullNameOf(site: Site): TextMaker {
  if (kindOf(site.owner) === 'company') return of(legalName)(site)
  const isPerson =
    kindOf(site.owner) === 'person' ||
    ['email', 'given_name', 'first_name', 'surname'].some((name) => site.siblings.has(name))
  return isPerson || /holder|real|contact|card|person/.test(site.snake) ? of(fullName)(site) : nameOfThing(site)
}

function addressOf(site: Site): TextMaker {
  if (/phone|sms|call|whatsapp/.test(site.owner)) return of(phoneNumber)(site)
  return /from|to/.test(site.snake) || /mail|message|recipient/.test(site.owner)
    ? of(emailAddress)(site)
    : of(fullName)(site)
}
