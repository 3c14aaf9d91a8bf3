/** Locales whose ways to write a currency are known to the runtime. */
const locales = 'en en-GB en-CA en-AU de de-CH fr fr-CH it es es-MX pt pt-BR nl nl-BE pl cs sk hu ro bg hr sl sr da sv nb fi et lv lt el tr uk ru he ar ja zh zh-TW ko th vi id hi'.split(' '); // prettier-ignore

/** What the runtime does not have. */
const others: Readonly<Record<string, readonly string[]>> = {
  // In the encodings of Japan and Korea, the sign has the place of the backslash.
  JPY: ['\\', '圓'],
  KRW: ['\\'],
  GBP: ['GBP£'],
};

/** The symbols, words and codes of a currency (ISO 4217) as files write them, the longest first, as NFKC has them. */
export function currencyMarks(currency: string): readonly string[] {
  const marks = new Set<string>([currency, ...(others[currency] ?? [])]);
  for (const locale of locales)
    for (const currencyDisplay of ['symbol', 'narrowSymbol', 'name'] as const)
      for (const amount of [1, 2, 5]) {
        const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
        for (const { type, value } of format.formatToParts(amount)) if (type === 'currency') marks.add(value);
      }
  const plain = [...marks].map((mark) =>
    mark
      .normalize('NFKC')
      .replaceAll(/[\u200e\u200f\u061c]/g, '')
      .trim(),
  );
  return [...new Set(plain)].filter((mark) => mark !== '').sort((one, other) => other.length - one.length);
}

/** An amount without one mark of its currency before or behind the number, or its sign. */
export function withoutCurrency(text: string, marks: readonly string[]): string {
  const lower = text.toLowerCase();
  for (const mark of marks) {
    const found = mark.toLowerCase();
    const at = lower.indexOf(found);
    if (at === -1 || lower.length !== text.length) continue;
    const [before, behind] = [text.slice(0, at), text.slice(at + found.length)];
    // Only signs and blanks are beside it, and no further letter.
    if (isOuter.test(before) && !/^[\p{L}\p{M}]/u.test(behind)) return (before + behind.trimStart()).trim();
    if (isOuter.test(behind) && !/[\p{L}\p{M}]$/u.test(before)) return (before.trimEnd() + behind).trim();
  }
  return text;
}

const isOuter = /^[\s()+\-−▲△]*$/u;
