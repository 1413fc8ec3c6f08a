/*
 * Refrain: adds an idempotency key to every form marked data-idempotent.
 *
 * Submitting the same content again (double click, reload, back button) uses the same key. Changed content gets a new key, and
 * so does the same content in a form that is opened after the result page said that the last submission is done:
 *
 *   <form method="post" data-idempotent>                  sends the key in the field idempotency_key
 *   <form method="post" data-idempotent="order_key">      sends it in another field
 *   <form ... data-idempotent-ignore="token seen_at">     fields that do not count as content (default: the usual CSRF tokens)
 *   <p data-idempotent-done="KEY">Thank you.</p>          done; without a value, everything that this tab has sent is done
 *   form.dispatchEvent(new Event('idempotent-done', {bubbles: true}))    done, for forms submitted by a script
 */
(() => {
  'use strict';

  const PREFIX = 'refrain:';
  const FIELD = 'idempotency_key';
  const TOKENS = '_csrf csrf_token csrfmiddlewaretoken authenticity_token _token __RequestVerificationToken';
  const ENABLE_AFTER_MILLIS = 10_000;

  const memory = new Map(); // fallback if the browser blocks sessionStorage
  const targets = new WeakMap();
  const lastKeys = new WeakMap();
  const busy = new Set();
  const disabled = new Set();

  // A submission: {key, place, done}.
  const read = id => {
    let stored;
    try {
      stored = sessionStorage.getItem(id);
    } catch { /* memory has it */ }
    return JSON.parse(stored ?? memory.get(id) ?? 'null');
  };

  const write = (id, sent) => {
    memory.set(id, JSON.stringify(sent));
    try {
      sessionStorage.setItem(id, JSON.stringify(sent));
    } catch { /* memory has it */ }
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

  // Going back to the submitted form may mean that submission. A form opened since is a new one.
  const finish = key => sentUnder(key).forEach(id => write(id, { ...read(id), done: true }));

  // Id of this history entry: a reload or the back button does not change it.
  const here = () => globalThis.navigation?.currentEntry?.id;

  const isSameIntent = sent => sent && (!sent.done || (sent.place !== undefined && sent.place === here()));

  // Not crypto.randomUUID, which is missing on pages without TLS.
  const mint = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };

  // The content is not stored, only this hash. On a collision the server rejects the second content.
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

  // Fired whenever the fields are collected: on submit, form.submit() and new FormData(form).
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
    if (busy.has(form)) { // a second click would only get a conflict with the first
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    busy.add(form);
    targets.set(form, event.submitter?.getAttribute('formaction') ?? undefined);
    // Later: a button disabled now would not be submitted, and a script may still cancel and send the form itself.
    setTimeout(() => {
      if (event.defaultPrevented) {
        busy.delete(form);
        return;
      }
      [...form.elements].filter(element => element.type === 'submit' && !element.disabled).forEach(button => {
        button.setAttribute('autocomplete', 'off'); // otherwise Firefox keeps it disabled after a reload
        button.disabled = true;
        disabled.add(button);
      });
      setTimeout(enable, ENABLE_AFTER_MILLIS); // after a download or a failure it can be sent again, under its key
    });
  }, true);

  addEventListener('pageshow', enable); // back button

  document.addEventListener('idempotent-done', event => lastKeys.has(event.target) && forget(lastKeys.get(event.target)));

  const readPage = () => document.querySelectorAll('[data-idempotent-done]')
    .forEach(element => finish(element.getAttribute('data-idempotent-done')));
  document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', readPage) : readPage();
})();
