// Sphinx gives a page 5 for a word, wherever it is said. Of pages that say it, those that
// tell what to write come first, and the list of changes last.
const MESSAGES = "reference/messages";
const RANKS = {
  howto: 2,
  guide: 1,
  migrate: -1,
  tutorial: -1,
  benchmarks: -2,
  [MESSAGES]: -4,
  changes: -4,
};

var Scorer = {
  score: ([docname, title, anchor, descr, score]) =>
    score +
    (docname.endsWith("index") ? -1 : (RANKS[docname] ?? RANKS[docname.split("/")[0]] ?? 0)),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

// A message that is pasted whole has names of the reader's code, which are on no page. So
// a query finds the headings whose words are all in it; and a long one finds the pages
// that have most of its words, the list of messages first. A scorer only ranks what Sphinx
// has found, and Sphinx has no other hook: the method that finds is wrapped.
const LONG = 6;

queueMicrotask(() => {
  const usual = Search.performTermsSearch;
  Search.performTermsSearch = (terms, excluded) => {
    const found = usual(terms, excluded);
    const pages = terms.size < LONG ? [] : pagesWith(terms);
    return [...found, ...pages, ...headingsIn(terms)];
  };
});

function pagesWith(terms) {
  const { docnames, filenames, titles, terms: known } = Search._index;
  const counts = new Map();
  terms.forEach((term) => {
    const files = Object.hasOwn(known, term) ? [known[term]].flat() : [];
    files.forEach((file) => counts.set(file, (counts.get(file) ?? 0) + 1));
  });
  return [...counts]
    .filter(([file, count]) => count > terms.size / 2)
    .map(([file, count]) => {
      const score = (10 * count) / terms.size + (docnames[file] === MESSAGES ? 18 : 0);
      return [docnames[file], titles[file], "", null, score, filenames[file], "text"];
    });
}

function headingsIn(terms) {
  const { alltitles, docnames, filenames, titles } = Search._index;
  const stemmer = new Stemmer();
  return Object.entries(alltitles).flatMap(([title, places]) => {
    const words = splitQuery(title.toLowerCase()).filter((word) => !stopwords.has(word));
    const stems = [...new Set(words.map((word) => stemmer.stemWord(word)))];
    if (stems.length < 3 || !stems.every((stem) => terms.has(stem))) return [];
    return places.map(([file, id]) => {
      const name = `${titles[file]} > ${title}`;
      const score = 20 + stems.length;
      return [docnames[file], name, id ? `#${id}` : "", null, score, filenames[file], "title"];
    });
  });
}
