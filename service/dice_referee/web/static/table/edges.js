// The bars over a small screen: one above, the actions below. The page is told how high
// they are, so that what gets the focus is scrolled to where it can be seen.

const { style } = document.documentElement;

/** The height of the screen that an element covers, wherever the page is scrolled to. */
const covers = (element) => (element && ["fixed", "sticky"].includes(getComputedStyle(element).position) ? element.offsetHeight : 0);

function measure(bar, board) {
  style.setProperty("--bar", `${covers(bar)}px`);
  style.setProperty("--dock", `${covers(board.querySelector(".dock"))}px`);
}

/** Measures whenever one of them may have changed: gives what is to be called when the table was drawn. */
export function edges(bar, board) {
  const again = () => measure(bar, board);
  addEventListener("resize", again);
  new ResizeObserver(again).observe(bar);
  return again;
}
