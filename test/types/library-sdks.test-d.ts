import type {
  InvitationJSON,
  OrganizationInvitationJSON,
  OrganizationJSON,
  OrganizationMembershipJSON,
  SessionJSON,
  UserJSON,
  WebhookEventType,
} from '@clerk/backend'
import type { SimplePublicObject } from '@hubspot/api-client/lib/codegen/crm/objects/index.js'
import type { RestEndpointMethodTypes as GitHub } from '@octokit/rest'
import type { ConversationsHistoryResponse, ConversationsListResponse, UsersListResponse } from '@slack/web-api'
import type {
  ConnectionResponse,
  DirectoryUserResponse,
  InvitationResponse,
  OrganizationDomainResponse,
  OrganizationResponse,
  UserResponse,
} from '@workos-inc/node'
import type { ApiOf } from 'backlot'
import type {
  APIApplicationCommand,
  APIBan,
  APIChannel,
  APIEmoji,
  APIGuild,
  APIMessage,
  APIRole,
  APIUser,
  APIWebhook,
} from 'discord-api-types/v10'
import type { Intercom } from 'intercom-client'
import type {
  ApiKey,
  Contact,
  Domain,
  GetBroadcastResponseSuccess,
  GetEmailResponseSuccess,
  Segment,
  WebhookEvent,
} from 'resend'
import type { Square } from 'square'
import type Stripe from 'stripe'
import type { CallInstance } from 'twilio/lib/rest/api/v2010/account/call.js'
import type { MessageInstance } from 'twilio/lib/rest/api/v2010/account/message.js'

type Records<Slug extends string> = ApiOf<never, Slug>['records']

/** Names of the fields of both types whose values do not fit each other. */
type Conflict<Ours, Theirs> = {
  [Name in keyof Ours & keyof Theirs]-?: Fits<NonNullable<Ours[Name]>, NonNullable<Theirs[Name]>> extends true
    ? never
    : Name
}[keyof Ours & keyof Theirs]

/** What SDKs make of texts and numbers. */
type Converted = Date | bigint | ReturnType<typeof Stripe.Decimal.from>

/** Whether one of the types is assignable to the other; lists by their items, objects by the fields of both. */
type Fits<Ours, Theirs> = [Ours] extends [Theirs]
  ? true
  : [Theirs] extends [Ours]
    ? true
    : [Ours, Extract<Theirs, Converted>] extends [string | number, never]
      ? false
      : Ours extends string | number
        ? true
        : [Ours, Extract<Theirs, readonly unknown[]>] extends [readonly (infer Own)[], readonly (infer Other)[]]
          ? Fits<NonNullable<Own>, NonNullable<Other>>
          : [Extract<Theirs, object>] extends [never]
            ? false
            : [Conflict<Ours, Extract<Theirs, object>>, Ours] extends [never, object]
              ? true
              : false

