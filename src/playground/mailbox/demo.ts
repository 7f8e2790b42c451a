import { toLanguage } from '../../../streams/wire/languages.ts'
import type { OfficeTheme } from '../../engine/hosts/mailClient.ts'
import { isMailLanguage, type DemoMails, demoMailsIn, PARTNER_ADDRESS } from './demoMails.ts'
import {
  type MailboxAccount,
  type Attachment,
  type DraftInProgress,
  type MailboxItem,
  type MailboxState,
  type ReadItem,
  applyAction,
} from './model.ts'
import { onlineMeetingBlock } from './clientWords.ts'

const account = (
  address: string,
  name: string,
  displayLanguage: string,
  timeZone: string,
): MailboxAccount => ({
  address,
  name,
  accountType: 'office365',
  timeZone,
  displayLanguage,
  clientSignature: false,
  roamingSettings: {},
})

/** The mailbox's first user. */
export const FIRST_PERSON = 'alex.kim@northwind.example'

const ACCOUNTS: readonly MailboxAccount[] = [
  account(FIRST_PERSON, 'Alex Kim', 'en-US', 'Pacific Standard Time'),
  account('sales@northwind.example', 'Sales desk', 'en-US', 'Pacific Standard Time'),
  account('maria.silva@northwind.example', 'Maria Silva', 'pt-BR', 'E. South America Standard Time'),
  account('jonas.weber@northwind.example', 'Jonas Weber', 'de-DE', 'W. Europe Standard Time'),
  account('tess.edge@northwind.example', 'Tess Edge', 'en-GB', 'GMT Standard Time'),
  account('stranger@elsewhere.example', 'A Stranger', 'fr-FR', 'Romance Standard Time'),
]

