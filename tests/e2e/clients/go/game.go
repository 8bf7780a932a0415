// Whole games of Tutto: one by the verdicts alone, with dice of our own, and one in a session.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	referee "game/client"
)

var (
	ctx     = context.Background()
	client  *referee.APIClient
	players = []string{"Ada", "Ben"}
	options = referee.TuttoOptions{Target: referee.PtrInt32(1500)}
	last    = int64(2026)
)

// answered gives the answer, or ends with the problem.
func answered[Answer any](answer *Answer, _ *http.Response, err error) *Answer {
	if refusal, is := err.(*referee.GenericOpenAPIError); is {
		panic(string(refusal.Body()))
	}
	if err != nil {
		panic(err)
	}
	return answer
}

// as reads one type as another that has its fields.
func as[Other any](value any) Other {
	var other Other
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &other)
	}
	if err != nil {
		panic(err)
	}
	return other
}

// below gives a number below k, the same in every run: the generator of Lehmer.
func below(k int) int {
	last = last * 16807 % 2147483647
	return int(last % int64(k))
}

// decision is to stop with 300 points, else to keep what earns most; nil means to stop.
func decision(verdict *referee.TuttoAdjudication, mayBank, mayKeep bool) []int32 {
	if bank := verdict.Bank.Get(); bank != nil && mayBank && (bank.TurnPoints >= 300 || !mayKeep) {
		return nil
	}
	best := verdict.LegalKeeps[0]
	for _, keep := range verdict.LegalKeeps {
		if keep.Points > best.Points {
			best = keep
		}
	}
	return best.Dice
}

func told(winners, scores []int32) string {
	list := func(numbers []int32) string {
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", ",")
	}
	return list(winners) + " won, " + list(scores)
}

// audit tells what the referee makes of a game that was written down.
func audit(record referee.TuttoGameLog) {
	found := answered(client.TuttoAPI.AuditTuttoGame(ctx).TuttoGameLog(record).Execute())
	words := map[bool][2]string{true: {"legal", "over"}, false: {"illegal", "unfinished"}}
	fmt.Printf("audit: %s, %s, %s\n", words[found.Legal][0], words[found.Over][1], told(found.Winners, found.Scores))
}

func withoutSession() {
	var deck, pile []referee.TuttoDrawnCard
	for _, card := range answered(client.CatalogueAPI.GetGame(ctx, "tutto").Execute()).Deck {
		for range card.GetCopies() {
			deck = append(deck, referee.TuttoDrawnCard(card.Id))
		}
	}
	var log []referee.TuttoEvent
	scores := []int32{0, 0}
	for player := int32(0); ; player = 1 - player {
		turn := &referee.TuttoTurn{Options: options, Scores: scores, Player: &player}
		turn.Ruleset, turn.Phase = referee.TUTTORULESETID_ABACUS_2013, referee.TUTTOPHASE_DRAW
		legal := []referee.TuttoEventType{referee.TUTTOEVENTTYPE_DRAW}
		for turn.Phase != referee.TUTTOPHASE_OVER {
			var event referee.TuttoEvent
			switch {
			case slices.Contains(legal, referee.TUTTOEVENTTYPE_DRAW):
				if len(pile) == 0 {
					pile = slices.Clone(deck)
					for i := len(pile) - 1; i > 0; i-- {
						j := below(i + 1)
						pile[i], pile[j] = pile[j], pile[i]
					}
				}
				card := pile[len(pile)-1]
				pile = pile[:len(pile)-1]
				event.TuttoDrawEvent = referee.NewTuttoDrawEvent("draw", card)
			case slices.Contains(legal, referee.TUTTOEVENTTYPE_ROLL):
				var dice []int32
				for range turn.GetDiceToRoll() {
					dice = append(dice, int32(below(6)+1))
				}
				event.TuttoRollEvent = referee.NewTuttoRollEvent("roll", dice)
			default:
				position := as[referee.TuttoPosition](turn)
				verdict := answered(client.TuttoAPI.AdjudicateTutto(ctx).TuttoPosition(position).Execute())
				mayBank := slices.Contains(legal, referee.TUTTOEVENTTYPE_BANK)
				mayKeep := slices.Contains(legal, referee.TUTTOEVENTTYPE_KEEP)
				if dice := decision(verdict, mayBank, mayKeep); dice != nil {
					event.TuttoKeepEvent = referee.NewTuttoKeepEvent("keep", dice)
				} else {
					event.TuttoBankEvent = referee.NewTuttoBankEvent("bank")
				}
			}
			log = append(log, event)
			body, err := turn.ToMap()
			if err != nil {
				panic(err)
			}
			body["event"] = event
			transition := as[referee.TuttoTransition](body)
			step := answered(client.TuttoAPI.ApplyTuttoEvent(ctx).TuttoTransition(transition).Execute())
			turn, legal = step.Turn.Get(), step.LegalEvents
		}
		scores = turn.Scores
		if wins := turn.Outcome.WinsGame.Get(); wins != nil && *wins {
			fmt.Printf("without a session: %d events, %s\n", len(log), told([]int32{player}, scores))
			audit(referee.TuttoGameLog{Options: &options, Players: players, Log: log})
			return
		}
	}
}

func withSession() {
	begun := referee.NewTuttoSessionRequest("tutto", players)
	begun.SetOptions(options)
	begun.SetDice(referee.DICETHROWER_SERVICE)
	request := referee.TuttoSessionRequestAsSessionRequest(begun)
	created := answered(client.SessionsAPI.CreateSession(ctx).SessionRequest(request).Execute())
	now := &created.Session
	for now.Status == referee.SESSIONSTATUS_RUNNING {
		move := referee.NewSessionMove(now.LegalEvents[0])
		if on := now.Adjudication.Get(); on != nil {
			mayBank := slices.Contains(now.LegalEvents, referee.SESSIONMOVETYPE_BANK)
			mayKeep := slices.Contains(now.LegalEvents, referee.SESSIONMOVETYPE_KEEP)
			dice := decision(on.TuttoAdjudication, mayBank, mayKeep)
			move.SetType(referee.SESSIONMOVETYPE_BANK)
			if dice != nil {
				move.SetType(referee.SESSIONMOVETYPE_KEEP)
			}
			for _, die := range dice {
				move.Dice = append(move.Dice, referee.Int32AsSessionDie(&die))
			}
		}
		seat := context.WithValue(ctx, referee.ContextAccessToken, created.SeatTokens[*now.Player.Get()])
		version := fmt.Sprintf("%q", fmt.Sprint(now.Version))
		moved := client.SessionsAPI.MakeMove(seat, now.Id).SessionMove(*move).IfMatch(version)
		now = &answered(moved.Execute()).Session
	}
	fmt.Printf("with a session: %d events, %s\n", now.Version, told(now.Winners, now.Table.Scores))

	record := answered(client.SessionsAPI.GetSessionGame(ctx, now.Id).Execute())
	audit(*record.TuttoGameLog)
	proof := as[referee.FairnessProof](now.Fairness.Get())
	claim := referee.NewFairnessClaim(referee.RECORDEDGAME_TUTTO, *record, proof)
	if answered(client.FairnessAPI.VerifyFairness(ctx).FairnessClaim(*claim).Execute()).Fair {
		fmt.Println("fair")
	} else {
		fmt.Println("unfair")
	}
}

func main() {
	configuration := referee.NewConfiguration()
	configuration.Servers = referee.ServerConfigurations{{URL: os.Args[1]}}
	client = referee.NewAPIClient(configuration)
	withoutSession()
	withSession()
}
