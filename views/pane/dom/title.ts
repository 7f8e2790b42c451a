import { useLayoutEffect } from 'react'
import { type PageName, routeAt } from '../../../streams/pane/router/routes.ts'
import { DELEGATIONS_FOLDER } from '../../../streams/message/signatures/entry.ts'
import { selectCollections } from '../../../streams/pane/signatures/selectors.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import { useAppState } from '../app.tsx'
import { useCollectionTitle } from '../collectionTitle.ts'

/** Sets the title of the document, which screen readers announce and browsers show. */
export function useTitle(page: string): void {
  const t = useTexts()
  const title = t('title.page', { page })
  useLayoutEffect(() => {
    document.title = title
  }, [title])
}

const TITLES: Readonly<Record<Exclude<PageName, 'signatures'>, TextKey>> = {
  dashboard: 'tab.signatures',
  settings: 'settings.title',
  selfTest: 'selfTest.title',
  variables: 'tab.details',
  about: 'title.about',
  help: 'help.title',
}

/** Sets the title of the page at the path. With `isOutside`, the user sees the sign-in page instead. */
export function useTitleOfRoute(path: string, isOutside: boolean): void {
  const t = useTexts()
  const route = routeAt(path)
  const hasTimedOut = useAppState(({ chunks }) => chunks[route?.page ?? 'dashboard']?.status === 'timedOut')
  const collections = useAppState(selectCollections)
  const titleOf = useCollectionTitle()
  const title = (): string => {
    if (isOutside) return t('signIn.button')
    if (hasTimedOut) return t('timeout.title')
    if (route === null || route.name === 'HomeRoute') return t(TITLES.dashboard)
    if (route.page === null) return t('loading')
    if (route.page !== 'signatures') return t(TITLES[route.page])
    if (route.type === DELEGATIONS_FOLDER) return t('list.shared')
    return collections.includes(route.type) ? titleOf(route.type) : t('list.all')
  }
  useTitle(title())
}
