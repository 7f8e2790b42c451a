import { InMessage } from '../message/InMessage.tsx'
import { SignatureList } from './SignatureList.tsx'
import * as css from './Dashboard.module.css'

/** The signature in the message, and the list to choose from. */
export function Dashboard() {
  return (
    <div className={css['page']}>
      <InMessage />
      <SignatureList folder="mine" />
    </div>
  )
}