/** `firstName` for `first_name`: SDKs rename what they read. */
type Camel<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<Camel<Rest>>}` : Name
type Camelled<Type> = { [Name in keyof Type as Camel<Name>]: Type[Name] }

/**
 * Fails to compile unless the fields of both types fit each other, and these fields are among them. `Stored` are fields that a record stores
 * in another form than answers have: the id of a record that answers embed, or an id as text.
 */
declare function fits<Ours, Theirs, Stored extends keyof Ours = never>(
  ...fields: [Conflict<Omit<Ours, Stored>, Theirs>] extends [never]
    ? (keyof Ours & keyof Theirs)[]
    : { conflict: Conflict<Omit<Ours, Stored>, Theirs> }[]
): void

/** Holds where the provider has each type of event. */
declare function known<Theirs, Ours extends Theirs>(..._: Ours[]): void
type Events<Slug extends string> = keyof ApiOf<never, Slug>['events']

export function events() {
  known<WebhookEventType, Events<'clerk'>>('user.created', 'organizationMembership.deleted')
  known<Stripe.Event['type'], Events<'stripe'>>('customer.created', 'invoice.paid')
  known<WebhookEvent, Events<'resend'>>('email.sent', 'contact.created')
}

export function stripe() {
  type Ours = Records<'stripe'>
  fits<Ours['customers'], Stripe.Customer>('id', 'object', 'email', 'created', 'metadata')
  fits<Ours['products'], Stripe.Product>('id', 'object', 'name', 'active')
  fits<Ours['prices'], Stripe.Price>('id', 'object', 'unit_amount', 'currency', 'recurring')
  fits<Ours['payment_methods'], Stripe.PaymentMethod>('id', 'object', 'type', 'customer')
  fits<Ours['payment_intents'], Stripe.PaymentIntent>('id', 'object', 'amount', 'status', 'client_secret')
  fits<Ours['setup_intents'], Stripe.SetupIntent>('id', 'object', 'status')
  fits<Ours['charges'], Stripe.Charge>('id', 'object', 'amount', 'status')
  fits<Ours['refunds'], Stripe.Refund>('id', 'object', 'amount', 'status')
  fits<Ours['balance_transactions'], Stripe.BalanceTransaction>('id', 'object', 'amount')
  fits<Ours['invoices'], Stripe.Invoice>('id', 'object', 'status', 'total', 'lines')
  fits<Ours['invoiceitems'], Stripe.InvoiceItem>('id', 'object', 'amount')
  fits<Ours['subscriptions'], Stripe.Subscription>('id', 'object', 'status', 'items')
  fits<Ours['subscription_items'], Stripe.SubscriptionItem>('id', 'object', 'quantity')
  fits<Ours['coupons'], Stripe.Coupon>('id', 'object', 'percent_off')
  fits<Ours['promotion_codes'], Stripe.PromotionCode>('id', 'object', 'code')
  fits<Ours['checkout_sessions'], Stripe.Checkout.Session>('id', 'object', 'status', 'url')
  fits<Ours['billing_portal_sessions'], Stripe.BillingPortal.Session>('id', 'object', 'url', 'customer')
  fits<Ours['customer_sessions'], Stripe.CustomerSession>('object', 'client_secret', 'customer')
  fits<Ours['ephemeral_keys'], Stripe.EphemeralKey>('id', 'object', 'expires')
  fits<Ours['disputes'], Stripe.Dispute>('id', 'object', 'status')
  fits<Ours['payouts'], Stripe.Payout>('id', 'object', 'status')
  fits<Ours['accounts'], Stripe.Account>('id', 'object')
  fits<Ours['account_links'], Stripe.AccountLink>('object', 'url', 'expires_at')
  fits<Ours['transfers'], Stripe.Transfer>('id', 'object', 'amount', 'reversals')
  fits<Ours['reversals'], Stripe.TransferReversal>('id', 'object', 'amount', 'transfer')
  fits<Ours['quotes'], Stripe.Quote>('id', 'object', 'status')
  fits<Ours['events'], Stripe.Event>('id', 'object', 'type', 'created')
  fits<Ours['webhook_endpoints'], Stripe.WebhookEndpoint>('id', 'object', 'url')
}

export function github() {
  type Ours = Records<'github'>
  fits<Ours['repos'], GitHub['repos']['get']['response']['data']>('id', 'name', 'full_name', 'private')
  fits<Ours['issues'], GitHub['issues']['get']['response']['data']>('id', 'number', 'title', 'state')
  fits<Ours['pulls'], GitHub['pulls']['get']['response']['data']>('id', 'number', 'draft')
  fits<Ours['comments'], GitHub['issues']['getComment']['response']['data']>('id', 'body')
  fits<Ours['labels'], GitHub['issues']['getLabel']['response']['data']>('id', 'name', 'color')
  fits<Ours['milestones'], GitHub['issues']['getMilestone']['response']['data']>('id', 'number', 'title')
  fits<Ours['reviews'], GitHub['pulls']['getReview']['response']['data']>('id', 'state')
  fits<Ours['releases'], GitHub['repos']['getRelease']['response']['data']>('id', 'tag_name', 'draft')
  fits<Ours['check_runs'], GitHub['checks']['get']['response']['data']>('id', 'name', 'status')
  fits<Ours['workflow_runs'], GitHub['actions']['getWorkflowRun']['response']['data']>('id', 'status')
  fits<Ours['users'], GitHub['users']['getByUsername']['response']['data']>('id', 'login')
  fits<Ours['hooks'], GitHub['repos']['getWebhook']['response']['data']>('id', 'active', 'config')
}

export function slack() {
  type Ours = Records<'slack'>
  type Item<List> = List extends readonly (infer One)[] ? One : never
  fits<Ours['users'], Item<NonNullable<UsersListResponse['members']>>>('id', 'name', 'profile')
  fits<Ours['channels'], Item<NonNullable<ConversationsListResponse['channels']>>>('id', 'name', 'is_archived')
  fits<Ours['messages'], Item<NonNullable<ConversationsHistoryResponse['messages']>>, 'files'>('ts', 'text', 'user')
}

export function discord() {
  type Ours = Records<'discord'>
  fits<Ours['users'], APIUser>('id', 'username')
  fits<Ours['guilds'], APIGuild>('id', 'name', 'owner_id')
  fits<Ours['channels'], APIChannel>('id', 'type')
  fits<Ours['messages'], APIMessage>('id', 'channel_id', 'content', 'author')
  fits<Ours['roles'], APIRole>('id', 'name', 'permissions')
  fits<Ours['bans'], APIBan>('reason')
  fits<Ours['emojis'], APIEmoji>('id', 'name')
  fits<Ours['webhooks'], APIWebhook>('id', 'type')
  fits<Ours['commands'], APIApplicationCommand>('id', 'name', 'type')
}

export function clerk() {
  type Ours = Records<'clerk'>
  fits<Ours['users'], UserJSON>('id', 'first_name', 'created_at', 'public_metadata')
  fits<Ours['sessions'], SessionJSON>('id', 'status', 'user_id')
  fits<Ours['organizations'], OrganizationJSON>('id', 'name', 'slug')
  fits<Ours['memberships'], OrganizationMembershipJSON>('id', 'role')
  fits<Ours['org_invitations'], OrganizationInvitationJSON>('id', 'email_address', 'role')
  fits<Ours['invitations'], InvitationJSON>('id', 'email_address', 'status')
}

export function workos() {
  type Ours = Records<'workos'>
  fits<Ours['users'], UserResponse>('id', 'email', 'first_name', 'created_at')
  fits<Ours['organizations'], OrganizationResponse>('id', 'name', 'metadata')
  fits<Ours['organization_domains'], OrganizationDomainResponse>('id', 'domain', 'state')
  fits<Ours['invitations'], InvitationResponse>('id', 'email', 'state')
  fits<Ours['connections'], ConnectionResponse>('id', 'name', 'state')
  fits<Ours['directory_users'], DirectoryUserResponse>('id', 'directory_id')
}

export function intercom() {
  type Ours = Records<'intercom'>
  fits<Ours['admins'], Intercom.Admin>('id', 'name', 'email')
  fits<Ours['contacts'], Intercom.Contact>('id', 'email', 'role')
  fits<Ours['companies'], Intercom.Company, 'plan'>('id', 'name')
  fits<Ours['conversations'], Intercom.Conversation, 'admin_assignee_id'>('id', 'state')
  fits<Ours['tickets'], Intercom.Ticket>('id')
  fits<Ours['articles'], Intercom.Article, 'author_id' | 'parent_id'>('id', 'title', 'state')
  fits<Ours['tags'], Intercom.Tag>('id', 'name')
}

export function resend() {
  type Ours = Records<'resend'>
  fits<Ours['emails'], GetEmailResponseSuccess>('id', 'from', 'subject', 'last_event')
  fits<Ours['domains'], Domain>('id', 'name', 'status')
  fits<Ours['contacts'], Contact>('id', 'email', 'unsubscribed')
  fits<Ours['segments'], Segment>('id', 'name')
  fits<Ours['broadcasts'], GetBroadcastResponseSuccess>('id', 'name', 'status')
  fits<Ours['api_keys'], ApiKey>('id', 'name')
}

export function hubspot() {
  fits<Records<'hubspot'>['objects'], SimplePublicObject>('id', 'properties', 'archived')
}

export function square() {
  type Ours = Records<'square'>
  fits<Camelled<Ours['customers']>, Square.Customer>('id', 'givenName', 'emailAddress')
  fits<Camelled<Ours['orders']>, Square.Order>('id', 'locationId', 'state')
  fits<Camelled<Ours['payments']>, Square.Payment>('id', 'status')
  fits<Camelled<Ours['refunds']>, Square.PaymentRefund>('id', 'status')
  fits<Camelled<Ours['invoices']>, Square.Invoice>('id', 'status')
  fits<Camelled<Ours['subscriptions']>, Square.Subscription>('id', 'status')
}

export function twilio() {
  type Ours = Records<'twilio'>
  fits<Camelled<Ours['messages']>, MessageInstance>('sid', 'to', 'body', 'status')
  fits<Camelled<Ours['calls']>, CallInstance>('sid', 'to', 'status')
}
