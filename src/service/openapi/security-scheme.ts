/** How the API authenticates requests. */
export type SecurityScheme =
  /** `any`: the description does not say how the key is written. */
  | { readonly kind: 'bearer' | 'basic' | 'any' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly kind: 'oauth2' | 'openIdConnect'; readonly tokenPaths: readonly string[] }
