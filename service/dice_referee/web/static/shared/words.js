// The page's own texts. Whatever belongs to a game (cards, categories, rules, findings) comes from the API.

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", it: "Italiano" };

const WORDS = {
  title: ["Dice Referee", "Dice Referee", "Dice Referee", "Dice Referee"],
  tagline: [
    "Roll, and ask the referee: every number cites its rule.",
    "Würfeln und den Schiedsrichter fragen: Jede Zahl nennt ihre Regel.",
    "Lancez les dés et demandez à l’arbitre : chaque nombre cite sa règle.",
    "Lancia i dadi e chiedi all’arbitro: ogni numero cita la sua regola.",
  ],
  skip: ["To the table", "Zum Spieltisch", "Aller à la table", "Vai al tavolo"],
  skip_head: ["To the content", "Zum Inhalt", "Aller au contenu", "Vai al contenuto"],
  loading: ["Loading …", "Lädt …", "Chargement …", "Caricamento …"],
  pages: ["Pages", "Seiten", "Pages", "Pagine"],
  playground: ["Playground", "Spielwiese", "Terrain de jeu", "Campo di prova"],
  live: ["Live table", "Live-Tisch", "En direct", "In diretta"],
  rules: ["Rules", "Regeln", "Règles", "Regole"],
  guides: ["Guides", "Anleitungen", "Guides", "Guide"],
  docs: ["API", "API", "API", "API"],
  in_english: ["This page is in English.", "Diese Seite ist auf Englisch.", "Cette page est en anglais.", "Questa pagina è in inglese."],
  language: ["Language", "Sprache", "Langue", "Lingua"],
  game: ["Game", "Spiel", "Jeu", "Gioco"],
  table: ["Table", "Spieltisch", "Table de jeu", "Tavolo"],
  ruleset: ["Ruleset", "Regelwerk", "Règlement", "Regolamento"],
  house: ["House rules", "Hausregeln", "Règles maison", "Regole della casa"],
  changed: ["{n} changed", "{n} geändert", "Modifiées : {n}", "Modificate: {n}"],
  back: ["Back to the ruleset", "Zurück zum Regelwerk", "Revenir au règlement", "Torna al regolamento"],
  bounds: ["A whole number from {from} to {to}", "Eine ganze Zahl von {from} bis {to}", "Un nombre entier de {from} à {to}", "Un numero intero da {from} a {to}"],
  length: ["How long", "Wie lange", "Durée", "Durata"],
  one_turn: ["One turn", "Ein Zug", "Un tour", "Un turno"],
  whole_game: ["Whole game", "Ganzes Spiel", "Partie entière", "Partita intera"],
  players: ["Players, with commas between", "Mitspieler, durch Kommas getrennt", "Joueurs, séparés par des virgules", "Giocatori, separati da virgole"],
  player: ["Player {n}", "Spieler {n}", "Joueur {n}", "Giocatore {n}"],
  begin: ["Begin", "Beginnen", "Commencer", "Inizia"],
  names: ["Ada, Ben, Cleo", "Ada, Ben, Cleo", "Ada, Ben, Cléo", "Ada, Ben, Cleo"],
  undo: ["Undo", "Zurücknehmen", "Annuler", "Annulla"],
  copy_link: ["Copy link", "Link kopieren", "Copier le lien", "Copia il link"],
  anew: ["Start over", "Neu anfangen", "Recommencer", "Ricomincia"],
  copied: ["Copied", "Kopiert", "Copié", "Copiato"],
  copy: ["Copy", "Kopieren", "Copier", "Copia"],
  draw: ["Which card is drawn?", "Welche Karte wird gezogen?", "Quelle carte est piochée ?", "Quale carta viene pescata?"],
  draw_for_me: ["Draw for me", "Zieh für mich", "Piochez pour moi", "Pesca per me"],
  roll: ["What did you roll? {n} dice", "Was fällt? {n} Würfel", "Que donne le lancer ? {n} dés", "Che cosa esce? {n} dadi"],
  throw_dice: ["Roll {n} dice", "{n} Würfel werfen", "Lancer {n} dés", "Lancia {n} dadi"],
  roll_for_me: ["Roll for me", "Würfle für mich", "Lancez pour moi", "Lancia per me"],
  keys: ["Click the faces or type them.", "Klick die Seiten an oder tipp sie.", "Cliquez sur les faces ou tapez-les.", "Clicca le facce o scrivile."],
  add_die: ["Add a {face}", "{face} dazulegen", "Ajouter un {face}", "Aggiungi un {face}"],
  die_put: ["{face}, {n} of {count}", "{face}, {n} von {count}", "{face}, {n} sur {count}", "{face}, {n} di {count}"],
  die_taken: ["{face} removed, {n} of {count}", "{face} entfernt, {n} von {count}", "{face} retiré, {n} sur {count}", "{face} tolto, {n} di {count}"],
  take_die: ["Take the {face} away", "{face} wegnehmen", "Retirer le {face}", "Togli il {face}"],
  thrown: ["Rolled", "Geworfen", "Lancer", "Lancio"],
  on_table: ["Set aside", "Herausgelegt", "Mis de côté", "Messi da parte"],
  set_aside_these: ["Set aside {dice}", "{dice} herauslegen", "{dice} de côté", "{dice} da parte"],
  die: ["die {face}", "Würfel {face}", "dé {face}", "dado {face}"],
  hold_hint: ["Choose the dice to hold.", "Wähl die Würfel, die liegen bleiben.", "Choisissez les dés à garder.", "Scegli i dadi da tenere."],
  throw_others: ["Roll the other {n}", "Die anderen {n} werfen", "Relancer les {n} autres", "Lancia gli altri {n}"],
  choices: ["Your choices", "Deine Möglichkeiten", "Vos choix", "Le tue scelte"],
  bank: ["Bank", "Aufhören", "S’arrêter", "Fermati"],
  points: ["{n} points", "{n} Punkte", "{n} points", "{n} punti"],
  turn_points: ["in this turn", "in diesem Zug", "dans ce tour", "in questo turno"],
  bonus: ["bonus", "Bonus", "bonus", "bonus"],
  leads: ["then", "dann", "puis", "poi"],
  next_turn: ["Next turn", "Nächster Zug", "Tour suivant", "Turno seguente"],
  go_on: ["Go on", "Weiter", "Continuer", "Continua"],
  turn_of: ["{name} to play", "{name} ist am Zug", "À {name} de jouer", "Tocca a {name}"],
  standings: ["Standings", "Spielstand", "Classement", "Classifica"],
  sheet: ["Score sheet", "Punktezettel", "Feuille de score", "Foglio segnapunti"],
  won: ["{names} won", "{names} hat gewonnen", "{names} gagne", "{names} ha vinto"],
  won_together: ["{names} won", "{names} haben gewonnen", "{names} gagnent", "{names} hanno vinto"],
  loses: ["{name} −{n}", "{name} −{n}", "{name} −{n}", "{name} −{n}"],
  leaders: ["each leader", "wer führt", "chaque joueur en tête", "chi è in testa"],
  refused: ["Not a legal move", "Nicht erlaubt", "Coup non valable", "Mossa non valida"],
  impossible: ["That is not possible", "Das kann nicht sein", "C’est impossible", "Non è possibile"],
  no_answer: ["No answer", "Keine Antwort", "Pas de réponse", "Nessuna risposta"],
  away: ["The service does not answer.", "Der Dienst antwortet nicht.", "Le service ne répond pas.", "Il servizio non risponde."],
  unknown: ["There is no such game here.", "Dieses Spiel gibt es hier nicht.", "Ce jeu n’existe pas ici.", "Questo gioco qui non esiste."],
  steps: ["Request and answer", "Anfrage und Antwort", "Requête et réponse", "Richiesta e risposta"],
  steps_hint: ["Each step as a curl line, and what came back.", "Jeder Schritt als curl-Zeile und was zurückkam.", "Chaque étape en ligne curl, et sa réponse.", "Ogni passo come riga curl, e la risposta."],
  copy_curl: ["Copy the curl line", "curl-Zeile kopieren", "Copier la ligne curl", "Copia la riga curl"],
  answer: ["Answer", "Antwort", "Réponse", "Risposta"],
  rule: ["Rule {number}", "Regel {number}", "Règle {number}", "Regola {number}"],
  why: ["Why?", "Warum?", "Pourquoi ?", "Perché?"],
  official: ["official", "offiziell", "officielle", "ufficiale"],
  mixed: ["partly our reading", "zum Teil unsere Lesart", "en partie notre interprétation", "in parte nostra interpretazione"],
  convention: ["our convention", "unsere Festlegung", "notre convention", "nostra convenzione"],
  reading: ["our reading", "unsere Lesart", "notre interprétation", "nostra interpretazione"],
  source: ["Source", "Quelle", "Source", "Fonte"],
  write: ["Write {category}: {n}", "{category} anschreiben: {n}", "Inscrire « {category} » : {n}", "Scrivi «{category}»: {n}"],
  write_this: ["{category} {n}: write", "{category} {n}: anschreiben", "{category} {n} : inscrire", "{category} {n}: scrivi"],
  strike: ["Strike {category}", "{category} streichen", "Barrer « {category} »", "Barra «{category}»"],
  category: ["Category", "Feld", "Case", "Casella"],
  accept: ["Accept", "Akzeptieren", "Accepter", "Accetta"],
  take_from: ["Take {n} from {name}", "{n} von {name} nehmen", "Prendre {n} à {name}", "Prendi {n} da {name}"],
  take_from_bank: ["Take {n} from the bank", "{n} aus der Bank nehmen", "Prendre {n} à la banque", "Prendi {n} dalla banca"],
  give_to: ["Give {n} to {name}", "{name} {n} geben", "Donner {n} à {name}", "Dai {n} a {name}"],
  nobody: ["Nothing is paid", "Nichts wird gezahlt", "Rien n’est payé", "Non si paga nulla"],
  beats: ["beats the holder", "schlägt den Inhaber", "bat le détenteur", "batte il detentore"],
  takes_free: ["takes the POT", "übernimmt den POT", "prend le POT", "prende il POT"],
  no_control: ["does not beat the holder", "schlägt den Inhaber nicht", "ne bat pas le détenteur", "non batte il detentore"],
  sum: ["Sum {n}", "Summe {n}", "Somme {n}", "Somma {n}"],
  throw_all: ["Roll all {n} again", "Alle {n} neu werfen", "Relancer les {n}", "Rilancia tutti e {n}"],
  choices_of: ["What {name} can do", "Was {name} tun kann", "Ce que {name} peut faire", "Che cosa può fare {name}"],
  keep_up_to: ["Up to {n} in this roll", "Bis zu {n} in diesem Wurf", "Jusqu’à {n} dans ce lancer", "Fino a {n} in questo lancio"],
  keep_some: ["Set dice aside", "Leg etwas heraus", "Mettez des dés de côté", "Metti da parte dei dadi"],
  keep_roll: ["Set aside {dice} and roll {n}", "{dice} heraus und {n} werfen", "{dice} de côté et lancer {n}", "{dice} da parte e lancia {n}"],
  keep_draw: ["Set aside {dice} and draw a card", "{dice} heraus und Karte ziehen", "{dice} de côté et piocher", "{dice} da parte e pesca una carta"],
  at_stake: ["{n} at stake", "{n} stehen auf dem Spiel", "{n} en jeu", "{n} in gioco"],
  so_far: ["{n} so far", "Bisher {n}", "{n} jusqu’ici", "{n} finora"],
  throw_n: ["Roll {n}", "Wurf {n}", "Lancer {n}", "Lancio {n}"],
  write_or_throw: ["Hold dice and roll again, or write a category.", "Lass Würfel liegen und wirf noch einmal, oder schreib ein Feld an.", "Gardez des dés et relancez, ou inscrivez une case.", "Tieni dei dadi e rilancia, o scrivi una casella."],
  throw_or_strike: ["Hold dice and roll again, or strike a category.", "Lass Würfel liegen und wirf noch einmal, oder streich ein Feld.", "Gardez des dés et relancez, ou barrez une case.", "Tieni dei dadi e rilancia, o barra una casella."],
  write_now: ["Write a category.", "Schreib ein Feld an.", "Inscrivez une case.", "Scrivi una casella."],
  strike_instead: ["Strike a category instead", "Stattdessen ein Feld streichen", "Barrer plutôt une case", "Barra invece una casella"],
  really_strike: ["Strike {category} for good?", "{category} wirklich streichen?", "Barrer « {category} » pour de bon ?", "Barrare «{category}» per sempre?"],
  strike_it: ["Yes, strike it", "Ja, streichen", "Oui, la barrer", "Sì, barra"],
  not_that: ["No", "Nein", "Non", "No"],
  strike_now: ["Strike a category.", "Streich ein Feld.", "Barrez une case.", "Barra una casella."],
  keep_pot: ["Take the POT with {n}", "Den POT mit {n} übernehmen", "Prendre le POT avec {n}", "Prendi il POT con {n}"],
  leave_pot: ["Leave it at {n}", "Es bei {n} lassen", "En rester à {n}", "Fermati a {n}"],
  chooses: ["{name} chooses", "{name} wählt", "{name} choisit", "{name} sceglie"],
  all_choices: ["All {n}", "Alle {n}", "Les {n}", "Tutte e {n}"],
  to_draw: ["Draw a card", "Zieh eine Karte", "Piochez une carte", "Pesca una carta"],
  throw_die: ["Roll {n} die", "{n} Würfel werfen", "Lancer {n} dé", "Lancia {n} dado"],
  draw_and_roll: ["Draw and roll", "Ziehen und würfeln", "Piocher et lancer", "Pesca e lancia"],
  gets_bonus: ["{card}: +{n}", "{card}: +{n}", "{card} : +{n}", "{card}: +{n}"],
  lost: ["{n} lost", "{n} verloren", "{n} perdus", "{n} persi"],
  staked: ["{coins} from the bank onto the POT", "{coins} aus der Bank auf den POT", "{coins} de la banque sur le POT", "{coins} dalla banca sul POT"],
  throw_paid: ["{name} pays {coins} for a roll", "{name} zahlt {coins} für einen Wurf", "{name} paie {coins} pour un lancer", "{name} ha pagato {coins} per un lancio"],
  fine_paid: ["{name} pays {coins} to the bank", "{name} zahlt {coins} an die Bank", "{name} paie {coins} à la banque", "{name} ha pagato {coins} alla banca"],
  bank_paid: ["{name} takes {coins} from the bank", "{name} nimmt {coins} aus der Bank", "{name} prend {coins} à la banque", "{name} ha preso {coins} dalla banca"],
  handed_over: ["{name} gives {to} {coins}", "{name} gibt {to} {coins}", "{name} donne {coins} à {to}", "{name} ha dato {coins} a {to}"],
  takes_pot: ["{name} takes the POT with {sum}", "{name} übernimmt den POT mit {sum}", "{name} prend le POT avec {sum}", "{name} ha preso il POT con {sum}"],
  wins_round: ["{name} wins the round: {coins}", "{name} gewinnt die Runde: {coins}", "{name} gagne la manche : {coins}", "{name} ha vinto la mano: {coins}"],
  played_off: ["{name} rolls {sum} in sudden death", "{name} würfelt {sum} im Sudden Death", "{name} lance {sum} en mort subite", "{name} ha fatto {sum} nello spareggio"],
  coins: ["{n} coins", "{n} Münzen", "{n} pièces", "{n} monete"],
  one_coin: ["{n} coin", "{n} Münze", "{n} pièce", "{n} moneta"],
  play_house: ["Play {game} against the computer", "{game} gegen den Computer spielen", "Jouer à {game} contre l’ordinateur", "Gioca a {game} contro il computer"],
  guest: ["Guest", "Gast", "Invité", "Ospite"],
  the_house: ["Computer", "Computer", "Ordinateur", "Computer"],
  odds: ["Odds", "Chancen", "Probabilités", "Probabilità"],
  best_choice: ["Best", "Am besten", "Le mieux", "La migliore"],
  odds_value: ["{n} expected", "{n} zu erwarten", "{n} attendus", "{n} attesi"],
  odds_chance: ["probability {n}", "Wahrscheinlichkeit {n}", "probabilité {n}", "probabilità {n}"],
  odds_gain: ["gain {n}", "Gewinn {n}", "gain {n}", "guadagno {n}"],
  odds_beats: ["beats the holder: {n}", "schlägt den Inhaber: {n}", "bat le détenteur : {n}", "batte il detentore: {n}"],
  odds_sum: ["sum {n} expected", "Summe {n} zu erwarten", "somme {n} attendue", "somma {n} attesa"],
  hold_dice: ["Hold {dice}", "{dice} liegen lassen", "Garder {dice}", "Tieni {dice}"],
  roll_again: ["Roll", "Würfeln", "Lancer", "Lancia"],
  value: ["No. {n}", "Nr. {n}", "N° {n}", "N. {n}"],
  colon: [": ", ": ", " : ", ": "],
  semicolon: ["; ", "; ", " ; ", "; "],
};

