import { distinctUntilChanged, forkJoin, map, Observable } from 'rxjs'
import type { Theme } from '../../../streams/message/mailbox/events.ts'
import { themeOf } from '../../../streams/message/mailbox/rules.ts'
import type { HostWithIdentity } from './chooseHost.ts'
import type { MailClient } from './mailClient.ts'
import { createMessageHost, type HostOptions, truncateText } from './mailHost.ts'

// The keys of the pane's notices (specification, section 4, Notifications).
const SHOWN_NOTICE_KEY = 'messageKey'
const DISMISSED_NOTICE_KEY = 'lsi_notification_message'

/**
 * Creates the pane's host and identity for a mail client. Besides a message host's methods, the host reports changed
 * recipients and themes, saves roaming data and shows notices.
 */
export function createPaneHost(given: MailClient, options: HostOptions): HostWithIdentity {
  const { host, identity, notices, gate, client } = createMessageHost(given, options)
  return {
    identity,
    host: {
      ...host,
      recipientsChanged$: new Observable<void>((subscriber) =>
        client.on('RecipientsChanged', () => {
          subscriber.next()
        }),
      ),
      theme$: new Observable<Theme | null>((subscriber) => {
        const emit = () => subscriber.next(themeOf(client.background()))
        const stop = client.on('OfficeThemeChanged', emit)
        emit()
        return stop
      }).pipe(distinctUntilChanged()),
      saveRoaming: (name, value) =>
        gate<null>('roamingSettings.saveAsync', (done) =>
          client.call('roamingSettings.saveAsync', { name, value }, done),
        ).pipe(map(() => undefined)),
      showNotice: (itemKey, text) =>
        notices.show(itemKey, SHOWN_NOTICE_KEY, {
          type: 'informationalMessage',
          message: truncateText(text),
          persistent: false,
        }),
      dismissNotice: (itemKey) =>
        forkJoin([
          notices.dismiss(itemKey, DISMISSED_NOTICE_KEY),
          notices.dismiss(itemKey, SHOWN_NOTICE_KEY),
        ]).pipe(map(() => undefined)),
    },
  }
}
