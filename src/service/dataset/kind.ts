const PERSON =
  /(?:^|_)(?:user|person|people|contact|member|employee|author|patient|student|teacher|driver|candidate|lead|recipient|subscriber|owner|assignee|assigned_to|reporter|creator|created_by|updated_by|profile|guest|buyer|seller|artist|actor|attendee|participant|staff|agent|admin|admin_user|payer|cardholder|human|individual|character|doctor|speaker|reviewer|requester|sender|identity|customer|player|follower|collaborator|traveler|invitee|host_user|performer|worker|resident|tenant_user|supplier_contact)$/
const COMPANY =
  /(?:^|_)(?:company|organi[sz]ation|org|account|merchant|vendor|supplier|business|client|employer|publisher|brand|tenant|manufacturer|partner|agency|provider|carrier|store_owner|customer_account|enterprise|firm|insurer|issuer|sponsor|owner_company|parent_company|franchise|airline|studio|distributor)$/

/** What kind of thing the owner of a field is. */
export function kindOf(owner: string): 'person' | 'company' | 'thing' {
  if (PERSON.test(owner)) return 'person'
  return COMPANY.test(owner) ? 'company' : 'thing'
}
