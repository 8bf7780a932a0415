// Numbers as the sentences of the service write them, too: thousands stand apart from five digits on.

/** A number in a language, with at most one decimal unless `how` says otherwise. */
export const written = (language, value, how = {}) =>
  new Intl.NumberFormat(language, { useGrouping: "min2", signDisplay: "negative", maximumFractionDigits: 1, ...how }).format(value).replace("-", "−");
