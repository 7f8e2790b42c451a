/// <reference types="office-js" />

export {}

// Handlers of launch events over Microsoft's library, for a test that runs outside of the browser. Each signs the open
// message with the name of its event, and completes when it is written.

declare global {
  interface Window {
    /** Reports an event to the test. */
    handled(name: string, data: unknown): Promise<void>
  }
}

const handle = (name: string) => (event: Office.AddinCommands.Event) => {
  void window.handled(name, JSON.parse(JSON.stringify(event)))
  const item = Office.context.mailbox.item as unknown as Office.MessageCompose
  item.body.setSignatureAsync(`<p>${name}</p>`, { coercionType: Office.CoercionType.Html }, () => {
    item.sessionData.setAsync('lsi_launch', JSON.stringify({ outcome: 'inserted' }), () => event.completed())
  })
}
for (const name of [
  ...['onNewMessageCompose', 'onMessageFromChanged', 'onMessageRecipientsChanged'],
  ...['onNewAppointmentOrganizer', 'onAppointmentFromChanged', 'onAppointmentAttendeesChanged'],
])
  Office.actions.associate(name, handle(name))
// Without it the library does not start.
void Office.onReady()
