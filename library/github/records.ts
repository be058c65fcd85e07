import { createHash } from 'node:crypto'
import type { AnyOperation, DueContext, OperationContext, WorldContext } from '../../src/handlers.ts'
import { valueText } from '../../src/protocol/json.ts'
import type { Fields, Json } from '../shared/values.ts'

export { type Fields, fieldsOf, filled, type Json, listOf, sent, textOf, without } from '../shared/values.ts'

export const API = 'https://api.github.example'
export const SITE = 'https://github.example'

export type Collection =
  | ('access_tokens' | 'assets' | 'blobs' | 'check_runs' | 'check_suites' | 'collaborators' | 'comments')
  | ('commit_comments' | 'commits' | 'deploy_keys' | 'deployment_statuses' | 'deployments' | 'environments')
  | ('gist_comments' | 'gists' | 'happenings' | 'hooks' | 'installation_tokens' | 'issue_events' | 'issues' | 'labels')
  | ('milestones' | 'notifications' | 'pulls' | 'reactions' | 'refs' | 'releases' | 'repos' | 'review_comments')
  | ('reviews' | 'rulesets' | 'secrets' | 'statuses' | 'tags' | 'teams' | 'trees' | 'user_keys' | 'users')
  | ('variables' | 'workflow_runs')
type Records = Record<Collection, Fields>
export type World = WorldContext<Records>

export type Context = OperationContext<AnyOperation, Records>
export type Due = DueContext<Records, Fields>

/** What views read. */
export type Reader = Pick<World, 'records'>

export const idsOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
export const textsOf = (value: Json | undefined): string[] => idsOf(value).map((one) => valueText(one))
export const nodeId = (prefix: string, id: Json | undefined): string =>
  Buffer.from(`${prefix}${valueText(id)}`).toString('base64')
export const sha1 = (...parts: (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha1')).digest('hex')
