// Plays a session of each game to its end with dice of the service, and judges each turn again.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"

	referee "github.com/GIT_USER_ID/GIT_REPO_ID"
)

var (
	client  *referee.APIClient
	ctx     = context.Background()
	players = []string{"Ada", "Ben"}
)

// must returns the answer, or ends the program with the problem.
func must[Answer any](answer *Answer, _ *http.Response, err error) *Answer {
	if err != nil {
		if problem, ok := err.(*referee.GenericOpenAPIError); ok {
			panic(string(problem.Body()))
		}
		panic(err)
	}
	return answer
}

// expect ends the program if two verdicts differ.
func expect[Verdict any](verdict, expected *Verdict) {
	if !reflect.DeepEqual(verdict, expected) {
		panic(fmt.Sprintf("%+v is not %+v", verdict, expected))
	}
}

func joined[Value any](values []Value) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(values), "[]"), " ", ",")
}

func tuttoMove(session *referee.TuttoSession) referee.PostedEvent {
	turn := session.Turn.Get()
	if keep := turn.TuttoKeepTurn; keep != nil {
		verdict, body := session.Adjudication.Get(), referee.TuttoPositionOrTurn{TuttoKeepTurn: keep}
		expect(must(client.TuttoAPI.AdjudicateTutto(ctx).TuttoPositionOrTurn(body).Execute()), verdict)
		if !slices.Contains(session.LegalEvents, referee.TUTTOEVENTTYPE_BANK) {
			event := referee.NewPostedTuttoKeepEvent("keep", verdict.LegalKeeps[0].Dice)
			return referee.PostedEvent{PostedTuttoKeepEvent: event}
		}
		return referee.PostedEvent{PostedTuttoBankEvent: referee.NewPostedTuttoBankEventWithDefaults()}
	}
	if turn.TuttoDrawTurn != nil {
		return referee.PostedEvent{PostedTuttoDrawEvent: referee.NewPostedTuttoDrawEventWithDefaults()}
	}
	return referee.PostedEvent{PostedTuttoRollEvent: referee.NewPostedTuttoRollEventWithDefaults()}
}

func yatzeeMove(session *referee.YatzeeSession) referee.PostedEvent {
	choose := session.Turn.Get().YatzeeChooseTurn
	if choose == nil {
		return referee.PostedEvent{PostedYatzeeRollEvent: referee.NewPostedYatzeeRollEventWithDefaults()}
	}
	verdict, body := session.Adjudication.Get(), referee.YatzeePositionOrTurn{YatzeeChooseTurn: choose}
	expect(must(client.YatzeeAPI.AdjudicateYatzee(ctx).YatzeePositionOrTurn(body).Execute()), verdict)
	open := slices.DeleteFunc(slices.Clone(verdict.Categories), func(row referee.YatzeeEntry) bool { return !row.Open })
	for _, row := range open {
		if row.Satisfied {
			return referee.PostedEvent{PostedYatzeeWriteEvent: referee.NewPostedYatzeeWriteEvent("write", row.Category)}
		}
	}
	return referee.PostedEvent{PostedYatzeeStrikeEvent: referee.NewPostedYatzeeStrikeEvent("strike", open[0].Category)}
}

func potMove(session *referee.PotSession) referee.PostedEvent {
	if choose := session.Turn.Get().PotChooseTurn; choose != nil {
		verdict, body := session.Adjudication.Get(), referee.PotPositionOrTurn{PotChooseTurn: choose}
		expect(must(client.POTAPI.AdjudicatePot(ctx).PotPositionOrTurn(body).Execute()), verdict)
		if slices.Contains(session.LegalEvents, referee.POTEVENTTYPE_ACCEPT) {
			accept := referee.NewPostedPotAcceptEventWithDefaults()
			accept.Players = verdict.Choices[0].Players
			return referee.PostedEvent{PostedPotAcceptEvent: accept}
		}
	}
	return referee.PostedEvent{PostedPotRollEvent: referee.NewPostedPotRollEventWithDefaults()}
}

