import type { Role } from '../../../streams/wire/administration/insight.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import * as css from './Roles.module.css'

const ROLE_TEXTS = {
  'Signet.Read': 'frame.roles.Read',
  'Signet.Publish': 'frame.roles.Publish',
  'Signet.People': 'frame.roles.People',
  'Signet.Audit': 'frame.roles.Audit',
  'Signet.Operate': 'frame.roles.Operate',
} as const satisfies Readonly<Record<Role, TextKey>>

/** A list of what each of the roles allows. */
export function Roles({ roles }: { roles: readonly Role[] }) {
  const t = useTexts()
  return (
    <ul className={css['roles']}>
      {roles.map((role) => (
        <li key={role}>{t(ROLE_TEXTS[role])}</li>
      ))}
    </ul>
  )
}
