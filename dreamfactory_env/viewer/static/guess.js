// Guess first: whether somebody wants to, and what they have guessed.

/** Kept for as long as a game is on the screen; whoever shows something of it hears by `changed` that it begins or ends. */
export class Guess {
  constructor(changed = () => {}) {
    this.first = false;
    this.moves = new Map(); // by the number of moves before
    this.changed = changed;
  }

  begin(first) {
    this.first = first;
    this.moves.clear();
    this.changed();
  }
}
