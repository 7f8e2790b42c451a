import Attachment from '@fluentui/svg-icons/icons/attach_20_regular.svg'
import Discard from '@fluentui/svg-icons/icons/delete_20_regular.svg'
import Dismiss from '@fluentui/svg-icons/icons/dismiss_20_regular.svg'
import Failure from '@fluentui/svg-icons/icons/error_circle_20_regular.svg'
import Forward from '@fluentui/svg-icons/icons/arrow_forward_20_regular.svg'
import Image from '@fluentui/svg-icons/icons/image_20_regular.svg'
import Info from '@fluentui/svg-icons/icons/info_20_regular.svg'
import Mail from '@fluentui/svg-icons/icons/mail_48_regular.svg'
import NewMessage from '@fluentui/svg-icons/icons/mail_add_20_regular.svg'
import Progress from '@fluentui/svg-icons/icons/arrow_sync_20_regular.svg'
import Reload from '@fluentui/svg-icons/icons/arrow_clockwise_20_regular.svg'
import Reply from '@fluentui/svg-icons/icons/arrow_reply_20_regular.svg'
import Send from '@fluentui/svg-icons/icons/send_20_regular.svg'
import * as css from './playground.module.css'

const shapes = {
  newMessage: NewMessage,
  reply: Reply,
  forward: Forward,
  send: Send,
  discard: Discard,
  dismiss: Dismiss,
  reload: Reload,
  attachment: Attachment,
  image: Image,
  info: Info,
  progress: Progress,
  error: Failure,
  mail: Mail,
}

/** Decoration beside a text or in a button that has a name of its own. */
export function Icon({ name }: { name: keyof typeof shapes }) {
  const Shape = shapes[name]
  return <Shape aria-hidden="true" className={css.icon} />
}
