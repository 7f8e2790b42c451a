import type { Address } from '../../engine/hosts/mailClient.ts'

// The demonstration mails, in each user's language.

/** A received message. `body` is HTML, or plain text with `isText`. */
type Mail = Readonly<{
  from: Address
  cc?: readonly Address[]
  subject: string
  body: string
  isText?: true
  /** The body shows the picture `lsi-attachlogo.png`. */
  withLogo?: true
}>

/** The mail texts in one language; `lines` are HTML. */
type Words = Readonly<{
  colleague: Written & Readonly<{ points: readonly string[]; thanks: string; office: string }>
  customer: Written
  order: Readonly<{ subject: string; text: string }>
  partner: Written
  lunch: Written
  booking: Readonly<{ subject: string; text: string }>
  /** A weekly meeting that the user organises, and a colleague's invitation to another meeting. */
  series: Written
  invitation: Written
  /** A draft of two sentences. It goes to a partner, because some signatures are only for partners. */
  begun: Readonly<{ subject: string; greeting: string; sentences: readonly [string, string] }>
}>
type Written = Readonly<{ subject: string; lines: readonly string[] }>

/**
 * The mails in one language. Every mailbox has the three mails in `first`: from a colleague, with a picture; from a
 * customer; and one in plain text. A mailbox shown on the page also has the three mails in `more`.
 */
export type DemoMails = Readonly<{
  first: readonly Mail[]
  more: readonly Mail[]
  begun: Words['begun']
  series: Meeting
  invitation: Meeting
}>

/** A calendar meeting; `body` is HTML. `from` is its organiser, by default the user. */
type Meeting = Readonly<{
  from?: Address
  to: readonly Address[]
  cc: readonly Address[]
  subject: string
  body: string
}>

export type MailLanguage = 'en' | 'de' | 'fr' | 'pt-BR'

const PRIYA: Address = { address: 'priya.shah@northwind.example', name: 'Priya Shah' }
const SAM: Address = { address: 'sam.okafor@northwind.example', name: 'Sam Okafor' }
const TEAM: Address = { address: 'team@northwind.example', name: 'Team' }
const CLAIRE: Address = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }
const ORDERS: Address = { address: 'orders@tailspin.example', name: 'Tailspin orders' }
const BOOKINGS: Address = { address: 'bookings@harbour-partners.example', name: 'Harbour Partners' }

/** The recipient of the message that is open when the page opens. */
export const PARTNER_ADDRESS: Address = { address: 'nora.lind@quayside.example', name: 'Nora Lind' }

const paragraphs = (lines: readonly string[]): string => lines.map((line) => `<p>${line}</p>`).join('')

const colleagueHtml = ({ lines, points, thanks, office }: Words['colleague']): string =>
  paragraphs(lines) +
  `<ul>${points.map((point) => `<li>${point}</li>`).join('')}</ul><p>${thanks}</p>` +
  '<div id="Signature"><table><tr><td><img src="cid:lsi-attachlogo.png" alt="Northwind" width="32" height="32"></td>' +
  `<td><b>Priya Shah</b><br>${office}</td></tr></table></div>`

const customerHtml = (lines: readonly string[]): string =>
  `<div style="font-family:Calibri,sans-serif;font-size:11pt">${lines.join('<br><br>')}<br>` +
  'Claire Dubois &mdash; <a href="https://fabrikam.example">Fabrikam</a></div>'

