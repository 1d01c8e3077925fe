// The translator on the front page: reads the form, shows the answer and where it looks. All that
// it says stands in the page, in <template class="texts">. The model is loaded at the first use.
(() => {
  const place = document.querySelector("#translator");
  const [text, part, head] = ["text", "part", "head"].map((name) => place.querySelector(`#translator-${name}`));
  const texts = place.querySelector("template.texts").content;
  const here = new URL(`${place.dataset.folder}/`, document.baseURI);
  const examples = [...place.querySelectorAll(".examples button")];
  let opened, asked = 0, answer;

  const say = (name, values = {}) => texts.querySelector(`[data-text="${name}"]`).textContent
    .replace(/\{(\w+)\}/g, (_all, key) => values[key]);
  const element = (tag, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const show = (selector, ...children) => place.querySelector(selector).replaceChildren(...children);

  function load() {
    opened ??= import(new URL("model.js", here)).then((model) => model.open(here.href.slice(0, -1)));
    return opened;
  }

  async function translate() {
    const ask = ++asked;
    const waiting = setTimeout(() => show(".said", say("loading")), 150);
    try {
      const { data, translate } = await load();
      const asking = question(data);
      const without = part.value;
      const out = without && texts.querySelector(`[data-part="${without}"]`);
      const label = out ? out.dataset.label : say("whole");
      const whole = asking && await translate(asking.parts);
      const broken = asking && without ? await translate(asking.parts, without) : whole;
      if (ask !== asked) return; // something else was asked since
      clear();
      if (!asking) {
        show(".said", say("unknown", { text: `“${text.value.trim().slice(0, 40)}”` }));
        return;
      }
      answer = broken;
      const shown = ({ words }) => joined(words.slice(0, -1), data);
      const lines = [line(say("whole"), shown(whole), asking.english)];
      if (without) lines.push(line(label, shown(broken), asking.english));
      show(".said", element("p", { className: "german", lang: "de" }, asking.parts.join("·")), ...lines);
      if (out) show(".why", out.textContent);
      draw(data, label);
      scroll();
      if (!out || shown(broken) !== shown(whole)) return;
      for (const example of examples) { // one that the part is missed in
        const { parts, english } = question(data, example.textContent);
        if (shown(await translate(parts, without)) === english) continue;
        const button = element("button", { type: "button", onclick: () => example.click() }, example.textContent);
        if (ask === asked) show(".why", out.textContent, " ", say("missed"), " ", button);
        return;
      }
    } catch (error) {
      opened = undefined;
      clear();
      show(".said", say("failed"));
      console.error(error);
    } finally {
      clearTimeout(waiting);
    }
  }

  function clear() {
    [".why", ".looks", ".row-said"].forEach((selector) => show(selector));
    toggle(false);
  }

  function toggle(shown) {
    [".heads", ".looks"].forEach((selector) => { place.querySelector(selector).hidden = !shown; });
  }

  /** On a phone the answer is below the window's edge: what was taken out is then at its top. */
  function scroll() {
    const { bottom } = place.querySelector(".why").getBoundingClientRect();
    if (bottom > innerHeight) part.parentElement.scrollIntoView();
  }

  /** A number from 0 to 999,999 that is written in digits or in German, else undefined. */
  function numberOf(typed, words) {
    const digits = typed.trim();
    if (/^(\d{1,3}([., ]\d{3})+|\d+)$/.test(digits)) {
      const number = Number(digits.replace(/\D/g, ""));
      return number < 1e6 ? number : undefined;
    }
    const below = (text, last) => words.findIndex(([[...pieces]], number) => {
      if (!last && pieces.at(-1) === "eins") pieces[pieces.length - 1] = "ein";
      const word = pieces.join("");
      return text === word || (number >= 100 && number < 200 && `ein${text}` === word);
    });
    const word = digits.toLowerCase().replace(/[\s-]/g, "")
      .replaceAll("zwoelf", "zwölf").replaceAll("fuenf", "fünf").replaceAll("dreissig", "dreißig");
    const cut = word.lastIndexOf("tausend");
    const [before, after] = cut < 0 ? ["", word] : [word.slice(0, cut), word.slice(cut + 7)];
    const thousands = cut < 0 ? 0 : before ? below(before, false) : 1;
    const rest = cut >= 0 && !after ? 0 : below(after, true);
    const wrong = thousands < 0 || rest < 0 || (cut >= 0 && (!thousands || (after && !rest)));
    return wrong ? undefined : 1000 * thousands + rest;
  }

  /** The German pieces and the English words of a number. */
  function bothOf(number, words) {
    const [thousands, rest] = [Math.floor(number / 1000), number % 1000];
    const parts = thousands ? [...words[thousands][0], "tausend"] : [];
    if (parts.at(-2) === "eins") parts[parts.length - 2] = "ein";
    const english = thousands ? `${words[thousands][1]} thousand` : "";
    if (thousands && !rest) return { parts, english };
    return { parts: [...parts, ...words[rest][0]], english: `${english} ${words[rest][1]}`.trim() };
  }

  /** What the form asks for: German pieces, and the right answer where they are a number. */
  function question(data, typed = text.value) {
    const number = numberOf(typed, data.words);
    if (number !== undefined) return bothOf(number, data.words);
    const parts = typed.trim().toLowerCase().split(/\s+/);
    return parts.every((piece) => data.german.indexOf(piece) > 3) ? { parts } : undefined;
  }

  /** English words as a text, "twenty" and "five" with a hyphen. */
  function joined(words, data) {
    const numberOf = (word) => data.words.findIndex(([, english]) => english === word);
    return words.reduce((said, word, i) => {
      const [before, number] = [numberOf(words[i - 1]), numberOf(word)];
      const hyphen = before >= 20 && number > 0 && number < 10;
      return said + (said ? (hyphen ? "-" : " ") : "") + word;
    }, "") || say("nothing");
  }

  /** One line for the whole translator, and one for the broken one if there is one. */
  function line(label, said, expected) {
    const isRight = said === expected;
    const mark = element("span", { className: "tick", ariaHidden: "true" }, isRight ? "✓ " : "✗ ");
    const verdict = element("span", { className: "unseen" }, ` (${say(isRight ? "right" : "wrong")})`);
    const answer = expected === undefined ? [said] : [mark, said, verdict];
    const made = element("p", { className: expected === undefined || isRight ? "" : "wrong" });
    made.append(element("span", { className: "label" }, `${label}: `), element("strong", {}, ...answer));
    return made;
  }

  /** The heat map as a table: a row for each word, a column for each German piece. */
  function draw(data, label) {
    const weights = head.value === "" ? mean(answer.weights) : answer.weights[Number(head.value)];
    const percent = (weight) => Math.round(100 * weight);
    const top = element("tr", {}, element("td", { className: "corner" }, say("corner")),
      ...answer.parts.map((piece) => element("th", { scope: "col" }, piece)));
    const rows = weights.map((row, t) => {
      const largest = Math.max(...row);
      const places = row.map((weight, s) => ({ part: answer.parts[s], percent: percent(weight) }))
        .sort((one, other) => other.percent - one.percent)
        .filter(({ percent }, rank) => rank === 0 || (rank < 3 && percent >= 10))
        .map((values) => say("place", values)).join(", ");
      const tell = () => show(".row-said", say("looks", { word: answer.words[t], places }));
      const button = element("button", { type: "button", onclick: tell, onfocus: tell }, answer.words[t]);
      const cells = row.map((weight) => {
        const shade = weight > 0.68 ? "high" : weight > 0.51 ? "middle" : weight < 0.005 ? "none" : "low";
        const cell = element("td", { className: `${shade}${weight === largest ? " largest" : ""}` }, String(percent(weight)));
        cell.style.setProperty("--weight", weight.toFixed(3));
        return cell;
      });
      const made = element("tr", { onmouseenter: tell }, element("th", { scope: "row" }, button), ...cells);
      made.style.setProperty("--row", t);
      return made;
    });
    const english = joined(answer.words.slice(0, -1), data);
    const caption = say("picture", { label, german: answer.parts.join(" "), english });
    show(".looks", element("table", {}, element("caption", { className: "unseen" }, caption),
      element("thead", {}, top), element("tbody", {}, ...rows)));
    toggle(true);
    show(".row-said", say("hint"));
  }

  /** Of weights (H, T, S), the mean over the heads. */
  function mean(heads) {
    return heads[0].map((row, t) => row.map((_weight, s) =>
      heads.reduce((sum, weights) => sum + weights[t][s], 0) / heads.length));
  }

  part.append(...[...texts.querySelectorAll("[data-part]")]
    .map(({ dataset }) => new Option(dataset.name, dataset.part)));
  place.addEventListener("submit", (event) => { event.preventDefault(); translate(); });
  place.addEventListener("focusin", () => load().catch(() => { opened = undefined; }), { once: true });
  [part, head].forEach((control) => control.addEventListener("change", translate));
  examples.forEach((button) => button.addEventListener("click", () => {
    text.value = button.textContent;
    translate();
  }));
})();
