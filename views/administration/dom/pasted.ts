import { useEffect, useEffectEvent } from 'react'

/**
 * Passes pasted files to `onFiles` as long as the view is shown, wherever the focus is. Pasted text stays with the field
 * that has the focus, also if the clipboard has a picture of this text.
 */
export function usePastedFiles(onFiles: (files: FileList) => void): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const data = event.clipboardData
    if (!data || data.files.length === 0 || data.getData('text/plain') !== '') return
    event.preventDefault()
    onFiles(data.files)
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => take(event)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('paste', paste)
    }
  }, [])
}