// The image in a colleague's message. Its name is that of an image of Signet, because the colleague also uses Signet.
const LOGO_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAYAAACqaXHeAAAI80lEQVR4AeRZfYxcVRU/5723H9PtzHRtS1vMCqnGRP7A0qa03ZmRVUI1rWiJKcq6sy7GUGPiHwZoSyxJRY0tGoPBRsGPtrNb0OBCW9tEI8TC7PRL2iAqmoC0FJaP8NHO7JYtu/Pe5ZzHvNc3b9+beW/mvoWElzlz7z33nN859zfn3jdvRoEP+TWjBLSvHLg80f315YlM39p4JjtAsrEiA4lUdg3PtXf3XjaTn0mkBMQ+c3NXPNV3WzKTPZHM9Iu2FuMUqupxBOWAAriTZHtFdqKCB3muTdVOsy37xNPZWzuWDyyECC9FNnYy3dtJyX87kc4+0WKUX1AU5acAuBRCX7hUQfyZ2maMEiGPxtP930wSdmiYOg7yCOgZmJNMZ7cDqKMA+CtEzJAgNHkhAud4rYLwOyDsZLp/m0wiGByaulatjyVT2c1J3TgFiBtJYk3h1XJGjAHCJiLi/0TEJqDYtcyDzDVOwBXrW5Op/g0JNfYcKPgTCjaHZGZeiJ1ExDaOnUz33QI9PVqjgRsiYFamb1FibvvfQYFfI8KljQZv1s+Mjcp9Cb3r8cSq9R9pBC80AR3dvUs0oTyJgN2NBIzCh3NBLXaCcwuLH4qAeOobX9IUrWAyHzZS9PaXc26cY5hQQQnARDq7BdHYS3tvVpgAtWwXt+rAUssm1BzCLM4xmc5+P6hfIAJmZ/q/gog/JMGgwEHs1syZApYgtkFtOEcBeFcy1XdjEJ+6BHSk+z6tCpELAhbWZm1yEljC+tWzR6TjGXFXkDOhJgHxnpvmaaj8GZDuvyD3Wszl3y5gMQv15aITGuWsqdp+XgONfF/+BNC9Fcste8mzi0T6y1n61yanpONXALuwrD1S63uCLwHJqa7bqJRSFSDpjbP010ZHABUvpnkt1gLcrScBZtkg3OE2ljW2yt/C+1TMkHs3sICtltYyO3PzfGvobD0JgHLLj4i6hNNQZt+r5L100mIiJhShe94apxHQnsp+DFF8S1pwDyCvkvfSebg2rkLY4PVjyzQCWhW8GwHVxiPV9uTy55J3W7GO59x6WWMEaG9VNXpcr0asIoC+7a0gw69Wm8gd1Sr1WnMysuC1xbv7VzmxqghAAZ91TkbRr1XqteZk5aKguMaJVUWAQFgHEV5c4lzqfiF4jm385mXo3Wu0Caj8+Hi1jCB+GEFKPIiNH35A/dX8e4ZlaxOgtevrkC5rIoo2SIlflyhHEdrGpCXSCY+ftxQ2AQLgC5YyipZLm0u8HvaVsTJcFsWzgSMwAtprtQmgA3CJw0Z6N2hp0ycEqyP8aswLQyFWcstSIWC9SofDR1kRlQQpfyt21NtAINp/tpgEdCzvmE9loVkJyG6Dlr8VN+ptgABt0DNg/optEgAtkzYjVhIyW3f5j04i3P5iDFY8k4DuZ+Kw8UwMXnM8Ec/ENoi/A+aaTQJURTEHMhftxHKX9NaXY7D/XCuc0xHe1BXYV2yFu0ZjThdw+1RNShgItWyu2STAuSckYFdB8InOJW0pDbrd/GNctYZ2e/S8BrphD4F95mkOxcWpUD0/Y6VyDpgE0J644GfYrF695FJYsGOvLZfc+zBosek/LBut7bBwxyO23QLySSxc1Gz4uv4mAYYQr9a1bNDg+ZdegxP/fd72VlUFVl75SXtsdTJXXQGKQh9FRcE+7FsZSm+sNZsEoK5FRgBnfiB/ghtbfn7rANzwuRUwvzMBnYnZcOPqbrjn9gF7njtuH9bJFGvNJgFjbRApAQfzJ6ty71owF3Zu/Q48u+9eOHVgB9y/ZQMsmtdp2wghYP/jT9rjKDrWmk0C4NCuc3Q2vRNFIMZ89swr8K/nznA3kERd/gCiyGvmZN4jgHr09TDSKhh+7ChFCfY64NoywbyCW1GB2Wu1CRCIwTMMHsu2POjaBvaERyeMrYd7fRXiU5bRRQJA/MVSRtEG3Qa8Vdg2ihwuYgr+w8cc2gToIP5Kh48wtRG9BdkGQWyaSY/XWDJaDloYNgFv54deIeVxksheQUo7iE2TCR6Hwu/HLAybAFbQbwJ2afBYtnBpc4n74fIc2/jNy9C711hFgGGokRLAC6hV4rXm2FeGuNdYRcDYkV3/EyD2yQjkh1GrxGvN+eGF0fPaeI1OnyoCeMLQYQsZ6tyPQrjEudTd2KzjObde1pjXZBjKtP8HpxEwfnjw3wA4BBFeXqXupZOZghD42/HC7v+4MacRwAaTU8pWuh9G9ojsVepeOs4lrHjZ81oEqnd6zXkScOHortMg4D4vBxk6LnUWCyvq8qeT/xfj+Z2vW/GcrScBbFAS2p1Egv2VkXUyZfixYzbccIjnBNspeOfpotB+7Geu+E3wl4XJKf16IcCTOV+/gBPORUdV/nTwvTFZhjW8Fr+0/Akgj4lje14SirEOhJigodQXbwGnSAVnMM7ZMK6fOJIb5aGf1CSAncaeGDqsI/ZzX7YM0zZgkY3LeLqAvlJhT90n3LoEMNh4Pvcn2go/4L5MGaa9zyITk7E41/HC4MPcryeBCGCQ0khuq2Hgl+lgfJvHMsTaAjKwTAwqewHGFzlXcxzgLTABjDVW2L2/bJRT1D9N8sF6CfFCGXFlKT9kP+oGSTAUAQx4/vADT4nyxDIB4jCPPwhCJX9U6BeWns/nng6bT2gCOEDpyENvldQXrzFA3ELBX2bd+yFmbGFsKGlnMpxTIzk0RIAZ6NCh8lh+8DclfeITRMQmulWeNfUz8SbEWTqLNnPs4sjQ/UC5NBq2cQKsiEcemiAi7gbQP07/tmwjIiasKektHXK08O0cqziS2w4Uu9kYzRNQyaA48sDZsZHBO4pTxkIw4GtCwIPm7++V+cYbUaTz5g9CYC9j08I3FylW43jVntIIsGGP7SkVC7k/lkZyvcX84Bz6xK6jp7FfEhknhYC3bDufzns24qTpYxirGaOUH7ypNLL7QSBsH7eG1fIJcKVCn9ijpXzuu7SQZUTK3OKkniwLY4kBxg3CEN9j4X5ZL1/Fc6ZNfnCZ6VMY+psLTvowcgKmZUyf4vmRoX+O5Yf2lgqD97Bwn2+vjXzC0/BDKt4FAAD//4nq4asAAAAGSURBVAMA/+NJrtMWecUAAAAASUVORK5CYII='
const logo = (id: string): Attachment => ({
  id,
  name: 'lsi-attachlogo.png',
  size: (LOGO_BASE64.length / 4) * 3 - LOGO_BASE64.split('=').length + 1,
  isInline: true,
  contentId: 'lsi-attachlogo.png',
  base64: LOGO_BASE64,
})

/** The demonstration's time in tests; the page passes the current time. */
const DEMO_TIME = Date.UTC(2026, 10, 20, 16, 30)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The age of each message, in the order of `first` and then `more`. */
const AGES_MS = {
  first: [27 * HOUR_MS + 12 * MINUTE_MS, 2 * HOUR_MS + 7 * MINUTE_MS, 24 * MINUTE_MS],
  more: [3 * HOUR_MS + 41 * MINUTE_MS, 50 * HOUR_MS, 121 * HOUR_MS],
} as const
/** Messages older than this have been read. */
const UNREAD_MS = 3 * HOUR_MS

