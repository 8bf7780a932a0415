// Adjudicates Tutto in plain Node, with the http module and JSON, for comparison with another platform. It implements
// the rules of adjudications, and refuses all other requests.

import { createServer } from 'node:http'

// Published rulesets by id, each with its hash and the value of every option.
const rulesets = JSON.parse(process.env.BENCH_RULESETS)
const PATH = '/v1/tutto/adjudications'

const singles = { 1: 100, 5: 50 }
const triples = { 1: 1000, 2: 200, 3: 300, 4: 400, 5: 500, 6: 600 }

const cards = {
  clover: { rule: 'T5.7', earns: false, stops: false, prize: 0, most: 1 },
  firework: { rule: 'T5.2', earns: true, stops: false, prize: 0, most: 1000 },
  straight: { rule: 'T5.6', earns: false, stops: false, prize: 2000, most: 0 },
  'plus-minus': { rule: 'T5.5', earns: false, stops: false, prize: 1000, most: 0 },
  double: { rule: 'T5.4', earns: true, stops: true, prize: 0, most: 0 },
}
for (const prize of [200, 300, 400, 500, 600]) {
  cards[`bonus-${prize}`] = { rule: 'T5.3', earns: true, stops: true, prize, most: 0 }
}

const fields = new Set(['ruleset', 'options', 'card', 'keeps', 'roll', 'carried', 'tuttos',
  'pending_deductions', 'scores', 'player', 'phase', 'dice_to_roll'])
const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most
const areDice = dice => Array.isArray(dice) && dice.length <= 6 && dice.every(die => isWhole(die, 1, 6))

// Tells if a document matches the schema.
function isQuestion (asked) {
  return asked !== null && typeof asked === 'object' && Object.keys(asked).every(name => fields.has(name)) &&
    (asked.ruleset ?? 'abacus-2013') in rulesets && asked.card in cards && areDice(asked.roll) &&
    Object.entries(asked.options ?? {}).every(([name, value]) => typeof value === typeof rulesets['abacus-2013'].options[name]) &&
    (asked.keeps ?? []).every(areDice) && isWhole(asked.carried ?? 0, 0, 1e6) && (asked.carried ?? 0) % 50 === 0 &&
    isWhole(asked.tuttos ?? 0, 0, cards[asked.card].most) && isWhole(asked.pending_deductions ?? 0, 0, 1000) &&
    (asked.scores ?? []).every(score => isWhole(score, -1e9, 1e9)) && isWhole(asked.player ?? 0, 0, 9)
}

const count = (dice, face) => dice.reduce((n, die) => n + (die === face), 0)

// Returns the lines that dice score as a single keep, or null.
function linesOf (dice, card) {
  if (card === cards.straight) {
    return dice.map(face => ({ dice: [face], kind: 'face', points: 0, rule: 'T5.6' }))
  }
  const lines = []
  for (let face = 1; face <= 6; face++) {
    let left = count(dice, face)
    for (; left >= 3; left -= 3) {
      lines.push({ dice: [face, face, face], kind: 'triple', points: card.earns ? triples[face] : 0, rule: 'T1.3' })
    }
    if (left && !(face in singles)) return null
    for (; left; left--) {
      lines.push({ dice: [face], kind: 'single', points: card.earns ? singles[face] : 0, rule: 'T1.2' })
    }
  }
  return lines
}

const pointsOf = lines => lines.reduce((sum, line) => sum + line.points, 0)

// Returns every legal keep in lexicographic order.
function keepsOf (position) {
  const { card, roll } = position
  let keeps = [[]]
  if (card === cards.straight) {
    const aside = position.keeps.flat()
    for (const face of [...new Set(roll)].filter(face => !aside.includes(face))) {
      keeps = keeps.flatMap(keep => [keep, [...keep, face]])
    }
  } else {
    for (let face = 1; face <= 6; face++) {
      const step = face in singles ? 1 : 3
      const longer = []
      for (let n = 0; n <= count(roll, face); n += step) longer.push(Array(n).fill(face))
      keeps = keeps.flatMap(keep => longer.map(some => [...keep, ...some]))
    }
  }
  keeps = keeps.filter(keep => keep.length)
  if (card === cards.firework && position.rules.firework_keep === 'all' && keeps.length) {
    keeps = [keeps.reduce((most, keep) => keep.length > most.length ? keep : most)]
  }
  return keeps.sort((a, b) => {
    for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i]
    return a.length - b.length
  })
}

