import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type DesignAct, stepOver, variablesOfItem } from '../../../streams/administration/design/acts.ts'
import { changeByAct, newWords } from '../../../streams/administration/design/change.ts'
import { Designing } from '../../../streams/administration/design/events.ts'
import { conditionsOf, type DesignItem } from '../../../streams/administration/design/outline.ts'
import { lastOwnItem, partPlaces } from '../../../streams/administration/design/surface.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { draftPreviewOf, withSampleValues } from '../../../streams/administration/plan/preview.ts'
import { isPreviewPersonAwaited } from '../../../streams/administration/plan/selectors.ts'
import {
  isPlaceIn,
  type MarkedDocument,
  type SourcePlace,
  withSourceMarks,
} from '../../../streams/administration/plan/wordPlaces.ts'
import {
  partName,
  type ReleaseDocument,
  type Signature,
} from '../../../streams/organisation/release/release.ts'
import { templatePath } from '../../../streams/organisation/rendering/render.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { type MountedWordsField, type TypingStart, useTypedOn } from '../dom/wordsField.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { CheckField } from '../parts/Field.tsx'
import type { WordLook } from '../parts/frameContent.ts'
import type { DrawnContent } from '../parts/SignatureFrame.tsx'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { type DisplayContext, usePreviewContext } from '../parts/shown.ts'
import { PreviewControls, usePreviewLook } from '../plan/DraftPreview.tsx'
import { useTexts } from '../text/texts.ts'
import {
  DesignContext,
  type Design as DesignParts,
  type Subject,
  lookIn,
  placeOf,
  type SelectedItem,
  useSelectedItem,
  useDesign,
  useSharersOf,
} from './designed.ts'
import { Insert } from './Insert.tsx'
import { ItemPanel } from './ItemPanel.tsx'
import { Surface, type TypingRequest } from './Surface.tsx'
import { WordBar } from './WordBar.tsx'
import { useWordStyle, type WordToggle } from './wordStyle.ts'
import * as stack from '../../shared/Stack.module.css'
import * as sharedTextCss from '../../shared/Text.module.css'
import * as css from './Design.module.css'

/** Something that changes a shared template or part, which waits for the answer to a question. */
type Waiting = Readonly<{
  place: SourcePlace
  go: (within: string | null) => void
  onCancel: (() => void) | null
}>

/** What is drawn, and the same with marks. `about` says what it is; null if that is clear. */
export type Drawing = Readonly<{ html: string | null; markedHtml: string | null; about: ReactNode }>

/** Renders what is drawn. Must be the same function until the drawing changes. */
export type Draw = (
  marked: MarkedDocument,
  context: Pick<DisplayContext, 'person' | 'writer' | 'at' | 'day' | 'pictures' | 'formats'>,
) => Drawing

/**
 * The visual editor of a signature: what is selected on the drawn signature is changed in its template.
 *
 * @param document the document in which the typing last paused; null if it does not have the signature yet
 * @param onSource opens the page's source
 */
export function Design({
  signature,
  document,
  onSource,
}: {
  signature: Signature
  document: ReleaseDocument | null
  onSource: () => void
}) {
  const t = useTexts()
  const use = useAdministrationState(({ plan }) => plan.use)
  const recipients = useAdministrationState(({ plan }) => plan.recipients)
  const isAwaited = useAdministrationState(({ plan }) => isPreviewPersonAwaited(plan))
  const { id } = signature
  const kind = templatePath(signature, use) === null ? 'signature' : use
  const root = templatePath(signature, kind)
  const draw = useCallback<Draw>(
    (marked, { person, writer, at, pictures, formats }) => {
      const wanted = { path: root, person, writer, at, use: kind, recipients, signature: id }
      const render = (shown: ReleaseDocument) => draftPreviewOf(shown, wanted, pictures, formats).html
      return { html: render(marked.unmarked), markedHtml: render(marked.document), about: null }
    },
    [root, kind, recipients, id],
  )
  return (
    <DesignSection>
      {(completion) => (
        <>
          {kind !== use && <p role="status">{t('design.noVersion', { use: t(`plan.use.${use}`) })}</p>}
          {!document && <p role="status">{t('load.loading')}</p>}
          {!isAwaited && document && root !== null && (
            <Editor
              key={root}
              root={root}
              subject={{ kind: 'signature', id }}
              draw={draw}
              document={document}
              completion={completion}
              onSource={onSource}
            />
          )}
        </>
      )}
    </DesignSection>
  )
}

/** Whether to show also what the person has no value for. */
export type Completion = Readonly<{ isComplete: boolean; onComplete: () => void }>

/** The section of a visual editor, which begins with what is shown: for whom, and in which message. */
export function DesignSection({ children }: { children: (completion: Completion) => ReactNode }) {
  const t = useTexts()
  const [isComplete, setComplete] = useState(false)
  return (
    <section className={css['design']} aria-label={t('signatures.side.design')}>
      <PreviewControls>
        <CheckField
          label={t('design.complete')}
          hint={t('design.completeHint')}
          isOn={isComplete}
          onSwitch={setComplete}
        />
      </PreviewControls>
      {children({ isComplete, onComplete: () => setComplete(true) })}
    </section>
  )
}

