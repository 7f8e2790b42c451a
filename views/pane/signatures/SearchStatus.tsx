import { selectList } from '../../../streams/pane/signatures/selectors.ts'
import { useAppState } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import type { OptionRow } from './listRows.ts'
import * as textCss from '../../shared/Text.module.css'

const selectOwn = selectList('own')
const selectDelegated = selectList('delegated')

/** The progress of a search, and its results. With `shared`, only shared signatures are searched. */
export function SearchStatus({
  query,
  shared,
  found,
}: {
  query: string
  shared: boolean
  found: readonly OptionRow[]
}) {
  const t = useTexts()
  const own = useAppState(selectOwn)
  const delegated = useAppState(selectDelegated)
  const lists = shared ? [delegated] : [own, delegated]
  const isLooking = lists.some(({ load }) => load.status === 'pending')
  // A signature counts once, with all its versions.
  const count = new Set(found.flatMap((row) => (row.kind === 'entry' ? [row.listed.entry.combinedIds] : [])))
    .size
  const status = () => {
    if (isLooking)
      return t('search.looking', {
        shown: lists.reduce((sum, { offset }) => sum + offset, 0),
        total: lists.reduce((sum, list) => sum + list.total, 0),
      })
    return found.length === 0 ? t('search.nothing', { query }) : t('search.found', { count })
  }
  return (
    <>
      {/* Always rendered, because screen readers announce a live region only when its content changes. */}
      <p role="status" className={textCss['unseen']}>
        {query !== '' && !isLooking && t('search.found', { count })}
      </p>
      {/* Always one line high once the user has typed a letter, so that the rows below do not move. */}
      {query !== '' && (
        <p aria-hidden={!isLooking && found.length > 0} className={textCss['small']}>
          {status()}
        </p>
      )}
    </>
  )
}
