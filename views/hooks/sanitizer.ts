import { useEffect, useState } from 'react'
import type { Sanitize } from '../../streams/html/plan.ts'
import { useApp } from './app.tsx'

/** The sanitiser: null while it is loading, `failed` when it could not be. */
export function useSanitizer(): Sanitize | 'failed' | null {
  const app = useApp()
  const [loaded, setLoaded] = useState<{ sanitize: Sanitize | 'failed' } | null>(null)
  useEffect(() => {
    let isWanted = true
    app.loadSanitizer().then(
      (sanitize) => {
        if (isWanted) setLoaded({ sanitize })
      },
      () => {
        if (isWanted) setLoaded({ sanitize: 'failed' })
      },
    )
    return () => {
      isWanted = false
    }
  }, [app])
  return loaded?.sanitize ?? null
}
