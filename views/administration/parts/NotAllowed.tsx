import type { ReactNode } from 'react'
import type { Role } from '../../../streams/wire/administration/insight.ts'
import { Notice } from '../../shared/Notice.tsx'
import { useHasRole } from './administration.tsx'
import { useTexts } from '../text/texts.ts'

export function NotAllowed({ role }: { role: Role }) {
  const t = useTexts()
  return (
    <Notice tone="info" title={t('load.notAllowed', { role })}>
      <p>{t('load.notAllowedAction')}</p>
    </Notice>
  )
}

/** Shows its children to administrators with this role, and a notice to all others. */
export const IfAllowed = ({ role, children }: { role: Role; children: ReactNode }) =>
  useHasRole(role) ? children : <NotAllowed role={role} />
