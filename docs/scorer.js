// Sphinx gives a page 5 for a word, wherever it is said. Of pages that say it, those that
// tell what to write come first, and the list of changes last.
const RANKS = { howto: 2, guide: 1, migrate: -1, tutorial: -1, benchmarks: -2, changes: -4 };

var Scorer = {
  score: ([docname, title, anchor, descr, score]) =>
    score + (docname.endsWith("index") ? -1 : (RANKS[docname.split("/")[0]] ?? 0)),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
