/** What a statement answers: at once in an engine within this process, later in one on a server. */
export type StatementAnswer<T> = T | Promise<T>;

/** Goes on with an answer, at once if it is there. */
export function after<T, U>(
  answer: StatementAnswer<T>,
  then: (value: T) => StatementAnswer<U>,
): StatementAnswer<U> {
  return answer instanceof Promise ? answer.then(then) : then(answer);
}

/** An answer of an engine that always answers at once: its transactions wait for nothing. */
export function now<T>(answer: StatementAnswer<T>): T {
  if (answer instanceof Promise) throw new Error('The journal must answer at once, and did not.');
  return answer;
}
