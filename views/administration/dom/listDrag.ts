import { type DragEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { dropIndex, type DropSide } from '../../../streams/administration/plan/items.ts'

/** The edge of an item that is nearest to the pointer: left or right in a row, above or below in a single column. */
export type DropEdge = 'left' | 'right' | 'above' | 'below'

const SIDES: Readonly<Record<DropEdge, DropSide>> = {
  left: 'before',
  above: 'before',
  right: 'after',
  below: 'after',
}

/** The index of the dragged item, and the edge of the item beside which a drop would move it; null if it would not. */
type Drag = Readonly<{ from: number; place: Readonly<{ beside: number; edge: DropEdge }> | null }>

/**
 * The type of the data of a dragged item. Firefox drags nothing without data; plain text could be dropped into a text
 * field.
 */
const ITEM_TYPE = 'application/x-signet-item'

/** Whether an item is dragged: not a file, a link or selected text. */
const carriesItem = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(ITEM_TYPE)

/** The item of the list in which an event happened, with its index; null outside all items. */
function itemAt({ target, currentTarget: list }: DragEvent) {
  const item = target instanceof Element ? target.closest('li') : null
  return item === null ? null : { item, index: [...list.children].indexOf(item) }
}

function edgeAt({ clientX, clientY, currentTarget: list }: DragEvent, item: Element): DropEdge {
  const { left, width, top, height } = item.getBoundingClientRect()
  const isColumn = list.clientWidth < 2 * width
  if (isColumn) return clientY < top + height / 2 ? 'above' : 'below'
  return clientX < left + width / 2 ? 'left' : 'right'
}

/**
 * Handlers for a list (`ol`) whose items the user can drag to another place, by a link or a draggable element in them.
 * No item moves during the drag.
 *
 * @param onMove receives the indexes before and after the move
 */
export function useListDrag(isOff: boolean, onMove: (from: number, to: number) => void) {
  const [shown, setShown] = useState<Drag | null>(null)
  // Events can follow each other before the list is drawn again.
  const latest = useRef<Drag | null>(null)
  /** The element that the pointer entered last. Safari does not tell where the pointer goes when it leaves one. */
  const entered = useRef<EventTarget | null>(null)
  const show = (drag: Drag | null) => {
    latest.current = drag
    setShown(drag)
  }
  const dragging = {
    onDragStart: (event: DragEvent) => {
      const found = itemAt(event)
      if (isOff || found === null) return
      const { left, top } = found.item.getBoundingClientRect()
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData(ITEM_TYPE, String(found.index))
      event.dataTransfer.setDragImage(found.item, event.clientX - left, event.clientY - top)
      show({ from: found.index, place: null })
    },
    onDragEnter: (event: DragEvent) => {
      entered.current = event.target
      if (latest.current !== null && carriesItem(event)) event.preventDefault()
    },
    onDragOver: (event: DragEvent) => {
      const drag = latest.current
      if (drag === null || !carriesItem(event)) return
      event.preventDefault()
      // Safari would show that the item is copied.
      event.dataTransfer.dropEffect = 'move'
      const found = itemAt(event)
      // Between two items, the last place stays.
      if (found === null) return
      const edge = edgeAt(event, found.item)
      const isMove = dropIndex(drag.from, found.index, SIDES[edge]) !== drag.from
      const place = isMove ? { beside: found.index, edge } : null
      if (place?.beside !== drag.place?.beside || place?.edge !== drag.place?.edge) show({ ...drag, place })
    },
    onDragLeave: ({ target }: DragEvent) => {
      const drag = latest.current
      // Inside the list, the pointer enters the next element before it leaves this one.
      if (drag !== null && target === entered.current) show({ ...drag, place: null })
    },
    onDrop: (event: DragEvent) => {
      const drag = latest.current
      if (drag === null || !carriesItem(event)) return
      event.preventDefault()
      show(null)
      if (drag.place !== null)
        onMove(drag.from, dropIndex(drag.from, drag.place.beside, SIDES[drag.place.edge]))
    },
    onDragEnd: () => {
      show(null)
    },
  }
  return {
    dragging,
    /** The state of an item: whether it is dragged, and on which of its edges a drop would put the dragged item. */
    dragOf: (index: number) => ({
      isDragged: shown?.from === index,
      edge: shown?.place?.beside === index ? shown.place.edge : null,
    }),
  }
}

/** Scrolls an item of a list into view after each change of its index. `id` is null for no item. */
export function useItemInSight(list: RefObject<HTMLElement | null>, id: string | null, index: number): void {
  useLayoutEffect(() => {
    if (id !== null) list.current?.children[index]?.scrollIntoView({ block: 'nearest' })
  }, [list, id, index])
}
