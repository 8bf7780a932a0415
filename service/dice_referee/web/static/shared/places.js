// A browser opens six connections to a host (HTTP/1.1), and a stream holds one for as long as it is open.
// The tables of all pages share four streams, so that a page can still send requests.

const PLACES = ["1", "2", "3", "4"].map((number) => `dice-referee-stream-${number}`);
const taken = new Set();

/** Takes a place for a stream: what gives it back, or null if all are taken. */
export async function takePlace() {
  for (const name of PLACES.filter((one) => !taken.has(one))) {
    taken.add(name);
    const release = await locked(name);
    if (release) {
      return () => {
        taken.delete(name);
        release();
      };
    }
    taken.delete(name);
  }
  return null;
}

/** Holds a lock that all pages of the browser share; without locks (plain http) a page counts for itself. */
function locked(name) {
  if (!navigator.locks) return () => {};
  return new Promise((answer) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => lock
      ? new Promise((release) => answer(release))
      : answer(null));
  });
}
