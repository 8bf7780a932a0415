import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PotApi;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.api.SessionsApi.APIGetSessionLogRequest;
import org.openapitools.client.api.SessionsApi.APIAddEventRequest;
import org.openapitools.client.api.TuttoApi;
import org.openapitools.client.api.YatzeeApi;
import org.openapitools.client.model.*;

/** Plays a session of each game to its end with dice of the service. */
public class Sessions {
  private static final ApiClient CLIENT = new ApiClient();
  private static final List<String> PLAYERS = List.of("Ada", "Ben");
  private static final List<SessionRequest> GAMES =
      List.of(
          new SessionRequest(
              new TuttoSessionRequest().players(PLAYERS).options(new TuttoOptions().target(1000))),
          new SessionRequest(new YatzeeSessionRequest().players(PLAYERS)),
          new SessionRequest(
              new PotSessionRequest().players(PLAYERS).options(new PotOptions().target(6))));

  /** Fields of a session that all games share. */
  private record State(
      String id, String game, SessionStatus status, Integer player, int version, PostedEvent move, String ending) {}

  public static void main(String[] arguments) throws ApiException {
    CLIENT.updateBaseUri(arguments[0]);
    SessionsApi sessions = new SessionsApi(CLIENT);
    for (SessionRequest begun : GAMES) {
      SessionCreated created = sessions.createSession(begun, null);
      State now = state(created.getSession());
      while (now.player() != null) {
        String token = created.getSeatTokens().get(now.player());
        Map<String, String> seat = Map.of("Authorization", "Bearer " + token);
        APIAddEventRequest request =
            APIAddEventRequest.newBuilder()
                .sessionId(now.id())
                .postedEvent(now.move())
                .ifMatch("\"" + now.version() + "\"")
                .build();
        now = state(sessions.addEvent(request, seat).getSession());
      }
      List<SessionEntry> log = sessions
              .getSessionLog(APIGetSessionLogRequest.newBuilder().sessionId(now.id()).build())
              .getEvents();
      audit(sessions.getSessionGame(now.id(), null, null));
      System.out.printf(
          "%s: %s, %d entries, %s, %s%n",
          now.game(), now.status(), log.size(), line(log.get(0).getEvent()), now.ending());
    }
  }

  /** Adjudicates the turn of a session again, and expects the session's verdict. */
  private static void judgeAgain(Object session) throws ApiException {
    if (session instanceof TuttoSession tutto && tutto.getAdjudication() != null) {
      TuttoPositionOrTurn turn = new TuttoPositionOrTurn(tutto.getTurn().getTuttoKeepTurn());
      expect(new TuttoApi(CLIENT).adjudicateTutto(turn, null), tutto.getAdjudication());
    } else if (session instanceof YatzeeSession yatzee && yatzee.getAdjudication() != null) {
      YatzeePositionOrTurn turn = new YatzeePositionOrTurn(yatzee.getTurn().getYatzeeChooseTurn());
      expect(new YatzeeApi(CLIENT).adjudicateYatzee(turn, null), yatzee.getAdjudication());
    } else if (session instanceof PotSession pot && pot.getAdjudication() != null) {
      PotPositionOrTurn turn = new PotPositionOrTurn(pot.getTurn().getPotChooseTurn());
      expect(new PotApi(CLIENT).adjudicatePot(turn, null), pot.getAdjudication());
    }
  }

  /** Expects no illegal event in an exported game. */
  private static void audit(SessionGame game) throws ApiException {
    Object log = game.getActualInstance();
    if (log instanceof TuttoSessionGame tutto) {
      expect(new TuttoApi(CLIENT).auditTutto(new TuttoGameRecord(tutto), null).getLegal(), true);
    } else if (log instanceof YatzeeSessionGame yatzee) {
      expect(new YatzeeApi(CLIENT).auditYatzee(new YatzeeGameRecord(yatzee), null).getLegal(), true);
    } else {
      expect(new PotApi(CLIENT).auditPot(new PotGameRecord(game.getPotSessionGame()), null).getLegal(), true);
    }
  }

  private static void expect(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new IllegalStateException(actual + " is not " + expected);
  }

  private static State state(Session session) throws ApiException {
    Object one = session.getActualInstance();
    judgeAgain(one);
    if (one instanceof TuttoSession tutto) {
      return new State(
          tutto.getId(), tutto.getGame().getValue(), tutto.getStatus(), tutto.getPlayer(), tutto.getVersion(),
          move(tutto), join(tutto.getTable().getScores()));
    }
    if (one instanceof YatzeeSession yatzee) {
      return new State(
          yatzee.getId(), yatzee.getGame().getValue(), yatzee.getStatus(), yatzee.getPlayer(), yatzee.getVersion(),
          move(yatzee),
          join(yatzee.getTable().getTotals().stream().map(YatzeeTotals::getTotal).toList()));
    }
    PotSession pot = session.getPotSession();
    return new State(
        pot.getId(), pot.getGame().getValue(), pot.getStatus(), pot.getPlayer(), pot.getVersion(),
        move(pot), join(pot.getTable().getCoins()));
  }

  private static PostedEvent move(TuttoSession session) {
    if (session.getTurn() == null) return null;
    Object turn = session.getTurn().getActualInstance();
    if (turn instanceof TuttoDrawTurn) return new PostedEvent(new PostedTuttoDrawEvent());
    if (turn instanceof TuttoRollTurn) return new PostedEvent(new PostedTuttoRollEvent());
    if (session.getLegalEvents().contains(TuttoEventType.BANK)) return new PostedEvent(new PostedTuttoBankEvent());
    return new PostedEvent(
        new PostedTuttoKeepEvent().dice(session.getAdjudication().getLegalKeeps().get(0).getDice()));
  }

  private static PostedEvent move(YatzeeSession session) {
    if (session.getAdjudication() == null) return new PostedEvent(new PostedYatzeeRollEvent());
    List<YatzeeEntry> open =
        session.getAdjudication().getCategories().stream().filter(YatzeeEntry::getOpen).toList();
    return open.stream()
        .filter(YatzeeEntry::getSatisfied)
        .findFirst()
        .map(entry -> new PostedEvent(new PostedYatzeeWriteEvent().category(entry.getCategory())))
        .orElseGet(() -> new PostedEvent(new PostedYatzeeStrikeEvent().category(open.get(0).getCategory())));
  }

  private static PostedEvent move(PotSession session) {
    if (!session.getLegalEvents().contains(PotEventType.ACCEPT)) return new PostedEvent(new PostedPotRollEvent());
    return new PostedEvent(
        new PostedPotAcceptEvent().players(session.getAdjudication().getChoices().get(0).getPlayers()));
  }

  /** Describes an event by the fields of its type. */
  private static String line(SessionEvent event) {
    Object one = event.getActualInstance();
    if (one instanceof SessionDrawEvent draw) return draw.getCard().getValue();
    if (one instanceof SessionRollEvent rolled) {
      return rolled.getDice().stream()
          .map(die -> String.valueOf(die.getActualInstance()))
          .collect(Collectors.joining());
    }
    throw new IllegalStateException(event.toString());
  }

  private static String join(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
