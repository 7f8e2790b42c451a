import { type ComponentProps, type MouseEvent, type ReactNode, useState } from 'react'
import { useSubscription } from 'observable-hooks'
import { defer, type ObservedValueOf } from 'rxjs'
import { Router } from '../../../streams/pane/router/events.ts'
import { routeAt } from '../../../streams/pane/router/routes.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { selectUnsavedCount } from '../../../streams/pane/variables/selectors.ts'
import { useAppState, useRecord, useRecording } from '../app.tsx'
import type { UnsavedChangesDialog } from './UnsavedChangesDialog.tsx'

/** A link to another page. Asks before the user leaves unsaved edits. `label` names a link that has no text. */
export function PlaceLink({
  to,
  isHere,
  className,
  label,
  children,
}: {
  to: string
  isHere: boolean
  className: string | undefined
  label?: string
  children: ReactNode
}) {
  const record = useRecord()
  const recording = useRecording()
  const isEditing = useAppState(({ router }) => routeAt(router.path)?.page === 'variables')
  const unsaved = useAppState(selectUnsavedCount)
  const [isLeaving, setIsLeaving] = useState(false)
  const go = recording(Router.navigationRequested({ to }))
  const press = (event: MouseEvent) => {
    event.preventDefault()
    if (isEditing && unsaved > 0) setIsLeaving(true)
    else go()
  }
  return (
    <>
      <a
        href={`#${to}`}
        aria-current={isHere ? 'page' : undefined}
        aria-label={label}
        title={label}
        className={className}
        onClick={press}
      >
        {children}
      </a>
      {isLeaving && (
        <LeaveDialog
          unsaved={unsaved}
          onStay={() => setIsLeaving(false)}
          onKeep={() => {
            setIsLeaving(false)
            go()
          }}
          onDiscard={() => {
            setIsLeaving(false)
            record(Variables.allDiscarded())
            go()
          }}
        />
      )}
    </>
  )
}

const dialog$ = defer(() => import('./UnsavedChangesDialog.tsx'))

/** The dialog, once its code is loaded. If that fails, keeps the edits, so that nothing is lost. */
function LeaveDialog(props: ComponentProps<typeof UnsavedChangesDialog>) {
  const [loaded, setLoaded] = useState<ObservedValueOf<typeof dialog$> | null>(null)
  useSubscription(dialog$, setLoaded, props.onKeep)
  return loaded && <loaded.UnsavedChangesDialog {...props} />
}
