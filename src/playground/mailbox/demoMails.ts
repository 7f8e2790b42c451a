import type { Address } from '../../engine/hosts/mailClient.ts'

// What stands in the mailboxes of the demonstration, in the language of each user.

/** A received message. `body` is HTML, or plain text with `isText`. */
export type Mail = Readonly<{
  from: Address
  cc?: readonly Address[]
  subject: string
  body: string
  isText?: true
  /** Whether the body shows the picture `lsi-attachlogo.png`. */
  withLogo?: true
}>

/**
 * The mails of one language. `first` are three that every mailbox holds: from a colleague, with a picture; from a
 * customer; one in plain text. `more` are three that a mailbox which is shown holds besides.
 */
export type Mails = Readonly<{
  first: readonly [Mail, Mail, Mail]
  more: readonly [Mail, Mail, Mail]
  /** Two sentences to a partner of the organisation, who is not of it: some signatures are for such, some are not. */
  begun: Readonly<{ subject: string; greeting: string; sentences: readonly [string, string] }>
}>

export type MailLanguage = 'en' | 'de' | 'fr' | 'pt-BR'

const PRIYA: Address = { address: 'priya.shah@northwind.example', name: 'Priya Shah' }
const SAM: Address = { address: 'sam.okafor@northwind.example', name: 'Sam Okafor' }
const TEAM: Address = { address: 'team@northwind.example', name: 'Team' }
const CLAIRE: Address = { address: 'claire.dubois@fabrikam.example', name: 'Claire Dubois' }
const ORDERS: Address = { address: 'orders@tailspin.example', name: 'Tailspin orders' }
const BOOKINGS: Address = { address: 'bookings@harbour-partners.example', name: 'Harbour Partners' }

/** The partner whom the message that is open at the start is for. */
export const PARTNER: Address = { address: 'nora.lind@quayside.example', name: 'Nora Lind' }

const paragraphs = (...lines: readonly string[]): string => lines.map((line) => `<p>${line}</p>`).join('')

const fromColleague = (lines: readonly string[], points: readonly string[], thanks: string, office: string) =>
  paragraphs(...lines) +
  `<ul>${points.map((point) => `<li>${point}</li>`).join('')}</ul><p>${thanks}</p>` +
  '<div id="Signature"><table><tr><td><img src="cid:lsi-attachlogo.png" alt="Northwind" width="32" height="32"></td>' +
  `<td><b>Priya Shah</b><br>${office}</td></tr></table></div>`

const fromCustomer = (lines: readonly string[]) =>
  `<div style="font-family:Calibri,sans-serif;font-size:11pt">${lines.join('<br><br>')}<br>` +
  'Claire Dubois &mdash; <a href="https://fabrikam.example">Fabrikam</a></div>'

