/** Whether what is to be done can wait, in a sentence. `urgent`: why it cannot; undefined: it can. `isDone`: nothing is to be done. */
export function waitText(urgent: string | undefined, isDone: boolean): string {
  if (isDone) return 'Nothing is urgent.';
  return urgent === undefined ? 'It can wait until the working day.' : `It cannot wait: ${urgent}`;
}
