import type { OperationContext } from '../../src/handlers.ts'
import { isJsonObject, type Json, type JsonObject, valueText } from '../../src/protocol/json.ts'
import { fieldsOf, listOf } from '../openai/context.ts'
import { compareItems, diffLines, directoryOf } from './files.ts'
import { graphql } from './graphql-schema.ts'
import { htmlOf } from './markdown.ts'
import { searched } from './searched.ts'

/** Words before the number of a closed issue: `fixes #12`. */
const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d{1,15})\b/gi

const itemsIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** The repository of the path, and whether the caller may write to it. */
function placeOf({ records, path, call }: OperationContext): { id: Json; isWriter: boolean } {
  const repo = records.repos?.find({ full_name: `${path.owner}/${path.repo}` })
  const [id, user_id] = [repo?.id ?? null, fieldsOf(call('GET', '/user').body).id ?? null]
  const isOwn = repo?.owner_id === user_id || records.users?.get(String(repo?.owner_id))?.type === 'Organization'
  return { id, isWriter: isOwn || records.collaborators?.some({ repository_id: id, user_id }) === true }
}

/** Only those who may write comment where an issue is locked. */
const comment = (context: OperationContext) => {
  const { records, path, respond } = context
  const { id, isWriter } = placeOf(context)
  const issue = records.issues?.find({ repository_id: id, number: Number(path.issue_number) })
  const message = 'Unable to create comment because issue is locked.'
  return issue?.locked === true && !isWriter
    ? respond({ status: 403, body: { message, documentation_url: DOCS, status: '403' } })
    : undefined
}

/** Refuses comments of a review on files that the pull request does not change. */
const review = ({ body, path, call, respond }: OperationContext) => {
  const comments = listOf(body.comments)
  const files = () =>
    listOf(call('GET', `/repos/${path.owner}/${path.repo}/pulls/${path.pull_number}/files?per_page=100`).body)
  return comments.length > 0 && comments.some((one) => !files().some(({ filename }) => filename === one.path))
    ? respond({
        status: 422,
        body: {
          ...{ message: 'Unprocessable Entity', errors: ['Path could not be resolved'] },
          ...{ documentation_url: DOCS, status: '422' },
        },
      })
    : undefined
}

const DOCS = 'https://docs.github.com/rest'

export default {
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments': comment,
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews': review,
  'POST /graphql': graphql,
  $closes: (text: Json) => [...valueText(text).matchAll(CLOSING)].map(([, number]) => Number(number)),
  $compared: ({ before, after, by = 'id' }: JsonObject) => compareItems(itemsIn(before), itemsIn(after), valueText(by)),
  $diff: ({ before, after }: JsonObject) => diffLines(valueText(before), valueText(after)),
  $directory: ({ of, path = '', below }: JsonObject) =>
    directoryOf(itemsIn(of).filter(isJsonObject), valueText(path), below === true),
  $markdown: (text: Json) => htmlOf(valueText(text)),
  $searched: searched,
}
