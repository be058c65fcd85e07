import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** By which column a table is ordered. */
export interface TableOrder {
  readonly by: string
  readonly isDescending: boolean
  /** Orders by a column, or turns its order round. */
  readonly set: (name: string) => void
}

interface HeadedTableProps {
  /** Names of its columns; the element of a head that has no name. */
  readonly heads: readonly (string | ComponentChildren)[]
  /** Its rows. */
  readonly children: ComponentChildren
  /** Where it can be ordered by each of its named columns. */
  readonly order?: TableOrder | undefined
}

/** A table with a row of heads. Where the page is narrow its rows are cards, whose cells bear the names of their columns. */
export function HeadedTable({ heads, children, order }: HeadedTableProps) {
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
          {heads.map((head, at) =>
            typeof head === 'string' && order !== undefined ? (
              <OrderHead key={head} name={head} order={order} />
            ) : (
              <th scope="col" key={typeof head === 'string' ? head : at}>
                {head}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody ref={body}>{children}</tbody>
    </table>
  )
}

function OrderHead({ name, order: { by, isDescending, set } }: { name: string; order: TableOrder }) {
  const isBy = name === by
  return (
    <th scope="col" aria-sort={isBy ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <button type="button" class="order" onClick={() => set(name)}>
        {name}
        <span aria-hidden="true">{isBy ? (isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
}
