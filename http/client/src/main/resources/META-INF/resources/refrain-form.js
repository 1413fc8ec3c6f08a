/*
 * Refrain: one key per intent, for every form marked data-idempotent.
 *
 * The same content sent again, by a double click, after a reload or by the back button, has the same key. Changed content has
 * a new one, and so has the same content in a form that is opened after the page that answers said that it is done:
 *
 *   <form method="post" data-idempotent>                  the key is sent as the field idempotency_key
 *   <form method="post" data-idempotent="order_key">      or as another
 *   <form ... data-idempotent-ignore="token seen_at">     fields that are no content, instead of the usual CSRF tokens
 *   <p data-idempotent-done="KEY">Thank you.</p>          done; without a value, everything that this tab has sent is done
 *   form.dispatchEvent(new Event('idempotent-done', {bubbles: true}))    done, where a script sends the form
 */
(() => {
  'use strict';

  const PREFIX = 'refrain:';
  const FIELD = 'idempotency_key';
  const TOKENS = '_csrf csrf_token csrfmiddlewaretoken authenticity_token _token __RequestVerificationToken';
  const ENABLE_AFTER_MILLIS = 10_000;

  const memory = new Map(); // where the browser stores nothing for this page
  const targets = new WeakMap();
  const lastKeys = new WeakMap();
  const busy = new Set();
  const disabled = new Set();

  // What was sent: {key, place, done}.
  const read = id => {
    let stored;
    try {
      stored = sessionStorage.getItem(id);
    } catch { /* in memory, then */ }
    return JSON.parse(stored ?? memory.get(id) ?? 'null');
  };

  const write = (id, sent) => {
    memory.set(id, JSON.stringify(sent));
    try {
      sessionStorage.setItem(id, JSON.stringify(sent));
    } catch { /* in memory, then */ }
  };

  const sentUnder = key => {
    const ids = new Set(memory.keys());
    try {
      Object.keys(sessionStorage).filter(id => id.startsWith(PREFIX)).forEach(id => ids.add(id));
    } catch { /* nothing was stored */ }
    return [...ids].filter(id => !key || read(id)?.key === key);
  };

  const forget = key => sentUnder(key).forEach(id => {
    memory.delete(id);
    try {
      sessionStorage.removeItem(id);
    } catch { /* nothing was stored */ }
  });

  // Who goes back to the form that was sent may mean that one. A form that was opened since is another.
  const finish = key => sentUnder(key).forEach(id => write(id, { ...read(id), done: true }));

  // This entry of the tab's history: the same by reload and the back button.
  const here = () => globalThis.navigation?.currentEntry?.id;

  const isSameIntent = sent => sent && (!sent.done || (sent.place !== undefined && sent.place === here()));

  // By hand, because crypto.randomUUID is missing on pages without TLS.
  const mint = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };

  // What was typed is not stored, only this. If two contents ever share it, the server refuses the second.
  const hash = text => {
    let a = 0xdeadbeef;
    let b = 0x41c6ce57;
    for (let i = 0; i < text.length; i++) {
      a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
      b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return (b >>> 0).toString(36) + '-' + (a >>> 0).toString(36);
  };

  const content = (form, data, ignored) => JSON.stringify([
    targets.get(form) ?? form.getAttribute('action') ?? location.pathname + location.search,
    ...[...data]
      .filter(([name]) => !ignored.includes(name))
      .map(([name, value]) => [name, value instanceof File ? [value.name, value.size, value.lastModified] : value]),
  ]);

  const isMarked = form => form instanceof HTMLFormElement && form.hasAttribute('data-idempotent');

  // Comes whenever the fields are gathered: for a submit, for form.submit() and for new FormData(form).
  document.addEventListener('formdata', event => {
    const form = event.target;
    if (!isMarked(form)) {
      return;
    }
    const field = form.getAttribute('data-idempotent') || FIELD;
    const ignored = (form.getAttribute('data-idempotent-ignore') ?? TOKENS).split(/\s+/).concat(field);
    const id = PREFIX + hash(content(form, event.formData, ignored));
    const before = read(id);
    const sent = { ...(isSameIntent(before) ? before : { key: mint() }), place: here() };
    write(id, sent);
    lastKeys.set(form, sent.key);
    event.formData.set(field, sent.key);
  }, true);

  const enable = () => {
    disabled.forEach(button => { button.disabled = false; });
    disabled.clear();
    busy.clear();
  };

  document.addEventListener('submit', event => {
    const form = event.target;
    if (!isMarked(form)) {
      return;
    }
    if (busy.has(form)) { // a second click would only be told that the first is still being worked on
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    busy.add(form);
    targets.set(form, event.submitter?.getAttribute('formaction') ?? undefined);
    // Afterwards: a button that is disabled now would not be sent, and a script may yet send the form by itself.
    setTimeout(() => {
      if (event.defaultPrevented) {
        busy.delete(form);
        return;
      }
      [...form.elements].filter(element => element.type === 'submit' && !element.disabled).forEach(button => {
        button.setAttribute('autocomplete', 'off'); // or Firefox disables it again after a reload
        button.disabled = true;
        disabled.add(button);
      });
      setTimeout(enable, ENABLE_AFTER_MILLIS); // a download, or a server that is away: it can be sent again, under its key
    });
  }, true);

  addEventListener('pageshow', enable); // by the back button

  document.addEventListener('idempotent-done', event => lastKeys.has(event.target) && forget(lastKeys.get(event.target)));

  const readPage = () => document.querySelectorAll('[data-idempotent-done]')
    .forEach(element => finish(element.getAttribute('data-idempotent-done')));
  document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', readPage) : readPage();
})();
