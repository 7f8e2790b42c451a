import { Button } from '../../shared/Button.tsx'
import { useTexts } from '../text/texts.ts'
import { Card } from './Card.tsx'

/** Replaces the whole page after a view crashed. */
export function Crashed({ onReload }: { onReload: () => void }) {
  const t = useTexts()
  return (
    <Card role="alert" organisation={null} heading={t('frame.crashed')}>
      <p>{t('frame.crashedAction')}</p>
      <Button look="primary" onPress={onReload}>
        {t('frame.reload')}
      </Button>
    </Card>
  )
}
