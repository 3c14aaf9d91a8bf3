import type { SeededRandom } from './seeded-random.ts';

/** A country with invented places, and telephone numbers of the ranges kept free for examples and fiction. */
export interface Country {
  readonly code: string;
  /** Pairs of locality and administrative area. */
  readonly towns: readonly [Town, ...Town[]];
  readonly streets: readonly [string, ...string[]];
  readonly postalCode: (random: SeededRandom) => string;
  /** As people write it within the country, or with its prefix. */
  readonly landline: (random: SeededRandom) => string;
}

type Town = readonly [locality: string, area: string];

export const countries: readonly [Country, ...Country[]] = [
  {
    code: 'GB',
    towns: [
      ['Norvale', 'Westmarch'],
      ['Easterbrook', 'Holmshire'],
      ["St Brannoc's", 'Westmarch'],
    ],
    streets: ['High Street', 'Old Mill Lane', "King's Court", 'Flat 2, The Maltings'],
    postalCode: (random) =>
      `ZZ${random.between(1, 20)} ${random.between(1, 9)}${random.pick(['AA', 'DB', 'QX', 'TN'])}`,
    landline: (random) => random.pick(['020 7946 0', '+441134960']) + random.digits(3),
  },
  {
    code: 'DE',
    towns: [
      ['Grünfelde', 'Nordmark'],
      ['Königsaue', 'Südmark'],
    ],
    streets: ['Große Straße', 'Mühlenweg', 'Am Äußeren Tor'],
    postalCode: (random) => `0${random.between(1, 9)}${random.digits(3)}`,
    landline: (random) => random.pick(['030 23125 ', '+496990009']) + random.digits(3),
  },
  {
    code: 'FR',
    towns: [
      ['Saint-Élan', 'Val-de-Brême'],
      ['Crécy-l’Étang', 'Haute-Orne'],
    ],
    streets: ['Rue de l’Église', 'Allée des Châtaigniers', 'Place du Marché'],
    postalCode: (random) => `${random.between(10, 95)}${random.digits(3)}`,
    landline: (random) =>
      `${random.pick(['01 99 00 ', '+33 2 61 91 '])}${random.digits(2)} ${random.digits(2)}`,
  },
  {
    code: 'AU',
    towns: [
      ['Wattle Creek', 'NSW'],
      ['Port Banksia', 'QLD'],
    ],
    streets: ['Ironbark Road', 'The Esplanade', 'Unit 4/17 Heath Street'],
    postalCode: (random) => String(random.between(2000, 4999)),
    landline: (random) => `${random.pick(['(02) 5550 ', '+61 7 7010 '])}${random.digits(4)}`,
  },
];
