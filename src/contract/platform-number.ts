/**
 * The form of an account's number on the platform: letters, digits and the signs between them, without blanks. The
 * interface says no more of it (section 2.2).
 */
const form = /^[\p{L}\p{N}](?:[\p{L}\p{N}._/-]{0,126}[\p{L}\p{N}])?$/u;

/** What a program writes in place of a value that it does not have. */
const noValue = /^(null|none|nil|nan|undefined)$/i;

/** Whether a text can be an account's number on the platform. */
export function isPlatformNumber(text: string): boolean {
  return form.test(text) && !noValue.test(text);
}
