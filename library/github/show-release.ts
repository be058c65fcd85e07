import { API, type Fields, nodeId, type Reader, SITE, sent } from './records.ts'
import { personOf } from './show-accounts.ts'
import { reactionsOf } from './show-issue.ts'
import { nameOf } from './show-repo.ts'

/** A file of a release. */
export function toAsset(reader: Reader, asset: Fields): Fields {
  const { id = null, created_at = null } = asset
  const repo = nameOf(reader, asset)
  const tag = reader.records.releases.get(asset.release_id as number)?.tag_name
  return {
    url: `${API}/repos/${repo}/releases/assets/${id}`,
    browser_download_url: `${SITE}/${repo}/releases/download/${tag}/${asset.name}`,
    ...{ node_id: nodeId('RA_', id), ...sent(asset, 'id name label content_type size') },
    ...{ state: 'uploaded', digest: null, download_count: 0, created_at, updated_at: created_at },
    uploader: personOf(reader, asset.uploader_id),
  }
}

export function toRelease(reader: Reader, release: Fields): Fields {
  const { id = null, draft, tag_name, created_at = null } = release
  const repo = nameOf(reader, release)
  const at = `${API}/repos/${repo}`
  const url = `${at}/releases/${id}`
  const assets = reader.records.assets.where({ release_id: id }).toReversed()
  return {
    ...{ url, assets_url: `${url}/assets`, node_id: nodeId('RE_', id) },
    upload_url: `https://uploads.github.example/repos/${repo}/releases/${id}/assets{?name,label}`,
    html_url: `${SITE}/${repo}/releases/tag/${draft === true ? `untagged-${id}` : tag_name}`,
    author: personOf(reader, release.author_id),
    ...sent(release, 'id tag_name target_commitish name draft prerelease created_at published_at body'),
    ...{ updated_at: release.updated_at ?? created_at, immutable: false },
    assets: assets.map((asset) => toAsset(reader, asset)),
    tarball_url: draft === false ? `${at}/tarball/${tag_name}` : null,
    zipball_url: draft === false ? `${at}/zipball/${tag_name}` : null,
    reactions: reactionsOf(reader, 'releases', id, url),
  }
}

export const toGistComment = (reader: Reader, comment: Fields): Fields => ({
  url: `${API}/gists/${reader.records.gists.get(comment.gist_id as number)?.key}/comments/${comment.id}`,
  ...{ node_id: nodeId('GC_', comment.id), user: personOf(reader, comment.user_id), author_association: 'OWNER' },
  ...sent(comment, 'id body created_at updated_at'),
})