/**
 * What is drawn of a signature or block, with the acts on it.
 *
 * @param root the template that is changed
 */
export function Editor({
  root,
  subject,
  draw,
  document,
  completion: { isComplete, onComplete },
  onSource,
}: {
  root: string
  subject: Subject
  draw: Draw
  document: ReleaseDocument
  completion: Completion
  onSource: () => void
}) {
  const t = useTexts()
  const record = useGesture()
  const everywhere = useAdministrationState(({ plan }) => plan.design.everywhere)
  const current = useAdministrationState(({ plan }) => plan.draft?.document ?? document)
  const { person, writer, at, day, pictures, images, formats, haveFailed } = usePreviewContext(document)
  const selected = useSelectedItem()
  const field = useRef<MountedWordsField | null>(null)
  const panel = useRef<HTMLElement>(null)
  const [inserting, setInserting] = useState<'before' | 'after' | null>(null)
  const [content, setContent] = useState<DrawnContent | null>(null)
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const [start, setStart] = useState<TypingStart>(null)
  const marked = useMemo(() => withSourceMarks(document), [document])
  const shownPerson = useMemo(
    () => (isComplete ? withSampleValues(document, person) : person),
    [document, person, isComplete],
  )
  const { html, markedHtml, about } = useMemo(
    () => draw(marked, { person: shownPerson, writer, at, day, pictures, formats }),
    [draw, marked, shownPerson, writer, at, day, pictures, formats],
  )
  const sharersOf = useSharersOf()
  /** Whether a change at a place must be asked about, because other signatures or blocks have it, too. */
  const mustAsk = (path: string): boolean =>
    !everywhere.includes(path) && sharersOf(path).some((each) => !isSame(each, subject))
  const change: DesignParts['change'] = (place, go, onCancel) => {
    if (mustAsk(place.path)) setWaiting({ place, go, onCancel })
    else go(null)
  }
  const act = (chosen: DesignAct) => {
    const place = selected?.place ?? endOf(root, current)
    const go = (within: string | null) => {
      const made = changeByAct(current, { place, act: chosen, within })
      if (!made) return
      record(Designing.acted({ act: chosen, ...made }))
      const words = chosen.kind === 'insert' && chosen.element.kind === 'text' && newWords(current, made)
      if (!words) return
      setStart('all')
      record(Designing.typingBegan({ place: words }))
    }
    change(place, go, null)
  }
  const type = ({ item, at: click }: TypingRequest) => {
    const { from, to } = item.item.content
    setStart(click)
    record(Designing.typingBegan({ place: { path: item.path, from, to } }))
  }
  const { drawn, drawnMarked, isDark, width } = usePreviewLook(html ?? '', markedHtml)
  const design: DesignParts = {
    document,
    subject,
    root,
    selected,
    panel,
    field,
    act,
    change,
    select: (place) => {
      record(Designing.selected({ place }))
    },
    stepOver: (direction) =>
      selected === null
        ? 0
        : stepOver(selected.text, selected, direction, (item) => isDrawn(content, selected, item)),
    openSource: (place) => {
      record(Planning.wordChosen(place))
      onSource()
    },
  }
  const isHidden = selected !== null && needsValues(selected) && !isDrawn(content, selected, selected.item)
  const look = content && selected && lookIn(content, selected.path, selected.item)
  return (
    <DesignContext value={design}>
      {about}
      <WordBar look={look} />
      {haveFailed && <p role="status">{t('plan.preview.plain')}</p>}
      <div className={css['sides']}>
        <Canvas look={look}>
          {html !== null && (
            <SignatureFrame
              html={drawn}
              images={images}
              isDark={isDark}
              width={width}
              title={t('plan.preview.frame')}
              source={
                drawnMarked === null
                  ? null
                  : {
                      html: drawnMarked,
                      marked,
                      onDrawn: setContent,
                      draw: (shown) => (
                        <Surface
                          content={shown}
                          start={start}
                          onType={type}
                          onInsert={() => setInserting('after')}
                        />
                      ),
                    }
              }
            />
          )}
        </Canvas>
        <div className={css['report']}>
          <p role="status">
            <Report /> {isHidden && t('design.hidden')}
          </p>
          {isHidden && !isComplete && (
            <Button look="secondary" small onPress={onComplete}>
              {t('design.showHidden')}
            </Button>
          )}
        </div>
        <ItemPanel onInsert={setInserting} />
      </div>
      {inserting && <Insert where={inserting} onClose={() => setInserting(null)} />}
      {waiting && (
        <div data-keeps-typing>
          <SharedQuestion
            place={waiting.place}
            subject={subject}
            onType={waiting.onCancel && ((text) => field.current?.type(text))}
            canKeepHere={
              partPlaces(document.templates[root] ?? '', partName(waiting.place.path) ?? '').length > 0
            }
            onClose={() => {
              flushSync(() => setWaiting(null))
              waiting.onCancel?.()
            }}
            onEverywhere={() => {
              flushSync(() => setWaiting(null))
              record(Designing.everywhereChosen({ path: waiting.place.path }))
              waiting.go(null)
            }}
            onHere={() => {
              flushSync(() => setWaiting(null))
              waiting.go(root)
            }}
          />
        </div>
      )}
    </DesignContext>
  )
}

