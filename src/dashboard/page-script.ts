/**
 * The script of the page, for browsers. It replaces each box that the server sends, and keeps what the reader has open,
 * scrolled or focused in it.
 */
export const pageScript = `
const connection = document.getElementById('connection');
const events = new EventSource('events' + location.search);
events.addEventListener('open', () => { connection.textContent = 'Live.'; });
events.addEventListener('error', () => {
  connection.textContent = events.readyState === EventSource.CLOSED
    ? 'Not connected. Reload the page.'
    : 'Connection lost. Reconnecting.';
});
events.addEventListener('reload', () => location.reload());
events.addEventListener('box', ({ data }) => {
  const { id, content } = JSON.parse(data);
  const box = document.getElementById(id);
  if (box !== null) replace(box, content);
});

function replace(box, content) {
  const all = (selector) => [...box.querySelectorAll(selector)];
  const focusable = 'a, button, input, summary, [tabindex]';
  const open = all('details').map((details) => details.open);
  const scrolled = all('.scroll').map((region) => region.scrollLeft);
  const focused = all(focusable).indexOf(document.activeElement);
  box.innerHTML = content;
  all('details').forEach((details, at) => { details.open = open[at] ?? false; });
  all('.scroll').forEach((region, at) => { region.scrollLeft = scrolled[at] ?? 0; });
  if (focused !== -1) all(focusable)[focused]?.focus({ preventScroll: true });
}
`;
