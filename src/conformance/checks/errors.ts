import { readRefusal } from '../../contract/refusal.ts';
import { anyValidate, type ConformanceCheck } from '../check.ts';
import type { Answered } from '../sandbox.ts';
import { refusedPhone } from './payload-rules.ts';

/** Section 7: the form of a validation error. */
export const errorChecks: readonly ConformanceCheck[] = [
  {
    section: '7',
    sentence: 'attr, the path of the field: names and positions from zero',
    asks: [anyValidate],
    account: 'new',
    run: async (trial) => {
      const wrong = refusedPhone(trial);
      if (wrong === undefined) return;
      const answered = await trial.validate(wrong.payload);
      trial.expectInvalid(answered, wrong.path);
      const others = pathsOf(answered).filter((path) => path !== wrong.path);
      trial.expect(others.length === 0, `no error beside that of ${wrong.path}`, answered);
    },
  },
  {
    section: '7',
    sentence: 'a code, which does not change',
    asks: [anyValidate],
    account: 'new',
    run: async (trial) => {
      const wrong = refusedPhone(trial);
      if (wrong === undefined) return;
      const ask = () => trial.validate(wrong.payload);
      const [one, two] = [await ask(), await ask()];
      const same = codesOf(one).join() === codesOf(two).join();
      trial.expect(same, `the codes ${codesOf(one).join(', ')} again for the same payload`, two);
    },
  },
];

function pathsOf({ body }: Answered): readonly string[] {
  return readRefusal(body)?.problems.map(({ path }) => path) ?? [];
}

function codesOf({ body }: Answered): readonly string[] {
  return (readRefusal(body)?.problems ?? []).map(({ code, path }) => `${path} ${code}`).sort();
}
