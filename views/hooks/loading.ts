import { useCallback } from 'react'
import { App } from '../../streams/pane/events.ts'
import { useRecord } from './app.tsx'

/** Loads everything again that could not be loaded. */
export function useRetry(): () => void {
  const record = useRecord()
  return useCallback(() => {
    record(App.retryRequested())
  }, [record])
}
