// Runs the script against the few parts of a page that it touches. Not a browser, but the same code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import vm from 'node:vm';

const SCRIPT = readFileSync(new URL('../../main/resources/META-INF/resources/refrain-form.js', import.meta.url), 'utf8');
const UUID_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

class HTMLFormElement {
  constructor(attributes, fields, elements = []) {
    Object.assign(this, { attributes, fields, elements });
  }
  hasAttribute(name) { return name in this.attributes; }
  getAttribute(name) { return this.attributes[name] ?? null; }
}

/** A tab keeps its storage over pages; a storage of null is one that the browser forbids. */
function open(storage, { done = [] } = {}) {
  const listeners = {};
  const timers = [];
  const listen = (type, listener) => (listeners[type] ??= []).push(listener);
  const context = {
    document: {
      readyState: 'complete',
      addEventListener: listen,
      querySelectorAll: () => done.map(key => ({ getAttribute: () => key })),
    },
    addEventListener: listen,
    location: { pathname: '/orders', search: '' },
    setTimeout: (task, millis = 0) => timers.push({ task, millis }),
    crypto: globalThis.crypto,
    HTMLFormElement,
    File,
  };
  Object.defineProperty(context, 'sessionStorage', { get() {
    if (!storage) throw new Error('SecurityError');
    return storage;
  } });
  vm.runInNewContext(SCRIPT, context);

  const fire = (type, event) => {
    const fired = { defaultPrevented: false, preventDefault() { this.defaultPrevented = true; },
      stopImmediatePropagation() {}, ...event };
    (listeners[type] ?? []).forEach(listener => listener(fired));
    return fired;
  };
  return {
    fire,
    elapse(millis) {
      for (let i = 0; i < timers.length; i++) {
        if (timers[i].millis <= millis && !timers[i].ran) {
          timers[i].ran = true;
          timers[i].task();
        }
      }
    },
    gather(form) {
      const formData = new FormData();
      form.fields.forEach(([name, value]) => formData.append(name, value));
      fire('formdata', { target: form, formData });
      return formData;
    },
    key(form, field = 'idempotency_key') { return this.gather(form).get(field); },
  };
}

class Storage {
  getItem(id) { return Object.hasOwn(this, id) ? this[id] : null; }
  setItem(id, value) { this[id] = value; }
  removeItem(id) { delete this[id]; }
}

const order = (fields = [['item', 'tea']], attributes = {}, elements = []) =>
  new HTMLFormElement({ 'data-idempotent': '', action: '/orders', ...attributes }, fields, elements);

test('the same content has the same key: in this page, after a reload, by the back button', () => {
  const tab = new Storage();
  const first = open(tab).key(order());
  assert.match(first, UUID_4);
  assert.equal(open(tab).key(order()), first);
});

test('changed content, another target and another tab have another key', () => {
  const tab = new Storage();
  const page = open(tab);
  const keys = [
    page.key(order()),
    page.key(order([['item', 'milk']])),
    page.key(order([['item', 'tea'], ['item', 'tea']])),
    page.key(order([['item', 'tea']], { action: '/returns' })),
    page.key(order([['item', new File(['a'], 'a.txt', { lastModified: 1 })]])),
    page.key(order([['item', new File(['ab'], 'a.txt', { lastModified: 1 })]])),
    open(new Storage()).key(order()),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test('what was typed is not stored', () => {
  const tab = new Storage();
  open(tab).key(order([['card', '4242424242424242']]));
  assert.equal(JSON.stringify(tab).includes('4242'), false);
});

test('a token that differs at each load is no content, and neither is the key itself', () => {
  const tab = new Storage();
  const fields = token => [['item', 'tea'], ['_csrf', token], ['idempotency_key', token]];
  assert.equal(open(tab).key(order(fields('1'))), open(tab).key(order(fields('2'))));

  const named = token => order([['seen', token]], { 'data-idempotent': 'order_key', 'data-idempotent-ignore': 'seen' });
  assert.equal(open(tab).key(named('1'), 'order_key'), open(tab).key(named('2'), 'order_key'));
});

test('once it is done the same content is a new intent', () => {
  const tab = new Storage();
  const first = open(tab).key(order());
  const other = open(tab).key(order([['item', 'milk']]));

  const thanks = open(tab, { done: [first] });
  assert.notEqual(thanks.key(order()), first);
  assert.equal(thanks.key(order([['item', 'milk']])), other);

  assert.notEqual(open(tab, { done: [''] }).key(order([['item', 'milk']])), other);
});

test('a script that sends the form itself says when it is done', () => {
  const page = open(new Storage());
  const form = order();
  const first = page.key(form);
  assert.equal(page.key(form), first);
  page.fire('idempotent-done', { target: form });
  assert.notEqual(page.key(form), first);
});

test('a page for which nothing may be stored still has one key for a double click', () => {
  const page = open(null);
  assert.equal(page.key(order()), page.key(order()));
});

test('a form that is not marked is left alone', () => {
  const page = open(new Storage());
  const form = new HTMLFormElement({}, [['item', 'tea']]);
  assert.equal(page.key(form), null);
  assert.equal(page.fire('submit', { target: form }).defaultPrevented, false);
});

test('the button is disabled after the fields are gathered, and enabled by the back button or when nothing came', () => {
  const button = { type: 'submit', disabled: false, setAttribute() {} };
  const locked = { type: 'submit', disabled: true, setAttribute() {} };
  const form = order([], {}, [button, locked]);
  const page = open(new Storage());

  for (const back of [() => page.fire('pageshow', {}), () => page.elapse(10_000)]) {
    assert.equal(page.fire('submit', { target: form }).defaultPrevented, false);
    assert.equal(button.disabled, false);
    assert.equal(page.fire('submit', { target: form }).defaultPrevented, true, 'the second click');
    page.elapse(0);
    assert.equal(button.disabled, true);
    back();
    assert.equal(button.disabled, false);
    assert.equal(locked.disabled, true);
  }
});

test('a form that a script sends is not disabled', () => {
  const button = { type: 'submit', disabled: false, setAttribute() {} };
  const form = order([], {}, [button]);
  const page = open(new Storage());
  page.fire('submit', { target: form, defaultPrevented: true });
  page.elapse(0);
  assert.equal(button.disabled, false);
  assert.equal(page.fire('submit', { target: form }).defaultPrevented, false);
});

test('two buttons that lead elsewhere are two intents', () => {
  const page = open(new Storage());
  const form = order();
  const by = formaction => {
    page.fire('submit', { target: form, submitter: { getAttribute: () => formaction } });
    page.fire('pageshow', {});
    return page.key(form);
  };
  assert.notEqual(by('/draft'), by('/send'));
  assert.equal(by('/draft'), by('/draft'));
});
