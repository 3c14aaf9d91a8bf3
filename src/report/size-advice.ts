import { formatCount } from './format.ts';
import type { RunEnding } from './ending.ts';

/** What a gateway that refused large requests takes, and the setting that keeps them from it. */
export function sizeAdvice({ bodyLimit }: Pick<RunEnding, 'bodyLimit'>): string[] {
  if (bodyLimit === undefined) return [];
  const { refusedBytes, acceptedBytes } = bodyLimit;
  const bytes = (count: number): string => `${formatCount(count)} bytes`;
  const accepted = acceptedBytes === 0 ? '' : `, and took one of ${bytes(acceptedBytes)}`;
  const rounded = Math.floor(acceptedBytes / 1000) * 1000;
  const setting = rounded < 4096 ? '' : `, or set \`bytesPerRequest: ${rounded}\``;
  return [
    `A gateway refused a request of ${bytes(refusedBytes)} for its size (413)${accepted}. Lists are divided. Ask its operator to raise the limit (nginx: client_max_body_size)${setting}.`,
  ];
}