export const MAILS: Readonly<Record<MailLanguage, Mails>> = {
  en: {
    first: [
      {
        from: PRIYA,
        cc: [TEAM],
        subject: 'Figures for the autumn review',
        body: fromColleague(
          [
            'Hello,',
            'The figures for the review are ready. Could you look at <b>page&nbsp;3</b> before Friday?',
          ],
          ['Revenue &amp; margin', 'Open orders'],
          'Thank you!',
          'Controlling, Northwind',
        ),
        withLogo: true,
      },
      {
        from: CLAIRE,
        subject: 'RE: Offer 2026-118',
        body: fromCustomer([
          'Good morning,',
          'We would like to go ahead with the offer. When could you deliver?',
          'Kind regards',
        ]),
      },
      {
        from: ORDERS,
        subject: 'Order 4711 has been sent',
        body: 'Your order 4711 has been sent.\n\n2 x toner, black\n1 x paper, A4\n\nTailspin Ltd.',
        isText: true,
      },
    ],
    more: [
      {
        from: PARTNER,
        subject: 'Berth 4 from Monday',
        body: paragraphs(
          'Hello,',
          'Berth 4 is free from Monday, 6 a.m. Could you send us the new schedule by then?',
          'Best wishes<br>Nora',
        ),
      },
      {
        from: SAM,
        subject: 'Lunch on Thursday?',
        body: paragraphs(
          'Hi,',
          'A few of us are going to the fish market on Thursday at noon. Will you join us?',
          'Sam',
        ),
      },
      {
        from: BOOKINGS,
        subject: 'Your booking is confirmed',
        body: 'Your booking of meeting room 2 is confirmed.\n\nTuesday, 10 a.m. to 12 noon\n8 people\n\nHarbour Partners',
        isText: true,
      },
    ],
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
    first: [
      {
        from: PRIYA,
        cc: [TEAM],
        subject: 'Zahlen für die Herbstbesprechung',
        body: fromColleague(
          [
            'Hallo,',
            'die Zahlen für die Besprechung sind fertig. Könntest du dir bis Freitag <b>Seite&nbsp;3</b> ansehen?',
          ],
          ['Umsatz und Marge', 'Offene Aufträge'],
          'Danke!',
          'Controlling, Northwind',
        ),
        withLogo: true,
      },
      {
        from: CLAIRE,
        subject: 'AW: Angebot 2026-118',
        body: fromCustomer([
          'Guten Morgen,',
          'wir nehmen das Angebot gern an. Wann könnten Sie liefern?',
          'Mit freundlichen Grüßen',
        ]),
      },
      {
        from: ORDERS,
        subject: 'Bestellung 4711 ist unterwegs',
        body: 'Ihre Bestellung 4711 ist unterwegs.\n\n2 x Toner, schwarz\n1 x Papier, A4\n\nTailspin Ltd.',
        isText: true,
      },
    ],
    more: [
      {
        from: PARTNER,
        subject: 'Liegeplatz 4 ab Montag',
        body: paragraphs(
          'Guten Tag,',
          'Liegeplatz 4 ist ab Montag, 6 Uhr, frei. Könnten Sie uns bis dahin den neuen Fahrplan schicken?',
          'Viele Grüße<br>Nora Lind',
        ),
      },
      {
        from: SAM,
        subject: 'Mittagessen am Donnerstag?',
        body: paragraphs(
          'Hallo,',
          'ein paar von uns gehen am Donnerstag um zwölf zum Fischmarkt. Kommst du mit?',
          'Sam',
        ),
      },
      {
        from: BOOKINGS,
        subject: 'Ihre Buchung ist bestätigt',
        body: 'Ihre Buchung von Besprechungsraum 2 ist bestätigt.\n\nDienstag, 10 bis 12 Uhr\n8 Personen\n\nHarbour Partners',
        isText: true,
      },
    ],
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
    first: [
      {
        from: PRIYA,
        cc: [TEAM],
        subject: 'Chiffres pour le bilan d’automne',
        body: fromColleague(
          [
            'Bonjour,',
            'Les chiffres pour le bilan sont prêts. Pourriez-vous regarder la <b>page&nbsp;3</b> avant vendredi&nbsp;?',
          ],
          ['Chiffre d’affaires et marge', 'Commandes en cours'],
          'Merci&nbsp;!',
          'Contrôle de gestion, Northwind',
        ),
        withLogo: true,
      },
      {
        from: CLAIRE,
        subject: 'RE: Offre 2026-118',
        body: fromCustomer([
          'Bonjour,',
          'Nous acceptons votre offre. Quand pourriez-vous livrer&nbsp;?',
          'Cordialement',
        ]),
      },
      {
        from: ORDERS,
        subject: 'Votre commande 4711 est expédiée',
        body: 'Votre commande 4711 est expédiée.\n\n2 x toner noir\n1 x papier A4\n\nTailspin Ltd.',
        isText: true,
      },
    ],
    more: [
      {
        from: PARTNER,
        subject: 'Poste 4 à partir de lundi',
        body: paragraphs(
          'Bonjour,',
          'Le poste 4 est libre à partir de lundi, 6 heures. Pourriez-vous nous envoyer le nouvel horaire d’ici là&nbsp;?',
          'Bien à vous<br>Nora Lind',
        ),
      },
      {
        from: SAM,
        subject: 'Déjeuner jeudi ?',
        body: paragraphs(
          'Bonjour,',
          'Nous sommes quelques-uns à aller au marché aux poissons jeudi à midi. Vous venez&nbsp;?',
          'Sam',
        ),
      },
      {
        from: BOOKINGS,
        subject: 'Votre réservation est confirmée',
        body: 'Votre réservation de la salle 2 est confirmée.\n\nMardi, de 10 h à 12 h\n8 personnes\n\nHarbour Partners',
        isText: true,
      },
    ],
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
    first: [
      {
        from: PRIYA,
        cc: [TEAM],
        subject: 'Números para a reunião de outono',
        body: fromColleague(
          [
            'Olá,',
            'Os números para a reunião estão prontos. Você pode olhar a <b>página&nbsp;3</b> até sexta-feira?',
          ],
          ['Receita e margem', 'Pedidos em aberto'],
          'Obrigada!',
          'Controladoria, Northwind',
        ),
        withLogo: true,
      },
      {
        from: CLAIRE,
        subject: 'RES: Proposta 2026-118',
        body: fromCustomer([
          'Bom dia,',
          'Queremos seguir com a proposta. Quando vocês podem entregar?',
          'Atenciosamente',
        ]),
      },
      {
        from: ORDERS,
        subject: 'O pedido 4711 foi enviado',
        body: 'O seu pedido 4711 foi enviado.\n\n2 x toner preto\n1 x papel A4\n\nTailspin Ltd.',
        isText: true,
      },
    ],
    more: [
      {
        from: PARTNER,
        subject: 'Berço 4 a partir de segunda-feira',
        body: paragraphs(
          'Olá,',
          'O berço 4 está livre a partir de segunda-feira, às 6h. Vocês podem nos enviar a nova programação até lá?',
          'Abraços<br>Nora',
        ),
      },
      {
        from: SAM,
        subject: 'Almoço na quinta-feira?',
        body: paragraphs(
          'Oi,',
          'Alguns de nós vamos ao mercado de peixe na quinta-feira ao meio-dia. Você vem?',
          'Sam',
        ),
      },
      {
        from: BOOKINGS,
        subject: 'A sua reserva está confirmada',
        body: 'A sua reserva da sala de reunião 2 está confirmada.\n\nTerça-feira, das 10h às 12h\n8 pessoas\n\nHarbour Partners',
        isText: true,
      },
    ],
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
