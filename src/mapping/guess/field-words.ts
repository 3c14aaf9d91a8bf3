/** Column names that probably mean a field of the account payload (section 2.3), ignoring case and punctuation. */
const billingAddress = {
  street_address: ['strasse', 'street', 'streetaddress', 'address', 'address1', 'addressline1', 'adresse'],
  locality: ['ort', 'stadt', 'city', 'town', 'posttown', 'towncity', 'suburb', 'locality'],
  administrative_area: ['bundesland', 'state', 'region', 'county', 'province'],
  postal_code: ['plz', 'postleitzahl', 'zip', 'zipcode', 'postcode', 'postalcode'],
  country: ['land', 'laendercode', 'country', 'countrycode', 'ctry', 'iso'],
};

const customer = {
  given_name: ['vorname', 'firstname', 'givenname', 'forename'],
  family_name: ['nachname', 'familienname', 'name', 'lastname', 'surname', 'familyname'],
  email: ['email', 'mail', 'emailaddress', 'emailadresse'],
  landline: [
    'telefon',
    'telefonnummer',
    'phone',
    'phonenumber',
    'telephone',
    'tel',
    'telhome',
    'homephone',
    'landline',
  ],
};

const account = {
  transfer_balance: ['saldo', 'kontostand', 'balance', 'acctbal', 'accountbalance', 'transferbalance'],
};

/** A field of the account, or of the object of that name, and the column that seems to contain it. */
export interface FieldGuess {
  readonly part: 'account' | 'billing_address' | 'customers';
  readonly field: string;
  readonly column: string;
}

/** The fields that these columns seem to contain, each with one column. */
export function guessFields(columns: readonly string[]): readonly FieldGuess[] {
  const find = (part: FieldGuess['part'], words: Readonly<Record<string, readonly string[]>>): FieldGuess[] =>
    Object.entries(words).flatMap(([field, names]) => {
      const column = columns.find((name) => names.includes(name.toLowerCase().replace(/[^a-z\d]/g, '')));
      return column === undefined ? [] : [{ part, field, column }];
    });
  return [
    ...find('account', account),
    ...find('billing_address', billingAddress),
    ...find('customers', customer),
  ];
}
