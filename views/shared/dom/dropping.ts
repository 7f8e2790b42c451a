import { type DragEvent, useState } from 'react'

/** Whether something is dragged over an element, and the handlers of that element; a drop calls `onDrop`. */
export function useDropping(onDrop: (data: DataTransfer) => void) {
  const [isOver, setOver] = useState(false)
  const dropping = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => {
      setOver(false)
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      onDrop(event.dataTransfer)
    },
  }
  return { isOver, dropping }
}
