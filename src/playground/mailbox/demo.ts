import { type Account, type Attachment, type ReadItem, act, type MailboxState } from './model.ts'
import type { Address, OfficeTheme } from '../../engine/hosts/mailClient.ts'

const account = (address: string, name: string, displayLanguage: string, timeZone: string): Account => ({
  address,
  name,
  accountType: 'office365',
  timeZone,
  displayLanguage,
  clientSignature: false,
  roamingSettings: {},
})

const ACCOUNTS: readonly Account[] = [
  account('alex.kim@northwind.example', 'Alex Kim', 'en-US', 'Pacific Standard Time'),
  account('sales@northwind.example', 'Sales desk', 'en-US', 'Pacific Standard Time'),
  account('maria.silva@northwind.example', 'Maria Silva', 'pt-BR', 'E. South America Standard Time'),
  account('jonas.weber@northwind.example', 'Jonas Weber', 'de-DE', 'W. Europe Standard Time'),
  account('tess.edge@northwind.example', 'Tess Edge', 'en-GB', 'GMT Standard Time'),
  account('stranger@elsewhere.example', 'A Stranger', 'fr-FR', 'Romance Standard Time'),
]

const COLLEAGUE: Address = { address: 'priya.shah@northwind.example', name: 'Priya Shah' }
const CUSTOMER: Address = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }
const SUPPLIER: Address = { address: 'orders@tailspin.example', name: 'Tailspin orders' }

// Named like an image of this add-in, as in the quoted thread of a reply to a colleague who uses Signet, too.
const LOGO_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAYCAIAAACKi2/DAAAAT0lEQVR42u3QMQ0AIBAEwXeAUSziBQkIoEDC03wDk1y9yU20PtLNtdO92glAgAABAgQIECBAgAABKgD6+fxNBxAgQIAAAQIECBAgQIAKOge+ohMPddZXsAAAAABJRU5ErkJggg=='
const logo = (id: string): Attachment => ({
  id,
  name: 'lsi-attachlogo.png',
  size: (LOGO_BASE64.length / 4) * 3 - LOGO_BASE64.split('=').length + 1,
  isInline: true,
  contentId: 'lsi-attachlogo.png',
  base64: LOGO_BASE64,
})

type Received = Omit<
  ReadItem,
  'id' | 'owner' | 'mode' | 'notifications' | 'customProperties' | 'attachments'
> &
  Readonly<{ withLogo: boolean }>

const inboxOf = ({ address, name }: Account): readonly Received[] => [
  {
    from: COLLEAGUE,
    to: [{ address, name }],
    cc: [{ address: 'team@northwind.example', name: 'Team' }],
    subject: 'Figures for the autumn review',
    date: 'Thursday, November 19, 2026 4:12 PM',
    body: {
      type: 'html',
      author:
        '<p>Hello,</p><p>the figures for the review are ready. Could you look at <b>page&nbsp;3</b> before Friday?</p>' +
        '<ul><li>Revenue &amp; margin</li><li>Open orders</li></ul><p>Thank you!</p>' +
        '<div id="Signature"><table><tr><td><img src="cid:lsi-attachlogo.png" alt="Northwind" width="96" height="24"></td>' +
        '<td><b>Priya Shah</b><br>Controlling, Northwind</td></tr></table></div>',
      signature: '',
      quoted: '',
    },
    withLogo: true,
  },
  {
    from: CUSTOMER,
    to: [{ address, name }],
    cc: [],
    subject: 'RE: Offer 2026-118',
    date: 'Friday, November 20, 2026 9:03 AM',
    body: {
      type: 'html',
      author:
        '<div style="font-family:Calibri,sans-serif;font-size:11pt">Good morning,<br><br>we would like to go ahead with the ' +
        'offer. When could you deliver?<br><br>Kind regards<br>Claire Dubois &mdash; <a href="https://fabrikam.example">Fabrikam</a></div>',
      signature: '',
      quoted: '',
    },
    withLogo: false,
  },
  {
    from: SUPPLIER,
    to: [{ address, name }],
    cc: [],
    subject: 'Order 4711 has been sent',
    date: 'Friday, November 20, 2026 10:45 AM',
    body: {
      type: 'text',
      author: 'Your order 4711 has been sent.\n\n2 x toner, black\n1 x paper, A4\n\nTailspin Ltd.',
      signature: '',
      quoted: '',
    },
    withLogo: false,
  },
]

/**
 * The demonstration mailbox: five users of Northwind that the service knows and one that it does not, each with three
 * received messages (from a colleague, with an inline image; from a customer; one in plain text). A new message of
 * `person`, the signed-in user, is open.
 */
export function demoMailbox(person = 'alex.kim@northwind.example'): MailboxState {
  let lastId = 0
  const items = ACCOUNTS.flatMap((owner) =>
    inboxOf(owner).map(({ withLogo, ...received }): ReadItem => ({
      ...received,
      id: `item-${++lastId}`,
      mode: 'read',
      owner: owner.address,
      attachments: withLogo ? [logo(`attachment-${++lastId}`)] : [],
      notifications: [],
      customProperties: {},
    })),
  )
  const empty: MailboxState = {
    accounts: ACCOUNTS,
    person,
    items,
    open: null,
    openings: 0,
    switching: false,
    requirementSets: { Mailbox: '1.15', IdentityAPI: '1.3', NestedAppAuth: '1.1' },
    theme: null,
    quirks: [],
    lastId,
  }
  return act(empty, { type: 'newMessage' }).state
}

/** The colours that the mail client reports for its two themes. */
export const DEMO_THEMES: Readonly<Record<'light' | 'dark', OfficeTheme>> = {
  light: {
    bodyBackgroundColor: '#ffffff',
    bodyForegroundColor: '#242424',
    controlBackgroundColor: '#f5f5f5',
    controlForegroundColor: '#424242',
  },
  dark: {
    bodyBackgroundColor: '#1f1f1f',
    bodyForegroundColor: '#ffffff',
    controlBackgroundColor: '#292929',
    controlForegroundColor: '#d6d6d6',
  },
}
