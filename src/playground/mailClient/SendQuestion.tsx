import { useTranslation } from 'react-i18next'
import { useControls } from '../scenario/controlsContext.ts'
import { useMailbox, useMailboxState } from './mailboxContext.ts'
import * as css from './mailClient.module.css'

/** Outlook's dialog before a message is sent. `leave` runs the function that sends the message. */
export function SendQuestion({ leave }: { leave: (act: () => void) => void }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const { showPane } = useControls()
  const question = useMailboxState().leaving?.question
  if (!question) return null
  const keep = () => mailbox.act({ type: 'doNotSend' })
  return (
    <dialog
      ref={(dialog) => {
        if (dialog?.open === false) dialog.showModal()
      }}
      className={css.question}
      aria-labelledby="send-question"
      onCancel={keep}
    >
      <h2 id="send-question">{t('sending.title')}</h2>
      <p>{question.text}</p>
      <div className={css.questionButtons}>
        {question.button !== null && (
          <button
            type="button"
            className={css.primary}
            onClick={() => {
              keep()
              showPane(true)
            }}
          >
            {question.button}
          </button>
        )}
        <button type="button" className={css.command} onClick={keep}>
          {t('sending.keep')}
        </button>
        <button
          type="button"
          className={css.command}
          onClick={() => leave(() => mailbox.act({ type: 'sendAnyway' }))}
        >
          {t('sending.anyway')}
        </button>
      </div>
    </dialog>
  )
}
