import * as css from './playground.module.css'

const shapes = {
  newMessage: css.iconNewMessage,
  reply: css.iconReply,
  forward: css.iconForward,
  send: css.iconSend,
  discard: css.iconDiscard,
  dismiss: css.iconDismiss,
  reload: css.iconReload,
  attachment: css.iconAttachment,
  image: css.iconImage,
  info: css.iconInfo,
  progress: css.iconProgress,
  error: css.iconError,
  mail: css.iconMail,
}

/** Decoration beside a text or in a button that has a name of its own. */
export const Icon = ({ name }: { name: keyof typeof shapes }) => (
  <span aria-hidden="true" className={`${css.icon} ${shapes[name]}`} />
)
