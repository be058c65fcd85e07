/** How the API authenticates requests. */
export type SecurityScheme =
  | { readonly kind: 'bearer' | 'basic' }
  | { readonly kind: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly kind: 'oauth2' | 'openIdConnect'; readonly tokenPaths: readonly string[] }
