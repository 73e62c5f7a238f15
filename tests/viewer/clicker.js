// Plays a game by clicking on the page, as a person would: first what is outlined on the table, and
// a button where there is nothing else. It chooses by a small generator, so games are the same again.
(seed) => {
  let state = seed;
  const draw = (count) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * count);
  };
  window.clicks = { table: 0, buttons: 0, over: false };
  let waitingFor = null;
  const step = () => {
    if (document.querySelector(".ending .told-end")) {
      window.clicks.over = true;
      return;
    }
    setTimeout(step, 5);
    const table = document.querySelector(".table");
    const mine = document.querySelector(".status.mine");
    if (!table || !mine || table.dataset.at === waitingFor) return;
    const parts = [...table.querySelectorAll(".can")];
    if (parts.length) {
      const before = table.querySelectorAll(".chosen").length;
      const part = parts[draw(parts.length)];
      part.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
      window.clicks.table += 1;
      // Another part comes next, unless the move is made.
      if (table.querySelectorAll(".chosen").length <= before) waitingFor = table.dataset.at;
      return;
    }
    const buttons = [...document.querySelectorAll("button.move")];
    if (!buttons.length) return;
    buttons[draw(buttons.length)].click();
    window.clicks.buttons += 1;
    waitingFor = table.dataset.at;
  };
  step();
};
