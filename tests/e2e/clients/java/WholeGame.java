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

/** Plays whole games of Tutto: by verdicts only, with the program's own dice, and in a session. */
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

  /** Returns a pseudo-random number below k, equal in every run (Lehmer's generator). */
  private static int below(int k) {
    last = last * 16807 % 2147483647;
    return (int) (last % k);
  }

  /** Returns null to stop with 300 points, or else the keep with the most points. */
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

  /** Prints the audit of a recorded game. */
  private static void audit(TuttoGameRecord record) throws ApiException {
    TuttoAudit found = referee.auditTutto(record, null);
    System.out.printf(
        "audit: %s, %s, %s won, %s%n",
        found.getLegal() ? "legal" : "illegal",
        found.getOver() ? "over" : "unfinished",
        join(found.getWinners()),
        join(found.getScores()));
  }

  private static TuttoCard card(List<TuttoCard> pile, List<TuttoCard> deck) {
    if (pile.isEmpty()) {
      pile.addAll(deck);
      for (int i = pile.size() - 1; i > 0; i--) Collections.swap(pile, i, below(i + 1));
    }
    return pile.remove(pile.size() - 1);
  }

  private static void withoutSession() throws ApiException {
    List<TuttoCard> deck = new ArrayList<>(), pile = new ArrayList<>();
    for (Piece card : new CatalogueApi(CLIENT).getGame("tutto", null).getDeck()) {
      deck.addAll(Collections.nCopies(card.getCopies(), TuttoCard.fromValue(card.getId())));
    }
    List<TuttoEvent> log = new ArrayList<>();
    List<Integer> scores = List.of(0, 0);
    for (int player = 0; ; player = 1 - player) {
      TuttoTurnOrNull turn =
          new TuttoTurnOrNull(
              new TuttoDrawTurn()
                  .ruleset(TuttoRulesetId.ABACUS_2013)
                  .options(OPTIONS).diceToRoll(6).scores(scores).player(player));
      List<TuttoEventType> legal = List.of(TuttoEventType.DRAW);
      while (!(turn.getActualInstance() instanceof TuttoOverTurn)) {
        TuttoEvent event;
        if (turn.getActualInstance() instanceof TuttoDrawTurn) {
          event =
              new TuttoEvent(
                  new TuttoDrawEvent().card(card(pile, deck)));
        } else if (turn.getActualInstance() instanceof TuttoRollTurn roll) {
          List<Integer> dice = new ArrayList<>();
          for (int die = 0; die < roll.getDiceToRoll(); die++) dice.add(below(6) + 1);
          event = new TuttoEvent(new TuttoRollEvent().dice(dice));
        } else {
          TuttoKeep keep =
              decision(
                  referee.adjudicateTutto(new TuttoPositionOrTurn(turn.getTuttoKeepTurn()), null),
                  legal.contains(TuttoEventType.BANK),
                  legal.contains(TuttoEventType.KEEP));
          event =
              keep == null
                  ? new TuttoEvent(new TuttoBankEvent())
                  : new TuttoEvent(
                      new TuttoKeepEvent().dice(keep.getDice()));
        }
        log.add(event);
        TuttoTransition transition =
            CLIENT.getObjectMapper().convertValue(turn, TuttoTransition.class).event(event);
        TuttoStep step = referee.transitionTutto(transition, null);
        turn = step.getTurn();
        legal = step.getLegalEvents();
      }
      scores = turn.getTuttoOverTurn().getScores();
      if (turn.getTuttoOverTurn().getOutcome().getWinsGame()) {
        System.out.printf(
            "without a session: %d events, %d won, %s%n", log.size(), player, join(scores));
        audit(new TuttoGameRecord(new TuttoGameLog().players(PLAYERS).options(OPTIONS).log(log)));
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
                    .players(PLAYERS)
                    .options(OPTIONS)
                    .dice(DiceSource.SERVICE)),
            null);
    TuttoSession now = created.getSession().getTuttoSession();
    while (now.getStatus() == SessionStatus.RUNNING) {
      List<TuttoEventType> legal = now.getLegalEvents();
      PostedEvent move;
      if (now.getAdjudication() == null) {
        boolean draws = legal.contains(TuttoEventType.DRAW);
        move = draws ? new PostedEvent(new PostedTuttoDrawEvent()) : new PostedEvent(new PostedTuttoRollEvent());
      } else {
        TuttoKeep keep =
            decision(
                now.getAdjudication(),
                legal.contains(TuttoEventType.BANK),
                legal.contains(TuttoEventType.KEEP));
        move =
            keep == null
                ? new PostedEvent(new PostedTuttoBankEvent())
                : new PostedEvent(new PostedTuttoKeepEvent().dice(keep.getDice()));
      }
      String token = created.getSeatTokens().get(now.getPlayer());
      String version = "\"" + now.getVersion() + "\"";
      Map<String, String> seat = Map.of("Authorization", "Bearer " + token);
      SessionChanged moved = sessions.addEvent(now.getId(), move, version, null, null, null, seat);
      now = moved.getSession().getTuttoSession();
    }
    System.out.printf(
        "with a session: %d events, %s won, %s%n",
        now.getVersion(), join(now.getWinners()), join(now.getTable().getScores()));

    SessionGame record = sessions.getSessionGame(now.getId(), null, null);
    audit(new TuttoGameRecord(record.getTuttoSessionGame()));
    FairnessProof proof =
        CLIENT.getObjectMapper().convertValue(now.getFairness(), FairnessProof.class);
    FairnessClaim claim =
        new FairnessClaim().game(RecordedGame.TUTTO).record(record).fairness(proof);
    boolean fair = new FairnessApi(CLIENT).verifyFairness(claim, null).getFair();
    System.out.println(fair ? "fair" : "unfair");
  }
}
