/** A format for numbers that are names, such as postal codes: digits and texts, and nothing of an amount. */
export interface NumberPattern {
  /** The format as the workbook has it. */
  readonly code: string;
  readonly sections: readonly Section[];
}

/** What a format makes of some of the numbers. */
interface Section {
  /** Which numbers, if it says so itself. */
  readonly condition?: { readonly operator: string; readonly than: number } | undefined;
  /** Texts, and the places of digits. */
  readonly tokens: readonly (Digit | Text)[];
  /** It has a mark of an amount or a fraction, or the places of any number. */
  readonly isAmount: boolean;
}

interface Digit {
  /** `0` shows a zero where the number has no digit; `#` and `?` do not. */
  readonly digit: '0' | '#' | '?';
}

interface Text {
  readonly text: string;
}

const token = /"([^"]*)"?|\\(.)|[_*].|\[([^\]]*)\]|general|(E[+-])|(.)/gisu;
const condition = /^(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)$/;

/** The pattern of a format; undefined if it shows an amount, with or without a unit, or a plain number. */
export function patternOf(code: string): NumberPattern | undefined {
  const sections = sectionsOf(code);
  const [first] = sections;
  if (first === undefined || first.isAmount || grouped.test(drawn(first.tokens))) return undefined;
  const isDelta = sections.length > 1 && /^[+−-][#0?]/.test(drawn(first.tokens));
  return !isDelta && isName(first.tokens) ? { code, sections } : undefined;
}

/** Thousands that are set apart by a text of the format, as in `#\\ ##0`. */
const grouped = /#(?:[\s'’]##[#0])*[\s'’]##0(?!\d)/;

function drawn(tokens: Section['tokens']): string {
  return tokens.map((one) => ('text' in one ? one.text : one.digit)).join('');
}

/** A number as its cell shows it; undefined if that is not the number: it has decimals, or the format hides it. */
export function shownByPattern({ sections }: NumberPattern, text: string): string | undefined {
  const number = Number(text);
  const { section, sign } = sectionFor(sections, number);
  if (section === undefined) return undefined;
  const { tokens } = section;
  const hasTexts = tokens.some((one) => 'text' in one);
  if (section.isAmount || tokens.length === 0) return text;
  if (!tokens.some((one) => 'digit' in one)) return undefined;
  // A number with a few zeros before it is still the number.
  if (!Number.isInteger(number)) return hasTexts ? undefined : text;
  if (number < 0 && !hasTexts) return text;
  const shown = `${sign}${filled(tokens, text.replace('-', ''))}`;
  // Where a text of the format stands before the only digits that the number has, it looks like a sign.
  return number >= 0 && negative.test(shown) ? undefined : shown;
}

const negative = /^\s*(?:[-−]\s*\d+|\(\d+\))\s*$/;

function sectionFor(
  sections: readonly Section[],
  number: number,
): { readonly section: Section | undefined; readonly sign: string } {
  const [first, second, third] = sections;
  const sign = number < 0 ? '-' : '';
  if (sections.some(({ condition: own }) => own !== undefined)) {
    const section = sections.find(({ condition: own }) => own === undefined || holds(number, own));
    return { section, sign };
  }
  if (number < 0 && second !== undefined) return { section: second, sign: '' };
  return { section: number === 0 && third !== undefined ? third : first, sign };
}

function holds(number: number, { operator, than }: NonNullable<Section['condition']>): boolean {
  switch (operator) {
    case '<':
      return number < than;
    case '>':
      return number > than;
    case '<=':
      return number <= than;
    case '>=':
      return number >= than;
    case '=':
      return number === than;
    default:
      return number !== than;
  }
}

/** The digits from the last place to the first, which takes all that are left. */
function filled(tokens: Section['tokens'], digits: string): string {
  let rest = digits === '0' ? '' : digits;
  let shown = '';
  const firstDigit = tokens.findIndex((one) => 'digit' in one);
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const one = tokens[at];
    if (one === undefined) continue;
    if ('text' in one) {
      shown = one.text + shown;
      continue;
    }
    const own = at === firstDigit ? rest : rest.slice(-1);
    rest = rest.slice(0, rest.length - own.length);
    shown = (own === '' && one.digit === '0' ? '0' : own) + shown;
  }
  return shown;
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether the number is one that names something: it has zeros before it, or texts that are no unit of it. */
function isName(tokens: Section['tokens']): boolean {
  const digits = tokens.flatMap((one, at) => ('digit' in one ? [at] : []));
  const [first, last] = [digits[0], digits.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (tokens.filter((one) => 'digit' in one && one.digit === '0').length > 1) return true;
  const textOf = (from: number, to: number): string =>
    tokens
      .slice(from, to)
      .map((one) => ('text' in one ? one.text : ''))
      .join('')
      .trim();
  const before = textOf(0, first);
  const isUnit = /^\p{Sc}*$/u.test(before) || currencies.has(before.replace(/\W/g, '').toUpperCase());
  // A unit follows as a word or a sign, and has no digit of its own.
  return !isUnit || textOf(first, last) !== '' || /\d|^[-/_.:][\p{L}]/u.test(textOf(last, tokens.length));
}

function sectionsOf(code: string): readonly Section[] {
  const sections: Section[] = [];
  let tokens: (Digit | Text)[] = [];
  let own: Section['condition'];
  let isAmount = false;
  const end = (): void => {
    sections.push({ condition: own, tokens: joined(tokens), isAmount });
    [tokens, own, isAmount] = [[], undefined, false];
  };
  for (const [found, quoted, escaped, bracket, exponent, plain] of code.matchAll(token)) {
    if (quoted !== undefined || escaped !== undefined) tokens.push({ text: quoted ?? escaped ?? '' });
    else if (bracket !== undefined) {
      const [, operator, than] = condition.exec(bracket) ?? [];
      if (operator !== undefined) own = { operator, than: Number(than) };
      // A currency, with or without its country.
      const sign = /^\$([^-]+)/.exec(bracket)?.[1];
      if (sign !== undefined) tokens.push({ text: sign });
    } else if (exponent !== undefined) isAmount = true;
    else if (plain === ';') end();
    else if (plain === '0' || plain === '#' || plain === '?') tokens.push({ digit: plain });
    else if (plain !== undefined && '.,%/@'.includes(plain)) isAmount = true;
    else if (plain !== undefined) tokens.push({ text: plain });
    else if (/^general$/i.test(found)) tokens.push({ digit: '0' });
  }
  end();
  return sections;
}

function joined(tokens: readonly (Digit | Text)[]): readonly (Digit | Text)[] {
  return tokens.filter((one) => !('text' in one) || one.text !== '');
}
