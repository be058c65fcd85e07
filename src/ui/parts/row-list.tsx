import { Component, type ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isNarrow } from '../data/narrow.ts'

/** Rendered rows outside the visible area. */
const MARGIN = 8

/** A column head of a list. */
interface Column {
  readonly name: string
  readonly className: string
}

const ACTIVITY_CELLS = ['time', 'what', 'where', 'how', 'by']

/** The columns of a list of activity, by their names. */
export const activityColumns = (...names: readonly string[]): Column[] =>
  names.map((name, at) => ({ name, className: `cell-${ACTIVITY_CELLS[at]}` }))

interface RowListProps<Item> {
  /** The column's name in the style sheet. */
  readonly name: string
  readonly items: readonly Item[]
  readonly label: string
  readonly columns: readonly Column[]
  readonly keyOf: (item: Item) => string
  /** The cells of a row. One of them has a link that opens the row. Called again after a change of these inputs. */
  readonly render: (item: Item, link: { tabIndex: number }) => ComponentChildren
  /** Key of the opened row. */
  readonly openKey?: string | undefined
  /** Called when the list is scrolled to its top, or away from it. */
  readonly onAtTop?: (isAtTop: boolean) => void
  /** Called when the space bar is pressed on a row. */
  readonly onMark?: ((item: Item) => void) | undefined
  readonly empty: ComponentChildren
}

/**
 * A table that renders only visible rows. Each row has one link; the arrow keys, `j` and `k` move the focus between
 * rows without opening them.
 */
export function RowList<Item>(props: RowListProps<Item>) {
  const { name, items, label, columns, keyOf, render, openKey, onAtTop, onMark, empty } = props
  const rowHeight = isNarrow.value ? 56 : 28
  const box = useRef<HTMLDivElement>(null)
  /** The row at the upper edge. */
  const [edge, setEdge] = useState(0)
  const [height, setHeight] = useState(600)
  const [activeKey, setActiveKey] = useState<string | undefined>(undefined)
  const mustFocus = useRef(false)

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const wanted = activeKey ?? openKey
  const active =
    wanted === undefined
      ? 0
      : Math.max(
          0,
          items.findIndex((item) => keyOf(item) === wanted),
        )
  useLayoutEffect(() => {
    const { activeElement: focused } = document
    const isAstray = focused instanceof HTMLElement && isOfOtherRow(box.current, focused, active)
    if (!mustFocus.current && !isAstray) return
    mustFocus.current = false
    const link = box.current?.querySelector<HTMLElement>(`[aria-rowindex="${active + 2}"] [data-open]`)
    link?.focus({ preventScroll: true })
    if (isAstray && link === null) focused.blur()
  })

  if (items.length === 0) return <div class="empty">{empty}</div>
  const drawn = Math.min(items.length, Math.ceil(height / rowHeight) + 1 + 2 * MARGIN)
  const first = Math.max(0, Math.min(edge - MARGIN, items.length - drawn))

  const moveTo = (index: number) => {
    const target = Math.min(items.length - 1, Math.max(0, index))
    const element = box.current
    if (element === null) return
    const y = target * rowHeight
    if (y < element.scrollTop) element.scrollTop = y
    else if (y + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = y + rowHeight - element.clientHeight
    setEdge(Math.floor(element.scrollTop / rowHeight))
    setActiveKey(keyOf(items[target] as Item))
    mustFocus.current = true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const marked = event.key === ' ' && !(event.target instanceof HTMLInputElement) ? items[active] : undefined
    if (marked !== undefined && onMark !== undefined) {
      event.preventDefault()
      onMark(marked)
      return
    }
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const steps: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -items.length,
      End: items.length,
    }
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    moveTo(active + step)
  }

  return (
    <div
      class={`rows rows-${name}`}
      style={{ '--columns': columns.length - 1, '--row-height': `${rowHeight}px` }}
      role="table"
      aria-label={label}
      aria-rowcount={items.length + 1}
      data-rows
    >
      <div role="rowgroup" class="rows-head">
        <div role="row" class="row row-names" aria-rowindex={1}>
          {columns.map(({ name, className }) => (
            <span role="columnheader" class={className} key={name}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        class="rows-body"
        ref={box}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget }) => {
          setEdge(Math.floor(currentTarget.scrollTop / rowHeight))
          onAtTop?.(currentTarget.scrollTop < rowHeight / 2)
        }}
      >
        <div class="rows-room" role="presentation" style={{ height: `${items.length * rowHeight}px` }}>
          {items.slice(first, first + drawn).map((item, at) => {
            const index = first + at
            const fromEnd = items.length - 1 - index
            const key = keyOf(item)
            return (
              <div
                role="row"
                class="row"
                // A row keeps its place while others are added above it, and its elements are reused for a row that
                // enters when it leaves.
                key={fromEnd % drawn}
                data-selected={key === openKey ? '' : undefined}
                aria-rowindex={index + 2}
                style={{ bottom: `${fromEnd * rowHeight}px` }}
                onFocusIn={() => setActiveKey(key)}
              >
                <Cells item={item} tabIndex={index === active ? 0 : -1} render={render} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Whether the focus is on elements that another row has reused. */
function isOfOtherRow(box: HTMLElement | null, focused: HTMLElement, active: number): boolean {
  const row = box?.contains(focused) ? focused.closest('[aria-rowindex]') : null
  return row !== null && row.getAttribute('aria-rowindex') !== String(active + 2)
}

interface CellsProps<Item> {
  readonly item: Item
  readonly tabIndex: number
  readonly render: (item: Item, link: { tabIndex: number }) => ComponentChildren
}

/** The cells of one row: they do not change while the list scrolls and rows are added above. */
class Cells<Item> extends Component<CellsProps<Item>> {
  override shouldComponentUpdate({ item, tabIndex, render }: CellsProps<Item>): boolean {
    return item !== this.props.item || tabIndex !== this.props.tabIndex || render !== this.props.render
  }

  override render({ item, tabIndex, render }: CellsProps<Item>) {
    return render(item, { tabIndex })
  }
}
