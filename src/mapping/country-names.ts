import { hasCountryForm } from '../contract/schemas/fields.ts';
import { lazily } from '../domain/lazily.ts';
import { withoutType, type CellValue } from '../domain/typed-value.ts';
import { Fault, type Convert } from './convert.ts';
import { officialNames } from './country-official-names.ts';

/** Whether the names of countries are known in a language (two letters). */
export function hasCountryNames(language: string): boolean {
  return languages().includes(language);
}

/**
 * Converts the name of a country into its two letters (ISO 3166-1); the letters themselves are taken too. `language`: that of the
 * names; absent: any. The names are those of the runtime and, in English, those of official lists.
 */
export function convertCountry(language?: string): Convert {
  return (raw) => {
    const found = countryOf(raw, language);
    if (found.length === 1) return found[0] ?? unknown;
    return found.length === 0 ? unknown : ambiguous;
  };
}

/** The two letters of each country that a text may mean. */
export function countryOf(raw: CellValue, language?: string): readonly string[] {
  const text = withoutType(raw);
  if (typeof text !== 'string') return [];
  if (hasCountryForm(text.trim())) {
    // The code that is in use: that of the United Kingdom is GB.
    const { region = '' } = new Intl.Locale('und', { region: text.trim() });
    if (countries().includes(region)) return [region];
  }
  const names = language === undefined ? namesInAny() : namesIn(language);
  return [...(names.get(plain(text)) ?? [])];
}

const unknown = new Fault(
  'unknown_country',
  'No country has this name. Correct the cell, or give the name under codes.',
);

const ambiguous = new Fault(
  'unknown_country',
  'Several countries have this name, each in another language. Name the language in the mapping, such as country: en, or give the name under codes.',
);

type Names = ReadonlyMap<string, ReadonlySet<string>>;

const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

const languages = lazily((): readonly string[] => Intl.DisplayNames.supportedLocalesOf(pairs));

/** Regions that have names and are no countries: unions, groups of islands, and codes for tests. */
const noCountries = /^(?:AC|CP|CQ|DG|EA|EU|EZ|IC|QO|TA|UN|X[AB]|ZZ)$/;

/** Those in use: a code that another one has replaced would be a second one of its country. */
const countries = lazily((): readonly string[] => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return pairs
    .map((pair) => pair.toUpperCase())
    .filter(
      (code) =>
        !noCountries.test(code) &&
        names.of(code) !== undefined &&
        new Intl.Locale('und', { region: code }).region === code,
    );
});

/** Collecting them takes about half a second, so it is done only if a name is looked up. */
const namesInAny = lazily((): Names => {
  const all = new Map<string, Set<string>>();
  for (const language of languages()) addNames(all, language);
  return all;
});

const known = new Map<string, Names>();

function namesIn(language: string): Names {
  const found = known.get(language) ?? addNames(new Map(), language);
  known.set(language, found);
  return found;
}

function addNames(names: Map<string, Set<string>>, language: string): Names {
  for (const style of ['long', 'short'] as const) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style });
    for (const code of countries()) {
      const name = display.of(code);
      if (name !== undefined) addName(names, name, code);
    }
  }
  if (language === 'en')
    for (const [code, all] of Object.entries(officialNames))
      for (const name of all) addName(names, name, code);
  return names;
}

function addName(names: Map<string, Set<string>>, name: string, code: string): void {
  const key = plain(name);
  names.set(key, (names.get(key) ?? new Set()).add(code));
}

/** Without accents, capitals and punctuation, and without `the` at an end: Netherlands (the). */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replaceAll(/&/g, ' and ')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replaceAll(/^the | the$/g, '');
}