const TOGGLES: Readonly<Record<string, WordToggle>> = { b: 'bold', i: 'italic', u: 'underline' }

/** The place of the drawn signature. A click beside it selects nothing; Ctrl+B, I and U style the selected words. */
function Canvas({ look, children }: { look: WordLook | null; children: ReactNode }) {
  const { select } = useDesign()
  const { isOff, toggle } = useWordStyle(look)
  return (
    <div
      className={css['canvas']}
      onClick={() => select(null)}
      onKeyDown={(event) => {
        const { key, ctrlKey, metaKey, shiftKey, altKey } = event
        const chosen = TOGGLES[key.toLowerCase()]
        if (!chosen || !(ctrlKey || metaKey) || shiftKey || altKey) return
        event.preventDefault()
        if (!isOff) toggle(chosen)
      }}
    >
      {children}
    </div>
  )
}

const isSame = (one: Subject, other: Subject): boolean => one.kind === other.kind && one.id === other.id

/** The place that what is added without a selection follows. */
const endOf = (path: string, document: ReleaseDocument): SourcePlace => {
  const last = lastOwnItem(document, path)
  return last ? placeOf(path, last) : { path, from: 0, to: 0 }
}

/** Whether it depends on a person's values what the item shows. */
const needsValues = ({ text, item, parents }: SelectedItem): boolean =>
  variablesOfItem(text, item).length > 0 || parents.some((parent) => conditionsOf(parent).length > 0)

/** Whether something of another file is in the item. */
const hasFiles = ({ kind, children }: DesignItem): boolean =>
  kind === 'part' || kind === 'slot' || children.some(hasFiles)

/** Whether the selected item, or a sibling of it, is drawn. Until the current text is drawn, all are taken to be. */
function isDrawn(content: DrawnContent | null, { path, text }: SelectedItem, item: DesignItem): boolean {
  if (content?.marked.unmarked.templates[path] !== text) return true
  // What is in parts and blocks has places of other paths.
  if (hasFiles(item)) return true
  return [...content.words, ...content.elements].some(({ number }) =>
    isPlaceIn(content.marked.places[number], path, item),
  )
}

/** Says what the last act did, for people who do not see it. */
function Report() {
  const t = useTexts()
  const report = useAdministrationState(({ plan }) => plan.design.report)
  return report && <span key={report.seq}>{t(`design.done.${report.act}`)}</span>
}

/**
 * Asks whether a shared part or template changes everywhere. A part can be kept to this signature or block.
 *
 * @param onType receives characters that a person goes on typing; null if the question is not about typing
 */
function SharedQuestion({
  place,
  subject,
  canKeepHere,
  onType,
  onEverywhere,
  onHere,
  onClose,
}: {
  place: SourcePlace
  subject: Subject
  canKeepHere: boolean
  onType: ((text: string) => void) | null
  onEverywhere: () => void
  onHere: () => void
  onClose: () => void
}) {
  const t = useTexts()
  const words = useTypedOn(onType)
  const sharers = useSharersOf()(place.path)
  const isBlock = subject.kind === 'block'
  /** Whether it is in a block that the signature shows, and in no signature itself. */
  const isOfBlock = !isBlock && sharers.every(({ kind }) => kind === 'block')
  const others = [...new Set(sharers.filter((each) => !isSame(each, subject)).map(({ name }) => name))]
  return (
    <Dialog
      title={t(isBlock || isOfBlock ? 'design.block.sharedTitle' : 'design.shared.title')}
      onClose={onClose}
      act={
        <>
          {canKeepHere && (
            <Button look="secondary" onPress={onHere}>
              {t('design.shared.here')}
            </Button>
          )}
          <Button look={canKeepHere ? 'secondary' : 'primary'} onPress={onEverywhere}>
            {isOfBlock
              ? t('design.shared.changeBlock')
              : t('design.shared.everywhere', { count: others.length + 1 })}
          </Button>
        </>
      }
    >
      <div ref={words} className={`${stack['gapM']} ${css['question']}`}>
        <p>
          {isOfBlock
            ? t('design.shared.ofBlock', { names: others })
            : t('design.shared.text', { count: others.length, names: others })}
        </p>
        {onType && <textarea className={sharedTextCss['unseen']} aria-label={t('design.typing.label')} />}
        {canKeepHere && <p>{t(isBlock ? 'design.block.hereMeans' : 'design.shared.hereMeans')}</p>}
      </div>
    </Dialog>
  )
}
