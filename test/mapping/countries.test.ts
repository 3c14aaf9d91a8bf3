import { describe, expect, it } from 'vitest';
import { countryOf } from '../../src/mapping/country-names.ts';
import { officialNames } from '../../src/mapping/country-official-names.ts';
import { readMapping } from '../../src/mapping/read-mapping.ts';
import { planOf } from './bundles.ts';

/** What a mapping makes of the cells of one account, and the codes of the problems. */
function mapped(customer: string, columns: string, row: string) {
  const mapping = readMapping(
    'm.yaml',
    `version: 1
tables: { accounts: { file: a.csv, key: ID } }
account:
  billing_address: { country: { column: LAND, country: true, codes: { Yugoslavia: RS } } }
  customers: [{ given_name: ID, landline: ${customer} }]
`,
    { supplier: 'S' },
  );
  const { payload, problems } = planOf(mapping, { 'a.csv': [`ID,LAND,${columns}`, `1,${row}`] }, '1');
  const { billing_address: address, customers } = payload as {
    billing_address?: { country?: string };
    customers: { landline?: string }[];
  };
  return {
    country: address?.country,
    landline: customers[0]?.landline,
    codes: problems.map(({ code, cell }) => `${code} ${cell?.column}`),
  };
}

describe('the name of a country', () => {
  it.each([
    ['Germany', 'DE'],
    ['Allemagne', 'DE'],
    ['ドイツ', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ["cote d'ivoire", 'CI'],
    ['United States', 'US'],
    ['UK', 'GB'],
    ['Российская Федерация', undefined],
    ['Yugoslavia', 'RS'],
    ['Russian Federation', 'RU'],
    ['Viet Nam', 'VN'],
    ['Türkiye', 'TR'],
    ['Iran (Islamic Republic of)', 'IR'],
    ['Netherlands (the)', 'NL'],
    ['The Bahamas', 'BS'],
    ['Korea', undefined],
    ['XX', undefined],
    ['gb', 'GB'],
    ['Atlantis', undefined],
    ['Kongo', undefined],
  ])('%s is %s', (name, country) => {
    const found = mapped('TEL', 'TEL', `${name},`);
    expect(found.country).toBe(country ?? name);
    expect(found.codes).toEqual(country === undefined ? ['unknown_country LAND'] : []);
  });
});

it('knows official names as English ones, and one name of no two countries', () => {
  const all = new Map<string, string>();
  for (const [code, names] of Object.entries(officialNames))
    for (const name of names) {
      expect(countryOf(name, 'en'), name).toEqual([code]);
      expect(countryOf(name), name).toEqual([code]);
      expect(all.get(name) ?? code, name).toBe(code);
      all.set(name, code);
    }
});

describe('a phone number of the country of its row', () => {
  const ofRow = '{ column: [TEL, MOBILE], phone: { country: LAND }, on_invalid: omit }';
  it.each([
    ['Japan,03-3224-9999,', '+81332249999', []],
    ['DE,030 23125 001,', '+493023125001', []],
    ['DE,12,', undefined, ['value_omitted TEL']],
    // No country is invented.
    [',030 23125 001,', undefined, ['value_omitted TEL']],
    [',+49 30 23125001,', '+493023125001', []],
    ['DE,,030 23125 001', '+493023125001', []],
  ])('%s', (row, landline, codes) => {
    expect(mapped(ofRow, 'TEL,MOBILE', row)).toMatchObject({ landline, codes });
  });

  it('is the first that is valid, with next', () => {
    const next = ofRow.replace('omit', 'next');
    expect(mapped(next, 'TEL,MOBILE', 'DE,12,030 23125 001')).toMatchObject({
      landline: '+493023125001',
      codes: [],
    });
    expect(mapped(next, 'TEL,MOBILE', 'DE,,12').codes).toEqual(['invalid_phone_number MOBILE']);
  });

  it('must have its prefix with phone: international', () => {
    const international = '{ column: TEL, phone: international }';
    expect(mapped(international, 'TEL', 'DE,+49 30 23125001').landline).toBe('+493023125001');
    expect(mapped(international, 'TEL', 'DE,030 23125001').codes).toEqual(['invalid_phone_number TEL']);
  });
});
