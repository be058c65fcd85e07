import { type Fields, fieldsOf, type Reader, sent, textOf } from './records.ts'
import { toAccount, toOrganization, toPerson, toTeam, toUser, toUserKey, toWholeTeam } from './show-accounts.ts'
import { toApp, toInstallation } from './show-app.ts'
import {
  toCheckRun,
  toCheckSuite,
  toDeployment,
  toDeploymentStatus,
  toFlow,
  toJob,
  toRun,
  toStatus,
} from './show-checks.ts'
import { toBranch, toCommit, toContent, toGitCommit, toPushedCommit, toRef, toShortBranch, toTag } from './show-git.ts'
import {
  toComment,
  toCommitComment,
  toIssue,
  toIssueEvent,
  toIssueEventWithIssue,
  toIssueWithRepo,
  toLabel,
  toMilestone,
} from './show-issue.ts'
import { toHookReview, toListedPull, toPull, toReview, toReviewComment } from './show-pull.ts'
import { toAsset, toGistComment, toRelease } from './show-release.ts'
import {
  associationOf,
  rightsOf,
  toDeployKey,
  toEnvironment,
  toHook,
  toInvitation,
  toNotification,
  toRepo,
  toSubscription,
  toWholeRepo,
} from './show-repo.ts'

const alone =
  (show: (record: Fields) => Fields) =>
  (_: Reader, record: Fields): Fields =>
    show(record)

/** How the rows of `effects.yaml` show records. */
const views: Readonly<Record<string, (reader: Reader, record: Fields) => unknown>> = {
  ...{ app: toApp, assets: toAsset, association: associationOf, branch: toBranch, check_runs: toCheckRun },
  ...{ check_suites: toCheckSuite, comments: toComment, commit_comments: toCommitComment, commits: toCommit },
  contents: (_, file) => toContent(file.repo_name ?? null, textOf(file.rev), file),
  ...{ deploy_keys: toDeployKey, deployment_statuses: toDeploymentStatus, deployments: toDeployment },
  ...{ environments: alone(toEnvironment), flow_of_run: toFlow, gist_comments: toGistComment },
  ...{ git_commits: toGitCommit, hook_review: toHookReview, hooks: toHook, installation: toInstallation },
  ...{ invitation: toInvitation, issue_event: toIssueEventWithIssue, issue_events: toIssueEvent },
  ...{ issue_with_repo: toIssueWithRepo, issues: toIssue },
  job: (reader, run) => toJob(reader, run, fieldsOf(run.job)),
  ...{ labels: toLabel, listed_pull: toListedPull, milestones: toMilestone, notifications: toNotification },
  ...{ organization: alone(toAccount), orgs: toOrganization, person: alone(toPerson) },
  public_key: (_, key) => sent(key, 'id key'),
  ...{ pulls: toPull, pushed_commit: toPushedCommit, refs: toRef, releases: toRelease, repos: toRepo },
  ...{ review_comments: toReviewComment, reviews: toReview },
  rights: (_, { permission }) => rightsOf(permission),
  ...{ short_branch: toShortBranch, statuses: toStatus, subscription: alone(toSubscription), tags: toTag },
  ...{ team: toTeam, teams: toWholeTeam, user_keys: alone(toUserKey), users: toUser, whole_repo: toWholeRepo },
  workflow_runs: toRun,
}

/** Operators of the views. */
export const viewOperators = Object.fromEntries(
  Object.entries(views).map(([name, show]) => [
    `$shown_${name}`,
    (record: Fields, reader: Reader) => show(reader, record),
  ]),
)