// Returns the losses of the leaders, and the scores afterwards. Adds the applied rules to the position.
function deduct (position, times) {
  const { rules, scores, player, deductionRules } = position
  if (!times) return [[], scores]
  for (const rule of ['T5.5', 'T5.5a', 'T5.5d']) deductionRules.add(rule)
  const floored = rules.score_floor === 'zero'
  if (!scores) {
    if (floored) deductionRules.add('T5.5e')
    return [Array(times).fill({ type: 'deducted', player: null, points: 1000 }), scores]
  }
  const counted = rules.leaders === 'turn' ? position.carried : 0
  const sheet = [...scores]
  const taken = []
  for (; times; times--) {
    const onSheet = leadersOf(sheet)
    const held = sheet.map((score, i) => i === player ? score + counted : score)
    const leaders = leadersOf(held)
    if (String(leaders) !== String(onSheet)) deductionRules.add('T5.5g')
    if (leaders.includes(player)) deductionRules.add('T5.5b')
    const others = leaders.filter(i => i !== player)
    const cut = floored && others.length > 0 && held[leaders[0]] < 1000
    if (cut) deductionRules.add('T5.5e')
    const points = cut ? held[leaders[0]] : 1000
    for (const i of points ? others : []) {
      sheet[i] -= points
      taken.push({ type: 'deducted', player: i, points })
    }
  }
  return [taken, sheet]
}

// Returns the players with the highest score.
function leadersOf (scores) {
  const highest = Math.max(...scores)
  return scores.map((_, i) => i).filter(i => scores[i] === highest)
}

function weigh (position, dice, stop) {
  const { card, rules } = position
  const lines = linesOf(dice, card)
  const points = pointsOf(lines)
  const before = position.carried + position.onCard + points
  const tutto = dice.length === position.left
  let bonus = 0
  if (tutto) bonus = card !== cards.double ? card.prize : rules.double_scope === 'turn' ? before : position.onCard + points
  let times = stop ? position.pending : 0
  if (tutto && card === cards['plus-minus'] && (stop || rules.deduction === 'on-tutto')) times++
  const lost = tutto && card === cards['plus-minus'] && rules.plus_minus_pays === 'exactly' ? before : 0
  if (lost) position.loses = true
  const [effects, scores] = deduct(position, times)
  return { keep: { dice, points, bonus, turn_points: before - lost + bonus, tutto, lines, effects }, scores }
}

function turn (position, phase, fields, scores, last = position.last) {
  const said = { ruleset: position.ruleset, options: position.options, phase, ...fields }
  for (const name of ['turn_points', 'carried', 'tuttos', 'pending_deductions']) if (!said[name]) delete said[name]
  const outcome = said.outcome
  delete said.outcome
  if (scores) Object.assign(said, { scores, player: position.player })
  if (scores && last && Math.max(...scores) < position.rules.target) said.last_round = true
  return outcome ? Object.assign(said, { outcome }) : said
}

function finish (position, reason, points, scores) {
  const { rules, player } = position
  let wins = reason === 'clover' ? true : null
  let last = position.last
  if (scores) {
    scores = scores.map((score, i) => i === player ? score + points : score)
    last ||= scores[player] >= rules.target
    if (wins === null && rules.ending === 'at-once') wins = last
    else if (wins === null && last && player === scores.length - 1) wins = scores[player] === Math.max(...scores)
  }
  return turn(position, 'over', { outcome: { reason, points, wins_game: wins } }, scores, last)
}

function goOn (position, { keep, scores }) {
  const { card, name, rules, pending } = position
  if (!keep.tutto) {
    return turn(position, 'roll', {
      card: name, keeps: [...position.keeps, keep.dice], dice_to_roll: position.left - keep.dice.length,
      turn_points: keep.turn_points, carried: position.carried, tuttos: position.tuttos, pending_deductions: pending,
    }, scores)
  }
  const after = { dice_to_roll: 6, turn_points: keep.turn_points, carried: keep.turn_points, pending_deductions: pending }
  if (card === cards.clover) {
    if (position.tuttos) return finish(position, 'clover', 0, position.scores)
    return turn(position, 'roll', { card: name, ...after, tuttos: 1, pending_deductions: pending }, scores)
  }
  if (card === cards.firework) {
    const tuttos = Math.min(position.tuttos + 1, 1000)
    return turn(position, 'roll', { card: name, ...after, tuttos, pending_deductions: pending }, scores)
  }
  if (card === cards['plus-minus'] && rules.deduction === 'on-bank') after.pending_deductions++
  return turn(position, 'draw', after, scores)
}

