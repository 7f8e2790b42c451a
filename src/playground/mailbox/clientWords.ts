import { type Language, toLanguage } from '../../../streams/wire/languages.ts'

/** What the mail client itself writes into a message, in its display language. */
export type ClientWords = Readonly<{
  /** The prefix of the subject of a reply, with the space at its end. */
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
  },
}

/** The words in a display language (a BCP 47 tag); in English if that language has no words. */
export const clientWords = (displayLanguage: string): ClientWords => WORDS[toLanguage(displayLanguage)]
