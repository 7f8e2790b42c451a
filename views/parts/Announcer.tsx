import { useAppState } from '../hooks/app.tsx'
import { selectInsertionName } from '../../streams/signatures/selectors.ts'
import { useTexts } from '../text/texts.ts'
import * as css from './Announcer.module.css'

/**
 * Says once, to who cannot see the pane, that a signature is in. It falls silent when the next insertion begins, so
 * that the same words are said again.
 */
export function Announcer() {
  const t = useTexts()
  const isIn = useAppState(({ signatures }) => signatures.insertion?.status === 'success')
  const name = useAppState(selectInsertionName)
  return (
    <p role="status" className={css['unseen']}>
      {isIn && name !== null ? t('message.inserted', { name }) : ''}
    </p>
  )
}
