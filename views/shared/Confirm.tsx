import { type ReactNode, useState } from 'react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type Question = Readonly<{ title: string; confirm: string; cancel: string; onConfirm: () => void }>

/**
 * Asks the user to confirm an action, and explains what it means. With `isForm`, the content has fields, and Enter
 * confirms. With `isDestructive`, the action is red, and the way back has the focus.
 */
export function Confirm({
  title,
  confirm,
  cancel,
  isForm = false,
  isDestructive = false,
  onConfirm,
  onClose,
  children,
}: Question & { onClose: () => void; children: ReactNode } & (
    | Readonly<{ isForm?: boolean; isDestructive?: false }>
    | Readonly<{ isForm?: false; isDestructive: boolean }>
  )) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      {...(isForm && { onSubmit: onConfirm })}
      act={
        <>
          {isForm ? (
            <Button look="primary" submits>
              {confirm}
            </Button>
          ) : (
            <Button look={isDestructive ? 'dangerFilled' : 'primary'} onPress={onConfirm}>
              {confirm}
            </Button>
          )}
          <Button look="secondary" isFirst={isDestructive} onPress={onClose}>
            {cancel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}

/**
 * A button that asks for confirmation first. It has the same text as the dialog's confirm button: the action. `danger` is
 * for actions that remove something.
 */
export function ConfirmFirstButton({
  look,
  meaning,
  ...question
}: Question & { look: 'secondary' | 'danger'; meaning: string }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => {
    setAsking(false)
  }
  return (
    <>
      <Button look={look} onPress={() => setAsking(true)}>
        {question.confirm}
      </Button>
      {isAsking && (
        <Confirm
          {...question}
          isDestructive={look === 'danger'}
          onClose={close}
          onConfirm={() => {
            close()
            question.onConfirm()
          }}
        >
          <p>{meaning}</p>
        </Confirm>
      )}
    </>
  )
}
