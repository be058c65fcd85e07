import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** The sort order of a table. */
export interface TableOrder {
  readonly by: string
  readonly isDescending: boolean
  /** Sorts by a column, or reverses its order. */
  readonly set: (name: string) => void
}

interface HeadedTableProps {
  /** Names of its columns; an element for a head without a name. */
  readonly heads: readonly (string | ComponentChildren)[]
  /** Its rows. */
  readonly children: ComponentChildren
  /** Present if it can be sorted by its named columns. */
  readonly order?: TableOrder | undefined
}

/** A table with column heads. On a narrow page its rows are cards, whose cells show their column names. */
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
