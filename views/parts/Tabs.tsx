import { type ComponentProps, type MouseEvent, useState } from 'react'
import { useSubscription } from 'observable-hooks'
import { defer, type ObservedValueOf } from 'rxjs'
import { Router } from '../../streams/router/events.ts'
import { routeAt, type PageName } from '../../streams/router/routes.ts'
import { DASHBOARD } from '../../streams/router/rules.ts'
import { Variables } from '../../streams/variables/events.ts'
import { selectUnsavedCount } from '../../streams/variables/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import type { UnsavedChangesDialog } from './UnsavedChangesDialog.tsx'
import * as css from './Tabs.module.css'

const TABS: readonly Readonly<{ path: string; text: TextKey; views: readonly PageName[] }>[] = [
  { path: DASHBOARD, text: 'tab.signatures', views: ['dashboard', 'signatures'] },
  { path: '/app/settings/variables', text: 'tab.details', views: ['variables'] },
  { path: '/app/settings/app', text: 'tab.settings', views: ['settings', 'selfTest', 'about'] },
]

/** The three sections of the pane. Asks before the user leaves unsaved edits. */
export function Tabs() {
  const t = useTexts()
  const record = useRecord()
  const view = useAppState(({ router }) => routeAt(router.path)?.page ?? 'dashboard')
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
    <nav aria-label={t('tab.label')} className={css['tabs']}>
      {TABS.map(({ path, text, views }) => {
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
        <LeaveDialog
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

const dialog$ = defer(() => import('./UnsavedChangesDialog.tsx'))

/** The dialog, once its code is loaded. When that fails, keeps the edits, which loses nothing. */
function LeaveDialog(props: ComponentProps<typeof UnsavedChangesDialog>) {
  const [loaded, setLoaded] = useState<ObservedValueOf<typeof dialog$> | null>(null)
  useSubscription(dialog$, setLoaded, props.onKeep)
  return loaded && <loaded.UnsavedChangesDialog {...props} />
}