const WORDS: Readonly<Record<MailLanguage, Words>> = {
  en: {
    colleague: {
      subject: 'Figures for the autumn review',
      lines: [
        'Hello,',
        'The figures for the review are ready. Could you look at <b>page&nbsp;3</b> before Friday?',
      ],
      points: ['Revenue &amp; margin', 'Open orders'],
      thanks: 'Thank you!',
      office: 'Controlling, Northwind',
    },
    customer: {
      subject: 'RE: Offer 2026-118',
      lines: [
        'Good morning,',
        'We would like to go ahead with the offer. When could you deliver?',
        'Kind regards',
      ],
    },
    order: {
      subject: 'Order 4711 has been sent',
      text: 'Your order 4711 has been sent.\n\n2 x toner, black\n1 x paper, A4\n\nTailspin Ltd.',
    },
    partner: {
      subject: 'Berth 4 from Monday',
      lines: [
        'Hello,',
        'Berth 4 is free from Monday, 6 a.m. Could you send us the new schedule by then?',
        'Best wishes<br>Nora',
      ],
    },
    lunch: {
      subject: 'Lunch on Thursday?',
      lines: [
        'Hi,',
        'A few of us are going to the fish market on Thursday at noon. Will you join us?',
        'Sam',
      ],
    },
    booking: {
      subject: 'Your booking is confirmed',
      text: 'Your booking of meeting room 2 is confirmed.\n\nTuesday, 10 a.m. to 12 noon\n8 people\n\nHarbour Partners',
    },
    series: {
      subject: 'Berths of the week',
      lines: ['Every week we go through the berths, half an hour at most. Bring what has changed.'],
    },
    invitation: {
      subject: 'Autumn review: the figures',
      lines: [
        'Hello,',
        'let us go through the figures before the review.',
        'Priya Shah<br>Controlling, Northwind',
      ],
    },
    begun: {
      subject: 'New schedule for berth 4',
      greeting: 'Hello Nora,',
      sentences: [
        'Thank you for keeping berth 4 free for us.',
        'The new schedule starts on Monday, and I will send you the details by Friday.',
      ],
    },
  },
  de: {
    colleague: {
      subject: 'Zahlen für die Herbstbesprechung',
      lines: [
        'Hallo,',
        'die Zahlen für die Besprechung sind fertig. Könntest du dir bis Freitag <b>Seite&nbsp;3</b> ansehen?',
      ],
      points: ['Umsatz und Marge', 'Offene Aufträge'],
      thanks: 'Danke!',
      office: 'Controlling, Northwind',
    },
    customer: {
      subject: 'AW: Angebot 2026-118',
      lines: [
        'Guten Morgen,',
        'wir nehmen das Angebot gern an. Wann könnten Sie liefern?',
        'Mit freundlichen Grüßen',
      ],
    },
    order: {
      subject: 'Bestellung 4711 ist unterwegs',
      text: 'Ihre Bestellung 4711 ist unterwegs.\n\n2 x Toner, schwarz\n1 x Papier, A4\n\nTailspin Ltd.',
    },
    partner: {
      subject: 'Liegeplatz 4 ab Montag',
      lines: [
        'Guten Tag,',
        'Liegeplatz 4 ist ab Montag, 6 Uhr, frei. Könnten Sie uns bis dahin den neuen Fahrplan schicken?',
        'Viele Grüße<br>Nora Lind',
      ],
    },
    lunch: {
      subject: 'Mittagessen am Donnerstag?',
      lines: [
        'Hallo,',
        'ein paar von uns gehen am Donnerstag um zwölf zum Fischmarkt. Kommst du mit?',
        'Sam',
      ],
    },
    booking: {
      subject: 'Ihre Buchung ist bestätigt',
      text: 'Ihre Buchung von Besprechungsraum 2 ist bestätigt.\n\nDienstag, 10 bis 12 Uhr\n8 Personen\n\nHarbour Partners',
    },
    series: {
      subject: 'Liegeplätze der Woche',
      lines: [
        'Jede Woche gehen wir die Liegeplätze durch, höchstens eine halbe Stunde. Bringen Sie mit, was sich geändert hat.',
      ],
    },
    invitation: {
      subject: 'Herbstbesprechung: die Zahlen',
      lines: [
        'Hallo,',
        'lass uns die Zahlen vor der Besprechung durchgehen.',
        'Priya Shah<br>Controlling, Northwind',
      ],
    },
    begun: {
      subject: 'Neuer Fahrplan für Liegeplatz 4',
      greeting: 'Guten Tag Frau Lind,',
      sentences: [
        'vielen Dank, dass Sie uns Liegeplatz 4 freihalten.',
        'Der neue Fahrplan gilt ab Montag; die Einzelheiten schicke ich Ihnen bis Freitag.',
      ],
    },
  },
  fr: {
    colleague: {
      subject: 'Chiffres pour le bilan d’automne',
      lines: [
        'Bonjour,',
        'Les chiffres pour le bilan sont prêts. Pourriez-vous regarder la <b>page&nbsp;3</b> avant vendredi&nbsp;?',
      ],
      points: ['Chiffre d’affaires et marge', 'Commandes en cours'],
      thanks: 'Merci&nbsp;!',
      office: 'Contrôle de gestion, Northwind',
    },
    customer: {
      subject: 'RE: Offre 2026-118',
      lines: ['Bonjour,', 'Nous acceptons votre offre. Quand pourriez-vous livrer&nbsp;?', 'Cordialement'],
    },
    order: {
      subject: 'Votre commande 4711 est expédiée',
      text: 'Votre commande 4711 est expédiée.\n\n2 x toner noir\n1 x papier A4\n\nTailspin Ltd.',
    },
    partner: {
      subject: 'Poste 4 à partir de lundi',
      lines: [
        'Bonjour,',
        'Le poste 4 est libre à partir de lundi, 6 heures. Pourriez-vous nous envoyer le nouvel horaire d’ici là&nbsp;?',
        'Bien à vous<br>Nora Lind',
      ],
    },
    lunch: {
      subject: 'Déjeuner jeudi ?',
      lines: [
        'Bonjour,',
        'Nous sommes quelques-uns à aller au marché aux poissons jeudi à midi. Vous venez&nbsp;?',
        'Sam',
      ],
    },
    booking: {
      subject: 'Votre réservation est confirmée',
      text: 'Votre réservation de la salle 2 est confirmée.\n\nMardi, de 10 h à 12 h\n8 personnes\n\nHarbour Partners',
    },
    series: {
      subject: 'Postes de la semaine',
      lines: [
        'Chaque semaine, nous passons les postes en revue, en une demi-heure au plus. Apportez ce qui a changé.',
      ],
    },
    invitation: {
      subject: 'Bilan d’automne : les chiffres',
      lines: [
        'Bonjour,',
        'Regardons les chiffres ensemble avant le bilan.',
        'Priya Shah<br>Contrôle de gestion, Northwind',
      ],
    },
    begun: {
      subject: 'Nouvel horaire pour le poste 4',
      greeting: 'Bonjour Madame Lind,',
      sentences: [
        'Merci de nous garder le poste 4.',
        'Le nouvel horaire commence lundi, et je vous enverrai les détails d’ici vendredi.',
      ],
    },
  },
  'pt-BR': {
    colleague: {
      subject: 'Números para a reunião de outono',
      lines: [
        'Olá,',
        'Os números para a reunião estão prontos. Você pode olhar a <b>página&nbsp;3</b> até sexta-feira?',
      ],
      points: ['Receita e margem', 'Pedidos em aberto'],
      thanks: 'Obrigada!',
      office: 'Controladoria, Northwind',
    },
    customer: {
      subject: 'RES: Proposta 2026-118',
      lines: ['Bom dia,', 'Queremos seguir com a proposta. Quando vocês podem entregar?', 'Atenciosamente'],
    },
    order: {
      subject: 'O pedido 4711 foi enviado',
      text: 'O seu pedido 4711 foi enviado.\n\n2 x toner preto\n1 x papel A4\n\nTailspin Ltd.',
    },
    partner: {
      subject: 'Berço 4 a partir de segunda-feira',
      lines: [
        'Olá,',
        'O berço 4 está livre a partir de segunda-feira, às 6h. Vocês podem nos enviar a nova programação até lá?',
        'Abraços<br>Nora',
      ],
    },
    lunch: {
      subject: 'Almoço na quinta-feira?',
      lines: ['Oi,', 'Alguns de nós vamos ao mercado de peixe na quinta-feira ao meio-dia. Você vem?', 'Sam'],
    },
    booking: {
      subject: 'A sua reserva está confirmada',
      text: 'A sua reserva da sala de reunião 2 está confirmada.\n\nTerça-feira, das 10h às 12h\n8 pessoas\n\nHarbour Partners',
    },
    series: {
      subject: 'Berços da semana',
      lines: ['Toda semana passamos pelos berços, em meia hora no máximo. Tragam o que mudou.'],
    },
    invitation: {
      subject: 'Reunião de outono: os números',
      lines: [
        'Olá,',
        'Vamos ver os números juntos antes da reunião.',
        'Priya Shah<br>Controladoria, Northwind',
      ],
    },
    begun: {
      subject: 'Nova programação para o berço 4',
      greeting: 'Olá, Nora,',
      sentences: [
        'Obrigada por manter o berço 4 livre para nós.',
        'A nova programação começa na segunda-feira, e eu envio os detalhes até sexta-feira.',
      ],
    },
  },
}

export const isMailLanguage = (language: string): language is MailLanguage => Object.hasOwn(WORDS, language)

export function demoMailsIn(language: MailLanguage): DemoMails {
  const { colleague, customer, order, partner, lunch, booking, begun, series, invitation } = WORDS[language]
  return {
    first: [
      { from: PRIYA, cc: [TEAM], subject: colleague.subject, body: colleagueHtml(colleague), withLogo: true },
      { from: CLAIRE, subject: customer.subject, body: customerHtml(customer.lines) },
      { from: ORDERS, subject: order.subject, body: order.text, isText: true },
    ],
    more: [
      { from: PARTNER_ADDRESS, subject: partner.subject, body: paragraphs(partner.lines) },
      { from: SAM, subject: lunch.subject, body: paragraphs(lunch.lines) },
      { from: BOOKINGS, subject: booking.subject, body: booking.text, isText: true },
    ],
    begun,
    series: { to: [SAM], cc: [PRIYA], subject: series.subject, body: paragraphs(series.lines) },
    invitation: {
      from: PRIYA,
      to: [],
      cc: [TEAM],
      subject: invitation.subject,
      body: paragraphs(invitation.lines),
    },
  }
}
