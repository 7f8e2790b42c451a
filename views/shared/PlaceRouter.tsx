import type { ReactNode } from 'react'
import { createPath, type Navigator, Router } from 'react-router-dom'

const pathOf = (to: Parameters<Navigator['push']>[0]) => (typeof to === 'string' ? to : createPath(to))

/** A router whose path is in the state. A link only reports its target. */
export function PlaceRouter({
  path,
  onLink,
  children,
}: {
  path: string
  onLink: (to: string) => void
  children: ReactNode
}) {
  const go: Navigator['push'] = (to) => {
    onLink(pathOf(to))
  }
  const navigator: Navigator = {
    createHref: (to) => `#${pathOf(to)}`,
    push: go,
    replace: go,
    // Office removes the browser's history API, so these calls do nothing.
    go: () => undefined,
  }
  return (
    <Router location={path} navigator={navigator}>
      {children}
    </Router>
  )
}
