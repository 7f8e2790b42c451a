import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { areaGroupsFor, type AreaGroup, areaOf } from '../../../streams/administration/place/areas.ts'
import type { Role } from '../../../streams/wire/administration/insight.ts'
import { Icon } from '../../shared/Icon.tsx'
import { usePopup } from '../../shared/dom/popup.ts'
import { useAdministrationState } from './administration.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Navigation.module.css'

/** The areas by their groups: a column in a wide window, and behind a button in a narrow one. */
export function Navigation({ roles }: { roles: readonly Role[] }) {
  const t = useTexts()
  const here = useAdministrationState(({ place }) => areaOf(place.path))
  const { id, isOpen, close, around, button } = usePopup<HTMLElement>()
  return (
    <nav {...around} aria-label={t('frame.areas')} className={css['areas']}>
      <button {...button} className={css['menu']}>
        <span className={`${css['icon']} ${css['menuIcon']}`} aria-hidden="true" />
        {here === null ? t('frame.areas') : t('frame.menu', { area: t(`frame.${here}`) })}
        <Icon name="unfold" />
      </button>
      {/* A wide window shows it always, so it is in the page while it is closed. */}
      <div id={id} className={css['groups']} data-open={isOpen || undefined} data-over={isOpen || undefined}>
        {areaGroupsFor(roles).map(({ group, areas }) => (
          <Group key={group} group={group}>
            {areas.map((area) => (
              <li key={area}>
                <Link
                  to={`/${area}`}
                  aria-current={area === here ? 'page' : undefined}
                  className={css['area']}
                  // A new page takes the focus from the button.
                  onClick={isOpen ? close : undefined}
                >
                  <span className={`${css['icon']} ${css[area]}`} aria-hidden="true" />
                  {t(`frame.${area}`)}
                </Link>
              </li>
            ))}
          </Group>
        ))}
      </div>
    </nav>
  )
}

function Group({ group, children }: { group: AreaGroup | null; children: ReactNode }) {
  const t = useTexts()
  const id = useId()
  if (group === null) return <ul>{children}</ul>
  return (
    <div>
      <p id={id} className={css['heading']}>
        {t(`frame.groups.${group}`)}
      </p>
      <ul aria-labelledby={id}>{children}</ul>
    </div>
  )
}
