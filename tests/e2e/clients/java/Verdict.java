import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.api.SessionsApi.APIGetSessionLogRequest;
import org.openapitools.client.api.TuttoApi;
import org.openapitools.client.model.*;

/** Plays a turn and a session of Tutto with the classes of openapi-generator. */
public class Verdict {
  private static final ApiClient CLIENT = new ApiClient();
  private static TuttoApi referee;

  /** Plays an event by sending a turn back. */
  private static TuttoStep step(TuttoTurnOrNull turn, TuttoEvent event) throws ApiException {
    TuttoTransition transition = CLIENT.getObjectMapper().convertValue(turn, TuttoTransition.class);
    return referee.transitionTutto(transition.event(event), "en");
  }

  private static String join(List<TuttoEventType> types) {
    return String.join(",", types.stream().map(TuttoEventType::getValue).toList());
  }

  public static void main(String[] arguments) throws ApiException {
    CLIENT.updateBaseUri(arguments[0]);
    referee = new TuttoApi(CLIENT);

    TuttoPosition last =
        new TuttoPosition()
            .card(TuttoCard.BONUS_600)
            .keeps(List.of(List.of(1), List.of(2, 2, 2)))
            .roll(List.of(1, 5));
    TuttoAdjudication verdict = referee.adjudicateTutto(new TuttoPositionOrTurn(last), null);
    TuttoKeep bank = verdict.getBank();
    System.out.println(
        verdict.getStatus() + " " + bank.getTurnPoints() + " " + bank.getNext().getTuttoOverTurn().getOutcome().getReason());

    TuttoDrawEvent draw =
        new TuttoDrawEvent().card(TuttoCard.DOUBLE);
    TuttoStep drawn = referee.transitionTutto(new TuttoTransition().event(new TuttoEvent(draw)), "en");
    TuttoRollTurn carded = drawn.getTurn().getTuttoRollTurn();
    System.out.println(carded.getPhase() + " " + join(drawn.getLegalEvents()));

    TuttoRollEvent roll =
        new TuttoRollEvent().dice(List.of(1, 2, 4, 4, 4, 6));
    TuttoStep rolled = step(drawn.getTurn(), new TuttoEvent(roll));
    TuttoKeepTurn lying = rolled.getTurn().getTuttoKeepTurn();
    System.out.println(lying.getPhase() + " " + join(rolled.getLegalEvents()));

    TuttoKeepEvent keep =
        new TuttoKeepEvent().dice(List.of(4, 4, 4, 6));
    for (var finding : step(rolled.getTurn(), new TuttoEvent(keep)).getFindings()) {
      System.out.println(finding.getCode() + " " + finding.getRule() + " " + finding.getPointer());
    }

    TuttoBankEvent stop = new TuttoBankEvent();
    TuttoOverTurn over = step(rolled.getTurn(), new TuttoEvent(stop)).getTurn().getTuttoOverTurn();
    System.out.println(over.getPhase() + " " + over.getOutcome().getPoints());

    TuttoPosition impossible = new TuttoPosition().card(TuttoCard.CLOVER).roll(List.of(1));
    TuttoBatch batch = new TuttoBatch().positions(List.of(last, impossible));
    for (TuttoBatchAnswer answer : referee.adjudicateTuttoBatch(batch, "en").getAnswers()) {
      System.out.println(
          answer.getActualInstance() instanceof Problem problem
              ? problem.getFindings().get(0).getCode()
              : answer.getTuttoAdjudication().getStatus());
    }

    session(new SessionsApi(CLIENT));
  }

  private static Map<String, String> as(String token) {
    return Map.of("Authorization", "Bearer " + token);
  }

  /** Plays a session with reported dice. */
  private static void session(SessionsApi sessions) throws ApiException {
    TuttoSessionRequest begun =
        new TuttoSessionRequest()
            .players(List.of("Ada", "Ben"))
            .dice(DiceSource.CLIENT);
    SessionCreated table = sessions.createSession(new SessionRequest(begun), null);
    TuttoSession session = table.getSession().getTuttoSession();
    String id = session.getId(), host = table.getHostToken();
    String ada = table.getSeatTokens().get(0), ben = table.getSeatTokens().get(1);
    System.out.println(
        session.getStatus() + " " + session.getVersion() + " " + session.getLegalEvents().get(0));

    PostedEvent draw = new PostedEvent(new PostedTuttoDrawEvent().card(TuttoCard.DOUBLE));
    sessions.addEvent(id, draw, null, "draw", null, null, as(ada));
    PostedEvent roll = new PostedEvent(new PostedTuttoRollEvent().dice(List.of(1, 2, 4, 4, 4, 6)));
    SessionChanged moved = sessions.addEvent(id, roll, "\"1\"", null, null, null, as(ada));
    TuttoSession rolled = moved.getSession().getTuttoSession();
    TuttoAdjudication allowed = rolled.getAdjudication();
    TuttoKeepTurn turn = rolled.getTurn().getTuttoKeepTurn();
    System.out.println(
        moved.getEntry().getVersion()
            + " " + allowed.getStatus() + " " + turn.getDiceToRoll() + " " + turn.getPhase());

    PostedEvent keep = new PostedEvent(new PostedTuttoKeepEvent().dice(List.of(1)));
    tellProblem(() -> sessions.addEvent(id, keep, null, null, null, null, as(ben)));

    SessionChanged taken = sessions.undoEvent(id, null, null, null, null, as(host));
    SessionUndoneEvent undone = taken.getEntry().getEvent().getSessionUndoneEvent();
    System.out.println(undone.getType() + " " + undone.getVersion());

    List<SessionEntry> log = sessions.getSessionLog(
            APIGetSessionLogRequest.newBuilder().sessionId(id).waitSeconds(0).build()).getEvents();
    System.out.println(String.join(",", log.stream().map(Verdict::type).toList()));

    System.out.println(sessions.deleteSession(id, null, null, as(host)).getSession().getTuttoSession().getStatus());
    tellProblem(() -> sessions.getSession(id, null, null, null));
  }

  /** Returns the type of an entry's event. Each type has its own class. */
  private static String type(SessionEntry entry) {
    Object event = entry.getEvent().getActualInstance();
    if (event instanceof SessionDrawEvent draw) return draw.getType().getValue();
    if (event instanceof SessionRollEvent roll) return roll.getType().getValue();
    if (event instanceof SessionUndoneEvent undone) return undone.getType().getValue();
    throw new IllegalStateException(entry.toString());
  }

  private interface Refused {
    void ask() throws ApiException;
  }

  /** Expects an exception for a refusal, with the problem as its body. */
  private static void tellProblem(Refused refused) {
    try {
      refused.ask();
      System.out.println("not refused");
    } catch (ApiException refusal) {
      try {
        Problem problem = CLIENT.getObjectMapper().readValue(refusal.getResponseBody(), Problem.class);
        System.out.println(problem.getStatus() + " " + problem.getType());
      } catch (java.io.IOException unreadable) {
        System.out.println(unreadable);
      }
    }
  }
}
