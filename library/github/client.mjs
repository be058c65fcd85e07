import { Octokit } from '@octokit/rest'

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

export default function open({ url, key }) {
  return new Octokit({ auth: key, baseUrl: url, log: SILENT })
}