function rulesOf (position, keeps, status, end, banked) {
  const { card } = position
  const cites = new Set([status === 'niete' ? 'T2.1' : 'T2.2'])
  for (const dice of keeps) for (const line of linesOf(dice, card)) cites.add(line.rule)
  for (const dice of position.keeps) for (const line of linesOf(dice, card)) cites.add(line.rule)
  if (banked) cites.add('T2.5')
  if (status === 'tutto') {
    cites.add('T3.1')
    if (!card.most) cites.add('T3.2')
  }
  if (status === 'tutto' || !card.stops) cites.add(card.rule)
  if (end?.outcome.reason === 'niete' && position.carried) cites.add('T3.3')
  if (position.loses) cites.add('T5.5h')
  for (const rule of position.deductionRules) cites.add(rule)
  const wins = end?.outcome.wins_game
  const ranked = typeof wins === 'boolean' && position.rules.ending === 'full-round'
  const reached = end && wins === null && !position.last && end.scores?.[position.player] >= position.rules.target
  if (ranked || wins || reached) for (const rule of ['T6.2', 'T6.3']) cites.add(rule)
  if (ranked) cites.add('T6.4')
  if (ranked && end.last_round) cites.add('T6.5')
  return [...cites].sort()
}

function adjudicate (asked) {
  const ruleset = asked.ruleset ?? 'abacus-2013'
  const published = rulesets[ruleset]
  const rules = { ...published.options, ...asked.options }
  const options = Object.fromEntries(Object.entries(rules).filter(([name, value]) => value !== published.options[name]))
  const card = cards[asked.card]
  const keeps = (asked.keeps ?? []).map(dice => [...dice].sort())
  const position = {
    ruleset, rules, options, card, name: asked.card, keeps, roll: [...asked.roll].sort(), carried: asked.carried ?? 0,
    tuttos: asked.tuttos ?? 0, pending: asked.pending_deductions ?? 0, scores: asked.scores, player: asked.player,
    last: Math.max(...(asked.scores ?? [0])) >= rules.target, deductionRules: new Set(), left: 6 - keeps.flat().length, onCard: card.earns ? keeps.reduce((sum, dice) => sum + pointsOf(linesOf(dice, card)), 0) : 0,
  }
  if (position.left !== position.roll.length) throw new Error('impossible')
  const legal = keepsOf(position)
  const begin = { ruleset, ruleset_hash: published.hash, options, turn_points: position.carried + position.onCard }
  if (!legal.length) {
    const pays = card === cards.firework ? position.carried + position.onCard : 0
    const [, scores] = card === cards.firework ? deduct(position, position.pending) : [[], position.scores]
    const end = finish(position, card === cards.firework ? 'firework' : 'niete', pays, scores)
    const cites = rulesOf(position, legal, 'niete', end, false)
    return { ...begin, status: 'niete', legal_keeps: [], bank: null, next: end, rules: cites }
  }
  const most = legal.reduce((most, keep) => keep.length > most.length ? keep : most)
  const status = most.length === position.left ? 'tutto' : 'scoring'
  const answers = legal.map(dice => {
    const stake = weigh(position, dice, false)
    return { ...stake.keep, next: goOn(position, stake) }
  })
  let bank = null
  if (card.stops || (status === 'tutto' && !card.most)) {
    const { keep, scores } = weigh(position, most, true)
    bank = { ...keep, next: finish(position, 'banked', keep.turn_points, scores) }
  }
  const cites = rulesOf(position, legal, status, bank?.next, bank)
  return { ...begin, status, legal_keeps: answers, bank, next: null, rules: cites }
}

function answer (response, status, document) {
  const body = JSON.stringify(document)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}

createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== PATH) return answer(response, 404, { detail: 'not found' })
  const chunks = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    try {
      const asked = JSON.parse(Buffer.concat(chunks))
      if (!isQuestion(asked)) return answer(response, 400, { detail: 'not of the schema' })
      answer(response, 200, adjudicate(asked))
    } catch (error) {
      answer(response, 422, { detail: String(error) })
    }
  })
}).listen(Number(process.env.PORT), '127.0.0.1')
