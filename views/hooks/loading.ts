import { useCallback } from 'react'
import { App } from '../../streams/pane/events.ts'
import { useRecord } from './app.tsx'

/** Retries every failed load. */
export function useRetry(): () => void {
  const record = useRecord()
  return useCallback(() => {
    record(App.retryRequested())
  }, [record])
}
