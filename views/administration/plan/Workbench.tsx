import { type FocusEvent, type KeyboardEvent, useId, useRef } from 'react'
import type { TemplateEntry } from '../../../streams/administration/plan/draft.ts'
import { Planning, type WorkbenchSide } from '../../../streams/administration/plan/events.ts'
import { selectTemplates } from '../../../streams/administration/plan/selectors.ts'
import { templateFileName } from '../../../streams/organisation/release/paths.ts'
import { useWidth } from '../../shared/element.ts'
import { Icon } from '../../shared/Icon.tsx'
import { Segments } from '../../shared/Segments.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useTexts } from '../text/texts.ts'
import { DraftPreview } from './DraftPreview.tsx'
import { OpenTemplate } from './OpenTemplate.tsx'
import * as planCss from './Plan.module.css'
import * as css from './Workbench.module.css'

/** Below this width, the list would leave less than about 28rem each for the source and the preview. */
const ROOM_FOR_LIST_PX = 1152
const NONE: readonly string[] = []

/**
 * The draft's templates: the open template's source beside its preview, and a list. The list is beside them where there is
 * room, and else opens over them. In a narrow window, a switch shows either the source or the preview.
 *
 * @param first paths of templates that come first in the list
 */
export function Workbench({ first = NONE }: { first?: readonly string[] }) {
  const t = useTexts()
  const recording = useRecording()
  const entries = useAdministrationState(({ plan }) => selectTemplates(plan))
  const path = useAdministrationState(({ plan }) => plan.open?.path ?? null)
  const decided = useAdministrationState(({ plan }) => plan.isListShown)
  const side = useAdministrationState(({ plan }) => plan.side)
  const [room, width] = useWidth<HTMLDivElement>()
  const listId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const hasTemplates = entries.length > 0
  const isListShown = hasTemplates && (decided ?? (path === null || width >= ROOM_FOR_LIST_PX))
  const isOver = isListShown && path !== null && width < ROOM_FOR_LIST_PX
  const hide = recording(Planning.listShown({ isShown: false }))
  /** Closes the list that is over the source when the focus leaves it. */
  const closing = {
    onKeyDown: ({ key }: KeyboardEvent) => {
      if (!isOver || key !== 'Escape') return
      hide()
      toggle.current?.focus()
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      const isInside = relatedTarget === toggle.current || list.current?.contains(relatedTarget)
      if (isOver && isInside !== true) hide()
    },
  }
  return (
    <section aria-label={t('plan.templates.title')}>
      <div
        ref={room}
        className={css['workbench']}
        data-workbench
        data-side={side}
        data-list={isListShown ? (isOver ? 'over' : 'beside') : undefined}
      >
        <div className={css['bar']}>
          {hasTemplates && (
            <button
              ref={toggle}
              type="button"
              className={css['toggle']}
              aria-expanded={isListShown}
              aria-controls={isListShown ? listId : undefined}
              onClick={recording(Planning.listShown({ isShown: !isListShown }))}
              {...closing}
            >
              {t('plan.templates.choose')}
              <Icon name="unfold" />
            </button>
          )}
          {path === null ? (
            <h2 className={planCss['quiet']}>
              {t(hasTemplates ? 'plan.templates.noneOpen' : 'plan.templates.none')}
            </h2>
          ) : (
            <h2 className={planCss['path']}>{path}</h2>
          )}
          <div className={css['switch']}>
            <Segments<WorkbenchSide>
              name={t('plan.side.name')}
              texts={{ source: t('plan.side.source'), preview: t('plan.side.preview') }}
              chosen={side}
              onChoose={recording((chosen) => Planning.sideChosen({ side: chosen }))}
            />
          </div>
        </div>
        {isListShown && (
          <div
            ref={list}
            id={listId}
            className={css['list']}
            data-over={isOver || undefined}
            tabIndex={-1}
            onClick={({ target }) => {
              if (isOver && target instanceof Element && target.closest('button')) {
                hide()
                toggle.current?.focus()
              }
            }}
            {...closing}
          >
            <TemplateList entries={entries} first={first} path={path} />
          </div>
        )}
        <div className={css['source']}>
          <OpenTemplate />
        </div>
        <div className={css['preview']}>
          <DraftPreview />
        </div>
      </div>
    </section>
  )
}

function TemplateList({
  entries,
  first,
  path,
}: {
  entries: readonly TemplateEntry[]
  first: readonly string[]
  path: string | null
}) {
  const t = useTexts()
  const offered = entries.filter((entry) => first.includes(entry.path))
  const others = entries.filter((entry) => !first.includes(entry.path))
  return (
    <nav aria-label={t('plan.templates.title')}>
      <Entries entries={offered} path={path} />
      {offered.length > 0 && others.length > 0 && <h3>{t('plan.templates.others')}</h3>}
      <Entries entries={others} path={path} />
    </nav>
  )
}

function Entries({ entries, path }: { entries: readonly TemplateEntry[]; path: string | null }) {
  if (entries.length === 0) return null
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.path}>
          <Template entry={entry} isOpen={entry.path === path} />
        </li>
      ))}
    </ul>
  )
}

function Template({ entry, isOpen }: { entry: TemplateEntry; isOpen: boolean }) {
  const t = useTexts()
  const recording = useRecording()
  const { path, isPart, isEdited, usedBy } = entry
  return (
    <button
      type="button"
      className={planCss['template']}
      aria-current={isOpen || undefined}
      onClick={recording(Planning.templateOpened({ path, line: null, column: null }))}
    >
      <span className={planCss['path']}>{templateFileName(path)}</span>{' '}
      <span className={planCss['quiet']}>
        {[
          path,
          ...(isEdited ? [t('plan.templates.edited')] : []),
          ...(isPart ? [t('plan.templates.part')] : []),
          usedBy.length === 0
            ? t('plan.templates.unused')
            : t('plan.templates.usedBy', {
                names: usedBy.map(({ name, uses }) =>
                  uses.length === 1 && uses[0] === 'template'
                    ? name
                    : t('plan.templates.nameAndUses', {
                        name,
                        uses: uses.map((use) => t(`plan.use.${use === 'template' ? 'signature' : use}`)),
                      }),
                ),
              }),
        ].join(' · ')}
      </span>
    </button>
  )
}
