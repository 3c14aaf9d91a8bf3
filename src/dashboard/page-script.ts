import { script } from '../report/html-report/markup.ts';

/** Milliseconds without data after which a page says so: two looks were missed. */
const silenceMs = 5_000;

/**
 * The script of the live page, for browsers. It patches each box that the server sends: a node whose content is the same is not
 * touched, and a row stays the row of its account, so that focus, selection and open details remain. The time of the look is the
 * heartbeat.
 */
export const pageScript = script(`
const connection = document.getElementById('connection');
const silence = document.getElementById('no-data');
const title = document.title;
let seen = lookOf();
let seenAt = performance.now();
let isOpen = false;

const events = new EventSource('events' + location.search);
events.addEventListener('open', () => { isOpen = true; tell(); });
events.addEventListener('error', () => { isOpen = false; tell(); });
events.addEventListener('reload', () => location.reload());
events.addEventListener('box', ({ data }) => {
  const { id, content } = JSON.parse(data);
  const box = document.getElementById(id);
  if (box === null) return;
  replace(box, content);
  if (id !== 'box-time') return;
  const look = lookOf();
  if (look?.dateTime === seen?.dateTime) return;
  seen = look;
  seenAt = performance.now();
  tell();
});
setInterval(tell, 1000);

function lookOf() {
  const time = document.querySelector('#box-time time');
  return time === null ? undefined : { dateTime: time.dateTime, clock: time.dataset.clock };
}

function tell() {
  const isSilent = performance.now() - seenAt >= ${silenceMs};
  const lost = events.readyState === EventSource.CLOSED ? 'Not connected. Reload the page.' : 'Connection lost. Reconnecting.';
  const words = isOpen ? (isSilent ? 'Connected. No new data.' : 'Live.') : lost;
  if (connection.textContent !== words) connection.textContent = words;
  if (silence.hidden !== isSilent && !isSilent) return;
  const since = seen === undefined ? 'No data yet' : 'No data since ' + seen.clock;
  const heading = isSilent ? since : '';
  if (silence.firstElementChild.textContent !== heading) silence.firstElementChild.textContent = heading;
  silence.hidden = !isSilent;
  document.body.classList.toggle('silent', isSilent);
  document.title = isSilent ? since + ' · ' + title : title;
}

function replace(box, content) {
  const template = document.createElement('template');
  template.innerHTML = content;
  const hadFocus = box.contains(document.activeElement);
  const selection = document.getSelection();
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  patchChildren(box, template.content);
  const isMoved = selection.anchorNode !== anchorNode || selection.focusNode !== focusNode;
  const isThere = (node, offset) => node?.isConnected === true && offset <= (node.length ?? node.childNodes.length);
  if (isMoved && isThere(anchorNode, anchorOffset) && isThere(focusNode, focusOffset))
    selection.setBaseAndExtent(anchorNode, anchorOffset, focusNode, focusOffset);
  // The row of the focused account is gone: another one must not be in its place.
  if (hadFocus && !box.contains(document.activeElement)) box.querySelector('.scroll')?.focus({ preventScroll: true });
}

function patch(node, next) {
  if (node.isEqualNode(next)) return;
  if (node.nodeType !== Node.ELEMENT_NODE) {
    node.nodeValue = next.nodeValue;
    return;
  }
  const isKept = (name) => node.localName === 'details' && name === 'open';
  for (const { name } of [...node.attributes])
    if (!next.hasAttribute(name) && !isKept(name)) node.removeAttribute(name);
  for (const { name, value } of [...next.attributes])
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  patchChildren(node, next);
}

function keyOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? (node.dataset?.key ?? '') : '';
}

function patchChildren(parent, next) {
  const isKeyed = [...next.childNodes].some((node) => keyOf(node) !== '');
  const isShown = (node) => !isKeyed || node.nodeType === Node.ELEMENT_NODE;
  const before = [...parent.childNodes];
  const unused = new Set(before.filter(isShown));
  const wanted = [...next.childNodes].filter(isShown).map((node) => {
    const same = [...unused].find((one) => one.nodeName === node.nodeName && keyOf(one) === keyOf(node));
    if (same === undefined) return node;
    unused.delete(same);
    patch(same, node);
    return same;
  });
  for (const node of before) if (!wanted.includes(node)) node.remove();
  const staying = stayingOf(wanted, before);
  let after = null;
  for (const node of wanted.reverse()) {
    if (!staying.has(node) && (node.parentNode !== parent || node.nextSibling !== after)) parent.insertBefore(node, after);
    after = node;
  }
}

/** As many nodes as possible that need not move, and among them the one with the focus: moving it loses that. */
function stayingOf(wanted, before) {
  const placed = wanted.map((node) => ({ node, from: before.indexOf(node) })).filter(({ from }) => from !== -1);
  const fits = (one, other) => Math.sign(placed.indexOf(one) - placed.indexOf(other)) === Math.sign(one.from - other.from);
  let candidates = placed;
  const focused = placed.find(({ node }) => node.contains(document.activeElement));
  if (focused !== undefined) candidates = placed.filter((one) => fits(one, focused));
  const best = [];
  for (const [at, { from }] of candidates.entries()) {
    const shorter = best.filter((chain) => candidates[chain.at(-1)].from < from);
    best.push([...(shorter.sort((a, b) => b.length - a.length)[0] ?? []), at]);
  }
  const longest = best.sort((a, b) => b.length - a.length)[0] ?? [];
  return new Set(longest.map((at) => candidates[at].node));
}
`);
