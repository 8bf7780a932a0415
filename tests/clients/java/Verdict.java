import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.TuttoApi;
import org.openapitools.client.model.*;

/** A turn of Tutto through the classes that openapi-generator makes of the contract. */
public class Verdict {
  private static final ApiClient CLIENT = new ApiClient();
  private static TuttoApi referee;

  /** The turn posted back with an event. */
  private static TuttoStep step(TuttoTurn turn, TuttoEvent event) throws ApiException {
    TuttoTransition transition = CLIENT.getObjectMapper().convertValue(turn, TuttoTransition.class);
    return referee.applyTuttoEvent(transition.event(event), "en");
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
    TuttoAdjudication verdict = referee.adjudicateTutto(last);
    TuttoKeep bank = verdict.getBank();
    System.out.println(
        verdict.getStatus() + " " + bank.getTurnPoints() + " " + bank.getNext().getOutcome().getReason());

    TuttoDrawEvent draw =
        new TuttoDrawEvent().type(TuttoDrawEvent.TypeEnum.DRAW).card(TuttoDrawnCard.DOUBLE);
    TuttoStep drawn = step(new TuttoTurn(), new TuttoEvent(draw));
    System.out.println(drawn.getTurn().getPhase() + " " + join(drawn.getLegalEvents()));

    TuttoRollEvent roll =
        new TuttoRollEvent().type(TuttoRollEvent.TypeEnum.ROLL).dice(List.of(1, 2, 4, 4, 4, 6));
    TuttoStep rolled = step(drawn.getTurn(), new TuttoEvent(roll));
    System.out.println(rolled.getTurn().getPhase() + " " + join(rolled.getLegalEvents()));

    TuttoKeepEvent keep =
        new TuttoKeepEvent().type(TuttoKeepEvent.TypeEnum.KEEP).dice(List.of(4, 4, 4, 6));
    for (var finding : step(rolled.getTurn(), new TuttoEvent(keep)).getFindings()) {
      System.out.println(finding.getCode() + " " + finding.getRule() + " " + finding.getPointer());
    }

    TuttoBankEvent stop = new TuttoBankEvent().type(TuttoBankEvent.TypeEnum.BANK);
    TuttoTurn over = step(rolled.getTurn(), new TuttoEvent(stop)).getTurn();
    System.out.println(over.getPhase() + " " + over.getOutcome().getPoints());

    TuttoPosition impossible = new TuttoPosition().card(TuttoCard.CLOVER).roll(List.of(1));
    TuttoBatch batch = new TuttoBatch().positions(List.of(last, impossible));
    for (TuttoBatchAnswer answer : referee.adjudicateTuttoBatch(batch, "en").getAnswers()) {
      System.out.println(
          answer.getActualInstance() instanceof Problem problem
              ? problem.getFindings().get(0).getCode()
              : answer.getTuttoAdjudication().getStatus());
    }
  }
}
