import type { Actor } from '../domain/actor.ts';

/** The tool's language is English, whatever the machine's own language is. */
const locale = 'en-GB';

/** A count with thousands separators: 1,234,567. Without Intl, which takes long to load. */
export function formatCount(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 account`, `2 accounts`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/**
 * A share in percent, such as "75 %": rounded down, and never as nothing or everything where it is neither.
 *
 * @param decimals 0 or 1
 */
export function formatShare(part: number, total: number, decimals: 0 | 1 = 0): string {
  const unit = 10 ** decimals;
  const share = total === 0 ? 0 : Math.floor((part / total) * 100 * unit + 1e-9) / unit;
  const least = 1 / unit;
  return part > 0 && share < least
    ? `under ${least} %`
    : `${part < total ? Math.min(share, 100 - least) : share} %`;
}

/** Makes a sentence of text that can follow a colon. */
export function inSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A rate per second, with a decimal if it is low: 0.4/s, 1,234/s. */
export function formatRate(perSecond: number): string {
  const fine = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  return `${perSecond < 10 ? fine.format(perSecond) : formatCount(perSecond)}/s`;
}

/** A span of `ms` milliseconds in its two largest units: 850ms, 4.2s, 2m 5s, 1h 30m, 3d 4h. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return unit('millisecond', Math.max(0, Math.round(ms)));
  if (ms < 9_950) return unit('second', ms / 1000);
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return unit('second', seconds);
  if (seconds < 3600) return pair(['minute', Math.floor(seconds / 60)], ['second', seconds % 60]);
  const minutes = Math.round(seconds / 60);
  if (minutes < 1440) return pair(['hour', Math.floor(minutes / 60)], ['minute', minutes % 60]);
  const hours = Math.round(minutes / 60);
  return pair(['day', Math.floor(hours / 24)], ['hour', hours % 24]);
}

function pair([large, many]: readonly [string, number], [small, few]: readonly [string, number]): string {
  return few === 0 ? unit(large, many) : `${unit(large, many)} ${unit(small, few)}`;
}

function unit(name: string, value: number): string {
  const style = { style: 'unit', unit: name, unitDisplay: 'narrow', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, style).format(value);
}

/** An instant (ms since the epoch) in a time zone, for people: 2026-07-01 22:03:12. */
export function formatTime(ms: number, timeZone: string): string {
  // The Swedish locale writes the year first.
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone }).format(ms);
}

/** The zone (IANA name) in which people read times: the one configured, or the machine's own. */
export function zoneForPeople(configured: string | undefined): string {
  return configured ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** An instant (ms since the epoch) in a message: 2026-07-01 22:03:12 UTC. */
export function utcTime(ms: number): string {
  return `${formatTime(ms, 'UTC')} UTC`;
}

/** An instant (ms since the epoch) for programs: ISO 8601, UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** For people: who gave a command, where and with which version. */
export function actorText({ user, host, version }: Actor): string {
  return `${user}@${host}, version ${version}`;
}
