import { Button } from '../../parts/Button.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Message.module.css'

/** Replaces the whole page when a view crashed. */
export function Crashed({ onReload }: { onReload: () => void }) {
  const t = useTexts()
  return (
    <main className={css['message']} role="alert">
      <h1>{t('frame.crashed')}</h1>
      <p>{t('frame.crashedAction')}</p>
      <Button look="primary" onPress={onReload}>
        {t('frame.reload')}
      </Button>
    </main>
  )
}
