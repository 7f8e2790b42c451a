import { type ComponentProps, type MouseEvent, useEffect, useState } from 'react'
import { Router } from '../../streams/router/events.ts'
import { routeAt, type ViewName } from '../../streams/router/routes.ts'
import { DASHBOARD } from '../../streams/router/rules.ts'
import { Variables } from '../../streams/variables/events.ts'
import { selectUnsavedCount } from '../../streams/variables/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useChunk } from '../hooks/chunk.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import type { Leaving } from './UnsavedChangesDialog.tsx'
import * as css from './Tabs.module.css'

const places: readonly Readonly<{ path: string; text: TextKey; views: readonly ViewName[] }>[] = [
  { path: DASHBOARD, text: 'place.signatures', views: ['dashboard', 'signatures'] },
  { path: '/app/settings/variables', text: 'place.details', views: ['variables'] },
  { path: '/app/settings/app', text: 'place.settings', views: ['settings', 'selfTest', 'about'] },
]

/** The three places of the pane. Whoever leaves edits behind that are not saved is asked first. */
export function Tabs() {
  const t = useTexts()
  const record = useRecord()
  const view = useAppState(({ router }) => routeAt(router.path)?.view ?? 'dashboard')
  const unsaved = useAppState(selectUnsavedCount)
  const [leavingTo, setLeavingTo] = useState<string | null>(null)
  const go = (to: string) => {
    record(Router.navigationRequested({ to }))
  }
  const press = (event: MouseEvent, path: string) => {
    event.preventDefault()
    if (view === 'variables' && unsaved > 0) setLeavingTo(path)
    else go(path)
  }
  return (
    <nav aria-label={t('place.label')} className={css['tabs']}>
      {places.map(({ path, text, views }) => {
        const isHere = views.includes(view)
        return (
          <a
            key={path}
            href={`#${path}`}
            aria-current={isHere ? 'page' : undefined}
            className={css['tab']}
            onClick={(event) => {
              press(event, path)
            }}
          >
            {t(text)}
            {path.endsWith('variables') && unsaved > 0 && (
              <span className={css['count']}>
                <span aria-hidden="true">{unsaved}</span>
                <span className={css['unseen']}>{t('details.unsaved', { count: unsaved })}</span>
              </span>
            )}
          </a>
        )
      })}
      {leavingTo !== null && (
        <AskedBeforeLeaving
          unsaved={unsaved}
          onStay={() => {
            setLeavingTo(null)
          }}
          onKeep={() => {
            setLeavingTo(null)
            go(leavingTo)
          }}
          onDiscard={() => {
            setLeavingTo(null)
            record(Variables.allDiscarded())
            go(leavingTo)
          }}
        />
      )}
    </nav>
  )
}

const loadLeaving = () => import('./UnsavedChangesDialog.tsx')

/** The question once its code is there; where it cannot be loaded the edits are kept, which loses nothing. */
function AskedBeforeLeaving(asked: ComponentProps<typeof Leaving>) {
  const chunk = useChunk(loadLeaving)
  const { onKeep } = asked
  useEffect(() => {
    if (chunk === 'failed') onKeep()
  }, [chunk, onKeep])
  return chunk && chunk !== 'failed' && <chunk.Leaving {...asked} />
}
