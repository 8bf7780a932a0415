import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.model.*;

/** A session of each game, played to its end with the dice of the service. */
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

  /** What the programs need of a session of any game. */
  private record State(
      String id, String game, SessionStatus status, Integer player, int version, SessionMove move, String ending) {}

  public static void main(String[] arguments) throws ApiException {
    CLIENT.updateBaseUri(arguments[0]);
    SessionsApi sessions = new SessionsApi(CLIENT);
    for (SessionRequest begun : GAMES) {
      SessionCreated created = sessions.createSession(begun, null);
      State now = state(created.getSession());
      while (now.player() != null) {
        String token = created.getSeatTokens().get(now.player());
        Map<String, String> seat = Map.of("Authorization", "Bearer " + token);
        String version = "\"" + now.version() + "\"";
        now = state(sessions.makeMove(now.id(), now.move(), version, null, null, null, seat).getSession());
      }
      List<SessionEntry> log = sessions.getSessionLog(now.id(), 0, null, null, null, null, null, null).getEvents();
      System.out.printf(
          "%s: %s, %d entries, %s, %s%n",
          now.game(), now.status(), log.size(), line(log.get(0).getEvent()), now.ending());
    }
  }

  private static State state(Session session) {
    Object one = session.getActualInstance();
    if (one instanceof TuttoSession tutto) {
      return new State(
          tutto.getId(), tutto.getGame().getValue(), tutto.getStatus(), tutto.getPlayer(), tutto.getVersion(),
          new SessionMove(move(tutto)), join(tutto.getTable().getScores()));
    }
    if (one instanceof YatzeeSession yatzee) {
      return new State(
          yatzee.getId(), yatzee.getGame().getValue(), yatzee.getStatus(), yatzee.getPlayer(), yatzee.getVersion(),
          new SessionMove(move(yatzee)),
          join(yatzee.getTable().getTotals().stream().map(YatzeeTotals::getTotal).toList()));
    }
    PotSession pot = session.getPotSession();
    return new State(
        pot.getId(), pot.getGame().getValue(), pot.getStatus(), pot.getPlayer(), pot.getVersion(),
        new SessionMove(move(pot)), join(pot.getTable().getCoins()));
  }

  private static TuttoMove move(TuttoSession session) {
    if (session.getLegalEvents().contains(TuttoEventType.BANK)) return new TuttoMove(new TuttoBankMove());
    if (session.getAdjudication() != null) {
      return new TuttoMove(
          new TuttoKeepMove().dice(session.getAdjudication().getLegalKeeps().get(0).getDice()));
    }
    return session.getLegalEvents().contains(TuttoEventType.DRAW)
        ? new TuttoMove(new TuttoDrawMove())
        : new TuttoMove(new TuttoRollMove());
  }

  private static YatzeeMove move(YatzeeSession session) {
    if (session.getAdjudication() == null) return new YatzeeMove(new YatzeeThrowMove());
    List<YatzeeEntry> open =
        session.getAdjudication().getCategories().stream().filter(YatzeeEntry::getOpen).toList();
    return open.stream()
        .filter(YatzeeEntry::getSatisfied)
        .findFirst()
        .map(entry -> new YatzeeMove(new YatzeeWriteMove().category(entry.getCategory())))
        .orElseGet(() -> new YatzeeMove(new YatzeeStrikeMove().category(open.get(0).getCategory())));
  }

  private static PotMove move(PotSession session) {
    if (!session.getLegalEvents().contains(PotEventType.ACCEPT)) return new PotMove(new PotThrowMove());
    return new PotMove(
        new PotAcceptMove().players(session.getAdjudication().getChoices().get(0).getPlayers()));
  }

  /** What an event says, by the fields of its type. */
  private static String line(SessionEvent event) {
    Object one = event.getActualInstance();
    if (one instanceof SessionDrawEvent draw) return draw.getCard().getValue();
    if (one instanceof SessionThrowEvent thrown) {
      return thrown.getDice().stream()
          .map(die -> String.valueOf(die.getActualInstance()))
          .collect(Collectors.joining());
    }
    throw new IllegalStateException(event.toString());
  }

  private static String join(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
