import { useId, useState } from 'react'
import { OnePerson } from '../../../streams/administration/people/events.ts'
import type { OnePersonState } from '../../../streams/administration/people/reducer.ts'
import { dayAt, isCalendarDay } from '../../../streams/administration/people/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { now } from '../../../streams/kernel/time.ts'
import type { SignaturesAnswer } from '../../../streams/wire/administration/people.ts'
import type { SampleKind } from '../../../streams/organisation/release/supposed.ts'
import { useTools } from '../../shared/tools.tsx'
import { Button } from '../../shared/Button.tsx'
import { Segments } from '../../shared/Segments.tsx'
import { useGesture, useRecording } from '../parts/administration.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Section } from '../parts/Section.tsx'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { SupposedRecipients } from '../parts/SupposedRecipients.tsx'
import { Writer } from '../plan/PreviewPerson.tsx'
import { useTexts } from '../text/texts.ts'
import * as fieldCss from '../parts/Field.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

/**
 * The person's signatures on a chosen day, in a new message, a reply or a meeting, in the light or dark theme.
 *
 * @param hasBlocks whether the release has blocks, because recipients may affect them
 * @param pinned the id of the signature that an administrator gave to the person
 */
export function AsThisPerson({
  one,
  hasBlocks,
  pinned,
}: {
  one: OnePersonState
  hasBlocks: boolean
  pinned: string | undefined
}) {
  const t = useTexts()
  const recording = useRecording()
  const { kind, recipients, writer, isDark, drawn } = one
  const answered = loadedValue(drawn)
  return (
    <Section title={t('people.look.title')}>
      <div className={css['controls']}>
        <Day one={one} />
        <Segments<SampleKind>
          name={t('people.look.message')}
          texts={{
            new: t('people.look.new'),
            reply: t('people.look.reply'),
            meeting: t('plan.use.meeting'),
          }}
          chosen={kind}
          onChoose={recording((chosen) => OnePerson.kindChosen({ kind: chosen }))}
        />
        {hasBlocks && (
          <SupposedRecipients
            chosen={recipients}
            onChoose={recording((chosen) => OnePerson.recipientsChosen({ recipients: chosen }))}
          />
        )}
        <Segments
          name={t('people.look.theme')}
          texts={{ light: t('people.look.light'), dark: t('people.look.dark') }}
          chosen={isDark ? 'dark' : 'light'}
          onChoose={recording((theme) => OnePerson.themeChosen({ isDark: theme === 'dark' }))}
        />
      </div>
      {answered?.namesWriter && (
        <Writer
          address={writer?.address ?? null}
          isChosen={writer !== null}
          onChoose={recording((chosen) => OnePerson.writerChosen({ writer: chosen }))}
        />
      )}
      <p
        role="status"
        className={sectionCss['status']}
        data-loading={(answered === undefined && drawn.status !== 'fail') || undefined}
      >
        {drawn.status === 'pending' && t('people.look.drawing')}
        {drawn.status === 'success' &&
          drawn.value.signatures.length === 0 &&
          t(kind === 'meeting' ? 'people.look.noMeeting' : 'people.look.none')}
        {drawn.status === 'success' &&
          drawn.value.signatures.length > 0 &&
          isDark &&
          t('people.look.darkMeaning')}
      </p>
      <Failure
        title="people.look.failed"
        failure={failureOf(drawn)}
        onRetry={recording(Place.retryRequested())}
      />
      {answered && (
        <Signatures answered={answered} pinned={pinned} isDark={isDark} isBusy={drawn.status === 'pending'} />
      )}
    </Section>
  )
}

/** The browser's own date field. Typed text takes effect once it is a complete day. */
function Day({ one: { day, zone } }: { one: OnePersonState }) {
  const t = useTexts()
  const record = useGesture()
  const { time } = useTools()
  const dayId = useId()
  const [openedAt] = useState(() => now(time))
  const shown = day ?? dayAt(openedAt, zone)
  const [typed, setTyped] = useState({ of: shown, text: shown })
  // Another day was chosen since the user typed, so the field shows that day.
  if (typed.of !== shown) setTyped({ of: shown, text: shown })
  return (
    <div className={fieldCss['line']}>
      <label htmlFor={dayId}>{t('people.look.day')}</label>
      <input
        id={dayId}
        type="date"
        value={typed.text}
        onChange={({ target: { value } }) => {
          setTyped({ of: isCalendarDay(value) ? value : shown, text: value })
          if (isCalendarDay(value)) record(OnePerson.dayChosen({ day: value }))
        }}
      />
      <Button
        look="secondary"
        onPress={() => {
          setTyped({ of: shown, text: shown })
          record(OnePerson.dayChosen({ day: null }))
        }}
      >
        {t('people.look.today')}
      </Button>
    </div>
  )
}

/** The signatures: first the one that an administrator gave to the person, then the default. */
function inOrder({ signatures }: SignaturesAnswer, pinned: string | undefined) {
  const place = ({ signature, isDefault }: SignaturesAnswer['signatures'][number]): number =>
    signature === pinned ? 0 : isDefault ? 1 : 2
  return [...signatures].sort((one, other) => place(one) - place(other))
}

function Signatures({
  answered,
  pinned,
  isDark,
  isBusy,
}: {
  answered: SignaturesAnswer
  pinned: string | undefined
  isDark: boolean
  isBusy: boolean
}) {
  const t = useTexts()
  return (
    <ul className={`${sectionCss['list']} ${css['signatures']}`} aria-busy={isBusy}>
      {inOrder(answered, pinned).map(({ signature, name, isDefault, html, blocks = [] }) => (
        <li key={signature}>
          <h3>
            {name} {isDefault && <span className={textCss['mark']}>{t('people.look.default')}</span>}
          </h3>
          {html === null ? (
            <p>{t('people.look.notDrawn')}</p>
          ) : (
            <SignatureFrame html={html} isDark={isDark} title={t('people.look.frame', { name })} />
          )}
          {blocks.length > 0 && <p className={textCss['quiet']}>{t('people.look.blocks', { blocks })}</p>}
        </li>
      ))}
    </ul>
  )
}
