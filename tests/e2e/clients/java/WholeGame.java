import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CatalogueApi;
import org.openapitools.client.api.FairnessApi;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.api.TuttoApi;
import org.openapitools.client.model.*;

/** Whole games of Tutto: one by the verdicts alone, with dice of our own, and one in a session. */
public class WholeGame {
  private static final ApiClient CLIENT = new ApiClient();
  private static final List<String> PLAYERS = List.of("Ada", "Ben");
  private static final TuttoOptions OPTIONS = new TuttoOptions().target(1500);
  private static TuttoApi referee;
  private static long last = 2026;

  public static void main(String[] arguments) throws ApiException {
    CLIENT.updateBaseUri(arguments[0]);
    referee = new TuttoApi(CLIENT);
    withoutSession();
    withSession();
  }

  /** A number below k, the same in every run: the generator of Lehmer. */
  private static int below(int k) {
    last = last * 16807 % 2147483647;
    return (int) (last % k);
  }

  /** Stop with 300 points, else keep what earns most: `null` means to stop. */
  private static TuttoKeep decision(TuttoAdjudication verdict, boolean mayBank, boolean mayKeep) {
    TuttoKeep bank = verdict.getBank();
    if (bank != null && mayBank && (bank.getTurnPoints() >= 300 || !mayKeep)) return null;
    return verdict.getLegalKeeps().stream()
        .sorted(Comparator.comparing(TuttoKeep::getPoints).reversed())
        .findFirst()
        .orElseThrow();
  }

  private static String join(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** What the referee makes of a game that was written down. */
  private static void audit(TuttoGameLog record) throws ApiException {
    TuttoAudit found = referee.auditTuttoGame(record, null);
    System.out.printf(
        "audit: %s, %s, %s won, %s%n",
        found.getLegal() ? "legal" : "illegal",
        found.getOver() ? "over" : "unfinished",
        join(found.getWinners()),
        join(found.getScores()));
  }

  private static TuttoDrawnCard card(List<TuttoDrawnCard> pile, List<TuttoDrawnCard> deck) {
    if (pile.isEmpty()) {
      pile.addAll(deck);
      for (int i = pile.size() - 1; i > 0; i--) Collections.swap(pile, i, below(i + 1));
    }
    return pile.remove(pile.size() - 1);
  }

  private static void withoutSession() throws ApiException {
    List<TuttoDrawnCard> deck = new ArrayList<>(), pile = new ArrayList<>();
    for (Piece card : new CatalogueApi(CLIENT).getGame("tutto", null).getDeck()) {
      deck.addAll(Collections.nCopies(card.getCopies(), TuttoDrawnCard.fromValue(card.getId())));
    }
    List<TuttoEvent> log = new ArrayList<>();
    List<Integer> scores = List.of(0, 0);
    for (int player = 0; ; player = 1 - player) {
      TuttoTurn turn = new TuttoTurn().options(OPTIONS).scores(scores).player(player);
      List<TuttoEventType> legal = List.of(TuttoEventType.DRAW);
      while (turn.getPhase() != TuttoPhase.OVER) {
        TuttoEvent event;
        if (legal.contains(TuttoEventType.DRAW)) {
          event =
              new TuttoEvent(
                  new TuttoDrawEvent().type(TuttoDrawEvent.TypeEnum.DRAW).card(card(pile, deck)));
        } else if (legal.contains(TuttoEventType.ROLL)) {
          List<Integer> dice = new ArrayList<>();
          for (int die = 0; die < turn.getDiceToRoll(); die++) dice.add(below(6) + 1);
          event = new TuttoEvent(new TuttoRollEvent().type(TuttoRollEvent.TypeEnum.ROLL).dice(dice));
        } else {
          TuttoPosition position = CLIENT.getObjectMapper().convertValue(turn, TuttoPosition.class);
          TuttoKeep keep =
              decision(
                  referee.adjudicateTutto(position, null),
                  legal.contains(TuttoEventType.BANK),
                  legal.contains(TuttoEventType.KEEP));
          event =
              keep == null
                  ? new TuttoEvent(new TuttoBankEvent().type(TuttoBankEvent.TypeEnum.BANK))
                  : new TuttoEvent(
                      new TuttoKeepEvent().type(TuttoKeepEvent.TypeEnum.KEEP).dice(keep.getDice()));
        }
        log.add(event);
        TuttoTransition transition =
            CLIENT.getObjectMapper().convertValue(turn, TuttoTransition.class).event(event);
        TuttoStep step = referee.applyTuttoEvent(transition, null);
        turn = step.getTurn();
        legal = step.getLegalEvents();
      }
      scores = turn.getScores();
      if (turn.getOutcome().getWinsGame()) {
        System.out.printf(
            "without a session: %d events, %d won, %s%n", log.size(), player, join(scores));
        audit(new TuttoGameLog().players(PLAYERS).options(OPTIONS).log(log));
        return;
      }
    }
  }

  private static void withSession() throws ApiException {
    SessionsApi sessions = new SessionsApi(CLIENT);
    SessionCreated created =
        sessions.createSession(
            new SessionRequest(
                new TuttoSessionRequest()
                    .game(TuttoSessionRequest.GameEnum.TUTTO)
                    .players(PLAYERS)
                    .options(OPTIONS)
                    .dice(DiceThrower.SERVICE)),
            null);
    Session now = created.getSession();
    while (now.getStatus() == SessionStatus.RUNNING) {
      List<SessionMoveType> legal = now.getLegalEvents();
      SessionMove move = new SessionMove().type(legal.get(0));
      if (now.getAdjudication() != null) {
        TuttoKeep keep =
            decision(
                now.getAdjudication().getTuttoAdjudication(),
                legal.contains(SessionMoveType.BANK),
                legal.contains(SessionMoveType.KEEP));
        move.setType(keep == null ? SessionMoveType.BANK : SessionMoveType.KEEP);
        if (keep != null) for (int die : keep.getDice()) move.addDiceItem(new SessionDie(die));
      }
      String token = created.getSeatTokens().get(now.getPlayer());
      String version = "\"" + now.getVersion() + "\"";
      Map<String, String> seat = Map.of("Authorization", "Bearer " + token);
      now = sessions.makeMove(now.getId(), move, version, null, null, null, seat).getSession();
    }
    System.out.printf(
        "with a session: %d events, %s won, %s%n",
        now.getVersion(), join(now.getWinners()), join(now.getTable().getScores()));

    SessionGame record = sessions.getSessionGame(now.getId(), null, null);
    audit(record.getTuttoGameLog());
    FairnessProof proof =
        CLIENT.getObjectMapper().convertValue(now.getFairness(), FairnessProof.class);
    FairnessClaim claim =
        new FairnessClaim().game(RecordedGame.TUTTO).record(record).fairness(proof);
    boolean fair = new FairnessApi(CLIENT).verifyFairness(claim, null).getFair();
    System.out.println(fair ? "fair" : "unfair");
  }
}
