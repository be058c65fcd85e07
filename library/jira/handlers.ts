import { agile } from './agile.ts'
import { asVersion2, type Context } from './context.ts'
import { hooks } from './hooks.ts'
import { issues } from './issues.ts'
import { projects } from './projects.ts'
import { search } from './search.ts'
import { site } from './site.ts'
import { talk } from './talk.ts'

const all = { ...site, ...projects, ...issues, ...talk, ...search, ...agile, ...hooks } as object as Readonly<
  Record<string, (context: Context) => unknown>
>

/** Version 2 of the platform's API answers the same, with texts for documents. */
export default {
  ...all,
  ...Object.fromEntries(
    Object.entries(all)
      .filter(([operation]) => operation.includes(' /rest/api/3/'))
      .map(([operation, handle]) => [
        operation.replace('/3/', '/2/'),
        (context: Context) => handle(asVersion2(context)),
      ]),
  ),
}
