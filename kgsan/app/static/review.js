// The review page without waiting for whole pages: forms are sent and answered in place, keys move between changes, words that are
// selected can be hidden, and the strictness is tried while it is moved. Everything works without this file too, a page at a time.
"use strict";

const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
let looking = null;

function tell(text) {
  const said = document.createElement("p");
  said.className = "wrong";
  said.setAttribute("role", "alert");
  said.textContent = text;
  find("#notice").replaceChildren(said);
}

// --- pages that change in place ---------------------------------------------------------------------------------------------

async function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter));
  document.body.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields, credentials: "same-origin" });
    await show(answer);
  } catch {
    tell("The review was ended on this machine. Start it again: what was decided is kept.");
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

async function show(answer) {
  const content = await answer.text();
  if (!(answer.headers.get("content-type") || "").startsWith("text/html")) {
    tell(content.trim());
    return;
  }
  const made = new DOMParser().parseFromString(content, "text/html");
  const shown = find('[name="shown"]:checked')?.value;
  const keysAreUsed = find("#keys")?.checked;
  document.body.replaceChildren(...made.body.children);
  if (keysAreUsed !== undefined && find("#keys")) find("#keys").checked = keysAreUsed;
  if (shown) find(`[name="shown"][value="${shown}"]`).checked = true;
  begin();
  const open = find(".item[open]");
  if (find("#notice .wrong")) find("#notice").scrollIntoView({ block: "nearest" });
  else if (open) go(open);
  else find("#main").focus();
}

// --- changes ----------------------------------------------------------------------------------------------------------------

const items = () => all(".item");
const current = () => find(".item[open]");

function go(item) {
  if (!item) return;
  for (const other of items()) other.open = other === item;
  point(item)?.scrollIntoView({ block: "nearest" });
  find("summary", item).focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
}

function point(item) {
  for (const mark of all("#text .change")) mark.removeAttribute("aria-current");
  const mark = find(`#text [data-change="${item.dataset.change}"]`);
  mark?.setAttribute("aria-current", "true");
  return mark;
}

function step(by, wanted = () => true) {
  const list = items();
  let at = list.indexOf(current());
  for (let tried = 0; tried < list.length; tried += 1) {
    at = (at + by + list.length) % list.length;
    if (wanted(list[at])) return go(list[at]);
  }
}

function press(key) {
  const item = current();
  const wanted = item && find(`[data-key="${key}"]`, item);
  if (!wanted) return;
  if (wanted.tagName === "SUMMARY") {
    wanted.parentElement.open = true;
    find("input[type=text]", wanted.parentElement).focus();
  } else {
    wanted.click();
  }
}

function typed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || !find("#keys")?.checked) return;
  if (event.target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const done = {
    j: () => step(1),
    k: () => step(-1),
    n: () => step(1, (item) => item.dataset.state === "open"),
    s: () => find("#strictness").focus(),
    h: () => find("#selection").hidden || find("#selection button").click(),
  }[event.key];
  if (done) {
    event.preventDefault();
    done();
  } else if ("agruw".includes(event.key)) {
    event.preventDefault();
    press(event.key);
  }
}

// --- words that are selected ------------------------------------------------------------------------------------------------

// Places count letters, not the halves in which a browser counts some of them.
const letters = (text) => Array.from(text).length;

function placeIn(span, node, offset, atEnd) {
  const at = Number(span.dataset.at);
  const length = Number(span.dataset.length || letters(span.textContent));
  if (!span.contains(node)) return atEnd ? at + length : at;
  if (span.dataset.length) return atEnd ? at + length : at;
  const before = node.nodeType === Node.TEXT_NODE ? node.textContent.slice(0, offset) : offset ? span.textContent : "";
  return at + letters(before);
}

function selected() {
  const bar = find("#selection");
  if (!bar) return;
  const selection = document.getSelection();
  bar.hidden = true;
  if (!selection.rangeCount || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  if (!find("#text").contains(range.commonAncestorContainer)) return;
  const touched = all("#text [data-at]").filter((span) => range.intersectsNode(span));
  if (!touched.length) return;
  const start = placeIn(touched[0], range.startContainer, range.startOffset, false);
  const end = placeIn(touched[touched.length - 1], range.endContainer, range.endOffset, true);
  if (start >= end) return;
  find("[name=at]", bar).value = `${start}-${end}`;
  bar.hidden = false;
}

// --- strictness -------------------------------------------------------------------------------------------------------------

function moved() {
  const slider = find("#strictness");
  const wanted = slider.dataset.steps.split(" ")[slider.value];
  slider.setAttribute("aria-valuetext", wanted);
  find("#strictness-now").value = wanted;
  clearTimeout(looking?.timer);
  looking?.stop.abort();
  const stop = new AbortController();
  looking = { stop, timer: setTimeout(() => look(wanted, stop.signal), 200) };
}

async function look(wanted, signal) {
  const shown = find("#preview");
  try {
    shown.setAttribute("aria-busy", "true");
    const address = `${find("#look").action}?strictness=${encodeURIComponent(wanted)}`;
    const answer = await fetch(address, { signal, credentials: "same-origin" });
    const content = await answer.text();
    if (!answer.ok) throw new Error(content);
    const made = new DOMParser().parseFromString(content, "text/html");
    find(".noscript", made)?.remove();
    shown.replaceChildren(find("#previewed", made));
    const take = find("#take");
    const needsReason = take.dataset.less.split(" ").includes(wanted);
    find("[name=strictness]", take).value = wanted;
    for (const part of all("label, input[type=text]", take)) part.hidden = !needsReason;
    find("input[type=text]", take).required = needsReason;
    take.hidden = false;
  } catch (error) {
    if (!signal.aborted) tell(error.message.trim() || "The preview could not be made.");
  } finally {
    shown.removeAttribute("aria-busy");
  }
}

// --- begin ------------------------------------------------------------------------------------------------------------------

function begin() {
  const slider = find("#strictness");
  if (slider) {
    slider.disabled = false;
    slider.addEventListener("input", moved);
  }
}

document.addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  event.preventDefault();
  send(event.target, event.submitter);
});
document.addEventListener("click", (event) => {
  const mark = event.target.closest("a[data-change]");
  const item = mark && find(`#change-${mark.dataset.change}`);
  if (!item) return;
  event.preventDefault();
  go(item);
});
document.addEventListener("toggle", (event) => event.target.open && event.target.matches(".item") && point(event.target), true);
document.addEventListener("keydown", typed);
document.addEventListener("selectionchange", selected);
begin();
