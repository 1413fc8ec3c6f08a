"use strict";

const LINES = 8;
const buttons = document.querySelectorAll("button[data-scenario]");
const status = document.getElementById("status");
const sides = document.getElementById("sides");

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function list(lines) {
  const made = document.createElement("ol");
  for (const line of lines.slice(0, LINES)) made.append(element("li", line));
  if (lines.length > LINES) made.append(element("li", "… and " + (lines.length - LINES) + " more"));
  return made;
}

function facts(counts) {
  const made = document.createElement("dl");
  made.className = "facts";
  for (const [what, count] of counts) {
    const one = document.createElement("div");
    one.append(element("dt", what), element("dd", count));
    made.append(one);
  }
  return made;
}

function show(place, side) {
  const title = place.querySelector("h2");
  const good = side.wrongs.length === 0;
  place.replaceChildren(
    title,
    element("p", good ? "Charged once, with a receipt." : "Failed: " + side.wrongs.join("; ") + ".", "verdict " + (good ? "good" : "bad")),
    facts([["Bank", side.bank], ["Shop", side.shop]]),
    element("h3", "Responses to the client"), list(side.requests),
    element("h3", "Bank ledger"), list(side.ledger),
    element("h3", "Idempotency key"));
  if (side.key.length === 0) {
    place.append(element("p", "Ignored by the shop."));
  } else {
    const link = element("a", "Timeline in the console");
    link.href = "console?order=" + encodeURIComponent(side.order);
    link.target = "_blank";
    place.append(list(side.key), link);
  }
}

async function play(button) {
  buttons.forEach(one => {
    one.disabled = true;
    one.setAttribute("aria-pressed", one === button);
  });
  status.textContent = button.textContent + "…";
  try {
    const answer = await fetch("play/" + button.dataset.scenario, { method: "POST", headers: { "X-Refrain-Demo": "1" } });
    const played = await answer.json();
    if (!answer.ok) throw new Error(played.error);
    document.querySelectorAll(".side").forEach((place, i) => show(place, played.sides[i]));
    sides.hidden = false;
    status.textContent = "Done: " + played.deed + ".";
  } catch (failure) {
    status.textContent = "Failed to run: " + failure.message;
  } finally {
    buttons.forEach(one => one.disabled = false);
    button.focus();
  }
}

buttons.forEach(button => button.addEventListener("click", () => play(button)));
