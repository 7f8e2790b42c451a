import { collectionTitle } from './text/collectionTitle.ts'
import { useAppState } from './app.tsx'

/** Formats the name of a collection as a title, in the language of the pane. */
export function useCollectionTitle(): (collection: string) => string {
  const language = useAppState(({ locale }) => locale.language)
  return (collection) => collectionTitle(collection, language)
}
