import { encodingOf } from './encoding.ts';
import { lineEndsInText } from './physical-lines.ts';

/** Encodings with a byte for each letter, and languages that are written in them. */
const families = [
  {
    encodings: ['windows-1252', 'iso-8859-15'],
    /** The letters of a language that are not ASCII, the most frequent first. */
    languages: [
      'üäöß', // German
      'éèàêçîâôûùëïœæ', // French
      'àèùòìé', // Italian
      'óíáéñúü', // Spanish
      'ãçáéíóõêâúàôü', // Portuguese
      'àéèíòóúçïü', // Catalan
      'åøæéö', // Danish, Norwegian
      'äåöé', // Swedish, Finnish
      'áíéðúóþæýö', // Icelandic
      'ëéïöüè', // Dutch
      'äõüöšž', // Estonian
    ],
  },
  {
    encodings: ['windows-1250', 'iso-8859-2'],
    languages: [
      'áíéěřčýžšůúóťňď', // Czech
      'áíéčýžšúľťôňóäďĺŕ', // Slovak
      'łóążęśćńź', // Polish
      'áéöóőíüúű', // Hungarian
      'čšžćđ', // Croatian, Slovene
      'ăîâşţ', // Romanian
    ],
  },
  { encodings: ['windows-1254'], isRare: true, languages: ['ıişüğöç'] /* Turkish */ },
  {
    isRare: true,
    encodings: ['windows-1257', 'iso-8859-13'],
    languages: [
      'āīēšņļūķčžģ', // Latvian
      'ėšųžįčūąę', // Lithuanian
    ],
  },
] as const;

type Encoding = (typeof families)[number]['encodings'][number];

export function isCentralEncoding(name: string | undefined): boolean {
  return families[1].encodings.some((central) => central === name);
}

/** A run of bytes of which each is a letter in one of the encodings, and in none of them a dash, a quote or a space. */
const words = /[A-Za-z\x8a\x8c-\x8f\x9a\x9c-\x9f\xa1-\xff]{3,}/g;
const notAscii = /[\x80-\xff]/;
/** Signs at the end of a word or around it: m³, «mot». */
const signs = /m[\xb2\xb3]$|^[\xab\xbb].*[\xab\xbb]$/;
const mostWords = 2000;

/** The weights of a letter that the language does not have, and of a sign within a word. */
const [foreign, noLetter] = [1 / 500, 1 / 10_000];
/** How much more likely a less common encoding has to be. */
const enough = Math.log(10);

/** A word that two encodings read differently. */
export interface Example {
  readonly line: number;
  readonly readings: readonly [string, string];
}

/** An encoding of another language than the Western ones. */
export interface OtherEncoding {
  readonly name: Encoding;
  readonly isClear: boolean;
  /** One of another language that is as likely; absent if it is the Western one. */
  readonly rival: Encoding | undefined;
  /** Read in this one, and in the other; absent if it is clear, or both read all words alike. */
  readonly example: Example | undefined;
}

/** The letters of words that are not ASCII, in lower case, and how often each occurs; '' stands for signs. */
type Letters = ReadonlyMap<string, number>;

/** A sign that stands by itself beside a number, as that of a currency or a unit does: £45, 12°. */
const besideNumber = /(?<![A-Za-z\x80-\xff])[\x80-\xbf](?=\d)|(?<=\d)[\x80-\xbf](?![A-Za-z\x80-\xff])/g;
/** A byte that is a sign in windows-1252, and a letter in other encodings. */
const maySign = /[\x80-\x89\x8b\x91-\x99\x9b\xa1-\xbf]/g;

/** The same at an end of a word. */
const outerSigns = /^[\x80-\x89\x8b\x91-\x99\x9b\xa1-\xbf]|[\x80-\x89\x8b\x91-\x99\x9b\xa1-\xbf]$/g;

/** The different words of a text, by whose letters encodings are told apart. Each byte of a text is one character here. */
export class WordLetters {
  #words = new Set<string>();
  /** The lines on which they are first. */
  readonly #lines = new Map<string, number>();
  /** How often each byte stands beside numbers, and in words. */
  readonly #uses = new Map<string, { asSign: number; inWords: number }>();

  /** `line`: that of the beginning of the text. */
  add(text: string, line: number): void {
    let [counted, at] = [line, 0];
    for (const [sign] of text.matchAll(besideNumber)) this.#use(sign).asSign += 1;
    for (const { 0: word, index } of text.matchAll(words)) {
      if (!notAscii.test(word) || signs.test(word)) continue;
      // No word goes on with a number: PAYG£10.
      const end = text.charAt(index + word.length);
      if (/\d/.test(end) && /[\x80-\xbf]$/.test(word)) {
        this.#use(word.slice(-1)).asSign += 1;
        continue;
      }
      for (const [sign] of word.matchAll(maySign)) this.#use(sign).inWords += 1;
      if (this.#words.size >= mostWords || this.#words.has(word)) continue;
      this.#words.add(word);
      counted += lineEndsInText(text.slice(at, index));
      at = index;
      this.#lines.set(word, counted);
    }
  }

  #use(sign: string): { asSign: number; inWords: number } {
    let use = this.#uses.get(sign);
    if (use === undefined) this.#uses.set(sign, (use = { asSign: 0, inWords: 0 }));
    return use;
  }