const mailsOf = ({ displayLanguage }: MailboxAccount): DemoMails => {
  const language = toLanguage(displayLanguage)
  return demoMailsIn(isMailLanguage(language) ? language : 'en')
}

const begunOf = (account: MailboxAccount): DraftInProgress => {
  const { subject, greeting, sentences } = mailsOf(account).begun
  return { to: [PARTNER_ADDRESS], subject, author: `<p>${greeting}</p><p>${sentences.join(' ')}</p>` }
}

/**
 * The meetings in each user's calendar: a series with an online meeting, which the user organises, and an invitation.
 */
const calendars = (accounts: readonly MailboxAccount[], now: number): readonly MailboxItem[] =>
  accounts.flatMap((account, index): readonly MailboxItem[] => {
    const { address: owner, name, displayLanguage } = account
    const { series, invitation } = mailsOf(account)
    const [ofSeries, ofInvitation] = [`meeting-${2 * index + 1}`, `meeting-${2 * index + 2}`]
    const user = { address: owner, name }
    const stored = { owner, attachments: [], notifications: [], customProperties: {} }
    const block = (id: string) => onlineMeetingBlock(displayLanguage, id)
    const at = (day: number, hour: number) => new Date(now + day * DAY_MS).setHours(hour, 0, 0, 0)
    const start = at(-6, 9)
    return [
      {
        ...stored,
        id: ofSeries,
        mode: 'compose',
        kind: 'meeting',
        isSaved: true,
        online: 'there',
        from: user,
        to: series.to,
        cc: series.cc,
        subject: series.subject,
        sessionData: {},
        body: { type: 'html', author: series.body, signature: '', quoted: '', online: block(ofSeries) },
        when: { start, end: start + HOUR_MS / 2, isWeekly: true },
      },
      {
        ...stored,
        id: ofInvitation,
        mode: 'read',
        isMeeting: true,
        folder: 'calendar',
        isRead: true,
        date: now - DAY_MS,
        from: invitation.from ?? user,
        to: [user],
        cc: invitation.cc,
        subject: invitation.subject,
        body: { type: 'html', author: invitation.body + block(ofInvitation), signature: '', quoted: '' },
        when: { start: at(1, 10), end: at(1, 11) },
      },
    ]
  })

/**
 * Creates a mailbox with the messages and meetings of all accounts. The messages of `first` are created first, so that
 * they have the same ids with and without `more`.
 */
function mailboxWith(
  person: string,
  accounts: readonly MailboxAccount[],
  parts: readonly (keyof typeof AGES_MS)[],
  now: number,
): MailboxState {
  let lastId = 0
  const items = parts.flatMap((part) =>
    accounts.flatMap((owner) =>
      mailsOf(owner)[part].map((mail, index): ReadItem => ({
        id: `item-${++lastId}`,
        mode: 'read',
        folder: 'inbox',
        owner: owner.address,
        from: mail.from,
        to: [{ address: owner.address, name: owner.name }],
        cc: mail.cc ?? [],
        subject: mail.subject,
        date: now - (AGES_MS[part][index] ?? 0),
        isRead: (AGES_MS[part][index] ?? 0) > UNREAD_MS,
        body: { type: mail.isText ? 'text' : 'html', author: mail.body, signature: '', quoted: '' },
        attachments: mail.withLogo ? [logo(`attachment-${++lastId}`)] : [],
        notifications: [],
        customProperties: {},
      })),
    ),
  )
  const empty: MailboxState = {
    accounts,
    person,
    items,
    open: null,
    openings: 0,
    switching: false,
    leaving: null,
    requirementSets: { Mailbox: '1.15', IdentityAPI: '1.3', NestedAppAuth: '1.1' },
    theme: null,
    quirks: [],
    profile: null,
    reads: 0,
    lastId,
  }
  const { state } = applyAction(empty, { type: 'firstMessage' })
  return { ...state, items: [...state.items, ...calendars(accounts, now)] }
}

/**
 * The demonstration mailbox: five users of Northwind that the service knows, and one that it does not know. Each has
 * three received messages: one from a colleague, with an inline image; one from a customer; and one in plain text. The
 * calendar has a series that the user organises, and an invitation from a colleague. A new, empty message from
 * `person`, the signed-in user, is open.
 */
export const demoMailbox = (person = FIRST_PERSON): MailboxState =>
  mailboxWith(person, ACCOUNTS, ['first'], DEMO_TIME)

/**
 * The demonstration mailbox as the page shows it at `now`, in milliseconds since the epoch. Each user has six received
 * messages, and has begun a message to a partner. All are in the user's language.
 */
export const demoMailboxAt = (now: number): MailboxState =>
  mailboxWith(
    FIRST_PERSON,
    ACCOUNTS.map((each) => ({ ...each, begun: begunOf(each) })),
    ['first', 'more'],
    now,
  )

/** The mail client's colours in its two themes. */
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
