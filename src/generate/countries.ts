import type { Dice } from './dice.ts';

/** A country with invented places, and telephone numbers of the ranges kept free for examples and fiction. */
export interface Country {
  readonly code: string;
  /** Pairs of locality and administrative area. */
  readonly towns: readonly [Town, ...Town[]];
  readonly streets: readonly [string, ...string[]];
  readonly postalCode: (dice: Dice) => string;
  /** As people write it within the country, or with its prefix. */
  readonly landline: (dice: Dice) => string;
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
    postalCode: (dice) =>
      `ZZ${dice.between(1, 20)} ${dice.between(1, 9)}${dice.pick(['AA', 'DB', 'QX', 'TN'])}`,
    landline: (dice) => dice.pick(['020 7946 0', '+441134960']) + dice.digits(3),
  },
  {
    code: 'DE',
    towns: [
      ['Grünfelde', 'Nordmark'],
      ['Königsaue', 'Südmark'],
    ],
    streets: ['Große Straße', 'Mühlenweg', 'Am Äußeren Tor'],
    postalCode: (dice) => `0${dice.between(1, 9)}${dice.digits(3)}`,
    landline: (dice) => dice.pick(['030 23125 ', '+496990009']) + dice.digits(3),
  },
  {
    code: 'FR',
    towns: [
      ['Saint-Élan', 'Val-de-Brême'],
      ['Crécy-l’Étang', 'Haute-Orne'],
    ],
    streets: ['Rue de l’Église', 'Allée des Châtaigniers', 'Place du Marché'],
    postalCode: (dice) => `${dice.between(10, 95)}${dice.digits(3)}`,
    landline: (dice) => `${dice.pick(['01 99 00 ', '+33 2 61 91 '])}${dice.digits(2)} ${dice.digits(2)}`,
  },
  {
    code: 'AU',
    towns: [
      ['Wattle Creek', 'NSW'],
      ['Port Banksia', 'QLD'],
    ],
    streets: ['Ironbark Road', 'The Esplanade', 'Unit 4/17 Heath Street'],
    postalCode: (dice) => String(dice.between(2000, 4999)),
    landline: (dice) => `${dice.pick(['(02) 5550 ', '+61 7 7010 '])}${dice.digits(4)}`,
  },
];
