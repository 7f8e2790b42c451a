import { type DragEvent, useState } from 'react'

/** Whether a drag carries files: not a part of the page, a link or selected text. */
const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')

/**
 * Returns whether files are being dragged over an element, and the element's handlers. A drop of files calls `onDrop`.
 * Other drags are left to the browser.
 */
export function useDropArea(onDrop: (data: DataTransfer) => void) {
  const [isOver, setOver] = useState(false)
  const dropping = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => {
      setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      onDrop(event.dataTransfer)
    },
  }
  return { isOver, dropping }
}
