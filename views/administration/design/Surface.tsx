import { type DragEvent, type KeyboardEvent, type MouseEvent, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { moveTarget } from '../../../streams/administration/design/acts.ts'
import { Designing } from '../../../streams/administration/design/events.ts'
import { outlineOf } from '../../../streams/administration/design/outline.ts'
import {
  type DrawnPlace,
  isItemAt,
  meantIndex,
  type SurfaceItem,
  surfaceOf,
} from '../../../streams/administration/design/surface.ts'
import { isTypedKey, type TypingStart } from '../dom/wordsField.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import type { DrawnContent } from '../parts/SignatureFrame.tsx'
import { useTexts } from '../text/texts.ts'
import { lookIn, placeOf, useDesign } from './designed.ts'
import { useItemText } from './itemText.ts'
import { WordsTyping } from './WordsTyping.tsx'
import * as css from './Design.module.css'

/** The type of the data of a dragged item. Firefox drags nothing without data. */
const PART_TYPE = 'application/x-signet-part'

/** A click that begins to type in the words of an item. */
export type TypingRequest = Readonly<{ item: SurfaceItem; at: TypingStart }>

/**
 * The items over a drawn signature, as a tree. A click selects an item, and in words begins to type. The keyboard moves
 * between items, moves, copies and removes them.
 */
export function Surface({
  content,
  start,
  onType,
  onInsert,
}: {
  content: DrawnContent
  start: TypingStart
  onType: (request: TypingRequest) => void
  onInsert: () => void
}) {
  const t = useTexts()
  const id = useId()
  const record = useGesture()
  const { root, subject, selected, panel, act, select, stepOver } = useDesign()
  const tree = useRef<HTMLDivElement>(null)
  const typing = useAdministrationState(({ plan }) => plan.design.typing)
  /** What is typed before the field for it is loaded. */
  const early = useRef({ step: -1, text: '' })
  const [drop, setDrop] = useState<Readonly<{ index: number; isAfter: boolean }> | null>(null)
  const { words, elements, marked } = content
  const { templates } = marked.unmarked
  const items = useMemo(() => {
    const drawn = [
      ...words.map(({ number, boxes }) => ({ number, boxes })),
      ...elements.map(({ number, box }) => ({ number, boxes: [box] })),
    ].flatMap(({ number, boxes }): readonly DrawnPlace[] => {
      const place = marked.places[number]
      return place ? [{ ...place, boxes }] : []
    })
    return surfaceOf(marked.unmarked, root, drawn)
  }, [words, elements, marked, root])
  const itemText = useItemText(marked.unmarked, 'read')
  const names = useMemo(
    () =>
      items.map(({ path, item, parent }) => {
        const around = items[parent]
        const siblings = around?.path === path ? around.item.children : outlineOf(templates[path] ?? '')
        return itemText(templates[path] ?? '', item, siblings)
      }),
    [items, templates, itemText],
  )
  const active = items.findIndex((each) => isItemAt(each, selected?.place ?? null))
  const move = (by: number) => {
    if (by !== 0) act({ kind: 'move', by })
  }
  const choose = (index: number) => {
    const chosen = items[index]
    if (!chosen) return
    select(placeOf(chosen.path, chosen.item))
    tree.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  /** Chooses the next item. What a part shows again would lead back to where it was shown first. */
  const step = (by: -1 | 1) => {
    const isAgain = ({ path, item }: SurfaceItem, index: number) =>
      items.findIndex((each) => isItemAt(each, placeOf(path, item))) < index
    let index = Math.max(active + by, 0)
    for (let item = items[index]; item && isAgain(item, index); item = items[index]) index += by
    choose(index)
  }
  const press = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event
    const current = items[active]
    const isCommand = ctrlKey || metaKey
    // Until their field is there, what is typed in the words is no command for the item.
    if (typing && key !== 'Escape') {
      if (!isTypedKey(event.nativeEvent)) return
      event.preventDefault()
      if (early.current.step !== typing.step) early.current = { step: typing.step, text: '' }
      early.current.text += key
      return
    }
    if (isCommand) {
      const letter = key.toLowerCase()
      if (letter === 'z') record(shiftKey ? Designing.redone() : Designing.undone())
      else if (letter === 'y') record(Designing.redone())
      else if (letter === 'd' && current) act({ kind: 'copy' })
      else return
    } else if (altKey) {
      if (!current) return
      if (key === 'ArrowUp' || key === 'ArrowLeft') move(stepOver(-1))
      else if (key === 'ArrowDown' || key === 'ArrowRight') move(stepOver(1))
      else return
    } else if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'ArrowRight') {
      if (items[active + 1]?.parent === active) choose(active + 1)
    } else if (key === 'ArrowLeft') {
      if (current && current.parent >= 0) choose(current.parent)
    } else if (key === 'Home') choose(0)
    else if (key === 'End') choose(items.length - 1)
    else if (key === 'Escape' && current) {
      if (current.parent >= 0) choose(current.parent)
      else select(null)
    } else if ((key === 'Enter' || key === 'F2') && current?.item.kind === 'words')
      onType({ item: current, at: null })
    else if (key === 'Enter' && current) panel.current?.focus()
    else if ((key === 'Delete' || key === 'Backspace') && current) act({ kind: 'remove' })
    else if ((key === 'Insert' || key === '+') && current) onInsert()
    else return
    event.preventDefault()
  }
  /** The item under the pointer, which is over the box of another one. */
  const indexUnder = (over: number, { clientX, clientY }: MouseEvent): number => {
    const element = tree.current
    if (!element) return over
    const { left, top, width } = element.getBoundingClientRect()
    const scale = element.offsetWidth > 0 ? width / element.offsetWidth : 1
    return meantIndex(items, over, { left: (clientX - left) / scale, top: (clientY - top) / scale })
  }
  const click = (over: number) => (event: MouseEvent) => {
    event.stopPropagation()
    const index = indexUnder(over, event)
    const item = items[index]
    if (!item) return
    flushSync(() => choose(index))
    // The words take the focus when they are typed in; otherwise the tree takes it.
    tree.current?.focus({ preventScroll: true })
    if (item.item.kind === 'words' && content.isCurrent)
      onType({ item, at: { x: event.clientX, y: event.clientY } })
  }
  /** How far the selected item would move to this item; 0 if it cannot. */
  const distanceTo = (index: number, isAfter: boolean): number => {
    const { path, item: to } = items[index] ?? {}
    if (!to || !selected || path !== selected.path) return 0
    const at = selected.siblings.findIndex((each) => each.from === to.from && each.to === to.to)
    if (at < 0) return 0
    const step = at - selected.index
    const by = isAfter ? step - (step > 0 ? 0 : -1) : step - (step > 0 ? 1 : 0)
    return moveTarget(selected.text, selected, by) === null ? 0 : by
  }
  /** The item, or the nearest around it, that meets a condition; -1 without one. */
  const around = (index: number, meets: (index: number) => boolean): number => {
    let at = index
    while (at >= 0 && !meets(at)) at = items[at]?.parent ?? -1
    return at
  }
  const over = (under: number) => (event: DragEvent<HTMLElement>) => {
    if (!event.dataTransfer.types.includes(PART_TYPE)) return
    // What lies under the pointer is mostly the words in a row, not the row.
    const parent = items[active]?.parent
    const index = around(indexUnder(under, event), (each) => items[each]?.parent === parent)
    const box = tree.current?.children[index]?.getBoundingClientRect()
    if (!box) return
    const isSide = items[index]?.item.kind === 'cell'
    const isAfter = isSide
      ? event.clientX > box.left + box.width / 2
      : event.clientY > box.top + box.height / 2
    if (distanceTo(index, isAfter) === 0) return
    event.preventDefault()
    event.stopPropagation()
    // Safari would show that the part is copied.
    event.dataTransfer.dropEffect = 'move'
    setDrop({ index, isAfter })
  }
  const dropped = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes(PART_TYPE)) return
    event.preventDefault()
    event.stopPropagation()
    const by = drop ? distanceTo(drop.index, drop.isAfter) : 0
    setDrop(null)
    move(by)
  }
  // Words under a condition are typed in within it.
  const typed =
    typing &&
    items.find(
      ({ path, item: { kind, content } }) =>
        kind === 'words' && path === typing.place.path && content.from === typing.place.from,
    )
  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label={t(subject.kind === 'block' ? 'design.block.tree' : 'design.tree')}
        aria-activedescendant={active >= 0 ? `${id}-${String(active)}` : undefined}
        tabIndex={0}
        className={css['tree']}
        data-typing={typing !== null || undefined}
        onKeyDown={press}
        onFocus={({ target, currentTarget }) => {
          if (target === currentTarget && selected === null && items.length > 0) choose(0)
        }}
        onDragLeave={({ target, currentTarget }) => {
          if (target === currentTarget) setDrop(null)
        }}
      >
        {items.map((each, index) => {
          const { item, box, level, position, count } = each
          const isSelected = index === active
          return (
            <div
              key={index}
              id={`${id}-${String(index)}`}
              role="treeitem"
              aria-level={level}
              aria-posinset={position}
              aria-setsize={count}
              aria-selected={isSelected}
              aria-label={names[index]}
              className={css['item']}
              data-kind={item.kind}
              data-drop={drop?.index === index ? (drop.isAfter ? 'after' : 'before') : undefined}
              style={box}
              draggable={active >= 0 && around(index, (each) => each === active) >= 0}
              onClick={click(index)}
              onDragStart={(event) => {
                event.stopPropagation()
                event.dataTransfer.setData(PART_TYPE, String(index))
                event.dataTransfer.effectAllowed = 'move'
              }}
              onDragOver={over(index)}
              onDrop={dropped}
              onDragEnd={() => setDrop(null)}
            />
          )
        })}
      </div>
      {typing && (
        <WordsTyping
          key={typing.step}
          at={start}
          box={typed ? typed.box : null}
          look={typed ? lookIn(content, typed.path, typed.item) : null}
          typedBefore={() => (early.current.step === typing.step ? early.current.text : '')}
          onLeave={() => tree.current?.focus({ preventScroll: true })}
        />
      )}
    </>
  )
}
