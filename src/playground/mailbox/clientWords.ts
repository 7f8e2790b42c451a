import { type Language, toLanguage } from '../../../streams/wire/languages.ts'

/** The words that the mail client itself writes into a message, in its display language. */
export type ClientWords = Readonly<{
  /** The subject prefix of a reply, with a trailing space. */
  reply: string
  forward: string
  /** The labels of the header lines above a quoted message. */
  from: string
  sent: string
  to: string
  cc: string
  subject: string
  /** The last line of the client's own signature. */
  ownSignature: string
  /** Used in the block of an online meeting. */
  join: string
  meetingId: string
  passcode: string
}>

const WORDS: Readonly<Record<Language, ClientWords>> = {
  de: {
    reply: 'AW: ',
    forward: 'WG: ',
    from: 'Von',
    sent: 'Gesendet',
    to: 'An',
    cc: 'Cc',
    subject: 'Betreff',
    ownSignature: 'Gesendet mit meinem E-Mail-Programm',
    join: 'Jetzt an der Besprechung teilnehmen',
    meetingId: 'Besprechungs-ID',
    passcode: 'Kennung',
  },
  en: {
    reply: 'RE: ',
    forward: 'FW: ',
    from: 'From',
    sent: 'Sent',
    to: 'To',
    cc: 'Cc',
    subject: 'Subject',
    ownSignature: 'Sent from my mail client',
    join: 'Join the meeting now',
    meetingId: 'Meeting ID',
    passcode: 'Passcode',
  },
  es: {
    reply: 'RE: ',
    forward: 'RV: ',
    from: 'De',
    sent: 'Enviado',
    to: 'Para',
    cc: 'CC',
    subject: 'Asunto',
    ownSignature: 'Enviado desde mi programa de correo',
    join: 'Unirse a la reunión ahora',
    meetingId: 'ID de reunión',
    passcode: 'Código de acceso',
  },
  fr: {
    reply: 'RE: ',
    forward: 'TR: ',
    from: 'De',
    sent: 'Envoyé',
    to: 'À',
    cc: 'Cc',
    subject: 'Objet',
    ownSignature: 'Envoyé depuis ma messagerie',
    join: 'Rejoindre la réunion maintenant',
    meetingId: 'ID de réunion',
    passcode: 'Code secret',
  },
  it: {
    reply: 'R: ',
    forward: 'I: ',
    from: 'Da',
    sent: 'Inviato',
    to: 'A',
    cc: 'Cc',
    subject: 'Oggetto',
    ownSignature: 'Inviato dal mio programma di posta',
    join: 'Partecipa alla riunione ora',
    meetingId: 'ID riunione',
    passcode: 'Passcode',
  },
  nl: {
    reply: 'RE: ',
    forward: 'FW: ',
    from: 'Van',
    sent: 'Verzonden',
    to: 'Aan',
    cc: 'Cc',
    subject: 'Onderwerp',
    ownSignature: 'Verzonden met mijn e-mailprogramma',
    join: 'Nu deelnemen aan de vergadering',
    meetingId: 'Vergadering-id',
    passcode: 'Wachtwoordcode',
  },
  pt: {
    reply: 'RE: ',
    forward: 'FW: ',
    from: 'De',
    sent: 'Enviado',
    to: 'Para',
    cc: 'Cc',
    subject: 'Assunto',
    ownSignature: 'Enviado do meu programa de correio',
    join: 'Participar na reunião agora',
    meetingId: 'ID da reunião',
    passcode: 'Código de acesso',
  },
  'pt-BR': {
    reply: 'RES: ',
    forward: 'ENC: ',
    from: 'De',
    sent: 'Enviado',
    to: 'Para',
    cc: 'Cc',
    subject: 'Assunto',
    ownSignature: 'Enviado do meu programa de e-mail',
    join: 'Ingressar na reunião agora',
    meetingId: 'ID da reunião',
    passcode: 'Senha',
  },
}

/** The words in a display language (BCP 47), or in English if there are none. */
export const clientWords = (displayLanguage: string): ClientWords => WORDS[toLanguage(displayLanguage)]

const LINE = '_'.repeat(80)

/** Writes the invitation block of an item's Teams meeting, in a display language (BCP 47). */
export function onlineMeetingBlock(displayLanguage: string, item: string): string {
  const { join, meetingId, passcode } = clientWords(displayLanguage)
  const address = `https://teams.microsoft.com/l/meetup-join/19%3ameeting_${encodeURIComponent(item)}%40thread.v2/0`
  const line = `<div style="margin-bottom:24px; overflow:hidden; white-space:nowrap">${LINE}</div>`
  const detail = (label: string, value: string) =>
    `<div style="margin-bottom:4px"><span class="me-email-text-secondary" style="color:#616161">${label}: </span><span class="me-email-text">${value}</span></div>`
  return (
    `<br><div class="me-email-text" style="max-width:520px; color:#242424; font-family:'Segoe UI',Helvetica,Arial,sans-serif">${line}` +
    `<div style="margin-bottom:12px"><span class="me-email-text" style="font-size:24px; font-weight:700">Microsoft Teams</span></div>` +
    `<div style="margin-bottom:6px"><a href="${address}" id="meet_invite_block.action.join_link" class="me-email-headline" style="font-size:20px; font-weight:600; color:#5B5FC7">${join}</a></div>` +
    `${detail(meetingId, '231 421 170 68')}${detail(passcode, 'Q7hZ2e')}${line}</div>`
  )
}