// state has the fields of a session that all games share.
type state struct {
	id, game, ending string
	status           referee.SessionStatus
	player           *int32
	version          int32
	move             func() referee.PostedEvent
}

func stateOf(session referee.Session) state {
	if s := session.TuttoSession; s != nil {
		move := func() referee.PostedEvent { return tuttoMove(s) }
		return state{s.Id, s.Game, joined(s.Table.Scores), s.Status, s.Player.Get(), s.Version, move}
	}
	if s := session.PotSession; s != nil {
		move := func() referee.PostedEvent { return potMove(s) }
		return state{s.Id, s.Game, joined(s.Table.Coins), s.Status, s.Player.Get(), s.Version, move}
	}
	s, totals := session.YatzeeSession, []int32{}
	for _, card := range s.Table.Totals {
		totals = append(totals, card.Total)
	}
	move := func() referee.PostedEvent { return yatzeeMove(s) }
	return state{s.Id, s.Game, joined(totals), s.Status, s.Player.Get(), s.Version, move}
}

// line describes an event by the fields of its type.
func line(event referee.SessionEvent) string {
	if draw := event.SessionDrawEvent; draw != nil {
		return string(draw.Card)
	}
	dice := ""
	for _, die := range event.SessionRollEvent.Dice {
		if die.PotLetter != nil {
			dice += string(*die.PotLetter)
		} else {
			dice += fmt.Sprint(*die.Int32)
		}
	}
	return dice
}

// legal tells if the audit of the exported game finds no illegal event.
func legal(id string) bool {
	game := must(client.SessionsAPI.GetSessionGame(ctx, id).Execute())
	if log := game.TuttoSessionGame; log != nil {
		return must(client.TuttoAPI.AuditTutto(ctx).TuttoGameRecord(referee.TuttoGameRecord{TuttoSessionGame: log}).Execute()).Legal
	}
	if log := game.YatzeeSessionGame; log != nil {
		return must(client.YatzeeAPI.AuditYatzee(ctx).YatzeeGameRecord(referee.YatzeeGameRecord{YatzeeSessionGame: log}).Execute()).Legal
	}
	return must(client.POTAPI.AuditPot(ctx).PotGameRecord(referee.PotGameRecord{PotSessionGame: game.PotSessionGame}).Execute()).Legal
}

func main() {
	configuration := referee.NewConfiguration()
	configuration.Servers = referee.ServerConfigurations{{URL: os.Args[1]}}
	client = referee.NewAPIClient(configuration)

	tutto := referee.NewTuttoSessionRequest("tutto", players)
	tutto.Options = &referee.TuttoOptions{Target: referee.PtrInt32(1000)}
	pot := referee.NewPotSessionRequest("pot", players)
	pot.Options = &referee.PotOptions{Target: referee.PtrInt32(6)}
	for _, request := range []referee.SessionRequest{
		referee.TuttoSessionRequestAsSessionRequest(tutto),
		referee.YatzeeSessionRequestAsSessionRequest(referee.NewYatzeeSessionRequest("yatzee", players)),
		referee.PotSessionRequestAsSessionRequest(pot),
	} {
		created := must(client.SessionsAPI.CreateSession(ctx).SessionRequest(request).Execute())
		now := stateOf(created.Session)
		for now.player != nil {
			seat := context.WithValue(ctx, referee.ContextAccessToken, created.SeatTokens[*now.player])
			move := client.SessionsAPI.AddEvent(seat, now.id).PostedEvent(now.move())
			now = stateOf(must(move.IfMatch(fmt.Sprintf("%q", fmt.Sprint(now.version))).Execute()).Session)
		}
		if !legal(now.id) {
			panic("the audit finds an illegal event")
		}
		events := must(client.SessionsAPI.GetSessionLog(ctx, now.id).Execute()).Events
		fmt.Printf("%s: %s, %d entries, %s, %s\n", now.game, now.status, len(events), line(events[0].Event), now.ending)
	}
}
