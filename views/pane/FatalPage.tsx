import { Button } from '../shared/Button.tsx'
import { useTitle } from './dom/title.ts'
import { useTexts } from './text/texts.ts'
import { Icon } from '../shared/Icon.tsx'
import * as css from './FatalPage.module.css'
import * as stack from '../shared/Stack.module.css'
import * as textCss from '../shared/Text.module.css'
import '../shared/theme.css'
import '../shared/page.css'

/** The reason why there is no pane: no mail client answered, or a view crashed. */
export type FatalCause = 'noHost' | 'crash'

/** Replaces the whole pane: explains what happened, what it means and what to do. Needs the texts, but no state. */
export function FatalPage({ cause, onReload }: { cause: FatalCause; onReload: () => void }) {
  const t = useTexts()
  useTitle(t('title.problem'))
  return (
    <main>
      <div className={`${stack['alone']} ${css['page']}`} role="alert">
        <Icon name="disconnected" />
        <h1 className={textCss['title']}>{t(`fatal.${cause}`)}</h1>
        <p>{t(`fatal.${cause}Meaning`)}</p>
        <p>{t(`fatal.${cause}Action`)}</p>
        <Button look="primary" onPress={onReload}>
          {t('fatal.reload')}
        </Button>
      </div>
    </main>
  )
}
