import {
  type ClerkRequest,
  type Fields,
  fieldsOf,
  filled,
  ISSUER,
  isMissing,
  type Kept,
  type Operations,
  textsOf,
  without,
} from './clerk.ts'

/** What an identity provider says of itself, which SAML connections have in their bodies. */
const SAML =
  'idp_entity_id idp_sso_url idp_certificate idp_certificates idp_metadata_url idp_metadata attribute_mapping allow_subdomains allow_idp_initiated'
const OWN = 'name provider organization_id sync_user_attributes'
const ENTERPRISE = `${OWN} domains disable_additional_identifications allow_organization_account_linking authenticatable disable_jit_provisioning custom_attributes`

/** The addresses of the service provider. */
const partyOf = (id: string): Fields => ({
  acs_url: `${ISSUER}/v1/saml/acs/${id}`,
  sp_entity_id: `${ISSUER}/saml/${id}`,
  sp_metadata_url: `${ISSUER}/v1/saml/metadata/${id}.xml`,
})

const toEnterprise = (connection: Kept): Fields => {
  const { id, name = '', active = false, provider = '', saml, oidc } = connection
  return {
    object: 'enterprise_connection',
    ...without(connection, 'kind saml oidc'),
    saml_connection: isMissing(saml)
      ? null
      : {
          ...{ id, name, active },
          allow_subdomains: false,
          allow_idp_initiated: false,
          force_authn: false,
          login_hint: { mode: 'email_address' },
          ...fieldsOf(saml),
          ...partyOf(id),
        },
    oauth_config: isMissing(oidc)
      ? null
      : { id, name, provider_key: provider, ...without(fieldsOf(oidc), 'client_secret') },
  }
}

const toSaml = (connection: Kept): Fields => ({
  object: 'saml_connection',
  attribute_mapping: { user_id: '', email_address: 'mail', first_name: 'givenName', last_name: 'surname' },
  user_count: 0,
  allow_subdomains: false,
  allow_idp_initiated: false,
  idp_certificates: [],
  ...fieldsOf(connection.saml),
  ...partyOf(connection.id),
  ...filled(connection, `id ${OWN} domains active created_at updated_at`),
  organization_id: connection.organization_id ?? null,
  domain: textsOf(connection.domains)[0] ?? null,
})

/** How a kind of connections differs from the other. */
interface Kind {
  readonly kind: 'enterprise' | 'saml'
  readonly prefix: string
  /** Fields that a new one must have, with spaces between. */
  readonly needed: string
  readonly show: (connection: Kept) => Fields
  /** The fields that a body sets. */
  readonly fieldsIn: (body: Fields, connection?: Kept) => Fields
}

function connectionOperations({ kind, prefix, needed, show, fieldsIn }: Kind): Operations {
  const path = `/v1/${kind}_connections`
  const find = (clerk: ClerkRequest): Kept => {
    const id = clerk.path.connection_id ?? ''
    return clerk.records.connections.find({ id, kind }) ?? clerk.gone(`${kind} connection`, id)
  }
  return {
    [`GET ${path}`]: (clerk) => {
      const organization_id = clerk.param('organization_id')
      const found = clerk.records.connections.where({ kind, ...(organization_id !== '' && { organization_id }) })
      return clerk.list(found, show)
    },
    [`POST ${path}`]: (clerk) => {
      clerk.need(needed)
      const id = `${prefix}_${clerk.letters(27)}`
      return show(clerk.create('connections', { ...fieldsIn(clerk.body), kind, id }))
    },
    [`GET ${path}/{connection_id}`]: (clerk) => show(find(clerk)),
    [`PATCH ${path}/{connection_id}`]: (clerk) => {
      const connection = find(clerk)
      const fields = { ...fieldsIn(clerk.body, connection), ...filled(clerk.body, 'active') }
      return show(clerk.update('connections', connection, fields))
    },
    [`DELETE ${path}/{connection_id}`]: (clerk) => clerk.remove('connections', find(clerk), `${kind} connection`),
  }
}

export const connections: Operations = {
  ...connectionOperations({
    kind: 'enterprise',
    prefix: 'entconn',
    needed: 'name domains provider',
    show: toEnterprise,
    fieldsIn: (body, connection) => ({
      ...filled(body, ENTERPRISE),
      ...(!isMissing(body.saml) && { saml: { ...fieldsOf(connection?.saml), ...fieldsOf(body.saml) } }),
      ...(!isMissing(body.oidc) && { oidc: { ...fieldsOf(connection?.oidc), ...fieldsOf(body.oidc) } }),
    }),
  }),
  ...connectionOperations({
    kind: 'saml',
    prefix: 'samlc',
    needed: 'name provider',
    show: toSaml,
    fieldsIn: (body, connection) => ({
      ...filled(body, OWN),
      ...(connection === undefined && filled(body, 'domains')),
      ...(!isMissing(body.domain) && { domains: [body.domain ?? ''] }),
      saml: { ...fieldsOf(connection?.saml), ...filled(body, SAML) },
    }),
  }),
}
