const PEOPLE = new Set(
  `user person people contact member employee author patient student teacher driver candidate lead recipient subscriber owner assignee assigned_to reporter creator created_by updated_by profile guest buyer seller artist actor attendee participant staff agent admin admin_user payer cardholder human individual character doctor speaker reviewer requester sender identity customer player follower collaborator traveler invitee host_user performer worker resident tenant_user supplier_contact`.split(
    /\s+/,
  ),
)
const COMPANIES = new Set(
  `company organisation org merchant vendor supplier business client employer publisher brand tenant manufacturer partner agency provider carrier store_owner customer_account enterprise firm insurer issuer sponsor owner_company parent_company franchise airline studio distributor organization`.split(
    /\s+/,
  ),
)

/** What kind of thing a snake-cased noun names, by its last words: `billing_contact` is a person. */
export function kindOf(noun: string): 'person' | 'company' | 'thing' {
  for (let words = noun; ; words = words.slice(words.indexOf('_') + 1)) {
    if (PEOPLE.has(words)) return 'person'
    if (COMPANIES.has(words) || noun === 'account') return 'company'
    if (!words.includes('_')) return 'thing'
  }
}
