import type { Role } from '../../../streams/wire/administration/insight.ts'
import { Notice } from '../../parts/Notice.tsx'
import { useTexts } from '../text/texts.ts'

/** That the administrator's roles do not allow this. */
export function NotAllowed({ role }: { role: Role }) {
  const t = useTexts()
  return (
    <Notice tone="info" title={t('load.notAllowed', { role })}>
      <p>{t('load.notAllowedAction')}</p>
    </Notice>
  )
}
