import { type DragEvent, useState } from 'react'

/** Returns whether something is being dragged over an element, and the element's handlers. A drop calls `onDrop`. */
export function useDropArea(onDrop: (data: DataTransfer) => void) {
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
