import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface HeadedTableProps {
  /** Names of its columns; the element of a head that has no name. */
  readonly heads: readonly (string | ComponentChildren)[]
  /** Its rows. */
  readonly children: ComponentChildren
}

/** A table with a row of heads. Where the page is narrow its rows are cards, whose cells bear the names of their columns. */
export function HeadedTable({ heads, children }: HeadedTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  useLayoutEffect(() => {
    for (const { cells } of body.current?.rows ?? []) {
      for (const [at, cell] of [...cells].entries()) {
        const name = heads[at]
        if (typeof name === 'string') cell.dataset.name = name
      }
    }
  })
  return (
    <table class="table">
      <thead>
        <tr>
          {heads.map((head, at) => (
            <th scope="col" key={typeof head === 'string' ? head : at}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </table>
  )
}
