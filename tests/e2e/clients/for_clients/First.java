import java.io.IOException;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.api.TuttoApi;
import org.openapitools.client.model.*;

/** A verdict, a session and two problems, through the classes of openapi-generator. */
public class First {
  private static final ApiClient CLIENT = new ApiClient();

  public static void main(String[] arguments) throws ApiException, IOException {
    CLIENT.updateBaseUri(arguments[0]);
    TuttoApi referee = new TuttoApi(CLIENT);
    SessionsApi sessions = new SessionsApi(CLIENT);

    TuttoPosition position =
        new TuttoPosition()
            .card(TuttoCard.BONUS_600)
            .keeps(List.of(List.of(1), List.of(2, 2, 2)))
            .roll(List.of(1, 5));
    TuttoAdjudication verdict = referee.adjudicateTutto(position, null);
    System.out.println(verdict.getStatus() + " " + verdict.getBank().getTurnPoints());

    TuttoPosition impossible = new TuttoPosition().card(TuttoCard.CLOVER).roll(List.of(1));
    try {
      referee.adjudicateTutto(impossible, null);
    } catch (ApiException refusal) {
      Problem problem = problem(refusal);
      System.out.println(problem.getDetail() + " " + problem.getFindings().get(0).getRule());
    }

    TuttoBatch batch = new TuttoBatch().positions(List.of(position));
    System.out.println(referee.adjudicateTuttoBatch(batch, null).getAnswers().size());

    TuttoSessionRequest wish =
        new TuttoSessionRequest()
            .game(TuttoSessionRequest.GameEnum.TUTTO)
            .players(List.of("Ada", "Ben"))
            .dice(DiceThrower.CLIENT);
    SessionCreated begun = sessions.createSession(new SessionRequest(wish), null);
    System.out.println(begun.getSeatTokens().size());
    try {
      sessions.deleteSession("AAAAAAAAAAAAAAAAAAAAAA", null, null);
    } catch (ApiException refusal) {
      Problem problem = problem(refusal);
      System.out.println(problem.getStatus() + " " + problem.getDetail());
    }
  }

  private static Problem problem(ApiException refusal) throws IOException {
    return CLIENT.getObjectMapper().readValue(refusal.getResponseBody(), Problem.class);
  }
}
