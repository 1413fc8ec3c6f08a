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

function facts(told) {
  const made = document.createElement("dl");
  made.className = "facts";
  for (const [what, count] of told) {
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
    element("p", good ? "Charged once, and a receipt." : "Wrong: " + side.wrongs.join("; ") + ".", "verdict " + (good ? "good" : "bad")),
    facts([["The bank saw", side.bank], ["The shop booked", side.shop]]),
    element("h3", "What the client was told"), list(side.requests),
    element("h3", "The bank's ledger"), list(side.ledger),
    element("h3", "The key"));
  if (side.key.length === 0) {
    place.append(element("p", "The shop does not look at it."));
  } else {
    const link = element("a", "Its timeline in the console");
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
    status.textContent = "It could not be played: " + failure.message;
  } finally {
    buttons.forEach(one => one.disabled = false);
    button.focus();
  }
}

buttons.forEach(button => button.addEventListener("click", () => play(button)));
