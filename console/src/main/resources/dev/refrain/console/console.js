// Keeps the numbers of the front page fresh. Without it the page is as it was loaded, and everything else works.
"use strict";

const live = document.getElementById("live");
const EVERY = 3000;

async function refresh() {
  try {
    const answer = await fetch(live.dataset.live, { credentials: "same-origin", redirect: "error" });
    if (!answer.ok) {
      throw new Error(String(answer.status));
    }
    // Our own markup, from our own origin, in which everything foreign is escaped already.
    live.innerHTML = await answer.text();
    live.classList.remove("stale");
  } catch {
    live.classList.add("stale");
  }
}

if (live) {
  setInterval(() => document.hidden || refresh(), EVERY);
}
