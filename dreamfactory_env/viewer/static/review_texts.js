// All texts of the review: what each number is, and what it is not.

const points = (number, digits = 1) => `${number >= 0 ? "+" : "−"}${Math.abs(number).toFixed(digits)}`;
const about = (number) => (number === 1 ? "1 point" : `${number} points`);
const whose = (settings) => (settings.shared ? "the team's points at the end" : "points at the end above the mean of all players");

export const words = {
  title: "Review",
  judge: "Judge",
  nobody: "nobody",
  compare: "Beside it",
  guess: "Guess first",
  guessAbout: "You are asked for your move before you see the judge's.",
  next: "Next mistake",
  noMore: "There is no later mistake.",
  notJudged: "This position was not judged.",
  over: "The game is over here: there is no decision.",
  choose: "Choose a judge to see what it thinks of this position.",
  thinking: (judge) => `${judge} is thinking…`,
  otherSeat: (seat) => `Player ${seat} decides here. Look at the game as everybody sees it to see that decision judged.`,
  question: (seat) => `What would you play as player ${seat}?`,
  filter: "Type to find a move",
  guessedRight: (move) => `You would play ${move}, and so would the judge.`,
  guessedOther: (move, preferred) => `You would play ${move}; the judge prefers ${preferred}.`,
  verdicts: { fine: "Fine", mistake: "Mistake", unclear: "Unclear", forced: "Forced" },
  played: (move) => `Played: ${move}`,
  prefers: (move) => `The judge prefers ${move}.`,
  same: "It is what the judge prefers.",
  verdictAbout: {
    forced: () => "There was only one legal move.",
    fine: ({ difference, se, same }) =>
      same
        ? "The judge would have played the same. That it could be wrong, too, is not ruled out."
        : `What the judge prefers was better by ${points(difference)} ± ${(2 * se).toFixed(1)} points: not better, or surely by less than counts.`,
    unclear: ({ difference, se, floor }) =>
      `What the judge prefers was better by ${points(difference)} ± ${(2 * se).toFixed(1)} points. That is too little, or too uncertain, to call the move a mistake: it takes more than three standard errors and at least ${about(floor)}.`,
    mistake: ({ difference, se, floor }) =>
      `What the judge prefers was better by ${points(difference)} ± ${(2 * se).toFixed(1)} points: more than three standard errors, and not less than ${about(floor)}, below which nothing is called a mistake.`,
  },
  howCompared: ({ deals, rollout }) =>
    `Both moves were played on the same ${deals} redraws of what the seat could not see, and ${rollout} played on for everybody. It says what the moves are worth if the game goes on like that, not what happened in this deal; ± is two standard errors.`,
  moves: "Moves",
  more: (count) => `Show ${count} more`,
  columns: { move: "Move", p: "Probability", visits: "Visits", mean: "Mean points" },
  about: {
    network: "How likely the network was to play each move in training. It is a habit, not a chance of winning: a move with 2 % can be as good as one with 60 %.",
    search: (settings) =>
      `Visits: how many of the search's games began with the move; it plays the one with the most. Mean: ${whose(settings)} in these games, ± two standard errors as if they were independent, which is the least it can be, and none below ten visits. Means of moves with few visits say little, and no mean is a promise for this deal.`,
    policy: "A scripted policy names the move that it plays, and says nothing of the others.",
  },
  scripted: "Other policies",
  scriptedAbout: "What the scripted policies of the game would play here, knowing what the seat knows. They are weaker than a search; where all agree with the move played, a mistake is at least a common one.",
  values: "Where this leads",
  value: (number) => points(number),
  seat: (seat, name) => `Player ${seat}, ${name}`,
  seatColumn: "Seat",
  meanPoints: "Points",
  team: (mean, value) => `The team reaches ${mean.toFixed(1)} points${value === undefined ? "" : `; in the search ${value.toFixed(1)}`}.`,
  worth: "Search",
  place: (place) => `place ${place}`,
  won: "won",
  lost: "lost",
  chancesAbout: ({ deals, rollout, shared }, played) =>
    `${shared ? "Points at the end and games won" : "Points at the end and places of the seats"} over ${deals} redraws, after ${played ? "the move that was played" : "the judge's move"}, if ${rollout} plays on for everybody. Better or worse players would end otherwise; with ${deals} games a share is sure to within about ${Math.ceil(100 / Math.sqrt(deals))} percentage points.`,
  worthAbout: (settings) => `Search: the mean of ${whose(settings)} in the search's own games after its move, for each seat.`,
  observation: "The observation in words",
  observationAbout: "Everything that a network is told at this decision. What is not there, it does not know.",
  copy: "Copy position as Python",
  copied: "Copied. It needs the package and nothing else.",
  copyByHand: "Copy this:",
  code: "Python that makes this position",
  totals: "The whole game",
  totalColumns: ["Seat", "Mistakes", "Points lost", "Unclear", "Fine", "Same move", "Decisions"],
  totalsAbout: ({ floor, deals }) =>
    `Decisions with a choice. Points lost are the differences of the mistakes added up: an estimate, in which unclear moves do not count. A mistake is one by games over up to ${deals} deals and at least ${about(floor)}; a player without any may still have played many small ones.`,
  percent: (share) => (share > 0 && share < 0.005 ? "< 1 %" : `${Math.round(100 * share)} %`),
  spread: (mean, se) => (mean === null || mean === undefined ? "–" : se === null || se === undefined ? points(mean) : `${points(mean)} ± ${(2 * se).toFixed(1)}`),
  count: (number) => number.toLocaleString("en"),
};

export const results = {
  linked: "Click a cell of a matrix to see its games.",
  unlinked: "No records were kept, so cells lead to no games.",
  toGames: "Show the games.",
  range: (low, high) => `${low} to ${high}`,
  cell: (one, other, value, range, games) => `${one}, ${other}: ${value}, 95 % interval ${range}${games ? `, ${games} games` : ""}.`,
};