  /** Leaves out the words whose letters may be signs by the whole of the text: a sign is no evidence of a language. */
  #withoutSigns(): void {
    const isSign = (byte: string): boolean => {
      const use = this.#uses.get(byte);
      return use !== undefined && use.asSign >= use.inWords;
    };
    this.#words = new Set(
      [...this.#words].filter((word) => {
        const others = word.match(/[\x80-\xff]/g) ?? [];
        return !others.every((byte) => byte === '\xb7' || isSign(byte));
      }),
    );
  }

  /**
   * The encoding of another language than the Western ones that the words may be in, and whether it is clear that they are: no
   * Western one is as likely, or reads them alike. undefined if a Western one is clearly more likely.
   * `hasControls`: the text has bytes that are control characters in the encodings of ISO 8859.
   */
  other(hasControls: boolean): OtherEncoding | undefined {
    this.#withoutSigns();
    if (this.#words.size === 0 || !this.#isLatin()) return undefined;
    const [western, ...others] = families.map(({ encodings, languages, ...family }) => {
      // Fewer files are in them, and their letters are those of other languages.
      const rarity = 'isRare' in family ? 2 * enough : 0;
      const possible = encodings.filter((name) => !hasControls || name.startsWith('windows'));
      const found = possible.map((name) => {
        const letters = this.#letters(name);
        return {
          name,
          likelihood: Math.max(...languages.map((language) => likelihoodOf(letters, language))) - rarity,
        };
      });
      // The first is much more common in files.
      return found.reduce((best, other) => (other.likelihood > best.likelihood + enough ? other : best));
    });
    const [best, second] = others.sort((one, other) => other.likelihood - one.likelihood);
    if (western === undefined || best === undefined) return undefined;
    const { name } = best;
    const more = best.likelihood - western.likelihood;
    if (more < -enough) return undefined;
    const isAlone =
      second === undefined ||
      best.likelihood - second.likelihood > enough ||
      !this.#differs(name, second.name);
    const isClear = more > enough && this.#differs(name, 'windows-1252') && isAlone && this.#hasLetters();
    const rival = more > enough && !isAlone ? second.name : undefined;
    return {
      name,
      isClear,
      rival,
      example: isClear ? undefined : this.#example(name, rival ?? 'windows-1252'),
    };
  }

  /** Whether there is a word with more than a sign before or behind it, or several of these. */
  #hasLetters(): boolean {
    return (
      this.#words.size > 2 || [...this.#words].some((word) => notAscii.test(word.replaceAll(outerSigns, '')))
    );
  }

  /** The first word that two encodings read differently. */
  #example(one: Encoding, other: Encoding): Example | undefined {
    for (const [word, line] of this.#lines) {
      const readings = [decoded(word, one), decoded(word, other)] as const;
      if (this.#words.has(word) && readings[0] !== readings[1]) return { line, readings };
    }
    return undefined;
  }

  #letters(encoding: Encoding): Letters {
    const counts = new Map<string, number>();
    for (const word of this.#words) {
      const text = decoded(word, encoding);
      for (const { 0: letter, index } of text.matchAll(/\P{ASCII}/gu)) {
        // So is a capital after a small letter: Acme® is AcmeŽ in another encoding.
        const isSign = !/\p{L}/u.test(letter) || /^\p{Ll}\p{Lu}/u.test(text.slice(Math.max(0, index - 1)));
        const key = isSign ? '' : letter.toLowerCase();
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** Whether the words have letters of ASCII, as those of other scripts do not. */
  #isLatin(): boolean {
    const all = [...this.#words].join('');
    const ascii = all.match(/[A-Za-z]/g)?.length ?? 0;
    return all.length - ascii <= 3 * ascii;
  }

  /** Whether a word reads differently in the two. */
  #differs(one: Encoding, other: Encoding): boolean {
    return [...this.#words].some((word) => decoded(word, one) !== decoded(word, other));
  }
}

/** The logarithm of how likely these letters are in a language. */
function likelihoodOf(letters: Letters, language: string): number {
  const weights = new Map(Array.from(language, (letter, at) => [letter, 1 / (at + 2)]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  let likelihood = 0;
  for (const [letter, count] of letters) {
    const weight = weights.get(letter);
    const share = weight === undefined ? (letter === '' ? noLetter : foreign) : weight / all;
    likelihood += count * Math.log(share);
  }
  return likelihood;
}

function decoded(word: string, encoding: Encoding): string {
  const bytes = Buffer.from(word, 'latin1');
  return encodingOf(bytes, encoding).lenient(bytes).toString();
}
