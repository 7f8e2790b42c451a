/** The texts of the pages that explain why a server shows no page, in Signet's languages. */
import type { Language } from '../../streams/wire/languages.ts'

/**
 * Why a page cannot be shown. `notFound`: there is nothing at the address. `notTaken`: the address does not support the
 * method. `tooMany`: the client sent too many requests. `failed`: the server failed. `refused`: any other reason.
 */
export type RefusalReason = 'notFound' | 'notTaken' | 'tooMany' | 'failed' | 'refused'

export type RefusalTexts = Readonly<
  Record<RefusalReason, Readonly<{ heading: string; what: string; action: string }>>
> &
  Readonly<{
    /** The label of the link to the page at `/`. */
    home: string
    /** The label of the link that repeats the request. */
    again: string
    helpdesk: string
  }>

export const refusalTexts: Readonly<Record<Language, RefusalTexts>> = {
  en: {
    notFound: {
      heading: 'Page not found',
      what: 'There is no page at this address.',
      action: 'Check the address for typing errors.',
    },
    notTaken: {
      heading: 'This didn’t work',
      what: 'This address can’t use what your browser sent.',
      action: 'Go back and try again.',
    },
    tooMany: {
      heading: 'Too many requests',
      what: 'Your network or browser sent too many requests in a short time.',
      action: 'Wait a minute, then try again.',
    },
    failed: {
      heading: 'Something went wrong',
      what: 'The page can’t be shown at the moment.',
      action: 'Try again in a few minutes. If it happens again, contact your administrator.',
    },
    refused: {
      heading: 'This didn’t work',
      what: 'The request was refused.',
      action: 'Go back and try again. If it happens again, contact your administrator.',
    },
    home: 'Go to the start page',
    again: 'Try again',
    helpdesk: 'For your helpdesk',
  },
  de: {
    notFound: {
      heading: 'Seite nicht gefunden',
      what: 'Unter dieser Adresse gibt es keine Seite.',
      action: 'Prüfen Sie die Adresse auf Tippfehler.',
    },
    notTaken: {
      heading: 'Das hat nicht funktioniert',
      what: 'Mit dem, was Ihr Browser gesendet hat, kann diese Adresse nichts anfangen.',
      action: 'Gehen Sie zurück und versuchen Sie es erneut.',
    },
    tooMany: {
      heading: 'Zu viele Anfragen',
      what: 'Ihr Netzwerk oder Ihr Browser hat in kurzer Zeit zu viele Anfragen gesendet.',
      action: 'Warten Sie eine Minute und versuchen Sie es dann erneut.',
    },
    failed: {
      heading: 'Etwas ist schiefgegangen',
      what: 'Die Seite kann gerade nicht angezeigt werden.',
      action:
        'Versuchen Sie es in einigen Minuten erneut. Geschieht es wieder, wenden Sie sich an Ihre Administration.',
    },
    refused: {
      heading: 'Das hat nicht funktioniert',
      what: 'Die Anfrage wurde abgelehnt.',
      action:
        'Gehen Sie zurück und versuchen Sie es erneut. Geschieht es wieder, wenden Sie sich an Ihre Administration.',
    },
    home: 'Zur Startseite',
    again: 'Erneut versuchen',
    helpdesk: 'Für Ihren Helpdesk',
  },
  es: {
    notFound: {
      heading: 'Página no encontrada',
      what: 'No hay ninguna página en esta dirección.',
      action: 'Comprueba que la dirección esté bien escrita.',
    },
    notTaken: {
      heading: 'Esto no ha funcionado',
      what: 'Esta dirección no admite lo que ha enviado tu navegador.',
      action: 'Vuelve atrás e inténtalo de nuevo.',
    },
    tooMany: {
      heading: 'Demasiadas solicitudes',
      what: 'Tu red o tu navegador ha enviado demasiadas solicitudes en poco tiempo.',
      action: 'Espera un minuto y vuelve a intentarlo.',
    },
    failed: {
      heading: 'Algo ha ido mal',
      what: 'La página no se puede mostrar en este momento.',
      action:
        'Vuelve a intentarlo dentro de unos minutos. Si ocurre de nuevo, ponte en contacto con tu administrador.',
    },
    refused: {
      heading: 'Esto no ha funcionado',
      what: 'La solicitud ha sido rechazada.',
      action:
        'Vuelve atrás e inténtalo de nuevo. Si ocurre otra vez, ponte en contacto con tu administrador.',
    },
    home: 'Ir a la página de inicio',
    again: 'Reintentar',
    helpdesk: 'Para tu soporte técnico',
  },
  fr: {
    notFound: {
      heading: 'Page introuvable',
      what: 'Il n’y a aucune page à cette adresse.',
      action: 'Vérifiez que l’adresse est bien écrite.',
    },
    notTaken: {
      heading: 'Cela n’a pas fonctionné',
      what: 'Cette adresse n’accepte pas ce que votre navigateur a envoyé.',
      action: 'Revenez en arrière et réessayez.',
    },
    tooMany: {
      heading: 'Trop de demandes',
      what: 'Votre réseau ou votre navigateur a envoyé trop de demandes en peu de temps.',
      action: 'Attendez une minute, puis réessayez.',
    },
    failed: {
      heading: 'Une erreur s’est produite',
      what: 'La page ne peut pas être affichée en ce moment.',
      action: 'Réessayez dans quelques minutes. Si cela se reproduit, contactez votre administrateur.',
    },
    refused: {
      heading: 'Cela n’a pas fonctionné',
      what: 'La demande a été refusée.',
      action: 'Revenez en arrière et réessayez. Si cela se reproduit, contactez votre administrateur.',
    },
    home: 'Aller à la page d’accueil',
    again: 'Réessayer',
    helpdesk: 'Pour votre assistance informatique',
  },
  it: {
    notFound: {
      heading: 'Pagina non trovata',
      what: 'A questo indirizzo non c’è nessuna pagina.',
      action: 'Controlla che l’indirizzo sia scritto correttamente.',
    },
    notTaken: {
      heading: 'Non ha funzionato',
      what: 'Questo indirizzo non accetta ciò che il tuo browser ha inviato.',
      action: 'Torna indietro e riprova.',
    },
    tooMany: {
      heading: 'Troppe richieste',
      what: 'La tua rete o il tuo browser ha inviato troppe richieste in poco tempo.',
      action: 'Aspetta un minuto, poi riprova.',
    },
    failed: {
      heading: 'Qualcosa è andato storto',
      what: 'In questo momento la pagina non può essere mostrata.',
      action: 'Riprova tra qualche minuto. Se succede di nuovo, contatta l’amministratore.',
    },
    refused: {
      heading: 'Non ha funzionato',
      what: 'La richiesta è stata rifiutata.',
      action: 'Torna indietro e riprova. Se succede di nuovo, contatta l’amministratore.',
    },
    home: 'Vai alla pagina iniziale',
    again: 'Riprova',
    helpdesk: 'Per la tua assistenza tecnica',
  },
  nl: {
    notFound: {
      heading: 'Pagina niet gevonden',
      what: 'Op dit adres is geen pagina.',
      action: 'Controleer of het adres goed geschreven is.',
    },
    notTaken: {
      heading: 'Dit is niet gelukt',
      what: 'Dit adres kan niets met wat je browser heeft gestuurd.',
      action: 'Ga terug en probeer het opnieuw.',
    },
    tooMany: {
      heading: 'Te veel verzoeken',
      what: 'Je netwerk of browser heeft in korte tijd te veel verzoeken gestuurd.',
      action: 'Wacht een minuut en probeer het dan opnieuw.',
    },
    failed: {
      heading: 'Er is iets misgegaan',
      what: 'De pagina kan nu niet worden getoond.',
      action:
        'Probeer het over een paar minuten opnieuw. Gebeurt het weer, neem dan contact op met je beheerder.',
    },
    refused: {
      heading: 'Dit is niet gelukt',
      what: 'Het verzoek is geweigerd.',
      action: 'Ga terug en probeer het opnieuw. Gebeurt het weer, neem dan contact op met je beheerder.',
    },
    home: 'Naar de startpagina',
    again: 'Opnieuw proberen',
    helpdesk: 'Voor je helpdesk',
  },
  pt: {
    notFound: {
      heading: 'Página não encontrada',
      what: 'Não há nenhuma página neste endereço.',
      action: 'Verifique se o endereço está bem escrito.',
    },
    notTaken: {
      heading: 'Isto não funcionou',
      what: 'Este endereço não aceita o que o seu navegador enviou.',
      action: 'Volte atrás e tente de novo.',
    },
    tooMany: {
      heading: 'Demasiados pedidos',
      what: 'A sua rede ou o seu navegador enviou demasiados pedidos em pouco tempo.',
      action: 'Espere um minuto e tente de novo.',
    },
    failed: {
      heading: 'Algo correu mal',
      what: 'Neste momento, não é possível mostrar a página.',
      action: 'Tente de novo dentro de alguns minutos. Se voltar a acontecer, contacte o administrador.',
    },
    refused: {
      heading: 'Isto não funcionou',
      what: 'O pedido foi recusado.',
      action: 'Volte atrás e tente de novo. Se voltar a acontecer, contacte o administrador.',
    },
    home: 'Ir para a página inicial',
    again: 'Tentar de novo',
    helpdesk: 'Para o seu suporte técnico',
  },
  'pt-BR': {
    notFound: {
      heading: 'Página não encontrada',
      what: 'Não há nenhuma página neste endereço.',
      action: 'Verifique se o endereço está escrito corretamente.',
    },
    notTaken: {
      heading: 'Isso não funcionou',
      what: 'Este endereço não aceita o que o seu navegador enviou.',
      action: 'Volte e tente novamente.',
    },
    tooMany: {
      heading: 'Solicitações demais',
      what: 'Sua rede ou seu navegador enviou solicitações demais em pouco tempo.',
      action: 'Espere um minuto e tente novamente.',
    },
    failed: {
      heading: 'Algo deu errado',
      what: 'Não é possível mostrar a página no momento.',
      action: 'Tente novamente em alguns minutos. Se acontecer de novo, contate o administrador.',
    },
    refused: {
      heading: 'Isso não funcionou',
      what: 'A solicitação foi recusada.',
      action: 'Volte e tente novamente. Se acontecer de novo, contate o administrador.',
    },
    home: 'Ir para a página inicial',
    again: 'Tentar novamente',
    helpdesk: 'Para o suporte técnico',
  },
}