const ORDER = Object.keys(LANGUAGES);
const KEPT = "language";

const ASKED = "lang";

/** The language that the address asks for, that was chosen before, or the browser's first that we speak; else English. */
export function language() {
  let kept = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // No storage in this frame: the browser's languages it is.
  }
  return spoken([new URL(location.href).searchParams.get(ASKED), kept, ...navigator.languages]);
}

/** The first of these language tags that we speak; else English. */
export const spoken = (tags) =>
  tags.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => ORDER.includes(tag)) ?? "en";

/** Keeps the choice for the next page; the address asks for no other any more. */
export function choose(tag) {
  const address = new URL(location.href);
  address.searchParams.delete(ASKED);
  history.replaceState(history.state, "", address);
  try {
    localStorage.setItem(KEPT, tag);
  } catch {
    // Then it holds for this page alone.
  }
}

/** Words that change before what fills a gap, which has a null character before it, as in the sentences of the service. */
const SEAMS = {
  fr: [
    [/(?<!\p{L})(d|qu)e \0(?=[aeiouàáâãäåæèéêëìíîïòóôõöøùúûüœ])/giu, "$1’"],
    [/(?<!\p{L})À \0Joueur(?= \d)/gu, "Au joueur"],
    [/(?<!\p{L})à \0Joueur(?= \d)/gu, "au joueur"],
    [/(?<!\p{L})de \0Joueur(?= \d)/gu, "du joueur"],
  ],
  it: [
    [/(?<!\p{L})(a) \0(?=[aàáâãäå])/giu, "$1d "],
    [/(?<!\p{L})(a|da) \0Giocatore(?= \d)/gu, "$1l giocatore"],
  ],
};

const joined = (tag, text) => (SEAMS[tag] ?? []).reduce((told, [seam, word]) => told.replace(seam, word), text).replaceAll("\0", "");

/** The page's texts in one language: `say("roll", { n: 5 })`; `more` are those of one page alone. */
export const sayer = (tag, more = {}) => (key, values = {}) =>
  joined(tag, ((WORDS[key] ?? more[key])?.[ORDER.indexOf(tag)] ?? key).replace(/\{(\w+)\}/g, (_, name) => `\0${values[name] ?? ""}`));
