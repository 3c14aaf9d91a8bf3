import type { FailingStep } from '../domain/failing-step.ts';
import { counted, formatCount } from './format.ts';

const status = /^(?:gateway_)?http_(\d{3})$/;

/** What the platform does not do for some accounts, and what tells these from others: one paragraph for each step. */
export function failingStepsText({
  failingSteps = [],
  isUnavailable = false,
}: {
  readonly failingSteps?: readonly FailingStep[] | undefined;
  readonly isUnavailable?: boolean;
}): string[] {
  const isAllElse = failingSteps.length === 1 && !isUnavailable;
  return failingSteps.map(
    (failing) =>
      `${failingStepText(failing)}${isAllElse ? ' Everything else works.' : ''} Ask the platform's operator.`,
  );
}

function failingStepText({ step, cause, failed, passed, differences, compared }: FailingStep): string {
  const [, code] = status.exec(cause) ?? [];
  const answers = code === undefined ? `fails (${cause})` : `answers ${code}`;
  const others = passed === 0 ? '' : `, and ${formatCount(passed)} passed it`;
  const start = `${step} ${answers} for ${counted(failed, 'account')}${others}.`;
  if (differences.length === 0) return start;
  return `${start} What they share, and none of ${formatCount(compared)} compared accounts that passed: ${differences.join('; ')}.`;
}
