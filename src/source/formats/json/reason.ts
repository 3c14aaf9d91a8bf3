import { rejectedBecause } from '../../../domain/shared-codes.ts';
import { ascii } from '../ascii.ts';
import { afterBlanks, stringEnd } from './tokens.ts';

/** A JSON object's text with its reason as the last member; a text that is no object stays as it is. */
export function recordWithReason(text: string, reason: string): string {
  const record = text.trimEnd();
  if (!record.endsWith('}')) return text;
  const members = record.slice(0, -1).trimEnd();
  const kept = withoutReason(members);
  const comma = kept.trimEnd().endsWith('{') ? '' : ',';
  const member = `${comma}${JSON.stringify(rejectedBecause)}:${JSON.stringify(ascii(reason))}`;
  return kept + member + text.slice(members.length);
}

/** An object's text up to its closing brace, without a reason that is its last member. */
function withoutReason(members: string): string {
  const name = JSON.stringify(rejectedBecause);
  const at = members.lastIndexOf(name);
  if (at < 0) return members;
  const colon = afterBlanks(members, at + name.length);
  const start = afterBlanks(members, colon + 1);
  if (members[colon] !== ':' || members[start] !== '"') return members;
  if (stringEnd(members, start) !== members.length) return members;
  const before = members.slice(0, at).trimEnd();
  return before.endsWith(',') ? before.slice(0, -1) : members.slice(0, at);
}
